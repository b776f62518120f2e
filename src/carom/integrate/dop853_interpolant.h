// The interpolant of DOP853 within a step, of order 7 [Hairer, Nørsett and Wanner 1993]:
//
//   x(s) = x0 + s (d0 + r (d1 + s (d2 + r (d3 + s (d4 + r (d5 + s d6)))))),   r = 1 - s         (1)
//
// The first three terms alone are the cubic of Hermite through both ends.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

#include "carom/integrate/dop853_coefficients.h"

namespace carom {

class Dop853Interpolant {
 public:
  void resize(std::size_t size) {
    size_ = size;
    d_.resize(size * (kCubic + dop853::kDenseRows));
  }

  /// The cubic; h times the slopes at both ends.
  void take_cubic(std::span<const double> begin, std::span<const double> end,
                  std::span<const double> begin_slope, std::span<const double> end_slope,
                  double h) {
    std::fill(d_.begin(), d_.end(), 0.0);
    for (std::size_t i = 0; i < size_; ++i) {
      const double change = end[i] - begin[i];
      at(0, i) = change;
      at(1, i) = h * begin_slope[i] - change;
      at(2, i) = 2.0 * change - h * (end_slope[i] + begin_slope[i]);
    }
  }

  /// What the k-th row of the dense output adds to.
  std::span<double> high(std::size_t k) {
    return std::span(d_).subspan((kCubic + k) * size_, size_);
  }

  /// (1), the components from `first` on.
  void evaluate(std::span<const double> begin, double s, std::size_t first,
                std::span<double> x) const {
    const double r = 1.0 - s;
    for (std::size_t i = first; i < first + x.size(); ++i) {
      const double high = at(3, i) + s * (at(4, i) + r * (at(5, i) + s * at(6, i)));
      x[i - first] = begin[i] + s * (at(0, i) + r * (at(1, i) + s * (at(2, i) + r * high)));
    }
  }

 private:
  static constexpr std::size_t kCubic = 3;
  double& at(std::size_t k, std::size_t i) { return d_[k * size_ + i]; }
  double at(std::size_t k, std::size_t i) const { return d_[k * size_ + i]; }

  std::size_t size_ = 0;
  std::vector<double> d_;
};

}  // namespace carom
