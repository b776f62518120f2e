// Parameters by name, for events and controllers.
#include <charconv>
#include <functional>

#include "carom/engine/model.h"

namespace carom {
namespace {

using Visit = std::function<void(const std::string& path, double& value)>;

struct DofField {
  const char* name;
  double DofElement::*member;
};
constexpr DofField kDofFields[] = {{"spring.stiffness", &DofElement::stiffness},
                                   {"spring.rest", &DofElement::rest},
                                   {"damping", &DofElement::damping},
                                   {"friction.coulomb", &DofElement::coulomb},
                                   {"friction.static", &DofElement::stiction},
                                   {"limits.lower", &DofElement::lower},
                                   {"limits.upper", &DofElement::upper},
                                   {"limits.stiffness", &DofElement::stop_stiffness},
                                   {"limits.damping", &DofElement::stop_damping}};

struct DriveField {
  const char* name;
  double DriveElement::*member;
};
constexpr DriveField kDriveFields[] = {{"drive.stiffness", &DriveElement::stiffness},
                                       {"drive.damping", &DriveElement::damping},
                                       {"drive.integral", &DriveElement::integral},
                                       {"drive.limit", &DriveElement::limit},
                                       {"drive.gain", &DriveElement::gain}};

void visit_dofs(const Model& model, Parameters& p, const Visit& visit) {
  for (DofElement& e : p.dofs) {
    const JointInfo& joint = model.joints[static_cast<std::size_t>(e.joint)];
    const std::string head = "joints." + joint.name + ".";
    const std::string tail = joint.kind->nv == 1 ? "" : "." + std::to_string(e.dof);
    for (const DofField& f : kDofFields) visit(head + f.name + tail, e.*f.member);
    if (e.drive < 0) continue;
    DriveElement& d = p.drives[static_cast<std::size_t>(e.drive)];
    for (const DriveField& f : kDriveFields) visit(head + f.name + tail, d.*f.member);
    const SignalInfo& reference = model.signals[static_cast<std::size_t>(d.signal)];
    if (reference.spec.kind == SignalSpec::Kind::constant) {
      visit(head + "drive.reference" + tail, p.constants[static_cast<std::size_t>(d.signal)]);
    }
  }
}

void visit_forces(const Model& model, Parameters& p, const Visit& visit) {
  for (const ForceElement& e : model.forces) {
    auto slot = static_cast<std::size_t>(e.param0);
    for (const ParamField& f : e.kind->fields) {
      const std::string path = "forces." + e.name + "." + f.name;
      for (std::size_t k = 0; k < width(f); ++k, ++slot) {
        visit(width(f) == 1 ? path : path + "." + std::to_string(k), p.force_params[slot]);
      }
    }
    for (std::size_t k = 0; k < e.signals.size(); ++k) {
      const auto s = static_cast<std::size_t>(e.signals[k]);
      if (model.signals[s].spec.kind != SignalSpec::Kind::constant) continue;
      visit("forces." + e.name + ".value." + std::to_string(k), p.constants[s]);
    }
  }
}

void visit_parameters(const Model& model, Parameters& p, const Visit& visit) {
  visit_dofs(model, p, visit);
  visit_forces(model, p, visit);
  for (std::size_t i = 0; i < model.signals.size(); ++i) {
    const SignalInfo& s = model.signals[i];
    if (s.name.empty() || s.spec.kind != SignalSpec::Kind::constant) continue;
    visit("signals." + s.name, p.constants[i]);
  }
  for (std::size_t i = 0; i < model.loops.size(); ++i) {
    visit("joints." + model.loops[i].name + ".active", p.loop_enabled[i]);
  }
  for (std::size_t k = 0; k < 3; ++k) {
    visit("gravity." + std::to_string(k), p.gravity.uniform[k]);
  }
}

}  // namespace

double* find_parameter(const Model& model, Parameters& parameters, const std::string& path) {
  double* found = nullptr;
  visit_parameters(model, parameters, [&](const std::string& name, double& value) {
    if (name == path) found = &value;
  });
  return found;
}

std::vector<std::string> parameter_paths(const Model& model) {
  std::vector<std::string> paths;
  Parameters copy = model.parameters;
  visit_parameters(model, copy, [&](const std::string& name, double&) { paths.push_back(name); });
  return paths;
}

}  // namespace carom
