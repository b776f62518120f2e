// The velocity at the end of a step as the minimum of a convex function; knows no bodies.
//
//   v+ = argmin 1/2 (v - v*)' M (v - v*) + sum psi_i(J_i v + w_i)                    (1)
//
// M is block diagonal. psi_i' = -h f_i, the impulse of row i, never rises with its velocity u:
//
//   normal   f = max(0, A(d+) (1 - c u) - V u),   d+ = d - h u                          (2)
//            A(d) = k1 d + k2 d^(3/2) + k3 d^n where d > 0; or the secant of its integral from d to
//            d+, which conserves energy where u is the mean velocity of the step
//   rub      f = -k s cut to the length `bound`,  s = z + (h + lag) u,  up to three numbers (3)
//            lag is the damping of the bristle z over its stiffness k
//
// V of a surface that is not yet touched acts for the share of the step after it is. The rows of a
// group act between the same two blocks; a block of -1 is one that nothing moves.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <span>
#include <vector>

namespace carom {

struct NormalRow {
  double depth = 0.0;                  ///< d where the step begins; < 0: a gap [m]
  double linear = 0.0, hertz = 0.0;    ///< k1, k2
  double power = 0.0, exponent = 1.0;  ///< k3, n
  double damping = 0.0;                ///< c [s/m]
  double viscous = 0.0;                ///< V [N.s/m]
  double drift = 0.0;                  ///< w: velocity that v does not decide
  double guess = 0.0;                  ///< of its force [N]
  bool secant = false;
};

/// The row with a share of its stiffness and of what damps it beside that.
NormalRow scaled(const NormalRow& row, double share);

struct RubRow {
  int size = 3;
  double stiffness = 0.0;  ///< k [N/m]
  double bound = 0.0;      ///< [N]
  double lag = 0.0;        ///< [s]
  std::array<double, 3> bristle{}, drift{};
  std::array<double, 3> guess{};  ///< of its force [N]
  /// Where bound and stiffness go by the force N along the normals of their group: as much per N,
  /// the stiffness up to `stiffest`. They are what the last N made of them; 0: they stay.
  double bound_per_load = 0.0, stiffness_per_load = 0.0;
  double stiffest = std::numeric_limits<double>::infinity();
};
/// Bound and stiffness with a normal force of its group.
struct RubLimits {
  double bound = 0.0, stiffness = 0.0;
};
inline RubLimits limits_at(const RubRow& row, double load) {
  const bool follows = row.stiffness_per_load > 0.0;
  return {row.bound_per_load > 0.0 ? row.bound_per_load * load : row.bound,
          follows ? std::min(row.stiffest, row.stiffness_per_load * load) : row.stiffness};
}

/// The row with these.
RubRow at_load(const RubRow& row, double load);

struct RowGroup {
  int a = -1, b = -1;  ///< blocks; a may be b
  int first_normal = 0, normals = 0;
  int first_rub = 0, rubs = 0;
  std::size_t jacobian = 0;  ///< rows of (size of a + size of b) numbers: normals, then rubs
  int rows = 0;              ///< of them
};

struct VelocityBlock {
  std::size_t start = 0, size = 0;  ///< in v
  std::size_t mass = 0;             ///< in `mass`, row by row
  double inertia = 1.0;             ///< mass that its speed is measured with [kg]
};

struct VelocityIsland {
  std::vector<int> blocks, groups;
  bool is_warm = false;  ///< v of its blocks is the answer to a problem that was nearly the same
  double speed = 0.0;    ///< of the mean block where the step begins [m/s]
};

struct StepProblem {
  double h = 0.0;          ///< [s]
  double tolerance = 0.0;  ///< of each block's velocity [m/s]
  /// Of what rows change the mean velocity of a large island by, beyond what gravity does (1e8
  /// tolerances), an error that counts as none.
  double share_of_motion = 0.0;
  /// Of the speed of the mean block of a large island, the same; at most 1e5 tolerances.
  double share_of_speed = 0.0;
  std::vector<VelocityBlock> blocks;
  std::vector<double> mass;  ///< M
  std::vector<double> free;  ///< v*
  std::vector<double> v;     ///< in: a guess; out: v+
  std::vector<RowGroup> groups;
  std::vector<NormalRow> normals;
  std::vector<RubRow> rubs;
  std::vector<double> jacobian;
  std::vector<VelocityIsland> islands;
  std::vector<int> root, island_of;  ///< scratch of find_islands()

  void clear();
  std::size_t block_size(int block) const {
    return block < 0 ? 0 : blocks[static_cast<std::size_t>(block)].size;
  }
  std::size_t row_width(const RowGroup& g) const { return block_size(g.a) + block_size(g.b); }
};

/// What a row answers to the velocity u.
struct RowAnswer {
  double force = 0.0;  ///< f [N]
  double slope = 0.0;  ///< df/du <= 0
};

/// Elastic force A and its slope dA/dd.
struct ElasticAnswer {
  double force = 0.0, slope = 0.0;
};
/// At the depth d; in place, as sweeps ask for it more than for anything else.
inline ElasticAnswer elastic_answer(const NormalRow& r, double d) {
  if (!(d > 0.0)) return {};
  const double root = r.hertz > 0.0 ? std::sqrt(d) : 0.0;
  ElasticAnswer out{d * (r.linear + r.hertz * root), r.linear + 1.5 * r.hertz * root};
  if (r.power > 0.0) {
    out.force += r.power * std::pow(d, r.exponent);
    out.slope += r.exponent * r.power * std::pow(d, r.exponent - 1.0);
  }
  return out;
}
inline double elastic_force(const NormalRow& row, double d) { return elastic_answer(row, d).force; }
inline double elastic_slope(const NormalRow& row, double d) { return elastic_answer(row, d).slope; }
double elastic_energy(const NormalRow& row, double d);
/// Secant of the energy from the row's depth to d, and the slope of that.
double secant_force(const NormalRow& row, double d);
ElasticAnswer secant_answer(const NormalRow& row, double d);

/// `ease` scales the stiffness, for continuation.
inline RowAnswer answer(const NormalRow& r, double h, double u, double ease) {
  const double d = r.depth - h * u;
  if (!(d > 0.0) && !(r.secant && r.depth > 0.0)) return {};
  const double loss = 1.0 - r.damping * u;
  if (!(loss > 0.0) && !(r.viscous > 0.0)) return {};
  const ElasticAnswer elastic = r.secant ? secant_answer(r, d) : elastic_answer(r, d);
  const double A = ease * elastic.force, k = ease * elastic.slope;
  const double drag = r.depth < 0.0 ? -d / h : u;  // u times the share of the step in contact
  const double held = std::max(0.0, loss);
  RowAnswer out{A * held - r.viscous * drag, 0.0};
  if (!(out.force > 0.0)) return {};
  out.slope = -h * k * held - (loss > 0.0 ? A * r.damping : 0.0) - r.viscous;  // of (2)
  return out;
}

struct RubAnswer {
  std::array<double, 3> force{};
  std::array<double, 3> direction{};  ///< of s, where it slips
  double weight = 0.0;                ///< -df/du is weight (1 - along direction direction')
  double along = 0.0;
  bool slips = false;
};
RubAnswer answer(const RubRow& row, double h, std::span<const double> u, double ease);

/// Velocities of all rows of a group at v, drift included, in the order of its Jacobian.
void row_velocities(const StepProblem& p, const RowGroup& g, std::span<const double> v,
                    std::span<double> u);

/// Connects blocks that groups join; blocks without a group are in no island.
void find_islands(StepProblem& problem);

}  // namespace carom
