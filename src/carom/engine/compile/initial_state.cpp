// From joint coordinates, or from poses and velocities of bodies in the world.
#include "carom/engine/compile/initial_state.h"

#include <algorithm>

#include "carom/engine/study/placement.h"

namespace carom {
namespace {

void set_position(const Model& model, const Scene& scene, const JointInfo& joint,
                  std::span<double> q, Diagnostics& diagnostics) {
  const BodySpec& body = scene.bodies[static_cast<std::size_t>(joint.body)];
  double* own = q.data() + joint.q0;
  joint.kind->set_zero(own);
  const JointSpec* spec =
      joint.spec < 0 ? nullptr : &scene.joints[static_cast<std::size_t>(joint.spec)];
  if (spec && !spec->q.empty()) {
    if (static_cast<int>(spec->q.size()) != joint.kind->nq) {
      diagnostics.error(spec->where,
                        "joint '" + joint.name + "' (" + joint.kind->name + ") has " +
                            std::to_string(joint.kind->nq) + " coordinates, q has " +
                            std::to_string(spec->q.size()),
                        "give one number per coordinate");
      return;
    }
    std::copy(spec->q.begin(), spec->q.end(), own);
    return;
  }
  if (!body.position && !body.orientation) return;
  const Pose X_WB{to_matrix(body.orientation.value_or(Quat{})), body.position.value_or(Vec3{})};
  if (!place_body(model, joint, X_WB, q)) {
    diagnostics.error(body.where,
                      "joint '" + joint.name + "' (" + joint.kind->name + ") cannot bring body '" +
                          body.name + "' to the given pose",
                      "give the joint's coordinate q instead of position and orientation");
  }
}

void set_velocity(const Model& model, const Scene& scene, const JointInfo& joint,
                  std::span<const double> q, std::span<double> v, Diagnostics& diagnostics) {
  const BodySpec& body = scene.bodies[static_cast<std::size_t>(joint.body)];
  double* own = v.data() + joint.v0;
  const JointSpec* spec =
      joint.spec < 0 ? nullptr : &scene.joints[static_cast<std::size_t>(joint.spec)];
  if (spec && !spec->v.empty()) {
    if (static_cast<int>(spec->v.size()) != joint.kind->nv) {
      diagnostics.error(spec->where,
                        "joint '" + joint.name + "' (" + joint.kind->name + ") has " +
                            std::to_string(joint.kind->nv) + " velocities, v has " +
                            std::to_string(spec->v.size()),
                        "give one number per velocity");
      return;
    }
    std::copy(spec->v.begin(), spec->v.end(), own);
    return;
  }
  if (!body.velocity && !body.angular_velocity) return;
  const Motion wanted{body.angular_velocity.value_or(Vec3{}), body.velocity.value_or(Vec3{})};
  const Motion left = move_body(model, joint, wanted, q, v);
  const double scale = 1.0 + norm(wanted.w) + norm(wanted.v);
  const bool velocity_off = body.velocity && norm(left.v) > 1e-9 * scale;
  const bool turn_off = body.angular_velocity && norm(left.w) > 1e-9 * scale;
  if (velocity_off || turn_off) {
    diagnostics.error(body.where,
                      "joint '" + joint.name + "' (" + joint.kind->name +
                          ") does not allow the given velocity of body '" + body.name + "'",
                      "give the joint's velocity v instead");
  }
}

}  // namespace

void give_initial_state(const Model& model, const Scene& scene, std::span<double> x,
                        Diagnostics& diagnostics) {
  const std::span<double> q = x.first(model.nq()), v = x.subspan(model.nq(), model.nv());
  for (const JointInfo& joint : model.joints) set_position(model, scene, joint, q, diagnostics);
  for (const JointInfo& joint : model.joints) set_velocity(model, scene, joint, q, v, diagnostics);
  for (std::size_t i = 0; i < scene.states.size(); ++i) {
    x[model.nq() + model.nv() + i] = scene.states[i].initial;
  }
}

}  // namespace carom
