// S6: five steel balls of 1 kg on a line, the first arrives at 1 m/s; no gravity, no loss.
//
// Touching balls are hit by one Hertzian wave; referee: the same chain as five ordinary
// differential equations (tests/simulation/hertz_chain.h). Balls 1 mm apart hit each other in
// turn and only the last leaves, at 1 m/s. In both, energy and momentum stay (second referee).
#pragma once

#include <array>
#include <cmath>

#include "report.h"
#include "tests/simulation/hertz_chain.h"

namespace carom::bench {

struct Cradle {
  static constexpr double radius = 0.05, mass = 1.0, E = 2e11, nu = 0.3, duration = 0.5;
  static constexpr double inertia = 0.4 * mass * radius * radius;
  static constexpr int balls = 5;
  static constexpr std::array<double, 2> gaps{0.0, 1e-3};

  static double x(int i, double gap) { return i == 0 ? -0.1 : 2.0 * radius * i + (i - 1) * gap; }
};

inline const char* cradle_scene(double gap) {
  return gap > 0.0 ? "s6_cradle/gap" : "s6_cradle/touching";
}

inline void report_cradle(Row& row, double gap, const std::array<double, 5>& v) {
  static const std::array<double, 5> chain = testing::hertz_chain_speeds();
  const std::array<double, 5> ideal = gap > 0.0 ? std::array<double, 5>{0, 0, 0, 0, 1} : chain;
  double error = 0.0, energy = 0.0, momentum = 0.0;
  for (std::size_t i = 0; i < v.size(); ++i) {
    error = std::max(error, std::fabs(v[i] - ideal[i]));
    energy += v[i] * v[i];
    momentum += v[i];
  }
  row.simulated = Cradle::duration;
  row.add("error", error);
  row.add("energy", energy);
  row.add("energy_minus_1", energy - 1.0);
  row.add("momentum_minus_1", momentum - 1.0);
  for (std::size_t i = 0; i < v.size(); ++i) row.add("v" + std::to_string(i + 1), v[i]);
}

/// Advances an engine with step(), which moves by dt; speeds() returns those along x.
template <class Step, class Speeds>
Row run_cradle(const std::string& setting, double gap, double dt, Step step, Speeds speeds) {
  Row row;
  row.setting = setting;
  Stopwatch clock;
  row.evaluations = std::lround(Cradle::duration / dt);
  clock.start();
  for (long i = 0; i < row.evaluations; ++i) step();
  clock.stop();
  row.cpu_seconds = clock.seconds();
  report_cradle(row, gap, speeds());
  return row;
}

}  // namespace carom::bench
