#include "carom/engine/contact/rigid/rigid_form_sites.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace carom {
namespace {

constexpr double kInfinite = std::numeric_limits<double>::infinity();
constexpr std::uint64_t kFormAngleBits = 24, kFormIndexBits = 14,
                        kFormIndexMask = (1u << kFormIndexBits) - 1u;
constexpr double kFormAngles = 1u << kFormAngleBits, kFullTurn = 2.0 * std::numbers::pi;

void narrow_to(RigidSite& site, double margin, double rate) {
  if (margin < site.margin) site.margin = margin, site.margin_rate = rate;
}

/// What a curve is for the motion of its point; `out` is the outward normal of the body there.
FeaturePatch patch_of(const RigidForm& form, const CurvePoint& p, const Vec3& out) {
  FeaturePatch patch;
  patch.radius = form.radius;
  patch.add(p.t, -dot(out, p.bends));
  return patch;
}

FeaturePatch corner_of(const RigidForm& form) {
  FeaturePatch patch;
  patch.radius = form.radius;
  return patch;
}

/// The ends of a curve, for a point that runs along it with `speed`.
void keep_on_curve(const PlacedForm& body, const RigidForm::Curve& curve, const CurvePoint& p,
                   double x, double speed, RigidSite& out) {
  if (!curve.is_rim) {
    narrow_to(out, x, speed), narrow_to(out, curve.length - x, -speed);
  } else if (norm2(curve.half) > 0.0) {
    const Vec3 half = body.direction(curve.half);
    narrow_to(out, dot(half, p.c - body.X * curve.disc.centre), speed * dot(half, p.t));
  }
}

}  // namespace

RigidFeature number_of(const FormFeature& f) {
  const double turns = f.angle / kFullTurn;
  const auto step =
      static_cast<RigidFeature>(std::llround((turns - std::floor(turns)) * kFormAngles));
  return static_cast<RigidFeature>(f.kind) << 60 | RigidFeature{f.a_carries} << 59 |
         RigidFeature{f.is_loose} << 58 | RigidFeature{f.is_cut} << 57 |
         RigidFeature{f.on} << (kFormAngleBits + kFormIndexBits) |
         RigidFeature{f.of} << kFormAngleBits |
         (f.kind == FormKind::point_flat ? step % (1u << kFormAngleBits) : f.which);
}

FormFeature form_feature(RigidFeature number) {
  FormFeature f;
  f.kind = static_cast<FormKind>(number >> 60);
  f.a_carries = (number >> 59 & 1u) != 0u, f.is_loose = (number >> 58 & 1u) != 0u;
  f.is_cut = (number >> 57 & 1u) != 0u;
  f.on = static_cast<std::uint32_t>(number >> (kFormAngleBits + kFormIndexBits) & kFormIndexMask);
  f.of = static_cast<std::uint32_t>(number >> kFormAngleBits & kFormIndexMask);
  const RigidFeature last = number & ((1u << kFormAngleBits) - 1u);
  if (f.kind == FormKind::point_flat) {
    f.angle = kFullTurn * static_cast<double>(last) / kFormAngles;
  } else {
    f.which = static_cast<std::uint32_t>(last);
  }
  return f;
}

CurvePoint point_on(const PlacedForm& body, const RigidForm::Curve& curve, double x) {
  CurvePoint p;
  if (!curve.is_rim) {
    p.t = body.direction(curve.d), p.c = body.X * curve.p + x * p.t;
    p.outward = body.direction(curve.outward);
    return p;
  }
  const RigidDisc& disc = curve.disc;
  const Vec3 radial = body.direction(disc.radial(x / disc.radius));
  p.c = body.X * disc.centre + disc.radius * radial;
  p.t = cross(body.direction(disc.axis), radial);
  p.bends = (-1.0 / disc.radius) * radial;
  p.outward = body.direction(curve.outward + curve.sine * curve.axis) + curve.cosine * radial;
  return p;
}

FormSites::FormSites(const PairState& s, const RigidForm& A, const RigidForm& B)
    : s_(s),
      A_{A, s.X_WA, s.A.link == 0 ? Vec3{} : s.LA.V.w},
      B_{B, s.X_WB, s.B.link == 0 ? Vec3{} : s.LB.V.w} {}

