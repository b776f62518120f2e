#include "carom/contact/stiffness.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace carom {
namespace {

// Flat in all directions and yet a point: only where a patch shrinks to nothing.
constexpr double kFlattest = 1e3;

/// Radius of curvature, at least the depth: a sharp edge or corner yields until it is about
/// as blunt as it is pressed in. Exact from twice the depth on, continuously differentiable.
double blunted_radius(double curvature, double depth) {
  const double radius = 1.0 / std::max(curvature, 1.0 / kFlattest);
  if (radius >= 2.0 * depth) return radius;
  return depth + 0.25 * radius * radius / depth;
}

double hertz_coefficient(double r1, double r2, double modulus) {
  constexpr double k = 4.0 / 3.0;
  if (r1 == r2) return k * modulus * std::sqrt(r1);
  const double small = std::min(r1, r2);
  const double large = std::min(std::max(r1, r2), kMaxCurvatureRatio * small);
  return k * modulus * std::sqrt(std::sqrt(small * large)) * elliptic_hertz_factor(large / small);
}

/// Stiffness of a face over E*. While it tilts, its area falls to zero before its width does:
/// what then carries is the edge, so a patch whose area is small for its extent is a line. Flat
/// polygons and discs have more than half the area of the rectangle of length and width.
double face_length(const Manifold& m, double line) {
  const double rectangle = m.length * m.width;
  if (!(rectangle > 0.0)) return line;
  const double t = std::min(1.0, 2.0 * m.area / rectangle);
  const double flat = t * t * (3.0 - 2.0 * t);
  return flat * 2.0 * std::sqrt(m.area / std::numbers::pi) + (1.0 - flat) * line;
}

}  // namespace

ContactStiffness contact_stiffness(const Contact& contact, const Manifold& manifold, double modulus,
                                   double depth) {
  const double d = std::max(depth, 0.0);
  const bool is_point = manifold.length <= 0.0;
  if (is_point && contact.k1 == contact.k2 && contact.k1 * d <= 0.5 && contact.k1 > 0.0) {
    return {0.0, (4.0 / 3.0) * modulus / std::sqrt(contact.k1)};
  }
  const double r1 = blunted_radius(contact.k1, d), r2 = blunted_radius(contact.k2, d);
  // A flat contact has no half-width of its own: its patch is all there is.
  const double half_width = contact.k1 > 0.0 ? std::sqrt(r1 * d) : 0.0;
  const RegimeShares share = is_point ? RegimeShares{} : regime_shares(manifold, half_width);
  const double line = 0.25 * std::numbers::pi * manifold.length;
  ContactStiffness k;
  k.linear = modulus * (share.line * line + share.face * face_length(manifold, line));
  if (share.point > 0.0) k.hertz = share.point * hertz_coefficient(r1, r2, modulus);
  return k;
}

}  // namespace carom
