// Points on the sides of cylinders and cones.
#include <algorithm>
#include <cmath>
#include <limits>

#include "carom/engine/contact/rigid/rigid_form_sites.h"

namespace carom {
namespace {

void narrow_side(RigidSite& site, double margin, double rate) {
  if (margin < site.margin) site.margin = margin, site.margin_rate = rate;
}

/// The straight line, and the curve across it: that of a cone at the distance r from its axis has
/// the radius r over the cosine of its slope.
FeaturePatch patch_of_side(const RigidForm& form, const RigidForm::Side& side, const SideLine& line,
                           double y) {
  FeaturePatch patch;
  patch.radius = form.radius;
  const double r = side.r0 + (side.r1 - side.r0) * y / side.slant;
  patch.add(line.g, 0.0);
  patch.add(cross(line.normal, line.g), side.cosine / std::max(r, 1e-9 * side.slant));
  return patch;
}

/// The ends of a line for a point at y, and the half that a beam has.
void keep_on_side(const PlacedForm& body, const RigidForm::Side& side, const SideLine& line,
                  double y, const std::array<double, 2>& speeds, RigidSite& out) {
  narrow_side(out, y, speeds[0]), narrow_side(out, side.slant - y, -speeds[0]);
  if (!(norm2(side.half) > 0.0)) return;
  const Vec3 half = body.direction(side.half);
  narrow_side(out, side.r0 * dot(half, line.normal),
              speeds[1] * dot(half, cross(line.normal, line.g)));
}

/// Where two lines in one plane cross: how far along each.
struct Crossing {
  double y = 0.0, x = 0.0, sine2 = 0.0;
};
Crossing cross_of(const Vec3& from, const Vec3& g, const Vec3& other, const Vec3& e) {
  const Vec3 d = other - from;
  const double k = dot(g, e), sine2 = norm2(cross(g, e));
  if (!(sine2 > 0.0)) return {};
  return {(dot(d, g) - k * dot(d, e)) / sine2, (k * dot(d, g) - dot(d, e)) / sine2, sine2};
}

}  // namespace

Vec3 radial_of(const PlacedForm& body, const RigidForm::Side& side, const Vec3& p) {
  const Vec3 axis = body.direction(side.axis), from = p - body.X * side.p;
  const Vec3 off = from - dot(from, axis) * axis;
  const double away = norm(off);
  return away > 0.0 ? off / away : body.direction(side.e1);
}

SideLine line_of(const PlacedForm& body, const RigidForm::Side& side, const Vec3& radial) {
  const Vec3 axis = body.direction(side.axis);
  return {body.X * side.p + side.r0 * radial, side.cosine * axis - side.sine * radial,
          side.cosine * radial + side.sine * axis};
}

void FormSites::corner_on_side(const FormFeature& f, RigidSite& out) const {
  const PlacedForm &on = carrier(f), &of = other(f);
  const RigidForm::Side& side = on.form.sides[f.on];
  const Vec3 c = of.X * of.form.corners[f.of];
  const SideLine line = line_of(on, side, radial_of(on, side, c));
  const double y = dot(line.g, c - line.from);
  FeaturePatch corner;
  corner.radius = of.form.radius;
  const FeatureMotion m = finish(f, {line.normal, line.from + y * line.g, c},
                                 patch_of_side(on.form, side, line, y), corner, out);
  keep_on_side(on, side, line, y, m.along_first, out);
}

/// The normal is across the edge and has the slope of the side; of two such that with the wider
/// gap.
void FormSites::edge_on_side(const FormFeature& f, RigidSite& out) const {
  const PlacedForm &on = carrier(f), &of = other(f);
  const RigidForm::Side& side = on.form.sides[f.on];
  const RigidForm::Curve& edge = of.form.curves[f.of];
  const CurvePoint start = point_on(of, edge, 0.0);
  const Vec3 axis = on.direction(side.axis);
  const double along = dot(start.t, axis);
  const Vec3 off = start.t - along * axis;
  const double sine = norm(off);
  out.phi = std::numeric_limits<double>::infinity(), out.margin = -out.phi;
  if (!(sine > 0.0)) return;
  const double k = -along * side.sine / (side.cosine * sine);
  if (!(std::abs(k) < 1.0)) return;
  const Vec3 level = k * (off / sine), across = std::sqrt(1.0 - k * k) * cross(axis, off / sine);
  SideLine best;
  double widest = -std::numeric_limits<double>::infinity();
  Vec3 radial;
  for (const double sign : {-1.0, 1.0}) {
    const Vec3 m = level + sign * across;
    const SideLine line = line_of(on, side, m);
    const double gap = dot(line.normal, start.c - line.from);
    if (gap > widest) widest = gap, best = line, radial = m;
  }
  cross_lines(f, best, start, edge.length, nullptr, radial, out);
}

void FormSites::cross_lines(const FormFeature& f, const SideLine& line, const CurvePoint& edge,
                            double length, const RigidForm::Side* other_side, const Vec3& radial,
                            RigidSite& out) const {
  const PlacedForm &on = carrier(f), &of = other(f);
  const RigidForm::Side& side = on.form.sides[f.on];
  const Crossing at = cross_of(line.from, line.g, edge.c, edge.t);
  out.margin = std::numeric_limits<double>::infinity();
  FeaturePatch patch;
  if (other_side) {
    const SideLine theirs = line_of(of, *other_side, radial);
    patch = patch_of_side(of.form, *other_side, theirs, at.x);
  } else {
    patch.radius = of.form.radius;
    patch.add(edge.t, 0.0);
  }
  const Geometry g{line.normal, line.from + at.y * line.g, edge.c + at.x * edge.t};
  const FeatureMotion m = finish(f, g, patch_of_side(on.form, side, line, at.y), patch, out);
  keep_on_side(on, side, line, at.y, m.along_first, out);
  if (other_side) {
    keep_on_side(of, *other_side, line_of(of, *other_side, radial), at.x, m.along_second, out);
  } else {
    narrow_side(out, at.x, m.along_second[0]);
    narrow_side(out, length - at.x, -m.along_second[0]);
  }
}

/// Newton's method for the place of the rim where its distance from the side is least.
void FormSites::rim_on_side(const FormFeature& f, const Vec3& start, RigidSite& out) const {
  constexpr int kMost = 30;
  constexpr double kSmall = 1e-15, kFarthest = 0.3;
  const PlacedForm &on = carrier(f), &of = other(f);
  const RigidForm::Side& side = on.form.sides[f.on];
  const RigidForm::Curve& rim = of.form.curves[f.of];
  const Vec3 axis = on.direction(side.axis);
  double x = start.x;
  CurvePoint p = point_on(of, rim, x);
  for (int round = 0; round < kMost; ++round) {
    const Vec3 radial = radial_of(on, side, p.c);
    const SideLine line = line_of(on, side, radial);
    const Vec3 from = p.c - on.X * side.p;
    const double r = std::max(dot(from, radial), 1e-9 * rim.disc.radius);
    const double across = dot(p.t, cross(axis, radial));
    const double F = dot(line.normal, p.t);
    const double slope = side.cosine * across * across / r + dot(line.normal, p.bends);
    const double most = kFarthest * rim.disc.radius;
    const double dx =
        slope > 0.0 ? std::clamp(-F / slope, -most, most) : (F > 0.0 ? -0.1 : 0.1) * most;
    x += dx;
    p = point_on(of, rim, x);
    if (std::abs(dx) <= kSmall * (std::abs(x) + norm(p.c))) break;
  }
  out.side = {x, 0.0, 1.0};
  const SideLine line = line_of(on, side, radial_of(on, side, p.c));
  const double y = dot(line.g, p.c - line.from);
  FeaturePatch patch;
  patch.radius = of.form.radius;
  // The tangent lies in the tangent plane up to rounding.
  patch.add(p.t - dot(p.t, line.normal) * line.normal, dot(line.normal, p.bends));
  const FeatureMotion m = finish(f, {line.normal, line.from + y * line.g, p.c},
                                 patch_of_side(on.form, side, line, y), patch, out);
  keep_on_side(on, side, line, y, m.along_first, out);
  if (norm2(rim.half) > 0.0) {
    const Vec3 half = of.direction(rim.half);
    narrow_side(out, dot(half, p.c - of.X * rim.disc.centre), m.along_second[0] * dot(half, p.t));
  }
  out.whirl = std::abs(m.along_second[0]) / rim.disc.radius;
}

/// The normal has the slopes of both sides; of two such that with the wider gap.
void FormSites::on_sides(const FormFeature& f, RigidSite& out) const {
  const RigidForm::Side &a = A_.form.sides[f.on], &b = B_.form.sides[f.of];
  const Vec3 axis_a = A_.direction(a.axis), axis_b = B_.direction(b.axis);
  const Vec3 across = cross(axis_a, axis_b);
  const double k = dot(axis_a, axis_b), det = norm2(across);
  out.phi = std::numeric_limits<double>::infinity(), out.margin = -out.phi;
  if (!(det > 0.0)) return;
  const double x = (a.sine + k * b.sine) / det, y = (-b.sine - k * a.sine) / det;
  const double rest = (1.0 - (x * x + y * y + 2.0 * k * x * y)) / det;
  if (!(rest > 0.0)) return;
  double widest = -std::numeric_limits<double>::infinity();
  SideLine best_a, best_b;
  Vec3 radial_b;
  for (const double sign : {-1.0, 1.0}) {
    const Vec3 up = x * axis_a + y * axis_b + (sign * std::sqrt(rest)) * across;
    const Vec3 m_a = (up - a.sine * axis_a) / a.cosine, m_b = (-up - b.sine * axis_b) / b.cosine;
    const SideLine line_a = line_of(A_, a, m_a), line_b = line_of(B_, b, m_b);
    const double gap = dot(up, line_b.from - line_a.from);
    if (gap > widest) widest = gap, best_a = line_a, best_b = line_b, radial_b = m_b;
  }
  cross_lines(f, best_a, {best_b.from, best_b.g, {}, {}}, b.slant, &b, radial_b, out);
}

}  // namespace carom
