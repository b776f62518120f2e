#include "carom/proximity/area/surface_exit.h"

#include <cmath>
#include <limits>

namespace carom {

bool follow_exit(const SmoothSurface& surface, const Vec3& p, const Vec3& d, Vec3& state,
                 LineExit& out) {
  constexpr int kMostSteps = 12;
  // Steeper than this the surface passes out of sight; the height of a point that is beside the
  // line by the last share is known to the square of it.
  constexpr double kSteep = 0.03, kBeside = 1e-7, kShrinks = 0.7;
  const double size = surface.size();
  double last = std::numeric_limits<double>::infinity();
  for (int i = 0; i < kMostSteps; ++i) {
    const SurfacePoint at = surface.at(state);
    const double slope = dot(at.n, d);
    if (!(slope > kSteep)) return false;
    Vec3 beside = p - at.p;
    const double below = dot(beside, d);
    beside -= below * d;
    const double rise = -dot(beside, at.n) / slope, length = norm(beside);
    if (length <= kBeside * size) {
      out.t = rise - below, out.normal = at.n;
      return surface.holds(state);
    }
    if (!(length <= kShrinks * last)) return false;
    last = length;
    state = surface.moved(state, beside + rise * d);
  }
  return false;
}

}  // namespace carom
