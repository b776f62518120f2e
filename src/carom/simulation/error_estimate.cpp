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

}  // namespace

ErrorEstimate estimate_error(const Model& model, const Recording& recording) {
  Scene scene = model.scene;
  scene.run.output.channels = {"bodies"};
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
  run(compile(scene, diagnostics), options);
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
  return estimate;
}

}  // namespace carom
