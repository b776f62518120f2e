#include "carom/verify/own_balance.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string_view>

#include "carom/base/index.h"
#include "carom/math/dense.h"
#include "carom/math/spatial.h"

namespace carom::verify {
namespace {

/// The motions that a joint leaves free, of its child's frame M over F of its parent, in world axes
/// about the origin of M, in the order of its coordinates.
std::vector<Motion> free_motions(const JointSpec& joint, const Pose& F, const Pose& M) {
  const std::string_view kind = joint.kind;
  const Vec3 x = F.R.col(0), y = F.R.col(1), z = F.R.col(2);
  if (kind == "fixed") return {};
  if (kind == "revolute") return {{z, {}}};
  if (kind == "prismatic") return {{{}, z}};
  if (kind == "screw") return {{z, (joint.params[0] / (2.0 * std::numbers::pi)) * z}};
  if (kind == "cylindrical") return {{z, {}}, {{}, z}};
  if (kind == "universal") return {{x, {}}, {M.R.col(1), {}}};
  if (kind == "planar") return {{{}, x}, {{}, y}, {z, {}}};
  if (kind == "spherical") return {{x, {}}, {y, {}}, {z, {}}};
  return {{x, {}}, {y, {}}, {z, {}}, {{}, x}, {{}, y}, {{}, z}};
}

/// Equations with unknowns, column by column as they come.
class Equations {
 public:
  std::size_t add_row(double right = 0.0) {
    right_.push_back(right);
    return right_.size() - 1;
  }
  std::size_t add_unknown() { return unknowns_++; }
  void add(std::size_t row, std::size_t unknown, double value) {
    if (value != 0.0) entries_.push_back({row, unknown, value});
  }
  /// The largest residual of the x that leaves the least sum of squares.
  double residual() const {
    const std::size_t n = std::max(right_.size(), unknowns_);
    std::vector<double> A(n * n, 0.0), b(n, 0.0);
    for (const Entry& e : entries_) A[e.row * n + e.unknown] += e.value;
    std::ranges::copy(right_, b.begin());
    const std::vector<double> x = solve_min_norm(A, b);
    for (const Entry& e : entries_) b[e.row] -= e.value * x[e.unknown];
    double worst = 0.0;
    for (const double r : b) {
      if (!(std::abs(r) <= worst)) worst = std::abs(r);
    }
    return worst;
  }

 private:
  struct Entry {
    std::size_t row = 0, unknown = 0;
    double value = 0.0;
  };
  std::vector<Entry> entries_;
  std::vector<double> right_;
  std::size_t unknowns_ = 0;
};

/// (1) of one group of bodies. Forces are in units of all impulses together, torques in those times
/// the size of the largest body.
struct Group {
  Equations equations;
  std::vector<int> first;    ///< per body: its row of torque about x; -1: it is fixed or outside
  std::vector<Vec3> centre;  ///< per body
  double force = 0.0, torque = 0.0;

