#include "carom/engine/contact/rigid/rigid_spin.h"

#include <algorithm>

#include "carom/base/index.h"
#include "carom/engine/contact/contact_part.h"
#include "carom/math/dense.h"

namespace carom {
namespace {

/// n . of B less that of A.
template <typename Of>
Vec3 relative(const PairState& s, const Of& of) {
  return (s.B.link == 0 ? Vec3{} : of(s.LB)) - (s.A.link == 0 ? Vec3{} : of(s.LA));
}

/// u + W P of one row.
double after(const RigidRows& rows, std::span<const double> u, std::span<const double> P,
             std::size_t row) {
  double sum = u[row];
  for (std::size_t j = 0; j < P.size(); ++j) sum += rows.delassus(row, j) * P[j];
  return sum;
}

/// Impulses about the normals for the normal impulses of now; by how much they changed, over their
/// bounds.
double drill(const RigidRows& rows, std::span<const double> u, std::span<const double> lever,
             std::span<double> P) {
  double changed = 0.0;
  for (std::size_t k = 0; k < lever.size(); ++k) {
    const std::size_t row = rows.spin[k];
    if (row == RigidRows::kNone) continue;
    const double most = lever[k] * P[3 * k], self = rows.delassus(row, row);
    const double now = self > 0.0 ? P[row] - after(rows, u, P, row) / self : 0.0;
    const double next = std::clamp(now, -most, most);
    if (most > 0.0) changed = std::max(changed, std::abs(next - P[row]) / most);
    P[row] = next;
  }
  return changed;
}

/// Change of kinetic energy by all impulses [J].
double work_of(const RigidRows& rows, std::span<const double> u, std::span<const double> P) {
  double sum = 0.0;
  for (std::size_t i = 0; i < P.size(); ++i) sum += 0.5 * (u[i] + after(rows, u, P, i)) * P[i];
  return sum;
}

}  // namespace

double spin_radius(const Workspace& w, const ContactPair& pair) {
  return w.model->contact.laws[at(pair.law)].material.spin_radius;
}

double spin_rate(const Workspace& w, const ContactPair& pair, const RigidSite& site) {
  return dot(site.n, relative(pair_state(w, pair), [](const LinkState& L) { return L.V.w; }));
}

double spin_acceleration(const Workspace& w, const ContactPair& pair, const RigidSite& site) {
  const PairState s = pair_state(w, pair);
  return dot(site.n, relative(s, [](const LinkState& L) { return L.A.w; })) +
         dot(site.n_dot, relative(s, [](const LinkState& L) { return L.V.w; }));
}

double least_spin(const Workspace& w) { return std::max(1e-9, 0.1 * w.model->scene.run.tolerance); }

double SpinProblem::torque(std::size_t k, std::span<const double> r) const {
  double sum = free[k];
  for (std::size_t j = 0; j < r.size(); ++j) sum += answer[k * r.size() + j] * r[j];
  return sum;
}

SpinProblem take_in_spins(const RigidRows& rows, std::span<const RigidSpin> spins,
                          std::span<const double> lever, std::span<const double> q) {
  const std::size_t points = spins.size(), n = 3 * points;
  SpinProblem p;
  std::vector<double> own(rows.W);
  for (std::size_t k = 0; k < points; ++k) {
    const std::size_t row = rows.spin[k];
    if (row == RigidRows::kNone) continue;
    if (spins[k] == RigidSpin::held) p.held.push_back(k);
    const double c = sign_of(spins[k]) * lever[k];
    if (c == 0.0) continue;
    for (std::size_t i = 0; i < rows.count; ++i) {
      own[i * rows.count + 3 * k] -= c * rows.delassus(i, row);
    }
  }
  p.W.resize(n * n), p.q.assign(q.begin(), q.begin() + static_cast<std::ptrdiff_t>(n));
  for (std::size_t i = 0; i < n; ++i) {
    std::copy_n(&own[i * rows.count], n, &p.W[i * n]);
  }
  const std::size_t m = p.held.size();
  if (m == 0) return p;
  // Torques that keep w as it is: H M = -(q_h + W_hr r).
  std::vector<double> H(m * m), b(m);
  for (std::size_t i = 0; i < m; ++i) {
    for (std::size_t j = 0; j < m; ++j) {
      H[i * m + j] = rows.delassus(rows.spin[p.held[i]], rows.spin[p.held[j]]);
    }
  }
  p.free.resize(m), p.answer.resize(m * n);
  for (std::size_t i = 0; i < m; ++i) b[i] = -q[rows.spin[p.held[i]]];
  p.free = solve_min_norm(H, b);
  for (std::size_t j = 0; j < n; ++j) {
    for (std::size_t i = 0; i < m; ++i) b[i] = -own[rows.spin[p.held[i]] * rows.count + j];
    const std::vector<double> column = solve_min_norm(H, b);
    for (std::size_t i = 0; i < m; ++i) p.answer[i * n + j] = column[i];
  }
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t k = 0; k < m; ++k) {
      const double a = rows.delassus(i, rows.spin[p.held[k]]);
      p.q[i] += a * p.free[k];
      for (std::size_t j = 0; j < n; ++j) p.W[i * n + j] += a * p.answer[k * n + j];
    }
  }
  return p;
}

ImpactAnswer strike_and_drill(const RigidRows& rows, const ImpactProblem& p,
                              std::span<const double> lever, std::span<double> P) {
  const std::size_t n = 3 * lever.size();
  if (rows.count == n) return solve_impact(p, P);
  constexpr int kMost = 200;
  constexpr double kDone = 1e-14, kSolved = 1e-9;
  std::vector<double> W(n * n), u(n), e(p.restitution.begin(), p.restitution.end());
  for (std::size_t i = 0; i < n; ++i) std::copy_n(&rows.W[i * rows.count], n, &W[i * n]);
  const auto strike = [&](bool drills) {
    for (std::size_t i = 0; i < n; ++i) {
      u[i] = p.u[i];
      for (std::size_t r = n; r < rows.count && drills; ++r) u[i] += rows.delassus(i, r) * P[r];
    }
    // Newton's law is of the speed before all of it.
    const bool is_newton = p.law == ImpactLaw::newton || p.law == ImpactLaw::paper;
    for (std::size_t c = 0; c < e.size() && is_newton; ++c) {
      const bool approaches = u[3 * c] < -p.still;
      e[c] = approaches ? p.restitution[c] * std::min(0.0, p.u[3 * c]) / u[3 * c] : 0.0;
    }
    ImpactProblem own = p;
    own.W = W, own.u = u, own.restitution = e;
    return solve_impact(own, P.first(n));
  };
  ImpactAnswer answer;
  double changed = 0.0;
  for (int round = 0; round < kMost; ++round) {
    answer = strike(true);
    if (!answer.cones.solved) break;
    changed = drill(rows, p.u, lever, P);
    if (changed <= kDone) break;
  }
  if (answer.cones.solved && changed > kSolved) {  // forces and torques chase each other
    answer.cones.solved = false, answer.cones.residual = changed;
  }
  double size = 0.0;
  for (std::size_t i = 0; i < P.size(); ++i) size += std::abs(p.u[i] * P[i]);
  if (!answer.cones.solved || work_of(rows, p.u, P) <= 1e-13 * size) return answer;
  std::ranges::fill(P.subspan(n), 0.0);
  return strike(false);
}

}  // namespace carom
