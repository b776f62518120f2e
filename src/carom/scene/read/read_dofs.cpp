// What acts along the coordinates of a joint: springs, damping, friction, stops,
// rotors, drives and prescribed motion. A number holds for every coordinate, a list
// has one for each; null in a list leaves a coordinate out.
#include <algorithm>

#include "carom/scene/read/read_parts.h"
#include "carom/scene/validate/rules.h"

namespace carom {
namespace {

using Optionals = std::vector<std::optional<double>>;

/// One optional number per coordinate.
Optionals read_per_dof(MapReader& map, const char* key, std::size_t count) {
  Optionals result(count);
  const Node* node = map.find(key);
  if (!node) return result;
  const Field& field = map.field(key);
  if (!node->is_list()) {
    const auto value = map.reader.number(*node, field, map.path(key));
    std::fill(result.begin(), result.end(), value);
    return result;
  }
  if (node->items.size() != count) {
    map.reader.wrong(*node, map.path(key),
                     "a number or a list of " + std::to_string(count) + ", one per coordinate");
    return result;
  }
  for (std::size_t i = 0; i < count; ++i) {
    if (node->items[i].is_null()) continue;
    result[i] = map.reader.number(node->items[i], field, map.path(key) + "." + std::to_string(i));
  }
  return result;
}

/// Reads a record whose fields are numbers per coordinate, and stores them.
class DofRecord {
 public:
  DofRecord(MapReader& joint, const char* key, std::vector<DofSpec>& dofs) : dofs_(dofs) {
    const Node* node = joint.find(key);
    if (!node) return;
    map_.emplace(joint.reader, *node, joint.field(key).record, joint.path(key));
  }
  bool given() const { return map_ && (map_->is_map() || map_->node().is_null()); }
  MapReader& map() { return *map_; }

  void store(const char* key, double DofSpec::*member) {
    const Optionals numbers = read_per_dof(*map_, key, dofs_.size());
    for (std::size_t i = 0; i < dofs_.size(); ++i) {
      const double fallback = map_->field(key).default_value;
      if (numbers[i]) {
        dofs_[i].*member = *numbers[i];
      } else if (!std::isnan(fallback)) {
        dofs_[i].*member = fallback;
      }
    }
  }
  void store(const char* key, std::optional<double> DofSpec::*member) {
    const Optionals numbers = read_per_dof(*map_, key, dofs_.size());
    for (std::size_t i = 0; i < dofs_.size(); ++i) dofs_[i].*member = numbers[i];
  }