  /// An unknown force at p, on the body or against it.
  void push(int body, double sign, const Vec3& p, const Vec3& along, std::size_t unknown) {
    if (body < 0 || first[at(body)] < 0) return;
    const auto row = static_cast<std::size_t>(first[at(body)]);
    const Vec3 moment = (sign * force / torque) * cross(p - centre[at(body)], along);
    for (std::size_t k = 0; k < 3; ++k) {
      equations.add(row + k, unknown, moment[k]);
      equations.add(row + 3 + k, unknown, sign * along[k]);
    }
  }
  void turn(int body, double sign, const Vec3& about, std::size_t unknown) {
    if (body < 0 || first[at(body)] < 0) return;
    const auto row = static_cast<std::size_t>(first[at(body)]);
    for (std::size_t k = 0; k < 3; ++k) equations.add(row + k, unknown, sign * about[k]);
  }
};

Vec3 axis_of(std::size_t k) {
  Vec3 e;
  e[k] = 1.0;
  return e;
}

/// Unknown impulses of the points of a pair, which add up to P: (2). Where its points have no
/// closed form, a couple besides P.
void add_pair(Group& g, const RecordedBodies& after, std::size_t row, const RigidPairTrack& pair,
              const Vec3& P) {
  const int a = static_cast<int>(pair.a), b = static_cast<int>(pair.b);
  const std::vector<OwnTouch> touches = after.touches(pair, row);
  std::array<std::size_t, 3> sums{};
  for (std::size_t k = 0; k < 3; ++k) sums[k] = g.equations.add_row(P[k] / g.force);
  const auto add_point = [&](const Vec3& p) {
    for (std::size_t k = 0; k < 3; ++k) {
      const std::size_t unknown = g.equations.add_unknown();
      g.push(a, -1.0, p, axis_of(k), unknown);
      g.push(b, 1.0, p, axis_of(k), unknown);
      g.equations.add(sums[k], unknown, 1.0);
    }
  };
  const auto add_turn = [&](const Vec3& about) {
    const std::size_t unknown = g.equations.add_unknown();
    g.turn(a, -1.0, about, unknown);
    g.turn(b, 1.0, about, unknown);
  };
  for (const OwnTouch& touch : touches) {
    for (const Vec3& p : touch.points) add_point(p);
    if (pair.law->material.spin_radius > 0.0) add_turn(touch.normal);
  }
  if (!touches.empty()) return;
  add_point(after.pose(pair.b, row).p);
  for (std::size_t k = 0; k < 3; ++k) add_turn(axis_of(k));
}

struct JointFrames {
  Pose F, M;
};
JointFrames frames_of(const OwnJoint& joint, const RecordedBodies& r, std::size_t row) {
  const auto pose = [&](int body) { return body < 0 ? Pose{} : r.pose(at(body), row); };
  return {pose(joint.parent) * joint.spec->X_PF, pose(joint.child) * joint.spec->X_BM};
}

/// Motion of the child over the parent, about the origin of M.
Motion motion_over(const OwnJoint& joint, const RecordedBodies& r, std::size_t row, const Vec3& p) {
  const auto motion = [&](int body) {
    if (body < 0 || !r.moves(at(body))) return Motion{};
    return Motion{r.moment(at(body), row).w, r.velocity(at(body), p, row)};
  };
  return motion(joint.child) - motion(joint.parent);
}

/// Speed along a coordinate; those of the catalogue are orthonormal.
double speed_along(const Motion& h, const Motion& u) {
  return norm2(h.w) > 0.0 ? dot(h.w, u.w) : dot(h.v, u.v);
}

/// Unknowns of couplings, by the coordinates that they join.
struct Coupled {
  const CouplingSpec* spec = nullptr;
  std::size_t unknown = 0;
};

/// The unknown wrench of a joint, and (3).
void add_joint(Group& g, const OwnJoint& joint, const RecordedBodies& before,
               std::size_t row_before, const RecordedBodies& after, std::size_t row_after,
               std::span<const Coupled> couplings) {
  const JointFrames frames = frames_of(joint, after, row_after);
  std::array<std::size_t, 6> wrench{};  // torque, force
  for (std::size_t k = 0; k < 3; ++k) {
    wrench[k] = g.equations.add_unknown();
    g.turn(joint.child, 1.0, axis_of(k), wrench[k]);
    g.turn(joint.parent, -1.0, axis_of(k), wrench[k]);
  }
  for (std::size_t k = 0; k < 3; ++k) {
    wrench[3 + k] = g.equations.add_unknown();
    g.push(joint.child, 1.0, frames.M.p, axis_of(k), wrench[3 + k]);
    g.push(joint.parent, -1.0, frames.M.p, axis_of(k), wrench[3 + k]);
  }
  const std::vector<Motion> free = free_motions(*joint.spec, frames.F, frames.M);
  const Vec3 p_before = frames_of(joint, before, row_before).M.p;
  const Motion change = motion_over(joint, after, row_after, frames.M.p) -
                        motion_over(joint, before, row_before, p_before);
  for (std::size_t k = 0; k < free.size(); ++k) {
    const DofSpec* dof = k < joint.spec->dofs.size() ? &joint.spec->dofs[k] : nullptr;
    if (dof && dof->motion) continue;
    const Motion& h = free[k];
    const bool is_angular = norm2(h.w) > 0.0;
    const double unit = is_angular ? g.torque : g.force;
    const double rotor = dof ? dof->rotor_ratio * dof->rotor_ratio * dof->rotor_inertia : 0.0;
    const std::size_t row = g.equations.add_row(-rotor * speed_along(h, change) / unit);
    for (std::size_t i = 0; i < 3; ++i) {
      g.equations.add(row, wrench[i], h.w[i] * g.torque / unit);
      g.equations.add(row, wrench[3 + i], h.v[i] * g.force / unit);
    }
    for (const Coupled& c : couplings) {
      const auto is_own = [&](const std::string& name, int own_dof) {
        return name == joint.spec->name && static_cast<std::size_t>(own_dof) == k;
      };
      if (is_own(c.spec->first, c.spec->first_dof)) g.equations.add(row, c.unknown, -1.0 / unit);
      if (is_own(c.spec->second, c.spec->second_dof)) {
        g.equations.add(row, c.unknown, c.spec->ratio / unit);
      }
    }
  }
}

}  // namespace

BalanceCheck::BalanceCheck(const Model& model) : model_(model) {
  const auto find = [&](const std::string& name) {
    const auto found = std::ranges::find(model.bodies, name, &BodyInfo::name);
    return found == model.bodies.end() ? -1 : static_cast<int>(found - model.bodies.begin());
  };
  for (const JointSpec& spec : model.scene.joints) {
    if (spec.kind != "free") joints_.push_back({&spec, find(spec.parent), find(spec.child)});
  }
}

bool BalanceCheck::is_active(const OwnJoint& joint, double t) const {
  return t >= joint.spec->active_from && t <= joint.spec->active_until;
}

/// Bodies that act on each other, through joints, couplings or what they have struck.
void BalanceCheck::join_bodies(const RecordedBodies& after, std::size_t row,
                               std::span<const Vec3> impulses) {
  group_.resize(model_.bodies.size());
  for (std::size_t i = 0; i < group_.size(); ++i) group_[i] = static_cast<int>(i);
  const auto join = [&](int a, int b) {
    if (a < 0 || b < 0 || !after.moves(at(a)) || !after.moves(at(b))) return;
    const int from = group_[at(b)], to = group_[at(a)];
    std::ranges::replace(group_, from, to);
  };
  for (const OwnJoint& j : joints_) {
    if (is_active(j, after.rows().time[row])) join(j.parent, j.child);
  }
  for (const CouplingSpec& c : model_.scene.couplings) {
    int child[2] = {-1, -1};
    for (const OwnJoint& j : joints_) {
      if (j.spec->name == c.first) child[0] = j.child;
      if (j.spec->name == c.second) child[1] = j.child;
    }
    join(child[0], child[1]);
  }
  const std::span<const RigidPairTrack> pairs = after.pairs();
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    if (norm(impulses[i]) > 0.0) {
      join(static_cast<int>(pairs[i].a), static_cast<int>(pairs[i].b));
    }
  }
}