RigidSite FormSites::site(const FormFeature& f, const Vec3& side) const {
  RigidSite out;
  out.feature = number_of(f);
  switch (f.kind) {
    case FormKind::corner_flat:
    case FormKind::rim_flat:
    case FormKind::point_flat: on_flat(f, side, out); break;
    case FormKind::curves: on_curves(f, side, out); break;
    case FormKind::corner_side: corner_on_side(f, out); break;
    case FormKind::curve_side:
      if (other(f).form.curves[f.of].is_rim) {
        rim_on_side(f, side, out);
      } else {
        edge_on_side(f, out);
      }
      break;
    case FormKind::sides: on_sides(f, out); break;
    case FormKind::corner_curve: on_curve(f, out); break;
    case FormKind::corners: on_corners(f, out); break;
  }
  return out;
}

/// Gap, points and velocities.
void FormSites::place(const FormFeature& f, const Geometry& g, RigidSite& out) const {
  const double r_on = carrier(f).form.radius, r_of = other(f).form.radius;
  out.n = f.a_carries ? g.up : -g.up;
  out.phi = dot(g.up, g.of - g.on) - r_on - r_of;
  const Vec3 on = g.on + r_on * g.up, of = g.of - r_of * g.up;
  out.p_a = f.a_carries ? on : of, out.p_b = f.a_carries ? of : on;
  // Of a face that is as good as flat the points lie at heights that differ, and no friction would
  // hold them all (rigid_planes.cpp).
  out.p = f.kind == FormKind::point_flat ? on : 0.5 * (on + of);
  out.u = relative_velocity(s_, out.p);
  add_tangents(out);
}

/// (2) of rigid_sites.h, from the slides over both and the turn of the normal over the carrier.
void FormSites::move(const FormFeature& f, const Vec3& s_on, const Vec3& s_of, const Vec3& nu,
                     RigidSite& out) const {
  const Vec3 up = f.a_carries ? out.n : -out.n;
  const Vec3 up_dot = cross(carrier(f).w, up) + nu;
  const Vec3 &s_a = f.a_carries ? s_on : s_of, &s_b = f.a_carries ? s_of : s_on;
  out.bias = cross(B_.w, s_b) - cross(A_.w, s_a);
  out.n_dot = f.a_carries ? up_dot : -up_dot;
  out.turn = dot(out.n_dot, out.u);
}

FeatureMotion FormSites::finish(const FormFeature& f, const Geometry& g, FeaturePatch p_on,
                                FeaturePatch p_of, RigidSite& out) const {
  place(f, g, out);
  const Vec3 slip = f.a_carries ? out.slip() : -out.slip();
  const Vec3 W = cross(other(f).w - carrier(f).w, g.up);
  const FeatureMotion m = solve_motion(p_on, p_of, g.up, slip, W);
  move(f, m.first, m.second, m.turn, out);
  return m;
}

/// The border of a face around a point of it that slides over it.
void FormSites::keep_within(const PlacedForm& body, const RigidForm::Flat& flat, const Vec3& p,
                            const Vec3& slide, RigidSite& out) const {
  for (std::size_t i = 0; i < flat.inward.size(); ++i) {
    const Vec3 in = body.direction(flat.inward[i]);
    narrow_to(out, dot(in, p - body.X * flat.from[i]), dot(in, slide));
  }
  if (flat.reach == 0.0) return;
  const Vec3 half = body.direction(flat.half), normal = body.direction(flat.normal);
  const Vec3 above = p - body.X * flat.origin, from = above - dot(above, normal) * normal;
  const double length2 = norm2(flat.half);
  const double along = length2 > 0.0 ? std::clamp(dot(from, half) / length2, -1.0, 1.0) : 0.0;
  const Vec3 off = from - along * half;
  const double away = norm(off);
  narrow_to(out, flat.reach - away, away > 0.0 ? -dot(off, slide) / away : 0.0);
}

/// The lowest point of a disc that reaches over the border of the face does not run round it.
RigidRim FormSites::rim(const FormFeature& f, const Vec3& side) const {
  const PlacedForm &on = carrier(f), &of = other(f);
  RigidDisc disc = of.form.curves[f.of].disc;
  disc.is_whole = disc.is_whole && room_for_disc(f) > -kFormOverhang * disc.radius;
  return {disc, of.X, on.direction(on.form.flats[f.on].normal), on.w - of.w, side};
}

