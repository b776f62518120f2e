#include "carom/engine/contact/rigid/rigid_form_motion.h"

#include <cmath>
#include <utility>

namespace carom {
namespace {

constexpr std::size_t kMost = 6;

/// Rows of up to six unknowns with their right-hand sides.
struct SmallSystem {
  std::size_t n = 0;
  double a[kMost][kMost + 1] = {};

  /// Unknowns that nothing determines are zero.
  void solve() {
    constexpr double kNothing = 1e-14;
    for (std::size_t i = 0; i < n; ++i) {
      std::size_t best = i;
      for (std::size_t r = i + 1; r < n; ++r) {
        if (std::abs(a[r][i]) > std::abs(a[best][i])) best = r;
      }
      std::swap(a[i], a[best]);
      if (!(std::abs(a[i][i]) > kNothing)) {
        for (std::size_t c = 0; c <= n; ++c) a[i][c] = 0.0;
        a[i][i] = 1.0;
      }
      for (std::size_t r = 0; r < n; ++r) {
        if (r == i || a[r][i] == 0.0) continue;
        const double f = a[r][i] / a[i][i];
        for (std::size_t c = i; c <= n; ++c) a[r][c] -= f * a[i][c];
      }
    }
  }
  double value(std::size_t i) const { return a[i][n] / a[i][i]; }
};

}  // namespace

FeatureMotion solve_motion(const FeaturePatch& first, const FeaturePatch& second, const Vec3& up,
                           const Vec3& slip, const Vec3& W) {
  const Vec3 t1 = any_perpendicular(up), t2 = cross(up, t1);
  const double radii = first.radius + second.radius;
  SmallSystem m;
  m.n = 2 + first.count + second.count;
  const Vec3 rhs = slip + second.radius * W, axes[] = {t1, t2};
  for (std::size_t r = 0; r < 2; ++r) {
    m.a[r][r] = radii, m.a[r][m.n] = dot(axes[r], rhs);
    for (std::size_t i = 0; i < first.count; ++i) m.a[r][2 + i] = dot(axes[r], first.d[i]);
    for (std::size_t j = 0; j < second.count; ++j) {
      m.a[r][2 + first.count + j] = -dot(axes[r], second.d[j]);
    }
  }
  for (std::size_t i = 0; i < first.count; ++i) {
    double* row = m.a[2 + i];
    row[0] = dot(t1, first.d[i]), row[1] = dot(t2, first.d[i]);
    row[2 + i] = -first.k[i];
  }
  for (std::size_t j = 0; j < second.count; ++j) {
    double* row = m.a[2 + first.count + j];
    row[0] = dot(t1, second.d[j]), row[1] = dot(t2, second.d[j]);
    row[2 + first.count + j] = second.k[j], row[m.n] = dot(W, second.d[j]);
  }
  m.solve();
  FeatureMotion out;
  out.turn = m.value(0) * t1 + m.value(1) * t2;
  for (std::size_t i = 0; i < first.count; ++i) {
    out.along_first[i] = m.value(2 + i);
    out.core_first += out.along_first[i] * first.d[i];
  }
  for (std::size_t j = 0; j < second.count; ++j) {
    out.along_second[j] = m.value(2 + first.count + j);
    out.core_second += out.along_second[j] * second.d[j];
  }
  out.first = out.core_first + first.radius * out.turn;
  out.second = out.core_second - second.radius * (out.turn - W);
  return out;
}

}  // namespace carom
