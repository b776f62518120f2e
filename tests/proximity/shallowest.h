// An independent, slow referee of overlap: the shallowest of many directions.
//
// Directions are drawn evenly, and on the great circles across the axes of both bodies,
// where bodies of revolution have whole rings of all but equal directions; the best of
// them climb by a compass search with random axes, down to rounding.
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "proximity/random_pairs.h"

namespace carom {

class ShallowestDirection {
 public:
  ShallowestDirection(unsigned seed, int samples) : gen_(seed), samples_(samples) {}

  /// The largest support gap that was found: no depth may exceed minus this.
  double operator()(const PosedPair& p) {
    found_.clear();
    const auto consider = [&](const Vec3& n) { found_.emplace_back(gap(p, n), n); };
    for (int i = 0; i < samples_ / 2; ++i) consider(random_direction(gen_));
    for (int i = 0; i < samples_ / 2; ++i) {
      const Mat3& R = i % 2 ? p.X_WA.R : p.X_WB.R;
      const auto axis = static_cast<std::size_t>(i / 2 % 3);
      const double s = angle_(gen_), tilt = i % 4 < 2 ? 0.0 : 1e-3 * std::cos(angle_(gen_));
      consider(normalized(std::cos(s) * R.col((axis + 1) % 3) +
                          std::sin(s) * R.col((axis + 2) % 3) + tilt * R.col(axis)));
    }
    for (std::size_t i = 0; i < 3; ++i) {
      for (const double sign : {1.0, -1.0}) {
        consider(sign * p.X_WA.R.col(i)), consider(sign * p.X_WB.R.col(i));
      }
    }
    constexpr int kClimbs = 8;
    std::partial_sort(found_.begin(), found_.begin() + kClimbs, found_.end(),
                      [](const auto& a, const auto& b) { return a.first > b.first; });
    double best = -kInf;
    for (std::size_t i = 0; i < kClimbs; ++i) {
      best = std::max(best, climb(p, found_[i].second, i < 4 ? 0.01 : 0.2));
    }
    return best;
  }

 private:
  static double gap(const PosedPair& p, const Vec3& n) {
    return support_gap(p.A->core, p.X_WA, p.B->core, p.X_WB, n);
  }
  double climb(const PosedPair& p, Vec3 n, double step) {
    double best = gap(p, n);
    int failures = 0;
    for (int moves = 0; step > 1e-13 && moves < 3000; ++moves) {
      const Vec3 e1 = any_perpendicular(n), e2 = cross(n, e1);
      const double turn = angle_(gen_);
      bool up = false;
      for (int side = 0; side < 4 && !up; ++side) {
        const double s = turn + 1.5707963267948966 * side;
        const Vec3 m = normalized(n + step * (std::cos(s) * e1 + std::sin(s) * e2));
        const double value = gap(p, m);
        if (value > best) best = value, n = m, up = true;
      }
      if (up) {
        step *= 1.5, failures = 0;
      } else if (++failures == 2) {
        step *= 0.5, failures = 0;
      }
    }
    return best;
  }

  std::mt19937 gen_;
  std::uniform_real_distribution<double> angle_{0.0, 6.283185307179586};
  int samples_;
  std::vector<std::pair<double, Vec3>> found_;
};

}  // namespace carom
