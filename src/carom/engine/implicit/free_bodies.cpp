#include "carom/engine/implicit/free_bodies.h"

#include <algorithm>

#include "carom/base/index.h"
#include "carom/engine/implicit/free_turn.h"

namespace carom {
namespace {

/// A body without rotation inertia hardly turns, rather than at any speed: its radius of gyration
/// counts as a millionth of its size at least.
Sym3 usable_inertia(const Sym3& I, double mass, double size) {
  const double least = mass * 1e-12 * size * size;
  if (I.xx > least && I.yy > least && I.zz > least) return I;
  return I + Sym3::diagonal({least, least, least});
}

}  // namespace

std::vector<FreeBody> find_free_bodies(const Model& model) {
  std::vector<FreeBody> bodies;
  for (std::size_t i = 1; i < model.tree.links.size(); ++i) {
    const Link& link = model.tree.links[i];
    if (!link.is_free_body || !(link.inertia.m > 0.0)) continue;
    FreeBody b;
    b.link = static_cast<int>(i);
    b.mass = link.inertia.m;
    b.centre = link.inertia.h / b.mass;
    b.inertia = usable_inertia(link.inertia.I - b.mass * point_inertia(b.centre), b.mass,
                               model.link_size[i]);
    b.inverse = inverse(b.inertia);
    bodies.push_back(b);
  }
  return bodies;
}

void begin_free_motion(const Workspace& w, double h, FreeBody& b) {
  const LinkState& L = w.tree.links[at(b.link)];
  const Vec3 r = L.R_WL * b.centre;
  b.R = L.R_WL;
  b.p = b.arm = L.p_WL + r;
  b.w = L.V.w;
  b.v = L.V.v + cross(L.V.w, r);
  b.force = L.f_ext.f;
  b.torque = L.f_ext.t - cross(r, L.f_ext.f);
  b.v_free = b.v + (h / b.mass) * b.force;
  const FreeTurn turn = turn_freely(b.inertia, b.inverse, transpose_times(b.R, b.w),
                                    transpose_times(b.R, b.torque), h);
  b.w_free = b.R * turn.w;
  b.w_mean = turn.mean;
  b.turn = turn.turn;
  b.element = b.twist = {};
  b.block = -1;
}

void begin_rest(const Workspace& w, FreeBody& b) {
  const LinkState& L = w.tree.links[at(b.link)];
  b.v = b.w = b.v_free = b.w_free = b.w_mean = b.element = b.twist = {};
  b.force = L.f_ext.f;
  b.torque = L.f_ext.t - cross(L.R_WL * b.centre, L.f_ext.f);
  b.block = -1;
}

void put_body(const Model& model, const FreeBody& b, const Vec3& p, const Quat& turn, const Vec3& v,
              const Vec3& w_L, std::span<double> x) {
  const Link& link = model.tree.links[at(b.link)];
  const Pose& X_WF = link.X_PF;  // the parent is the world
  double* q = &x[at(link.q0)];
  double* u = &x[model.nq() + at(link.v0)];
  const Quat attitude = normalized(Quat{q[0], q[1], q[2], q[3]} * turn);
  const Mat3 R = X_WF.R * to_matrix(attitude);
  const Vec3 r = R * b.centre, w = R * w_L;
  const Vec3 p_F = transpose_times(X_WF.R, p - r - X_WF.p);
  const Vec3 w_F = transpose_times(X_WF.R, w), v_F = transpose_times(X_WF.R, v - cross(w, r));
  q[0] = attitude.w, q[1] = attitude.x, q[2] = attitude.y, q[3] = attitude.z;
  for (std::size_t k = 0; k < 3; ++k) q[4 + k] = p_F[k], u[k] = w_F[k], u[3 + k] = v_F[k];
}

}  // namespace carom
