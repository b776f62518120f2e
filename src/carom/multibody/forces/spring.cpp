// Point-to-point spring and damper.
//
//   x = l − l0,  tension T = T0 + k x + d l'    (or a law T(x, v))              (1)
//
// T > 0 pulls the two points together along the line between them.
#include <algorithm>

#include "carom/multibody/force_law.h"

namespace carom {
namespace {

enum { kStiffness, kDamping, kLength, kPreload };
constexpr ParamField kFields[] = {
    {"stiffness", "N/m", "k in T = T0 + k (l - l0) + d l'", 0.0, 0.0},
    {"damping", "N.s/m", "d", 0.0, 0.0},
    {"length", "m", "unloaded length l0", 0.0, 0.0},
    {"preload", "N", "tension T0 at the unloaded length", 0.0},
};
constexpr ForceReading kReadings[] = {{"length", "m"}, {"rate", "m/s"}, {"tension", "N"}};

struct Line {
  Vec3 direction;  ///< from `from` to `to`; zero where the points coincide
  double length, rate;
};

Line line_between(const ForceInput& in) {
  const Vec3 r = in.to.p_WK - in.from.p_WK;
  const double length = norm(r);
  // Below this the direction is rounding; the force of a spring with l0 = 0 vanishes there.
  const Vec3 direction = length > 1e-150 ? r / length : Vec3{};
  return {direction, length, dot(direction, in.to.V_WK.v - in.from.V_WK.v)};
}

void deflections(const ForceInput& in, double* x, double* v) {
  const Line line = line_between(in);
  x[0] = line.length - in.params[kLength];
  v[0] = line.rate;
}

void evaluate(const ForceInput& in, ForceOutput& out) {
  const Line line = line_between(in);
  const double x = line.length - in.params[kLength];
  const double preload = in.params[kPreload];
  const double tension = preload + resist(in.params[kStiffness], in.params[kDamping], x, line.rate,
                                          in.laws[0], out);  // (1)
  out.elastic += preload * x;
  out.on_to = {{}, (-tension) * line.direction};
  out.reading[0] = line.length;
  out.reading[1] = line.rate;
  out.reading[2] = tension;
}

}  // namespace

extern const ForceKind force_spring{.name = "spring",
                                    .doc = "spring and damper between two points",
                                    .fields = kFields,
                                    .is_load = false,
                                    .signal_count = 1,
                                    .signal_field = "law",
                                    .readings = kReadings,
                                    .deflections = deflections,
                                    .evaluate = evaluate};

}  // namespace carom
