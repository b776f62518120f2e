// Integrals of powers over a step of the motion, on its dense output.
//
// From step to step the parabola through the powers at three ends of steps costs one evaluation:
//
//   W = h (P0 + P1)/2 - D h^3/6,   D = P[t_-1, t0, t1] (second divided difference)        (1)
//
// Its last term, the whole difference to the trapezoid, bounds its error. Where that is too much,
// or where there is no step before, the step is split into panels that are halved until the
// formulae of Lobatto on three and five points agree (Gander & Gautschi, "Adaptive quadrature -
// revisited", BIT 40 (2000) 84-101, with an estimate like that of QUADPACK, Piessens et al. 1983):
//
//   e = S min(1, (200 |W5 - W3| / S)^(5/4)),   S = integral of |P - mean|                 (2)
//
// The steps of the motion stay as they are: a row of the ledger costs evaluations, no steps.
//
//   quadrature.restart();                          // the motion begins anew, or has a jump
//   quadrature.take(t0, t1, powers, allowed);      // one step, or its part before an event
//   quadrature.integral(t, work);                  // from t0 to any t in it
#pragma once

#include <array>
#include <cstddef>
#include <functional>
#include <span>
#include <vector>

namespace carom {

class PowerQuadrature {
 public:
  static constexpr std::size_t kMost = 4;  ///< powers at once
  using Values = std::array<double, kMost>;
  /// Powers at a time of the step.
  using Powers = std::function<void(double t, std::span<double> p)>;

  explicit PowerQuadrature(std::size_t count) : count_(count) {}

  void restart() { has_end_ = has_before_ = false; }
  /// Each integral to an error of about `allowed` [J].
  void take(double t0, double t1, const Powers& powers, double allowed);
  /// From the beginning of the step to t.
  void integral(double t, std::span<double> work) const;
  /// Powers at the end of the step.
  const Values& end() const { return end_; }
  /// Panels that were too rough to the last; their errors are as large as (2) says.
  long unresolved() const { return unresolved_; }

 private:
  /// A polynomial per power in s = 2 (t - middle)/width.
  struct Panel {
    double t0 = 0.0, t1 = 0.0;
    std::array<Values, 5> c{};
  };

  bool take_parabola(double t0, double t1, double allowed);
  void halve(const Powers& powers, const Panel& ends, const Values& middle, double allowed,
             int depth);
  Panel make_panel(double t0, double t1, const std::array<Values, 5>& p) const;
  double error_of(double width, const std::array<Values, 5>& p) const;

  std::size_t count_;
  std::vector<Panel> panels_;
  int budget_ = 0;  ///< evaluations that the step may still cost
  Values before_{}, begin_{}, end_{};
  double t_before_ = 0.0, t_end_ = 0.0;
  bool has_before_ = false, has_end_ = false;  ///< that of the step before, of this step
  long unresolved_ = 0;
};

}  // namespace carom
