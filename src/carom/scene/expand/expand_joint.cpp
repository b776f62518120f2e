#include "carom/scene/expand/expand_joint.h"

#include <algorithm>

#include "carom/multibody/joint_kind.h"
#include "carom/scene/expand/yaml_writer.h"

namespace carom {
namespace {

using yaml::Map;

/// One element per coordinate; null where `write` gives nothing.
template <class Write>
std::string per_dof(const std::vector<DofSpec>& dofs, Write write) {
  std::vector<std::string> items;
  for (const DofSpec& dof : dofs) items.push_back(write(dof));
  return yaml::list(items);
}

std::string per_dof(const std::vector<DofSpec>& dofs, double DofSpec::*member) {
  return per_dof(dofs, [&](const DofSpec& dof) { return yaml::number(dof.*member); });
}

std::string optional(const std::optional<double>& value) {
  return value ? yaml::number(*value) : "null";
}

std::string drive(const DriveSpec& d) {
  using Kind = DriveSpec::Kind;
  Map map;
  const std::string reference = yaml::signal(d.reference);
  switch (d.kind) {
    case Kind::force: map.add("force", reference); break;
    case Kind::position:
      map.add("position", reference).add("stiffness", yaml::number(d.stiffness));
      map.add("damping", yaml::number(d.damping)).add("integral", yaml::number(d.integral));
      map.add("rate_feedforward", yaml::boolean(d.rate_feedforward));
      break;
    case Kind::velocity:
      map.add("velocity", reference).add("damping", yaml::number(d.damping));
      map.add("integral", yaml::number(d.integral));
      break;
    case Kind::cascade:
      map.add("cascade", reference).add("ratio", yaml::number(d.ratio));
      map.add("inner_gain", yaml::number(d.inner_gain)).add("gain", yaml::number(d.gain));
      map.add("time_constant", yaml::number(d.time_constant));
      break;
  }
  if (d.limit >= 0.0) map.add("limit", yaml::number(d.limit));
  return map.flow();
}

void add_dofs(Map& map, const std::vector<DofSpec>& dofs) {
  if (dofs.empty()) return;
  const auto any = [&](auto test) { return std::any_of(dofs.begin(), dofs.end(), test); };
  Map spring, friction, limits, rotor;
  spring.add("stiffness", per_dof(dofs, &DofSpec::stiffness));
  spring.add("rest", per_dof(dofs, &DofSpec::rest));
  friction.add("coulomb", per_dof(dofs, &DofSpec::coulomb));
  friction.add("static", per_dof(dofs, [](const DofSpec& dof) {
                 return dof.stiction < 0.0 ? std::string("null") : yaml::number(dof.stiction);
               }));
  rotor.add("inertia", per_dof(dofs, &DofSpec::rotor_inertia));
  rotor.add("ratio", per_dof(dofs, &DofSpec::rotor_ratio));
  map.add("spring", spring.flow()).add("damping", per_dof(dofs, &DofSpec::damping));
  map.add("friction", friction.flow()).add("rotor", rotor.flow());
  if (any([](const DofSpec& dof) { return dof.lower || dof.upper; })) {
    limits.add("lower", per_dof(dofs, [](const DofSpec& dof) { return optional(dof.lower); }));
    limits.add("upper", per_dof(dofs, [](const DofSpec& dof) { return optional(dof.upper); }));
    limits.add("stiffness", per_dof(dofs, &DofSpec::stop_stiffness));
    limits.add("damping", per_dof(dofs, &DofSpec::stop_damping));
    map.add("limits", limits.flow());
  }
  if (any([](const DofSpec& dof) { return dof.drive.has_value(); })) {
    map.add("drive", per_dof(dofs, [](const DofSpec& dof) {
              return dof.drive ? drive(*dof.drive) : std::string("null");
            }));
  }
  if (any([](const DofSpec& dof) { return dof.motion.has_value(); })) {
    map.add("motion", per_dof(dofs, [](const DofSpec& dof) {
              return dof.motion ? yaml::signal(*dof.motion) : std::string("null");
            }));
  }
}

std::string coordinate(const Scene& scene, const std::string& name, int dof) {
  const auto joint = std::find_if(scene.joints.begin(), scene.joints.end(),
                                  [&](const JointSpec& j) { return j.name == name; });
  const JointKind* kind = joint == scene.joints.end() ? nullptr : find_joint_kind(joint->kind);
  if (!kind || kind->nv < 2) return name;
  return name + "." + kind->coordinates[static_cast<std::size_t>(dof)].name;
}

}  // namespace

std::string expand_joint(const JointSpec& joint) {
  const JointKind& kind = *find_joint_kind(joint.kind);
  Map fields;
  fields.add("parent", joint.parent).add("child", joint.child);
  fields.add("at", yaml::vector3(joint.X_PF.p)).add("frame", yaml::rotation(joint.X_PF.R));
  fields.add("child_at", yaml::vector3(joint.X_BM.p));
  fields.add("child_frame", yaml::rotation(joint.X_BM.R));
  yaml::add_params(fields, kind.fields, joint.params);
  Map map;
  map.add(joint.kind, fields.flow());
  if (!joint.q.empty()) map.add("q", yaml::list(joint.q));
  if (!joint.v.empty()) map.add("v", yaml::list(joint.v));
  add_dofs(map, joint.dofs);
  map.add("loop", yaml::boolean(joint.loop));
  if (joint.loop) {
    Map active;
    active.add("from", yaml::number(joint.active_from));
    active.add("until", yaml::number(joint.active_until));
    map.add("active", active.flow());
  }
  map.add("collide", yaml::boolean(joint.collide));
  return "  " + joint.name + ":\n" + map.block(4);
}

std::string expand_coupling(const Scene& scene, const CouplingSpec& c) {
  Map fields;
  const std::vector<std::string> joints{coordinate(scene, c.first, c.first_dof),
                                        coordinate(scene, c.second, c.second_dof)};
  fields.add("joints", yaml::list(joints));
  fields.add(c.kind == "rack" ? "radius" : "ratio", yaml::number(c.ratio));
  if (c.offset) fields.add("offset", yaml::number(*c.offset));
  return "  " + c.name + ": " + Map().add(c.kind, fields.flow()).flow() + "\n";
}

}  // namespace carom
