// Beam with round ends about the origin: a plate of length L (x), width W (y) and
// thickness T (z) with half discs of radius r = W/2 on its ends: L + W long in all.
//
// Half discs (together m_s), whose x² has the mean r²/4 + L²/4 + 4 L r / (3π).
// Rounded by moving all faces in by q; the straight part keeps its length.
#include <algorithm>
#include <numbers>

#include "carom/geometry/shape.h"
#include "carom/geometry/tessellation.h"

namespace carom {
namespace {

enum { kLength, kWidth, kThickness };
constexpr ParamField kFields[] = {
    {"length", "m", "length along x between the centres of the round ends", kRequired, 0.0, kInf,
     ParamType::number, true},
    {"width", "m", "width along y, twice the radius of the ends", kRequired, 0.0, kInf,
     ParamType::number, true},
    {"thickness", "m", "thickness along z", kRequired, 0.0, kInf, ParamType::number, true},
};
constexpr unsigned kAxes[] = {kAlongX | kAlongY, kAlongX | kAlongY, kAlongZ};

MassProperties unit_properties(const Shape& s) {
  const double L = s.params[kLength], W = s.params[kWidth], T = s.params[kThickness];
  const double r = 0.5 * W;
  const double m_b = L * W * T, m_s = std::numbers::pi * r * r * T;
  VolumeMoments m;
  m.volume = m_b + m_s;
  const double end_x2 = 0.25 * r * r + 0.25 * L * L + 4.0 * L * r / (3.0 * std::numbers::pi);
  m.second = Sym3::diagonal({m_b * L * L / 12.0 + m_s * end_x2,
                             m_b * W * W / 12.0 + 0.25 * m_s * r * r, m.volume * T * T / 12.0});
  return to_mass_properties(m);
}

double max_edge_radius(std::span<const double> p) {
  return 0.5 * std::min(p[kWidth], p[kThickness]);
}

Core core(const Shape& s) {
  const double q = s.edge_radius;
  Core c;
  c.kind = &core_stadium, c.rounding = q;
  c.v[0] = {0.5 * s.params[kLength], 0.5 * s.params[kWidth] - q, 0.5 * s.params[kThickness] - q};
  return c;
}

TriangleMesh tessellation(const Shape& s, int segments) {
  const double h = 0.5 * s.params[kLength], r = 0.5 * s.params[kWidth];
  const int half = std::max(2, segments / 2);
  std::vector<Vec3> outline;
  for (int side = 0; side < 2; ++side) {
    for (int i = 0; i <= half; ++i) {
      const double a = std::numbers::pi * (side - 0.5 + static_cast<double>(i) / half);
      outline.push_back({(side == 0 ? h : -h) + r * std::cos(a), r * std::sin(a), 0.0});
    }
  }
  return extrude(outline, {}, 0.5 * s.params[kThickness]);
}

std::vector<ShapeInput> examples() {
  return {{.params = {0.5, 0.1, 0.04}}, {.params = {0.3, 0.2, 0.1}, .edge_radius = 0.03}};
}

}  // namespace

extern const ShapeKind shape_beam{.name = "beam",
                                  .doc = "a flat bar along x with round ends, about the origin",
                                  .fields = kFields,
                                  .axes = kAxes,
                                  .rounding = Rounding::inward,
                                  .unit_properties = unit_properties,
                                  .core = core,
                                  .max_edge_radius = max_edge_radius,
                                  .tessellate = tessellation,
                                  .examples = examples};

}  // namespace carom
