// A convex shape by a support function given from C++.
//
// Volume integrals come from the polyhedron through the support points of a grid of
// directions; on a smooth surface its error is a series in h², so three grids are
// extrapolated (Richardson) to what is left at h⁶.
#include "carom/geometry/shape.h"
#include "carom/geometry/tessellation.h"

namespace carom {
namespace {

TriangleMesh tessellation(const Shape& s, int segments) {
  TriangleMesh mesh = unit_sphere(segments);
  for (Vec3& p : mesh.vertices) p = s.custom->support(s.custom->data, p);
  return mesh;
}

MassProperties extrapolated(double ratio, const MassProperties& coarse,
                            const MassProperties& fine) {
  const double f = ratio / (ratio - 1.0), c = -1.0 / (ratio - 1.0);
  const double volume = f * fine.volume + c * coarse.volume;
  return {volume, volume, f * fine.com + c * coarse.com, f * fine.inertia + c * coarse.inertia};
}

MassProperties unit_properties(const Shape& s) {
  const MassProperties a = polyhedron_properties(tessellation(s, 64));
  const MassProperties b = polyhedron_properties(tessellation(s, 128));
  const MassProperties c = polyhedron_properties(tessellation(s, 256));
  return extrapolated(16.0, extrapolated(4.0, a, b), extrapolated(4.0, b, c));
}

Core core(const Shape& s) {
  Core c;
  c.kind = &core_custom, c.rounding = s.edge_radius;
  c.data = s.custom.get();
  return c;
}

/// The sum of two ellipsoids: smooth, and no other row of the catalogue.
Vec3 two_ellipsoids(const void*, const Vec3& d) {
  const Vec3 a{0.3 * d.x, 0.2 * d.y, 0.1 * d.z}, b{0.1 * d.x, 0.2 * d.y, 0.2 * d.z};
  const double i = 1.0 / norm(a), j = 1.0 / norm(b);
  return {0.3 * i * a.x + 0.1 * j * b.x, 0.2 * i * a.y + 0.2 * j * b.y,
          0.1 * i * a.z + 0.2 * j * b.z};
}

std::vector<ShapeInput> examples() {
  ShapeInput input{.edge_radius = 0.05};
  input.custom.support = two_ellipsoids;
  return {input};
}

}  // namespace

extern const ShapeKind shape_custom{.name = "custom",
                                    .doc = "a convex shape by a support function, from C++",
                                    .fields = {},
                                    .source = ShapeSource::support_function,
                                    .rounding = Rounding::layer,
                                    .unit_properties = unit_properties,
                                    .core = core,
                                    .tessellate = tessellation,
                                    .examples = examples};

}  // namespace carom
