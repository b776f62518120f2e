#include "carom/proximity/triangles/carried_patches.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace carom::triangles {
namespace {

/// (1): how places and directions go along, and what the depth loses.
class Way {
 public:
  explicit Way(const Motions& m) : m_(m) {}

  Vec3 point(const Vec3& x) const { return 0.5 * (m_.A * x + m_.B * x); }
  Vec3 direction(const Vec3& d) const { return 0.5 * (m_.A.R * d + m_.B.R * d); }
  /// Bodies that turn by half a turn against each other in a step leave none.
  Vec3 unit(const Vec3& n) const {
    const Vec3 sum = direction(n);
    const double size = norm(sum);
    return size > 0.0 ? sum / size : n;
  }
  double parted(const Vec3& x, const Vec3& n) const { return dot(n, m_.B * x - m_.A * x); }
  /// How that changes along x.
  Vec3 gradient(const Vec3& n) const {
    return transpose_times(m_.B.R, n) - transpose_times(m_.A.R, n);
  }

 private:
  const Motions& m_;
};

/// (2). What presses is moved within what the circumference goes around.
void press_on(const PatchLoad& was, double deeper, const Vec3& steeper, PatchLoad& out) {
  const Vec3 r = was.length_centre - was.centre;
  const Vec3 curled = 0.5 * (dot(was.spread[0], steeper) * was.spread[0] +
                             dot(was.spread[1], steeper) * was.spread[1]);
  const double along = deeper + dot(steeper, r);
  const double pressed = was.pressed + was.length * along;
  if (!(pressed > 0.0 && out.depth > 0.0)) {
    out.pressed = 0.0;
    // Parted, by as much as can be told from zero.
    out.depth = std::min(out.depth, -std::numeric_limits<double>::min());
    return;
  }
  const Vec3 moment =
      was.pressed * (was.pressure_centre - was.centre) + was.length * (along * r + curled);
  const Vec3 from_middle = moment / pressed - r;
  const double most = std::sqrt(norm2(was.spread[0]) + norm2(was.spread[1]));
  const double away = norm(from_middle);
  out.pressed = pressed;
  out.pressure_centre = was.length_centre + (away > most ? most / away : 1.0) * from_middle;
}

PatchLoad carried(const PatchLoad& was, const Way& way) {
  PatchLoad out = was;
  out.normal = way.unit(was.normal);
  if (was.is_measured) {
    const double deeper = -way.parted(was.centre, out.normal);
    const Vec3 turned = -way.gradient(out.normal);
    const Vec3 steeper = turned - dot(turned, was.normal) * was.normal;
    out.depth = was.depth + deeper;
    out.slope = way.direction(was.slope + steeper);
    press_on(was, deeper, steeper, out);
    out.volume = std::max(0.0, out.depth) * was.area;
  }
  out.centre = way.point(was.centre);
  out.volume_centre = way.point(was.volume_centre);
  out.pressure_centre = way.point(out.pressure_centre);
  out.length_centre = way.point(was.length_centre);
  for (std::size_t i = 0; i < 2; ++i) {
    out.arm[i] = way.direction(was.arm[i]), out.spread[i] = way.direction(was.spread[i]);
    out.turning_arm[i] = way.direction(was.turning_arm[i]);
    out.turning_spread[i] = way.direction(was.turning_spread[i]);
  }
  return out;
}

}  // namespace

void carry(const SurfaceState& found, const Motions& since, SurfaceState& out) {
  const Way way(since);
  out.patches.clear();
  for (const PatchLoad& patch : found.patches) out.patches.push_back(carried(patch, way));
  out.apart = found.apart;
  if (!found.patches.empty()) return;
  out.apart.n_AB_W = way.unit(found.apart.n_AB_W);
  out.apart.p_WCa = since.A * found.apart.p_WCa, out.apart.p_WCb = since.B * found.apart.p_WCb;
  const Vec3 gap = out.apart.p_WCb - out.apart.p_WCa, was = found.apart.p_WCb - found.apart.p_WCa;
  out.apart.phi += dot(out.apart.n_AB_W, gap) - dot(found.apart.n_AB_W, was);
}

void carry(const PatchSegments& found, const SurfaceState& state, const Motions& since,
           PatchSegments& out) {
  const Way way(since);
  out.segments.clear(), out.approach.clear();
  for (const PatchSegment& segment : found.segments) {
    PatchSegment own = segment;
    own.from = way.point(segment.from), own.to = way.point(segment.to);
    own.n_a = since.A.R * segment.n_a, own.n_b = since.B.R * segment.n_b;
    out.segments.push_back(own);
  }
  for (std::size_t i = 0; i < found.approach.size(); ++i) {
    const PatchLoad& patch = state.patches[i];
    const double parted = way.parted(patch.centre, way.unit(patch.normal));
    out.approach.push_back(std::max(0.0, found.approach[i] - parted));
  }
}

}  // namespace carom::triangles
