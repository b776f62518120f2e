#include "carom/engine/contact/area/area_rows.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "carom/base/index.h"
#include "carom/engine/contact/area/area_points.h"
#include "carom/engine/implicit/pair_rows.h"

namespace carom {
namespace {

/// What a patch is to a body that tilts on it.
struct AreaShape {
  Vec3 middle;               ///< of the area
  Vec3 centre;               ///< of pressure
  double lever = 0.0;        ///< mean distance of the pressure from it [m]
  std::array<Vec3, 2> axes;  ///< principal ones across the normal, each of length (I/A)^½ [m]
};

AreaShape shape_of(const AreaPatch& patch, const Vec3& normal) {
  AreaShape out;
  const auto points = std::span(patch.points.data(), at(patch.count));
  for (const AreaPoint& p : points) {
    out.middle += p.area / patch.area * p.p_W;
    out.centre += p.area * p.u / patch.volume * p.p_W;
  }
  const Vec3 x = any_perpendicular(normal), y = cross(normal, x);
  double xx = 0.0, xy = 0.0, yy = 0.0;
  for (const AreaPoint& p : points) {
    const Vec3 r = p.p_W - out.middle;
    const double share = p.area / patch.area, rx = dot(r, x), ry = dot(r, y);
    xx += share * rx * rx, xy += share * rx * ry, yy += share * ry * ry;
    out.lever += p.area * p.u / patch.volume * norm(p.p_W - out.centre);
  }
  const double turn = 0.5 * std::atan2(2.0 * xy, xx - yy);
  const double c = std::cos(turn), s = std::sin(turn);
  const double along = c * c * xx + 2.0 * c * s * xy + s * s * yy;
  out.axes[0] = std::sqrt(std::max(0.0, along)) * (c * x + s * y);
  out.axes[1] = std::sqrt(std::max(0.0, xx + yy - along)) * (c * y - s * x);
  return out;
}

/// How high a body's centre of mass lies over a point of its surface, along the normal out of it.
double height(const Workspace& w, LinkId link, const LinkState& L, const Vec3& p,
              const Vec3& outward) {
  const double mass = w.model->tree.links[link].inertia.m;
  if (link == 0 || !(mass > 0.0)) return 0.0;
  return dot(p - L.p_WL - L.h / mass, outward);
}

/// The second term of (3): the principal axes shortened by what a body that rolls does not feel.
void take_rolling(const Workspace& w, const PairState& s, const Vec3& normal, double F,
                  double tangent, AreaShape& shape) {
  const double c = std::max({height(w, s.A.link, s.LA, shape.centre, normal),
                             height(w, s.B.link, s.LB, shape.centre, -normal), 0.0});
  for (Vec3& axis : shape.axes) {
    const double length2 = norm2(axis);
    if (length2 > 0.0) axis = std::sqrt(std::max(0.0, 1.0 - F * c / (tangent * length2))) * axis;
  }
}

/// (2), with the depth `d` in the middle and F0 at the centre of pressure.
struct AreaSprings {
  double stiffness = 0.0;  ///< of each [N/m]
  std::array<Vec3, 4> points;
  std::array<double, 4> depths{};
};

AreaSprings springs_of(const AreaShape& shape, double tangent, double k, double d) {
  AreaSprings out;
  out.stiffness = 0.25 * k;
  const double stretch = std::sqrt(2.0 * tangent / k);
  const Vec3 off = d > 0.0 ? shape.centre - shape.middle : Vec3{};
  std::array<double, 2> tilts{};
  Vec3 middle = shape.middle + off;
  for (std::size_t i = 0; i < 2; ++i) {
    const Vec3 arm = stretch * shape.axes[i];
    const double length2 = norm2(arm);
    if (!(length2 > 0.0)) continue;
    // k/4 (d+ - d-) a = k d (off . arm) / a, as far as all of them press.
    tilts[i] = std::clamp(2.0 * dot(off, arm) / length2, -1.0, 1.0);
    middle -= 0.5 * tilts[i] * arm;
  }
  for (std::size_t i = 0; i < 4; ++i) {
    const double sign = i % 2 == 0 ? 1.0 : -1.0;
    out.points[i] = middle + sign * stretch * shape.axes[i / 2];
    out.depths[i] = d + sign * tilts[i / 2] * d;
  }
  return out;
}

void put_rows(const PairState& s, const AreaSprings& springs, const AreaShape& shape,
              PairRows& out) {
  NormalInput in;
  in.linear = springs.stiffness, in.weight = 0.25;
  in.radius = combined_radius(s.A.contact_radius, s.B.contact_radius);
  in.has_sphere = has_sphere(s);
  for (std::size_t i = 0; i < springs.points.size(); ++i) {
    add_row(s, springs.points[i], in, springs.depths[i], out);
  }
  out.centre = shape.centre, out.radius = shape.lever;
}

double energy_of(const AreaSprings& springs) {
  double sum = 0.0;
  for (const double d : springs.depths) sum += d > 0.0 ? d * d : 0.0;
  return 0.5 * springs.stiffness * sum;
}

}  // namespace

bool find_area_rows(const Workspace& w, const PairState& s, const Contact& contact,
                    const StepReach& look, PairRows& out) {
  constexpr double kLeastShare = 0.02;  // of the depth, over which a chord is taken at rest
  // What a bank has once lost it does not get back, and chords on the way in and out are not the
  // same: without room 2 % of every bounce.
  constexpr double kRoom = 1.5;
  const double K = s.pair.foundation, size = std::min(s.PA.reach, s.PB.reach);
  out.points.clear();
  out.energy = 1.0;
  out.normal = contact.n_AB_W;
  out.probe = std::max({-contact.phi, look.reach, 1e-12});
  AreaPatch here, there;
  if (contact.phi >= 0.0) {
    // A way longer than the body would lead to where it is wholly inside.
    const double way = std::min(look.way, contact.phi + 0.25 * size);
    const double come = way > contact.phi ? way : contact.phi + std::max(look.reach, 1e-9 * size);
    find_area(w, s, contact, come, there);
    if (there.count == 0 || !(there.volume > 0.0)) return false;
    const double k = K * there.volume / (come - contact.phi);
    AreaShape shape = shape_of(there, out.normal);
    take_rolling(w, s, out.normal, K * there.volume, K * there.area, shape);
    put_rows(s, springs_of(shape, K * there.area, k, -contact.phi), shape, out);
    return true;
  }
  find_area(w, s, contact, 0.0, here);
  if (here.count == 0 || !(here.volume > 0.0)) return false;
  const double depth = -contact.phi, least = kLeastShare * depth;
  const double way = std::min(look.way, 0.25 * size);
  const double step = std::abs(way) > least ? std::max(way, -0.5 * depth) : least;
  find_area(w, s, contact, step, there);
  const double F0 = K * here.volume, tangent = K * here.area;
  const double chord = (K * there.volume - F0) / step;
  const double k = std::clamp(chord, 0.1 * tangent, 10.0 * tangent);
  AreaShape shape = shape_of(here, out.normal);
  take_rolling(w, s, out.normal, F0, tangent, shape);
  const AreaSprings springs = springs_of(shape, tangent, k, F0 / k);
  put_rows(s, springs, shape, out);
  out.energy = kRoom * area_energy(here, K) / energy_of(springs);
  return true;
}

}  // namespace carom
