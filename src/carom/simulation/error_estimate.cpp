#include "carom/simulation/error_estimate.h"

#include <algorithm>
#include <cmath>

#include "carom/record/memory_writer.h"
#include "carom/simulation/run.h"

namespace carom {
namespace {

/// The rows of a channel in both recordings.
struct Columns {
  const double* a;
  const double* b;
  std::size_t stride_a, stride_b;
};

double largest_difference(const Columns& c, std::size_t rows) {
  double worst = 0.0;
  for (std::size_t r = 0; r < rows; ++r) {
    double sum = 0.0;
    for (std::size_t k = 0; k < 3; ++k) {
      const double d = c.a[r * c.stride_a + k] - c.b[r * c.stride_b + k];
      sum += d * d;
    }
    worst = std::max(worst, std::sqrt(sum));
  }
  return worst;
}

double largest_turn(const Columns& c, std::size_t rows) {
  double worst = 0.0;
  for (std::size_t r = 0; r < rows; ++r) {
    const double* a = c.a + r * c.stride_a;
    const double* b = c.b + r * c.stride_b;
    const Quat turn = conjugate(Quat{a[0], a[1], a[2], a[3]}) * Quat{b[0], b[1], b[2], b[3]};
    worst = std::max(worst, norm(quat_log(turn)));
  }
  return worst;
}

/// The field that a difference in this unit counts to.
double& field_of(const std::string& unit, double& force, double& torque) {
  return unit == "N.m" ? torque : force;
}

void compare_reactions(const Recording& a, const Recording& b, std::size_t rows,
                       ErrorEstimate& estimate) {
  const ColumnIndex index(b.channels);
  std::size_t first = 0;
  for (const Channel& c : a.channels) {
    if (c.group == "reactions" && c.width == 3) {
      const Columns columns{a.values.data() + first, b.values.data() + index.channel(c.name).first,
                            a.width(), b.width()};
      double& worst = field_of(c.unit, estimate.reaction_force, estimate.reaction_torque);
      worst = std::max(worst, largest_difference(columns, rows));
    }
    first += static_cast<std::size_t>(c.width);
  }
}

void compare_peaks(std::span<const PeakRecord> a, std::span<const PeakRecord> b,
                   ErrorEstimate& estimate) {
  for (const PeakRecord& p : a) {
    for (const PeakRecord& q : b) {
      if (p.object != q.object || p.quantity != q.quantity) continue;
      double& worst = field_of(p.unit, estimate.peak_force, estimate.peak_torque);
      worst = std::max(worst, std::abs(p.value - q.value));
    }
  }
}

}  // namespace

ErrorEstimate estimate_error(const Model& model, const Recording& recording,
                             std::span<const PeakRecord> peaks) {
  Scene scene = model.scene;
  scene.run.output.channels = {"bodies", "reactions", "drives", "contacts"};
  ErrorEstimate estimate;
  if (scene.run.step > 0.0) {
    scene.run.step *= 0.5;
  } else {
    // Below 1e-14 rounding takes over from truncation.
    scene.run.tolerance = std::max(1e-14, 0.01 * scene.run.tolerance);
    estimate.tolerance = scene.run.tolerance;
  }
  Diagnostics diagnostics;
  MemoryWriter writer;
  RunOptions options;
  options.recorder = &writer;
  const RunResult finer = run(compile(scene, diagnostics), options);
  const Recording& reference = writer.recording();

  const ColumnIndex index_a(recording.channels), index_b(reference.channels);
  const std::size_t rows = std::min(recording.rows(), reference.rows());
  for (const BodyInfo& body : model.bodies) {
    if (body.link == 0) continue;
    const auto columns = [&](const char* what) {
      const std::string name = body.name + "." + what;
      return Columns{recording.values.data() + index_a.channel(name).first,
                     reference.values.data() + index_b.channel(name).first, recording.width(),
                     reference.width()};
    };
    estimate.position = std::max(estimate.position, largest_difference(columns("position"), rows));
    estimate.orientation =
        std::max(estimate.orientation, largest_turn(columns("orientation"), rows));
    estimate.velocity = std::max(estimate.velocity, largest_difference(columns("velocity"), rows));
    estimate.angular_velocity =
        std::max(estimate.angular_velocity, largest_difference(columns("angular_velocity"), rows));
  }
  compare_reactions(recording, reference, rows, estimate);
  compare_peaks(peaks, finer.peaks, estimate);
  return estimate;
}

}  // namespace carom
