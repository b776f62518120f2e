// Dense output of a step from its ends alone, to a chosen degree.
//
// With slopes f_j at nodes s_j of [0, 1] (both ends and m points between) the slope of
// the interpolant is the polynomial through them plus a multiple of their node
// polynomial w(s), so that the interpolant also meets both ends:
//
//   x(s) = x0 + U(s) (x1 - x0) + h sum_j f_j (P_j(s) - P_j(1) U(s)),              (1)
//   P_j(s) = int_0^s L_j,   U(s) = int_0^s w / int_0^1 w.
//
// The inner slopes are f at the interpolant of one degree less: its error h^(k+1)
// enters times h, so each round gains an order ("boot-strapping", Enright, Jackson,
// Norsett & Thomsen, ACM TOMS 12 (1986) 193-218). Degree 3 + m costs m (m + 1)/2
// evaluations beyond those at the ends, and only in steps where it is asked for.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "carom/integrate/checked_rhs.h"

namespace carom {

class HermiteInterpolant {
 public:
  static constexpr int kMaxDegree = 7;

  /// degree 3 … 7, or 1: a straight line, without slopes.
  explicit HermiteInterpolant(int degree);

  /// A new start: all slopes are unknown.
  void forget();
  /// The next step begins where the last one ended, so its last slope is kept.
  void advance();

  /// The state at t in [t0, t1]. Falls back to lower degrees where the right-hand
  /// side cannot be evaluated; that never fails.
  void evaluate(CheckedRhs& rhs, double t0, std::span<const double> x0, double t1,
                std::span<const double> x1, double t, std::span<double> x);

 private:
  static constexpr int kMaxInner = kMaxDegree - 3;
  using Polynomial = std::array<double, kMaxDegree + 1>;
  struct Level {
    std::array<double, kMaxInner + 2> nodes{};  ///< 0, 1, then the inner ones
    Polynomial end_weight{};                    ///< U(s)
    std::array<Polynomial, kMaxInner + 2> slope_weight{};
  };

  static Level make_level(int inner);
  void prepare(CheckedRhs& rhs, double t0, std::span<const double> x0, double t1,
               std::span<const double> x1);
  void combine(int inner, double h, std::span<const double> x0, std::span<const double> x1,
               double s, std::span<double> x) const;

  int target_inner_;
  bool is_straight_;
  int inner_ = -1;  ///< inner slopes known; -1: not even those at the ends
  std::array<bool, 2> end_known_{};
  std::vector<Level> levels_;
  std::array<std::vector<double>, kMaxInner + 2> slopes_;
  std::array<std::vector<double>, kMaxInner> next_slopes_;
  std::vector<double> inner_state_;
};

}  // namespace carom
