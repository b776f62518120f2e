#include "carom/proximity/triangles/through_wall.h"

#include <algorithm>
#include <cmath>

#include "carom/proximity/triangles/moments.h"

namespace carom::triangles {
namespace {

/// One curve, seen along the normal of its patch.
struct SeenCurve {
  Vec3 area_vector;         ///< [m²]
  double length = 0.0;      ///< [m]
  Vec3 centre;              ///< of its length [m]
  double a = 0.0, b = 0.0;  ///< how the faces of A and of B look, 1: as where a body is entered

  /// The faces of one of the two look back, those of the other do not.
  bool leaves_a() const { return a < -kLooks && b > 0.0; }
  bool leaves_b() const { return b < -kLooks && a > 0.0; }
  static constexpr double kLooks = 0.9;  ///< less is no far side: a corner or an edge of the wall
};

class Wall {
 public:
  Wall(const TriangleSurface& A, const TriangleSurface& B, const Mat3& R_AB, const Intersection& x,
       const Vec3& normal)
      : a_(A), b_(B), R_AB_(R_AB), x_(x), n_(normal) {}

  SeenCurve look(std::uint32_t curve) const {
    SeenCurve out;
    const Curves& c = x_.curves;
    const Curve& k = c.curves[curve];
    const Vec3 o = c.piercings[c.segments[c.order[k.first]].from].p;
    for (std::uint32_t i = 0; i < k.count; ++i) {
      const Segment& s = c.segments[c.order[k.first + i]];
      const Vec3 p = c.piercings[s.from].p - o, q = c.piercings[s.to].p - o;
      const double l = norm(q - p);
      out.length += l;
      out.centre += 0.5 * l * (p + q);
      out.area_vector += 0.5 * cross(p, q);
      out.a += l * along(a_.planes[s.a].n, n_);
      out.b -= l * along(R_AB_ * b_.planes[s.b].n, n_);
    }
    if (!(out.length > 0.0)) return out;
    out.centre = o + out.centre / out.length;
    out.a /= out.length, out.b /= out.length;
    return out;
  }

 private:
  static double along(const Vec3& face, const Vec3& n) {
    const double size = norm(face);
    return size > 0.0 ? dot(face, n) / size : 0.0;
  }

  const TriangleSurface &a_, &b_;
  const Mat3 R_AB_;
  const Intersection& x_;
  const Vec3 n_;
};

/// What has been seen of the curves of a patch.
struct Passage {
  double entered = 0.0, left = 0.0;  ///< areas along n [m²]
  Vec3 entry, exit;                  ///< their centres, times areas
  int of_a = 0, of_b = 0;            ///< curves that leave A and B
};

/// (1): what lies beyond, in volumes and its place along n from the exit.
struct Beyond {
  double volume = 0.0, height = 0.0;
};
Beyond cone(double a, double b, double t, double most) {
  const double ratio = std::sqrt(b / a);
  const double height = std::min(ratio < 1.0 ? t * ratio / (1.0 - ratio) : most, most);
  return {b * height / 3.0, height};
}

}  // namespace

bool fill_wall(const TriangleSurface& A, const TriangleSurface& B, const Pose& X_AB,
               Intersection& x, TrianglePatch& patch) {
  constexpr double kFlat = 0.05;      // t over the width where it enters: cut in one plane
  constexpr double kDirection = 0.1;  // of the areas, that their sum must have to say a direction
  if (patch.curves < 2 || !patch.is_measured || !(patch.area > 0.0)) return false;
  const Wall wall(A, B, X_AB.R, x, patch.normal);
  Passage way;
  double areas = 0.0;
  const auto first = x.curves_by_patch.begin() + patch.first_curve;
  const auto enters = std::partition(first, first + patch.curves, [&](std::uint32_t k) {
    const SeenCurve c = wall.look(k);
    const double along = dot(c.area_vector, patch.normal);
    areas += std::abs(along);
    const bool leaves = (c.leaves_a() || c.leaves_b()) && along < 0.0;
    way.of_a += leaves && c.leaves_a(), way.of_b += leaves && c.leaves_b();
    (leaves ? way.left : way.entered) += std::abs(along);
    (leaves ? way.exit : way.entry) += std::abs(along) * c.centre;
    return !leaves;
  });
  if (way.of_a + way.of_b == 0 || (way.of_a > 0 && way.of_b > 0)) return false;
  if (!(patch.area > kDirection * areas && way.entered > 0.0 && way.left > 0.0)) return false;
  // B has gone into A against n, A into B along it.
  const Vec3 on = way.of_a > 0 ? -patch.normal : patch.normal;
  const Vec3 exit = way.exit / way.left;
  const double t = dot(on, exit - way.entry / way.entered);
  if (!(t > kFlat * std::sqrt(way.entered))) return false;
  const double most = 2.0 * norm((way.of_a > 0 ? B : A).tree.half);
  const Beyond beyond = cone(way.entered, way.left, t, most);
  TrianglePatch thick;
  thick.first_curve = patch.first_curve;
  thick.curves = static_cast<std::uint32_t>(enters - first);
  measure_curves(x, thick);
  if (!(thick.area > 0.0)) return false;
  thick.volume = patch.volume + beyond.volume;
  thick.volume_centre =
      (patch.volume * patch.volume_centre + beyond.volume * (exit + 0.25 * beyond.height * on)) /
      thick.volume;
  patch = thick;
  return true;
}

}  // namespace carom::triangles