double FormSites::room_for_disc(const FormFeature& f) const {
  const PlacedForm &on = carrier(f), &of = other(f);
  const RigidDisc& disc = of.form.curves[f.of].disc;
  RigidSite room;
  keep_within(on, on.form.flats[f.on], of.X * disc.centre, {}, room);
  return room.margin - disc.radius;
}

/// A corner, the lowest point of a rim or a point of one that lies flat over a face. The discs at
/// the ends of a beam count as whole: they are within it, and where it lies on a straight edge the
/// lowest points of both pass over to it.
void FormSites::on_flat(const FormFeature& f, const Vec3& side, RigidSite& out) const {
  const PlacedForm &on = carrier(f), &of = other(f);
  const RigidForm::Flat& flat = on.form.flats[f.on];
  const Vec3 up = on.direction(flat.normal);
  Vec3 c, runs;  // of the core, and along the rim
  if (f.kind == FormKind::corner_flat) {
    c = of.X * of.form.corners[f.of];
  } else {
    const RigidForm::Curve& curve = of.form.curves[f.of];
    if (f.kind == FormKind::rim_flat) {
      const RigidRim lowest = rim(f, side);
      c = of.X * curve.disc.centre - curve.disc.radius * lowest.e;
      runs = lowest.slide(), out.side = lowest.e, out.whirl = lowest.speed();
    } else {
      c = of.X * (curve.disc.centre + curve.disc.radius * curve.disc.radial(f.angle));
      FormFeature face = f;
      face.angle = 0.0, face.is_loose = face.is_cut = false;
      out.face = number_of(face), out.angle = f.angle;
    }
  }
  const double height = dot(up, c - on.X * flat.origin);
  place(f, {up, c - height * up, c}, out);
  const Vec3 W = cross(of.w - on.w, up), s_of = runs + of.form.radius * W;
  const Vec3 s_on = s_of + (f.a_carries ? out.slip() : -out.slip());
  move(f, s_on, s_of, {}, out);
  keep_within(on, flat, c, s_on, out);
}

/// Edges and rims that cross, by Newton's method for the nearest points of both curves. Of sharp
/// ones without its second derivatives: where an edge cuts a flat rim, the middle of the chord is
/// as stationary as its ends, and only these bring the points together.
void FormSites::on_curves(const FormFeature& f, const Vec3& side, RigidSite& out) const {
  constexpr int kMost = 30;
  constexpr double kSmall = 1e-15, kFarthest = 0.3;
  const RigidForm::Curve &a = A_.form.curves[f.on], &b = B_.form.curves[f.of];
  double x = side.x, y = side.y;
  const auto reach = [](const RigidForm::Curve& c) {
    return c.is_rim ? kFarthest * c.disc.radius : kInfinite;
  };
  const double most_x = reach(a), most_y = reach(b);
  CurvePoint p = point_on(A_, a, x), q = point_on(B_, b, y);
  const bool is_sharp = A_.form.radius + B_.form.radius == 0.0;
  const double second = is_sharp ? 0.0 : 1.0;
  for (int round = 0; round < kMost; ++round) {
    const Vec3 d = q.c - p.c;
    const double k = dot(p.t, q.t), F = dot(d, p.t), G = dot(d, q.t);
    const double Fx = -1.0 + second * dot(d, p.bends), Gy = 1.0 + second * dot(d, q.bends);
    const double det = Fx * Gy + k * k;
    if (!(std::abs(det) > std::numeric_limits<double>::min())) break;
    const double dx = std::clamp((-F * Gy + k * G) / det, -most_x, most_x);
    const double dy = std::clamp((-Fx * G - k * F) / det, -most_y, most_y);
    x += dx, y += dy;
    p = point_on(A_, a, x), q = point_on(B_, b, y);
    if (std::abs(dx) + std::abs(dy) <= kSmall * (std::abs(x) + std::abs(y) + norm(p.c))) break;
  }
  out.side = {x, y, 1.0};
  const Vec3 c = cross(p.t, q.t), way = q.c - p.c, away = p.outward - q.outward;
  const double sine = std::max(norm(c), std::numeric_limits<double>::min());
  // Rounded ones have a normal where they run along each other, too.
  const bool is_rounded = !is_sharp && norm2(way) > 0.0;
  const Vec3 up =
      is_rounded ? way / norm(way) : (dot(c, away) < 0.0 ? -1.0 / sine : 1.0 / sine) * c;
  const FeatureMotion m =
      finish(f, {up, p.c, q.c}, patch_of(A_.form, p, up), patch_of(B_.form, q, -up), out);
  keep_on_curve(A_, a, p, x, m.along_first[0], out);
  keep_on_curve(B_, b, q, y, m.along_second[0], out);
  const double least =
      std::min(a.is_rim ? a.disc.radius : kInfinite, b.is_rim ? b.disc.radius : kInfinite);
  if (is_sharp && std::isfinite(least)) narrow_to(out, least * (sine - 0.5 * kFormCrossing), 0.0);
  if (a.is_rim) out.whirl = std::abs(m.along_first[0]) / a.disc.radius;
  if (b.is_rim) out.whirl = std::max(out.whirl, std::abs(m.along_second[0]) / b.disc.radius);
}

