// S1: a steel ball of 0.2 m falls 0.9 m on steel.
//
// Referees: without loss every rebound returns to the height of the fall, whatever the
// stiffness (energy); with restitution e, the first one reaches e² of it. A compliant contact
// with e < 1 lies 8e-4 lower, because gravity acts during the 529 us of contact.
#pragma once

#include <algorithm>
#include <cmath>

#include "report.h"

namespace carom::bench {

struct HardBounce {
  static constexpr double radius = 0.1, density = 7850.0, E = 2e11, nu = 0.3;
  static constexpr double fall = 0.9, gravity = 9.81, duration = 2.0;
  static constexpr double pi = 3.14159265358979323846;

  static double mass() { return 4.0 / 3.0 * pi * radius * radius * radius * density; }
  static double inertia() { return 0.4 * mass() * radius * radius; }
  static double speed() { return std::sqrt(2.0 * gravity * fall); }
  /// Effective modulus of steel on steel.
  static double modulus() { return E / (2.0 * (1.0 - nu * nu)); }
  /// Duration of Hertz' impact, 2.9433 d/v with d the greatest depth.
  static double contact_time() {
    const double depth =
        std::pow(15.0 * mass() * speed() * speed() / (16.0 * modulus() * std::sqrt(radius)), 0.4);
    return 2.943275 * depth / speed();
  }
};

/// Follows gap and speed; the height of the first rebound is that of its energy, taken once
/// the ball is 20 mm up again.
class BounceWatch {
 public:
  void feed(double gap, double speed) {
    if (speed > 1e-9 && fell_) bounced_ = true;
    if (speed < 0.0) fell_ = true;
    if (bounced_ && std::isnan(height_)) {
      highest_ = std::max(highest_, gap);
      if (gap > 0.02 && speed > 0.0) height_ = gap + speed * speed / (2.0 * HardBounce::gravity);
    }
  }
  void report(Row& row, double restitution) const {
    const double ideal = restitution * restitution * HardBounce::fall;
    const double height = std::isnan(height_) ? std::max(0.0, highest_) : height_;
    row.add("height", height);
    row.add("error", std::fabs(height / ideal - 1.0));
    row.simulated = HardBounce::duration;
  }

 private:
  bool fell_ = false, bounced_ = false;
  double height_ = std::nan(""), highest_ = 0.0;
};

}  // namespace carom::bench
