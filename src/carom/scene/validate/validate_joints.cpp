// The tree of joints: every body is carried by at most one joint, and following
// parents from any body ends at the world or at a body without a joint.
#include <map>

#include "carom/base/text.h"
#include "carom/multibody/joint_kind.h"
#include "carom/scene/validate/validate.h"

namespace carom {
namespace {

void check_sizes(const JointSpec& joint, Diagnostics& out) {
  const std::string what = "joints." + joint.name;
  const JointKind* kind = find_joint_kind(joint.kind);
  if (!kind) {
    std::vector<std::string> known;
    for (const JointKind* row : joint_catalogue()) known.push_back(row->name);
    out.error(joint.where, what + ": there is no kind of joint '" + joint.kind + "'",
              suggest(joint.kind, known));
    return;
  }
  const auto expect = [&](const char* name, std::size_t size, std::size_t wanted,
                          bool may_be_empty) {
    if (size == wanted || (may_be_empty && size == 0)) return;
    out.error(joint.where, what + "." + name + " has " + std::to_string(size) + " elements, a " +
                               joint.kind + " joint takes " + std::to_string(wanted));
  };
  expect("params", joint.params.size(), width(kind->fields), false);
  expect("q", joint.q.size(), static_cast<std::size_t>(kind->nq), true);
  expect("v", joint.v.size(), static_cast<std::size_t>(kind->nv), true);
  expect("dofs", joint.dofs.size(), static_cast<std::size_t>(kind->nv), true);
  for (const DofSpec& dof : joint.dofs) {
    if (!dof.drive || !dof.motion) continue;
    out.error(joint.where, what + " has a drive and a prescribed motion on one coordinate",
              "keep one of them; the force of a prescribed motion is computed");
  }
}

/// Joints of the tree by the body they carry.
using Carriers = std::map<std::string, const JointSpec*>;

Carriers find_carriers(const Scene& scene, Diagnostics& out) {
  std::map<std::string, bool> fixed;
  for (const BodySpec& body : scene.bodies) fixed[body.name] = body.fixed;
  Carriers carriers;
  for (const JointSpec& joint : scene.joints) {
    const std::string what = "joints." + joint.name;
    if (joint.parent == joint.child) {
      out.error(joint.where, what + " connects '" + joint.child + "' with itself");
      continue;
    }
    if (joint.loop) continue;
    if (joint.child == kWorldName) {
      out.error(joint.where, what + " carries the world", "exchange parent and child");
      continue;
    }
    const auto body = fixed.find(joint.child);
    if (body != fixed.end() && body->second) {
      out.error(joint.where, what + " carries '" + joint.child + "', which is fixed",
                "remove 'fixed: true', or add loop: true");
      continue;
    }
    const auto [entry, fresh] = carriers.emplace(joint.child, &joint);
    if (fresh) continue;
    out.error(joint.where,
              "'" + joint.child + "' is carried by two joints, '" + entry->second->name +
                  "' and '" + joint.name + "'",
              "mark one of them with loop: true");
  }
  return carriers;
}

void check_cycles(const Carriers& carriers, Diagnostics& out) {
  enum class State { open, done };
  std::map<std::string, State> states;
  for (const auto& [start, unused] : carriers) {
    std::vector<std::string> way;
    std::string at = start;
    while (!states.contains(at)) {
      states[at] = State::open;
      way.push_back(at);
      const auto joint = carriers.find(at);
      if (joint == carriers.end()) break;
      at = joint->second->parent;
      const auto met = states.find(at);
      if (met == states.end() || met->second == State::done) continue;
      out.error(joint->second->where,
                "the joints of the tree form a circle through '" + at + "' and '" +
                    joint->second->child + "'",
                "mark one joint of the circle with loop: true, and let another begin at the world");
    }
    for (const std::string& body : way) states[body] = State::done;
  }
}

/// The coordinates of a joint and the pose of its body say the same thing twice.
void check_initial_state(const Scene& scene, const Carriers& carriers, Diagnostics& out) {
  for (const BodySpec& body : scene.bodies) {
    const auto carrier = carriers.find(body.name);
    if (carrier == carriers.end()) continue;
    const JointSpec& joint = *carrier->second;
    if (!joint.q.empty() && (body.position || body.orientation)) {
      out.error(
          joint.where,
          "joints." + joint.name + " has q, and body '" + body.name + "' a position or orientation",
          "remove one of them; the other follows from it");
    }
    if (!joint.v.empty() && (body.velocity || body.angular_velocity)) {
      out.error(joint.where,
                "joints." + joint.name + " has v, and body '" + body.name + "' a velocity",
                "remove one of them; the other follows from it");
    }
  }
}

}  // namespace

void check_joints(const Scene& scene, Diagnostics& out) {
  for (const JointSpec& joint : scene.joints) check_sizes(joint, out);
  const Carriers carriers = find_carriers(scene, out);
  check_cycles(carriers, out);
  check_initial_state(scene, carriers, out);
}

}  // namespace carom
