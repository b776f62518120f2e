#include "digest.h"

#include <atomic>
#include <cmath>

#include "carom/simulation/simulation.h"
#include "hash.h"

namespace carom::golden {
namespace {

constexpr int kMostSteps = 2000;
constexpr int kSamples = 100;

class Watch {
 public:
  explicit Watch(const std::shared_ptr<const Model>& model)
      : observer_(model), simulation_(model), channels_(all_channels(*model)) {
    for (const OutputChannel& c : channels_) width_ += static_cast<std::size_t>(c.width);
    row_.resize(width_);
  }

  Digest run(double until) {
    const double start = simulation_.time();
    std::atomic<bool> enough = false;
    int steps = 0;
    simulation_.interrupt_with(&enough);
    simulation_.on_progress([&](double) { enough = ++steps >= kMostSteps; });
    simulation_.on_sample((until - start) / kSamples,
                          [&](double t, std::span<const double> x) { add_sample(t, x); });
    simulation_.on_event([&](const EngineEvent& event) { add_event(event); });
    simulation_.advance(until);
    state_.add(simulation_.time());
    for (const double x : simulation_.state()) state_.add(x);
    return {state_.value(), events_.value(), forces_.value(), ledger_.value()};
  }

 private:
  void add_sample(double t, std::span<const double> x) {
    observer_.parameters = simulation_.workspace().parameters;
    observer_.modes = simulation_.workspace().modes;
    apply_modes(observer_);
    calc_outputs(observer_, t, x, channels_, simulation_.energy_reference(), row_);
    state_.add(t);
    std::size_t at = 0;
    for (const OutputChannel& c : channels_) {
      const std::size_t first = at;
      at += static_cast<std::size_t>(c.width);
      if (c.group == "body_axes") continue;  // says nothing that the motion does not
      Hash& hash = c.group == "energy" ? ledger_ : is_motion(c.what) ? state_ : forces_;
      for (std::size_t k = first; k < at; ++k) hash.add(row_[k]);
    }
  }

  static bool is_motion(OutputChannel::What what) {
    using enum OutputChannel::What;
    return what == body_position || what == body_orientation || what == body_velocity ||
           what == body_angular_velocity || what == joint_q || what == joint_v || what == state;
  }

  void add_event(const EngineEvent& event) {
    events_.add(event.time), events_.add(event.value), events_.add(event.impulse);
    events_.add(event.kind), events_.add(event.subject), events_.add(event.other);
  }

  Workspace observer_;
  Simulation simulation_;
  std::vector<OutputChannel> channels_;
  std::size_t width_ = 0;
  std::vector<double> row_;
  Hash state_, events_, forces_, ledger_;
};

}  // namespace

Digest digest_of(std::shared_ptr<const Model> model) {
  const double until = model->scene.run.until;
  return Watch(std::move(model)).run(until);
}

std::uint64_t library_hash() {
  Hash hash;
  for (int i = 1; i <= 3000; ++i) {
    const double x = 0.0137 * i;
    for (const double y : {std::sin(x), std::cos(x), std::atan2(x, 1.0 + x), std::exp(-x),
                           std::log(x), std::pow(x, 1.5), std::tanh(x), std::cbrt(x)}) {
      hash.add(y);
    }
  }
  return hash.value();
}

}  // namespace carom::golden
