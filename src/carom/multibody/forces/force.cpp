// Load: a force on a point of a body, given by three signals in world or body axes.
#include "carom/multibody/force_kind.h"

namespace carom {
namespace {

constexpr ForceReading kReadings[] = {{"fx", "N"}, {"fy", "N"}, {"fz", "N"}};

void evaluate(const ForceInput& in, ForceOutput& out) {
  const Vec3 given{in.signals[0], in.signals[1], in.signals[2]};
  const Vec3 f = in.in_body_axes ? in.to.R_WK * given : given;
  out.on_to = {{}, f};
  out.drive_power = dot(f, in.to.V_WK.v);
  for (std::size_t i = 0; i < 3; ++i) out.reading[i] = f[i];
}

}  // namespace

extern const ForceKind force_force{.name = "force",
                                   .doc = "force on a point of a body",
                                   .fields = {},
                                   .is_load = true,
                                   .signal_count = 3,
                                   .signal_field = "value",
                                   .readings = kReadings,
                                   .deflections = nullptr,
                                   .evaluate = evaluate};

}  // namespace carom
