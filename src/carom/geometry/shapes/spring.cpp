// Coil spring about the origin, axis x: a wire of radius r along the helix
//
//   c(t) = (L t / (2 a), R cos t, R sin t),  -a <= t <= a,  a = π windings     (1)
//
// Its solid is swept by the wire's section, a disc normal to the tangent T. With the
// curvature κ of (1) a volume element is (1 - κ u) du dv ds, u towards the axis. So the
// volume is π r² times the length of the wire, and the mean over a section is
//
//   of x:    c + k e_r,                                   k = κ r² / 4          (2)
//   of x xᵀ: c cᵀ + k (c e_rᵀ + e_r cᵀ) + r²/4 (1 - T Tᵀ)                       (3)
//
// (terms of third order vanish by symmetry); (2), (3) are averaged along (1) in closed
// form. Contact sees the full cylinder around it.
#include <algorithm>
#include <numbers>

#include "carom/base/text.h"
#include "carom/geometry/shape.h"

namespace carom {
namespace {

enum { kCoil, kWire, kLength, kWindings };
constexpr ParamField kFields[] = {
    {"coil_radius", "m", "radius of the wire's centre line about the axis", kRequired, 0.0, kInf,
     ParamType::number, true},
    {"wire_radius", "m", "radius of the wire", kRequired, 0.0, kInf, ParamType::number, true},
    {"length", "m", "length along x between the centres of the wire's ends", kRequired, 0.0, kInf,
     ParamType::number, true},
    {"windings", "-", "number of windings", kRequired, 0.0, 10000.0, ParamType::number, true},
};

std::string validate(std::span<const double> p) {
  if (p[kWire] >= p[kCoil]) {
    return "wire_radius of a spring is " + number_text(p[kWire]) +
           ", it must be less than coil_radius = " + number_text(p[kCoil]);
  }
  if (p[kWindings] > 1.0 && p[kLength] < 2.0 * p[kWire] * p[kWindings]) {
    return "the windings of the spring overlap: length must be at least 2 wire_radius windings = " +
           number_text(2.0 * p[kWire] * p[kWindings]);
  }
  return {};
}

double wire_length(std::span<const double> p) {
  return std::hypot(p[kLength], 2.0 * std::numbers::pi * p[kWindings] * p[kCoil]);
}

MassProperties unit_properties(const Shape& s) {
  const double R = s.params[kCoil], r = s.params[kWire], L = s.params[kLength];
  const double a = std::numbers::pi * s.params[kWindings], wire = wire_length(s.params);
  const double T_x = L / wire, T_t = 2.0 * a * R / wire;
  const double k = 0.25 * r * r * T_t * T_t / R;  // κ = T_t² / R
  const double r2 = 0.25 * r * r;
  const double cos1 = std::sin(a) / a, cos2 = 0.5 + std::sin(2.0 * a) / (4.0 * a);
  const double sin2 = 1.0 - cos2;
  const double x_sin = 0.5 * L * (std::sin(a) - a * std::cos(a)) / (a * a);
  const double radial = R * (R + 2.0 * k);
  VolumeMoments m;
  m.volume = std::numbers::pi * r * r * wire;
  m.first.y = m.volume * (R + k) * cos1;
  m.second = m.volume * Sym3{L * L / 12.0 + r2 * (1.0 - T_x * T_x),
                             radial * cos2 + r2 * (1.0 - T_t * T_t * sin2),
                             radial * sin2 + r2 * (1.0 - T_t * T_t * cos2),
                             0.0,
                             (R + k) * x_sin - r2 * T_x * T_t * cos1,
                             0.0};
  return to_mass_properties(m);
}

double outer_radius(std::span<const double> p) { return p[kCoil] + p[kWire]; }
double outer_length(std::span<const double> p) { return p[kLength] + 2.0 * p[kWire]; }

double max_edge_radius(std::span<const double> p) {
  return std::min(outer_radius(p), 0.5 * outer_length(p));
}

Core core(const Shape& s) {
  return make_cylinder_core(outer_radius(s.params), outer_length(s.params), s.edge_radius);
}

TriangleMesh tessellation(const Shape& s, int segments) {
  const double R = s.params[kCoil], r = s.params[kWire], L = s.params[kLength];
  const double a = std::numbers::pi * s.params[kWindings], wire = wire_length(s.params);
  const auto around = static_cast<std::uint32_t>(segments);
  const auto along = around * static_cast<std::uint32_t>(std::ceil(s.params[kWindings]));
  TriangleMesh mesh;
  for (std::uint32_t i = 0; i <= along; ++i) {
    const double t = a * (2.0 * i / along - 1.0), c = std::cos(t), w = std::sin(t);
    const Vec3 centre{0.5 * L * t / a, R * c, R * w}, e_r{0.0, c, w};
    const Vec3 tangent{L / wire, -2.0 * a * R / wire * w, 2.0 * a * R / wire * c};
    const Vec3 b = cross(tangent, e_r);
    for (std::uint32_t k = 0; k < around; ++k) {
      const double f = 2.0 * std::numbers::pi * k / around;
      mesh.vertices.push_back(centre + r * std::cos(f) * e_r + r * std::sin(f) * b);
    }
  }
  for (std::uint32_t i = 0; i < along; ++i) {
    for (std::uint32_t k = 0; k < around; ++k) {
      const std::uint32_t l = (k + 1) % around, low = i * around, high = low + around;
      mesh.triangles.push_back({low + k, low + l, high + l});
      mesh.triangles.push_back({low + k, high + l, high + k});
    }
  }
  for (std::uint32_t k = 1; k + 1 < around; ++k) {
    mesh.triangles.push_back({0, k + 1, k});
    mesh.triangles.push_back({along * around, along * around + k, along * around + k + 1});
  }
  return mesh;
}

std::vector<ShapeInput> examples() {
  return {{.params = {0.05, 0.008, 0.2, 3.3}}, {.params = {0.05, 0.02, 0.1, 0.4}}};
}

}  // namespace

extern const ShapeKind shape_spring{.name = "spring",
                                    .doc = "a coil spring along x about the origin",
                                    .fields = kFields,
                                    .rounding = Rounding::inward,
                                    .convex = false,
                                    .contact_as = "the full cylinder around it",
                                    .validate = validate,
                                    .unit_properties = unit_properties,
                                    .core = core,
                                    .max_edge_radius = max_edge_radius,
                                    .tessellate = tessellation,
                                    .examples = examples};

}  // namespace carom
