// Capsule about the origin: a cylinder of the given length along x with half balls
// on its ends, so length + 2 radius in all. Its core is a segment.
//
// Half balls (together m_s, centres of mass 3/8 r beyond the ends) by Steiner:
//   I_across = m_c (r²/4 + L²/12) + m_s (2/5 r² + 3/8 L r + L²/4).
#include <numbers>

#include "carom/geometry/shape.h"
#include "carom/geometry/tessellation.h"

namespace carom {
namespace {

enum { kRadius, kLength };
constexpr ParamField kFields[] = {
    {"radius", "m", "radius", kRequired, 0.0, kInf, ParamType::number, true},
    {"length", "m", "length of the cylindrical part along x", kRequired, 0.0},
};

MassProperties unit_properties(const Shape& s) {
  const double r = s.params[kRadius], l = s.params[kLength];
  const double m_c = std::numbers::pi * r * r * l;
  const double m_s = 4.0 / 3.0 * std::numbers::pi * r * r * r;
  const double axial = 0.5 * m_c * r * r + 0.4 * m_s * r * r;
  const double across =
      m_c * (0.25 * r * r + l * l / 12.0) + m_s * (0.4 * r * r + 0.375 * l * r + 0.25 * l * l);
  return {m_c + m_s, m_c + m_s, {}, Sym3::diagonal({axial, across, across})};
}

Core core(const Shape& s) {
  const double h = 0.5 * s.params[kLength];
  return make_segment_core({-h, 0, 0}, {h, 0, 0}, s.params[kRadius]);
}

TriangleMesh tessellation(const Shape& s, int segments) {
  const double r = s.params[kRadius], h = 0.5 * s.params[kLength];
  const int rings = std::max(1, segments / 4);
  std::vector<ProfilePoint> profile;
  for (int side = 0; side < 2; ++side) {
    for (int i = 0; i <= rings; ++i) {
      const double a = 0.5 * std::numbers::pi * (side + static_cast<double>(i) / rings);
      const bool pole = (side == 0 && i == 0) || (side == 1 && i == rings);
      profile.push_back({(side == 0 ? h : -h) + r * std::cos(a), pole ? 0.0 : r * std::sin(a)});
    }
  }
  return revolve(profile, segments);
}

std::vector<ShapeInput> examples() { return {{.params = {0.1, 0.3}}}; }

}  // namespace

extern const ShapeKind shape_capsule{.name = "capsule",
                                     .doc = "a cylinder along x with half balls on its ends",
                                     .fields = kFields,
                                     .unit_properties = unit_properties,
                                     .core = core,
                                     .tessellate = tessellation,
                                     .examples = examples};

}  // namespace carom