void BalanceCheck::weigh(int group, const RecordedBodies& before, std::size_t row_before,
                         const RecordedBodies& after, std::size_t row_after,
                         std::span<const Vec3> impulses) {
  const std::span<const RigidPairTrack> pairs = after.pairs();
  const auto is_own = [&](int body) {
    return body >= 0 && after.moves(at(body)) && group_[at(body)] == group;
  };
  const auto has = [&](const RigidPairTrack& p) {
    return is_own(static_cast<int>(p.a)) || is_own(static_cast<int>(p.b));
  };
  Group g;
  g.first.assign(model_.bodies.size(), -1);
  g.centre.resize(model_.bodies.size());
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    if (has(pairs[i])) g.force += norm(impulses[i]);
  }
  if (!(g.force > 0.0)) return;
  double size = 0.0, moving = 0.0;
  for (std::size_t i = 0; i < model_.bodies.size(); ++i) {
    if (is_own(static_cast<int>(i))) size = std::max(size, model_.bodies[i].size);
  }
  g.torque = g.force * size;
  for (std::size_t i = 0; i < model_.bodies.size(); ++i) {
    if (!is_own(static_cast<int>(i))) continue;
    const Moment from = before.moment(i, row_before), to = after.moment(i, row_after);
    const double mass = model_.bodies[i].mass.mass;
    g.centre[i] = to.p;
    const Vec3 turned = to.spin - from.spin, moved = mass * (to.v - from.v);
    g.first[i] = static_cast<int>(g.equations.add_row(turned.x / g.torque));
    g.equations.add_row(turned.y / g.torque), g.equations.add_row(turned.z / g.torque);
    for (std::size_t k = 0; k < 3; ++k) g.equations.add_row(moved[k] / g.force);
    moving = std::max({moving, mass * norm(from.v), norm(from.spin) / size});
  }
  std::vector<Coupled> couplings;
  for (const CouplingSpec& c : model_.scene.couplings) {
    couplings.push_back({&c, g.equations.add_unknown()});
  }
  for (const OwnJoint& j : joints_) {
    if (!is_active(j, after.rows().time[row_after]) || (!is_own(j.child) && !is_own(j.parent))) {
      continue;
    }
    add_joint(g, j, before, row_before, after, row_after, couplings);
  }
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    if (has(pairs[i]) && norm(impulses[i]) > 0.0)
      add_pair(g, after, row_after, pairs[i], impulses[i]);
  }
  // Rounding of the momenta of before, and what projections after the impact correct.
  constexpr double kRounding = 1e-13;
  const double off = std::max(0.0, g.equations.residual() - kRounding * moving / g.force);
  ++balance_.values;
  if (!(off <= balance_.difference)) balance_.difference = off;
}