/// A corner with a ball beside an edge or a rim.
void FormSites::on_curve(const FormFeature& f, RigidSite& out) const {
  const PlacedForm &on = carrier(f), &of = other(f);
  const RigidForm::Curve& curve = on.form.curves[f.on];
  const Vec3 c = of.X * of.form.corners[f.of];
  double x = 0.0;
  if (curve.is_rim) {
    const Vec3 from = transpose_times(on.X.R, c - on.X.p) - curve.disc.centre;
    x = curve.disc.radius * std::atan2(dot(from, curve.disc.e2), dot(from, curve.disc.e1));
  } else {
    x = dot(on.direction(curve.d), c - on.X * curve.p);
  }
  const CurvePoint p = point_on(on, curve, x);
  const Vec3 way = c - p.c, up = way / norm(way);
  const FeatureMotion m =
      finish(f, {up, p.c, c}, patch_of(on.form, p, up), corner_of(of.form), out);
  keep_on_curve(on, curve, p, x, m.along_first[0], out);
  if (curve.is_rim) {  // within the normals of its face and of its side
    const Vec3 radial = -curve.disc.radius * p.bends, axis = on.direction(curve.axis);
    const double into = dot(curve.outward, curve.axis) > 0.0 ? -1.0 : 1.0;
    narrow_to(out, dot(radial, way), 0.0);
    narrow_to(out, -into * dot(curve.cosine * axis - curve.sine * radial, way), 0.0);
  }
  for (const Vec3& in : curve.inward) {
    if (norm2(in) > 0.0) narrow_to(out, -dot(on.direction(in), way), 0.0);
  }
}

void FormSites::on_corners(const FormFeature& f, RigidSite& out) const {
  const Vec3 c_a = A_.X * A_.form.corners[f.on], c_b = B_.X * B_.form.corners[f.of];
  const Vec3 way = c_b - c_a, up = way / norm(way);
  finish(f, {up, c_a, c_b}, corner_of(A_.form), corner_of(B_.form), out);
  const auto stay_outside = [&](const PlacedForm& body, std::uint32_t corner, const Vec3& to) {
    for (const RigidForm::Curve& edge : body.form.curves) {
      for (std::size_t i = 0; i < 2 && !edge.is_rim; ++i) {
        if (edge.ends[i] != corner) continue;
        const double ahead = dot(body.direction(edge.d), to);
        narrow_to(out, i == 0 ? -ahead : ahead, 0.0);
      }
    }
    for (const RigidForm::Side& side : body.form.sides) {  // the apex of a cone
      const Vec3 axis = body.direction(side.axis);
      const double height = dot(axis, to), beside = norm(to - height * axis);
      const double ahead = side.r1 == 0.0 ? height : -height;
      narrow_to(out, side.cosine * ahead - std::abs(side.sine) * beside, 0.0);
    }
  };
  stay_outside(A_, f.on, way), stay_outside(B_, f.of, -way);
}

double form_margin(const FormSites& sites, const RigidSite& site, double size) {
  const FormFeature f = form_feature(site.feature);
  const double slack = 2.0 * (f.is_loose ? kFormLooseBorder : kFormBorder) * size;
  double margin = site.margin + slack;
  if (f.kind == FormKind::rim_flat) {
    margin = std::min(margin, sites.rim(f, site.side).margin_of_lowest());
  } else if (f.kind == FormKind::point_flat) {
    margin = std::min(margin, sites.rim(f, {}).margin_of_flat(size));
    if (!f.is_cut) margin = std::min(margin, sites.room_for_disc(f) + kFormOverhang * size);
  }
  return margin;
}

}  // namespace carom