 private:
  std::optional<MapReader> map_;
  std::vector<DofSpec>& dofs_;
};

void read_limits(MapReader& joint, std::vector<DofSpec>& dofs) {
  DofRecord limits(joint, "limits", dofs);
  if (!limits.given()) return;
  limits.store("lower", &DofSpec::lower);
  limits.store("upper", &DofSpec::upper);
  limits.store("stiffness", &DofSpec::stop_stiffness);
  limits.store("damping", &DofSpec::stop_damping);
  MapReader& map = limits.map();
  if (!map.has("lower") && !map.has("upper")) {
    joint.reader.error(map.node().where, map.path() + " has neither lower nor upper");
  }
  for (const DofSpec& dof : dofs) {
    const std::string problem = limits_problem(dof);
    if (!problem.empty()) joint.reader.error(map.node().where, map.path() + problem);
  }
}

void read_friction(MapReader& joint, std::vector<DofSpec>& dofs) {
  DofRecord friction(joint, "friction", dofs);
  if (!friction.given()) return;
  friction.store("coulomb", &DofSpec::coulomb);
  friction.store("static", &DofSpec::stiction);
  for (const DofSpec& dof : dofs) {
    const std::string problem = friction_problem(dof);
    if (problem.empty()) continue;
    joint.reader.error(friction.map().node().where, friction.map().path() + problem,
                       "the force at break-away is at least the sliding force");
  }
}

/// Gains that mean something for each kind of drive.
bool applies(const std::string& kind, const std::string& key) {
  if (key == "limit") return true;
  if (kind == "position") {
    return key == "stiffness" || key == "damping" || key == "integral" || key == "rate_feedforward";
  }
  if (kind == "velocity") return key == "damping" || key == "integral";
  if (kind == "cascade") {
    return key == "ratio" || key == "inner_gain" || key == "gain" || key == "time_constant";
  }
  return false;
}

std::optional<DriveSpec> read_drive(Reader& reader, const Node& node, const std::string& path) {
  MapReader map(reader, node, "drive", path);
  if (!map.kind()) return {};
  const std::string& kind = map.kind()->name;
  for (const NodeEntry& entry : node.entries) {
    if (!map.record().find_field(entry.key) || applies(kind, entry.key)) continue;
    reader.error(entry.where, path + ": '" + entry.key + "' has no meaning for a drive of " + kind);
  }
  DriveSpec drive;
  using Kind = DriveSpec::Kind;
  drive.kind = kind == "force"      ? Kind::force
               : kind == "position" ? Kind::position
               : kind == "velocity" ? Kind::velocity
                                    : Kind::cascade;
  drive.where = reader.at(node.where);
  drive.reference = read_signal(reader, map.kind_value(), map.path(kind));
  drive.stiffness = map.number("stiffness");
  drive.damping = map.number("damping");
  drive.integral = map.number("integral");
  drive.rate_feedforward = map.boolean("rate_feedforward");
  drive.limit = map.optional_number("limit").value_or(-1.0);
  drive.ratio = map.number("ratio");
  drive.inner_gain = map.number("inner_gain");
  drive.gain = map.number("gain");
  drive.time_constant = map.number("time_constant");
  return drive;
}

/// Calls `store(i, node, path)` for each coordinate that `key` gives something.
template <class Store>
void for_each_dof(MapReader& joint, const char* key, std::size_t count, Store store) {
  const Node* node = joint.find(key);
  if (!node) return;
  if (!node->is_list()) {
    for (std::size_t i = 0; i < count; ++i) store(i, *node, joint.path(key));
    return;
  }
  if (node->items.size() != count) {
    joint.reader.wrong(*node, joint.path(key),
                       "one, or a list of " + std::to_string(count) + ", one per coordinate");
    return;
  }
  for (std::size_t i = 0; i < count; ++i) {
    if (node->items[i].is_null()) continue;
    store(i, node->items[i], joint.path(key) + "." + std::to_string(i));
  }
}

}  // namespace

std::vector<DofSpec> read_dofs(MapReader& joint, std::size_t count) {
  std::vector<DofSpec> dofs(count);
  bool any = false;
  for (const char* key : {"spring", "damping", "friction", "limits", "rotor", "drive", "motion"}) {
    if (!joint.has(key)) continue;
    any = true;
    if (count > 0) continue;
    joint.reader.error(joint.find(key)->where, joint.path(key) + " acts on nothing",
                       "a " + joint.kind()->name + " joint has no coordinates");
  }
  if (!any || count == 0) return {};
  DofRecord spring(joint, "spring", dofs);
  if (spring.given()) {
    spring.store("stiffness", &DofSpec::stiffness);
    spring.store("rest", &DofSpec::rest);
  }
  DofRecord rotor(joint, "rotor", dofs);
  if (rotor.given()) {
    rotor.store("inertia", &DofSpec::rotor_inertia);
    rotor.store("ratio", &DofSpec::rotor_ratio);
  }
  const Optionals damping = read_per_dof(joint, "damping", count);
  for (std::size_t i = 0; i < count; ++i) dofs[i].damping = damping[i].value_or(0.0);
  read_friction(joint, dofs);
  read_limits(joint, dofs);
  for_each_dof(joint, "drive", count, [&](std::size_t i, const Node& node, const std::string& p) {
    dofs[i].drive = read_drive(joint.reader, node, p);
  });
  for_each_dof(joint, "motion", count, [&](std::size_t i, const Node& node, const std::string& p) {
    dofs[i].motion = read_signal(joint.reader, node, p);
  });
  return dofs;
}

}  // namespace carom