void BalanceCheck::see_joints(const RecordedBodies& after, std::size_t row) {
  for (const OwnJoint& j : joints_) {
    if (!is_active(j, after.rows().time[row])) continue;
    const JointFrames frames = frames_of(j, after, row);
    const Motion u = motion_over(j, after, row, frames.M.p);
    Motion left = u;
    for (const Motion& h : free_motions(*j.spec, frames.F, frames.M)) {
      left -= speed_along(h, u) * h;
    }
    const double size = model_.bodies[at(j.child)].size;
    const double fastest = std::max(1.0, norm(u.v) + size * norm(u.w));
    const double off = (norm(left.v) + size * norm(left.w)) / fastest;
    ++joints_hold_.values;
    if (!(off <= joints_hold_.difference)) joints_hold_.difference = off;
  }
}

void BalanceCheck::instant(const RecordedBodies& before, std::size_t row_before,
                           const RecordedBodies& after, std::size_t row_after,
                           std::span<const Vec3> impulses) {
  join_bodies(after, row_after, impulses);
  for (std::size_t i = 0; i < group_.size(); ++i) {
    if (group_[i] == static_cast<int>(i) && after.moves(i)) {
      weigh(static_cast<int>(i), before, row_before, after, row_after, impulses);
    }
  }
  see_joints(after, row_after);
}

void BalanceCheck::tell(std::vector<Recomputed>& out) const {
  for (const Recomputed* r : {&balance_, &joints_hold_}) {
    if (r->values > 0) out.push_back(*r);
  }
}

}  // namespace carom::verify
