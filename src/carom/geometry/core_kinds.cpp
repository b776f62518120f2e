#include "carom/geometry/core_kinds.h"

#include <algorithm>

#include "carom/base/param.h"

namespace carom {
namespace {

double point_radius(const Core& c) { return norm(c.v[0]); }
double segment_radius(const Core& c) {
  return std::max(norm(c.v[0] + c.v[1]), norm(c.v[0] - c.v[1]));
}
double ellipsoid_radius(const Core& c) { return std::max({c.v[0].x, c.v[0].y, c.v[0].z}); }
double length_of(double x, double y) { return std::sqrt(x * x + y * y); }
double cylinder_radius(const Core& c) { return length_of(c.v[0].x, c.v[0].y); }
double frustum_radius(const Core& c) {
  return std::max(length_of(c.v[0].x, c.v[0].y), length_of(c.v[1].x, c.v[1].y));
}
double stadium_radius(const Core& c) { return length_of(c.v[0].x + c.v[0].y, c.v[0].z); }
double simplex_radius(const Core& c) {
  double r2 = 0.0;
  for (std::int32_t i = 0; i < c.count; ++i) r2 = std::max(r2, norm2(c.v[i]));
  return std::sqrt(r2);
}
double polytope_radius(const Core& c) { return PolytopeCore::polytope(c).radius; }
double infinite_radius(const Core&) { return kInf; }

double infinity_along(double d) { return d > 0.0 ? kInf : d < 0.0 ? -kInf : 0.0; }
Vec3 half_space_support(const Core&, const Vec3& d) {
  return {infinity_along(d.x), infinity_along(d.y), d.z < 0.0 ? -kInf : 0.0};
}
SupportDerivatives half_space_derivatives(const Core& c, const Vec3& n) {
  return {half_space_support(c, n), {}};
}

const CustomSupport& custom(const Core& c) { return *static_cast<const CustomSupport*>(c.data); }
Vec3 custom_support(const Core& c, const Vec3& d) { return custom(c).support(custom(c).data, d); }
SupportDerivatives custom_derivatives(const Core& c, const Vec3& n) {
  const CustomSupport& f = custom(c);
  SupportDerivatives out{f.support(f.data, n), {}};
  if (f.hessian) {
    out.hessian = f.hessian(f.data, n);
    return out;
  }
  // Columns of grad support by central differences: error O(step²) + eps / step.
  const double step = 6e-6;
  Vec3 column[3];
  for (std::size_t i = 0; i < 3; ++i) {
    Vec3 plus = n, minus = n;
    plus[i] += step, minus[i] -= step;
    column[i] = (f.support(f.data, plus) - f.support(f.data, minus)) / (2.0 * step);
  }
  out.hessian = symmetric_part(Mat3::from_columns(column[0], column[1], column[2]));
  return out;
}
/// From its box: an upper bound, for nothing more is known of the function.
double custom_radius(const Core& c) {
  Core bare = c;
  bare.rounding = 0.0;
  const BoundingBox b = bounding_box(bare);
  return norm(Vec3{std::max(-b.lower.x, b.upper.x), std::max(-b.lower.y, b.upper.y),
                   std::max(-b.lower.z, b.upper.z)});
}

template <class C>
constexpr CoreKind table(const char* name, double (*radius)(const Core&)) {
  return {name, C::support, C::derivatives, radius};
}

}  // namespace

const CoreKind core_point = table<PointCore>("point", point_radius);
const CoreKind core_segment = table<SegmentCore>("segment", segment_radius);
const CoreKind core_box = table<BoxCore>("box", point_radius);
const CoreKind core_ellipsoid = table<EllipsoidCore>("ellipsoid", ellipsoid_radius);
const CoreKind core_cylinder = table<CylinderCore>("cylinder", cylinder_radius);
const CoreKind core_frustum = table<FrustumCore>("frustum", frustum_radius);
const CoreKind core_stadium = table<StadiumCore>("stadium", stadium_radius);
const CoreKind core_simplex = table<SimplexCore>("simplex", simplex_radius);
const CoreKind core_polytope = table<PolytopeCore>("polytope", polytope_radius);
const CoreKind core_half_space{"half_space", half_space_support, half_space_derivatives,
                               infinite_radius};
const CoreKind core_custom{"custom", custom_support, custom_derivatives, custom_radius};

BoundingBox bounding_box(const Core& core) {
  BoundingBox box;
  for (std::size_t i = 0; i < 3; ++i) {
    Vec3 axis;
    axis[i] = 1.0;
    box.upper[i] = support(core, axis)[i] + core.rounding;
    axis[i] = -1.0;
    box.lower[i] = support(core, axis)[i] - core.rounding;
  }
  return box;
}

Core make_point_core(const Vec3& point, double rounding) {
  Core c;
  c.kind = &core_point, c.rounding = rounding;
  c.v[0] = point;
  return c;
}

Core make_segment_core(const Vec3& a, const Vec3& b, double rounding) {
  Core c;
  c.kind = &core_segment, c.rounding = rounding;
  c.v[0] = 0.5 * (a + b), c.v[1] = 0.5 * (b - a);
  return c;
}

Core make_cylinder_core(double radius, double length, double q) {
  Core c;
  c.kind = &core_cylinder, c.rounding = q;
  c.v[0] = {0.5 * length - q, radius - q, 0.0};
  return c;
}

}  // namespace carom
