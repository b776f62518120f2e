#include "carom/scene/validate/validate.h"

#include <set>

#include "carom/base/text.h"
#include "carom/multibody/force_kind.h"
#include "carom/scene/body_mass.h"

namespace carom {
namespace {

template <class List>
std::vector<std::string> names_of(const List& list) {
  std::vector<std::string> names;
  for (const auto& item : list) names.push_back(item.name);
  return names;
}

class ReferenceCheck {
 public:
  ReferenceCheck(const Scene& scene, Diagnostics& out)
      : scene_(scene), out_(out), bodies_(names_of(scene.bodies)), joints_(names_of(scene.joints)) {
    body_set_.insert(bodies_.begin(), bodies_.end());
    joint_set_.insert(joints_.begin(), joints_.end());
  }

  void body(const std::string& name, const SourcePos& where, const std::string& what) {
    if (name == kWorldName || body_set_.contains(name)) return;
    out_.error(where, what + ": there is no body '" + name + "'", suggest(name, bodies_));
  }
  void joint(const std::string& name, const SourcePos& where, const std::string& what) {
    if (joint_set_.contains(name)) return;
    out_.error(where, what + ": there is no joint '" + name + "'", suggest(name, joints_));
  }
  void material(const std::string& name, const SourcePos& where, const std::string& what) {
    if (name.empty() || find_material(scene_, name)) return;
    out_.error(where, what + ": there is no material '" + name + "'",
               suggest(name, names_of(scene_.materials)));
  }

 private:
  const Scene& scene_;
  Diagnostics& out_;
  std::vector<std::string> bodies_, joints_;
  std::set<std::string> body_set_, joint_set_;
};

void check_force(const ForceSpec& force, ReferenceCheck& check, Diagnostics& out) {
  const std::string what = "forces." + force.name;
  check.body(force.to.body, force.where, what);
  const ForceKind* kind = find_force_kind(force.kind);
  if (!kind) {
    std::vector<std::string> known;
    for (const ForceKind* row : force_catalogue()) known.push_back(row->name);
    out.error(force.where, what + ": there is no kind of force '" + force.kind + "'",
              suggest(force.kind, known));
    return;
  }
  if (force.params.size() != width(kind->fields)) {
    out.error(force.where, what + " has " + std::to_string(force.params.size()) +
                               " parameters, it takes " + std::to_string(width(kind->fields)));
  }
  if (force.signals.size() > static_cast<std::size_t>(kind->signal_count)) {
    out.error(force.where, what + " has " + std::to_string(force.signals.size()) +
                               " signals, it takes " + std::to_string(kind->signal_count));
  }
  if (kind->is_load) return;
  check.body(force.from.body, force.where, what);
  if (force.from.body == force.to.body) {
    out.error(force.where, what + " grips '" + force.to.body + "' at both ends",
              "connect two bodies, or a body and the world");
  }
}

}  // namespace

void check_references(const Scene& scene, Diagnostics& out) {
  ReferenceCheck check(scene, out);
  for (const BodySpec& body : scene.bodies) {
    check.material(body.material, body.where, "bodies." + body.name);
    for (const ShapeSpec& shape : body.shapes) {
      check.material(shape.material, shape.where, "a shape of '" + body.name + "'");
    }
  }
  for (const JointSpec& joint : scene.joints) {
    check.body(joint.parent, joint.where, "joints." + joint.name);
    check.body(joint.child, joint.where, "joints." + joint.name);
  }
  for (const CouplingSpec& coupling : scene.couplings) {
    check.joint(coupling.first, coupling.where, "couplings." + coupling.name);
    check.joint(coupling.second, coupling.where, "couplings." + coupling.name);
    if (coupling.first == coupling.second && coupling.first_dof == coupling.second_dof) {
      out.error(coupling.where, "couplings." + coupling.name + " couples a coordinate with itself");
    }
  }
  for (const ForceSpec& force : scene.forces) check_force(force, check, out);
  for (const std::string& name : scene.initial.keep) {
    check.joint(name, scene.initial.where, "initial");
  }
}

void check_run(const Scene& scene, Diagnostics& out) {
  const RunSpec& run = scene.run;
  if (!(run.until > run.start)) {
    out.error(run.until_where,
              "the run ends at " + number_text(run.until) + " s and begins at " +
                  number_text(run.start) + " s",
              "until must be later than start");
  }
  const double duration = run.until - run.start;
  // Steps that no machine will do, most likely a wrong unit.
  constexpr double kMostSteps = 1e12;
  if (run.step > 0.0 && duration / run.step > kMostSteps) {
    out.error(run.step_where, "run.step is " + number_text(run.step) + " s, more than 1e12 steps");
  }
  const bool may_freeze = run.integrator == "auto" || run.integrator == "implicit_contact";
  if (run.freeze > 0.0 && !may_freeze) {
    out.error(
        run.freeze_where,
        "run.freeze is of implicit contact steps, and the integrator is '" + run.integrator + "'",
        "leave it out, or take 'implicit_contact'");
  }
  constexpr double kMostCheckpoints = 1e6;
  if (run.checkpoint > 0.0 && duration / run.checkpoint > kMostCheckpoints) {
    out.error(run.where,
              "run.checkpoint is " + number_text(run.checkpoint) + " s, more than 1e6 checkpoints");
  }
  constexpr double kMostSamples = 1e9;
  if (run.output.step > 0.0 && duration / run.output.step > kMostSamples) {
    out.error(run.output.step_where,
              "run.output.step is " + number_text(run.output.step) + " s, more than 1e9 samples");
  }
}

void validate(const Scene& scene, Diagnostics& out) {
  const int errors_before = out.error_count();
  check_values(scene, out);
  if (out.error_count() == errors_before) {
    validate_parts(scene, out);
    return;
  }
  // Masses and laws are made of the values: the rest needs good ones.
  check_names(scene, out);
  check_references(scene, out);
}

void validate_parts(const Scene& scene, Diagnostics& out) {
  check_names(scene, out);
  check_references(scene, out);
  check_joints(scene, out);
  check_masses(scene, out);
  check_mesh_units(scene, out);
  check_contact(scene, out);
  check_surfaces(scene, out);
  check_controls(scene, out);
  check_run(scene, out);
}

}  // namespace carom
