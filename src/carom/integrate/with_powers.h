// A system with the integrals of its powers behind its states.
//
//   x = [states | W],   W' = P(t, states)                                            (1)
//
// Nothing depends on W, so a one-step method gets it from the slopes that it computes anyway, to
// its own order and without an evaluation more. Explicit methods that estimate the error of W
// leave it out of the norm that leads their steps. Where they do not, and where stages are solved
// by Newton's iteration, W counts: else the iteration ends before W is right, for the power of a
// drive that presses on a contact is far stiffer than the motion.
#pragma once

#include "carom/integrate/system.h"

namespace carom {

class WithPowers final : public System {
 public:
  enum class Norm { without_work, with_work };
  WithPowers(System& inner, Norm norm) : inner_(inner), norm_(norm) {}

  /// How many of the components are states of the system.
  std::size_t states() const { return inner_.size(); }

  std::size_t size() const override { return inner_.size() + inner_.power_count(); }
  Status rhs(double t, std::span<const double> x, std::span<double> xdot) override;
  std::span<const double> kinks() const override { return inner_.kinks(); }
  bool hides_kinks() const override { return inner_.hides_kinks(); }
  std::uint64_t sides() const override { return inner_.sides(); }
  void error_weights(std::span<const double> x, double rtol, double atol,
                     std::span<double> w) const override;
  void sizes(std::span<const double> x, double rtol, double atol,
             std::span<double> s) const override;
  std::span<const int> groups() const override;
  const SparsePattern* jacobian_pattern() const override;
  std::size_t position_size() const override { return inner_.position_size(); }
  std::size_t velocity_size() const override { return inner_.velocity_size(); }
  void position_rates(double t, std::span<const double> x, std::span<double> qdot) override {
    inner_.position_rates(t, x.first(states()), qdot);
  }
  VelocityStep* velocity_step() override { return inner_.velocity_step(); }
  bool has_projection() const override { return inner_.has_projection(); }
  Status project(double t, std::span<double> x, std::span<double> error) override {
    return inner_.project(t, x.first(states()), error.empty() ? error : error.first(states()));
  }

 private:
  System& inner_;
  Norm norm_;
  mutable std::vector<int> groups_;
  mutable SparsePattern pattern_;
};

}  // namespace carom
