// Load: a torque on a body, given by three signals in world or body axes.
#include "carom/multibody/force_kind.h"

namespace carom {
namespace {

constexpr ForceReading kReadings[] = {{"tx", "N.m"}, {"ty", "N.m"}, {"tz", "N.m"}};

void evaluate(const ForceInput& in, ForceOutput& out) {
  const Vec3 given{in.signals[0], in.signals[1], in.signals[2]};
  const Vec3 t = in.in_body_axes ? in.to.R_WK * given : given;
  out.on_to = {t, {}};
  out.drive_power = dot(t, in.to.V_WK.w);
  for (std::size_t i = 0; i < 3; ++i) out.reading[i] = t[i];
}

}  // namespace

extern const ForceKind force_torque{.name = "torque",
                                    .doc = "torque on a body",
                                    .fields = {},
                                    .is_load = true,
                                    .signal_count = 3,
                                    .signal_field = "value",
                                    .readings = kReadings,
                                    .deflections = nullptr,
                                    .evaluate = evaluate};

}  // namespace carom
