// Cone and frustum: base of radius R in the plane x = 0, top of radius r at x = L.
//
// With s_k = sum of R^(k-i) r^i, i = 0..k (so that R = r needs no special case):
//   V = π L s_2 / 3,   x_c = L (R² + 2 R r + 3 r²) / (4 s_2),
//   ∫ x² = π L³ (R² + 3 R r + 6 r²) / 30,   ∫ y² = ∫ z² = π L s_4 / 20.
//
// Moved in by q on all faces: with D = R - r and the slant S = sqrt(D² + L²) the
// lateral face becomes r(x) = R - D x / L - q S / L between x = q and x = L - q. Where
// r(x) would be negative the core ends in an apex.
#include <algorithm>
#include <numbers>

#include "carom/geometry/shape.h"
#include "carom/geometry/tessellation.h"

namespace carom {
namespace {

enum { kRadius, kLength, kTopRadius };
constexpr ParamField kFields[] = {
    {"radius", "m", "radius of the base at x = 0", kRequired, 0.0, kInf, ParamType::number, true},
    {"length", "m", "height along x", kRequired, 0.0, kInf, ParamType::number, true},
    {"top_radius", "m", "radius of the top at x = length; 0 is a cone", 0.0, 0.0},
};
constexpr unsigned kAxes[] = {kAlongY | kAlongZ, kAlongX, kAlongY | kAlongZ};

MassProperties unit_properties(const Shape& s) {
  const double R = s.params[kRadius], L = s.params[kLength], r = s.params[kTopRadius];
  const double s2 = R * R + R * r + r * r;
  const double s4 = R * R * R * R + R * R * R * r + R * R * r * r + R * r * r * r + r * r * r * r;
  const double pi_L = std::numbers::pi * L;
  VolumeMoments m;
  m.volume = pi_L * s2 / 3.0;
  m.first.x = pi_L * L * (R * R + 2 * R * r + 3 * r * r) / 12.0;
  m.second = Sym3::diagonal(
      {pi_L * L * L * (R * R + 3 * R * r + 6 * r * r) / 30.0, pi_L * s4 / 20.0, pi_L * s4 / 20.0});
  return to_mass_properties(m);
}

double max_edge_radius(std::span<const double> p) {
  const double R = p[kRadius], L = p[kLength], r = p[kTopRadius];
  const double slant = std::hypot(R - r, L);
  return std::min(0.5 * L, std::max(R, r) * L / (slant + std::abs(R - r)));
}

Core core(const Shape& s) {
  const double R = s.params[kRadius], L = s.params[kLength], r = s.params[kTopRadius];
  const double q = s.edge_radius, D = R - r, slant = std::hypot(D, L);
  Vec3 base{q, R - q * (slant + D) / L, 0.0};
  Vec3 top{L - q, r - q * (slant - D) / L, 0.0};
  // (R L - q S) / D is where r(x) = 0; the larger end never gets there.
  if (top.y < 0.0) top = {(R * L - q * slant) / D, 0.0, 0.0};
  if (base.y < 0.0) base = {(R * L - q * slant) / D, 0.0, 0.0};
  Core c;
  c.kind = &core_frustum, c.rounding = q;
  c.v[0] = base, c.v[1] = top;
  return c;
}

TriangleMesh tessellation(const Shape& s, int segments) {
  const double L = s.params[kLength];
  const ProfilePoint profile[] = {
      {L, 0.0}, {L, s.params[kTopRadius]}, {0.0, s.params[kRadius]}, {0.0, 0.0}};
  return revolve(profile, segments);
}

std::vector<ShapeInput> examples() {
  return {{.params = {0.2, 0.5, 0.0}},
          {.params = {0.2, 0.3, 0.1}, .edge_radius = 0.02},
          {.params = {0.1, 0.2, 0.25}, .edge_radius = 0.04}};
}

}  // namespace

extern const ShapeKind shape_cone{
    .name = "cone",
    .doc = "a cone or frustum along x, its base centred on the origin and its top at +x",
    .fields = kFields,
    .axes = kAxes,
    .rounding = Rounding::inward,
    .unit_properties = unit_properties,
    .core = core,
    .max_edge_radius = max_edge_radius,
    .tessellate = tessellation,
    .examples = examples};

}  // namespace carom
