// A place for every part of a scene that stands in no file: its path.
#include "carom/scene/validate/validate.h"

namespace carom {
namespace {

void give(SourcePos& where, const std::string& path) {
  if (where.file.empty() && where.line == 0) where.file = path;
}

void give_joint(JointSpec& j) {
  const std::string path = "joints." + j.name;
  give(j.where, path);
  for (DofSpec& dof : j.dofs) {
    if (dof.motion) give(dof.motion->where, path + ".motion");
    if (!dof.drive) continue;
    give(dof.drive->where, path + ".drive");
    give(dof.drive->reference.where, path + ".drive");
  }
}

void give_body(BodySpec& b) {
  const std::string path = "bodies." + b.name;
  give(b.where, path);
  for (std::size_t i = 0; i < b.shapes.size(); ++i) {
    give(b.shapes[i].where, path + ".shapes." + std::to_string(i));
  }
  for (MarkerSpec& m : b.markers) give(m.where, path + ".markers." + m.name);
}

void give_contact(ContactSpec& c) {
  give(c.where, "contact");
  const auto give_pairs = [](std::vector<ContactPairSpec>& pairs, const std::string& path) {
    for (std::size_t i = 0; i < pairs.size(); ++i) {
      give(pairs[i].where, path + "." + std::to_string(i));
    }
  };
  give_pairs(c.material_pairs, "contact.material_pairs");
  give_pairs(c.pairs, "contact.pairs");
  for (ContactGroup& g : c.groups) give(g.where, "contact.groups." + g.name);
}

}  // namespace

void give_places(Scene& scene) {
  for (MaterialSpec& m : scene.materials) give(m.where, "materials." + m.name);
  for (BodySpec& b : scene.bodies) give_body(b);
  for (JointSpec& j : scene.joints) give_joint(j);
  for (CouplingSpec& c : scene.couplings) give(c.where, "couplings." + c.name);
  for (ForceSpec& f : scene.forces) {
    give(f.where, "forces." + f.name);
    for (SignalSpec& s : f.signals) give(s.where, "forces." + f.name);
  }
  for (NamedSignal& s : scene.signals) give(s.signal.where, "signals." + s.name);
  for (StateSpec& s : scene.states) {
    give(s.where, "states." + s.name);
    give(s.rate.where, "states." + s.name + ".rate");
  }
  for (EventSpec& e : scene.events) {
    give(e.where, "events." + e.name);
    give(e.when.where, "events." + e.name + ".when");
  }
  for (ControlSpec& c : scene.controls) give(c.where, "controls." + c.signal);
  for (SurfaceSpec& s : scene.surfaces) give(s.where, "surfaces." + s.name);
  for (std::size_t i = 0; i < scene.surface_contacts.size(); ++i) {
    give(scene.surface_contacts[i].where, "contacts." + std::to_string(i));
  }
  give_contact(scene.contact);
  give(scene.initial.where, "initial");
  RunSpec& run = scene.run;
  give(run.where, "run");
  give(run.until_where, "run.until");
  give(run.integrator_where, "run.integrator");
  give(run.step_where, "run.step");
  give(run.output.step_where, "run.output.step");
  give(run.output.channels_where, "run.output.channels");
}

}  // namespace carom
