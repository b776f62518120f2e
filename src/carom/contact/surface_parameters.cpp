#include "carom/contact/surface_parameters.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "carom/contact/exact_restitution.h"
#include "carom/contact/impact_damping.h"

namespace carom {
namespace {

using std::numbers::pi;

/// Principal curvatures, the larger first [1/m].
struct Curvatures {
  double larger = 0.0, smaller = 0.0;
};

Curvatures curvatures(const IdealSurface& s) {
  if (s.form == SurfaceForm::sphere) return {1.0 / s.radius, 1.0 / s.radius};
  if (s.form == SurfaceForm::cylinder) return {1.0 / s.radius, 0.0};
  if (s.is_flat()) return {};
  const double k = 1.0 / surface_radius(s);  // of a convex shape: that of the ball around it
  return {k, k};
}

/// The longest line that the surface can carry [m].
double line_length(const IdealSurface& s) {
  if (s.form == SurfaceForm::cylinder) return 2.0 * s.half_length;
  if (s.form == SurfaceForm::circle) return 2.0 * s.radius;
  return 2.0 * std::max(s.half_length, s.half_width);
}

double smaller_area(const IdealSurface& a, const IdealSurface& b) {
  return std::min(surface_area(a), surface_area(b));
}

}  // namespace

ContactStiffness surface_stiffness(const IdealSurface& a, const IdealSurface& b, double modulus) {
  ContactStiffness k;
  switch (usual_area(a, b)) {
    case ContactArea::line:
      k.linear = pi / 4.0 * modulus * std::min(line_length(a), line_length(b));
      break;
    case ContactArea::plane: k.linear = 2.0 * modulus * std::sqrt(smaller_area(a, b) / pi); break;
    default: {
      const Curvatures ka = curvatures(a), kb = curvatures(b);
      const double larger = ka.larger + kb.larger, smaller = ka.smaller + kb.smaller;
      if (!(smaller > 0.0)) break;
      const double ratio = std::min(larger / smaller, kMaxCurvatureRatio);
      k.hertz = 4.0 / 3.0 * modulus * elliptic_hertz_factor(ratio) /
                std::sqrt(std::sqrt(larger * smaller));
    }
  }
  return k;
}

double surface_scale(const IdealSurface& a, const IdealSurface& b) {
  if (a.is_flat() && b.is_flat()) return std::sqrt(smaller_area(a, b) / pi);
  return 1.0 / std::max(curvatures(a).larger, curvatures(b).larger);
}

SurfaceParameters derive_parameters(const IdealSurface& a, const IdealSurface& b,
                                    const PairMaterial& material, double speed) {
  const ContactStiffness k = surface_stiffness(a, b, material.modulus);
  const bool is_point = usual_area(a, b) == ContactArea::point;
  SurfaceParameters p;
  p.n = p.m = is_point ? 1.5 : 1.0;
  p.c = (is_point ? k.hertz : k.linear) / total_weight(usual_area(a, b));
  const double e = std::clamp(restitution_at(material, speed), material.restitution_min, 1.0);
  p.d = p.c * std::min(material.damping_max, exact_damping_factor(e) / speed);
  p.t = 0.1 * surface_scale(a, b);
  return p;
}

}  // namespace carom
