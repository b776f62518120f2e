// Surfaces over a rectangle of two parameters, r(u, v): graphs of formulas and the like.
//
// With E = [r_u r_v], I = EᵀE and n = ±r_u x r_v / |r_u x r_v|,
//
//   K = G L Gᵀ,   G = E I⁻¹,   L_ij = -n.r_ij                                       (1)
//
// and a step t along the tangent plane is the step Gᵀ t of the parameters.
#pragma once

#include "carom/geometry/smooth_surface.h"
#include "carom/math/jet.h"

namespace carom {

class ChartSurface : public SmoothSurface {
 public:
  SurfacePoint at(const Vec3& s) const override;
  Vec3 moved(const Vec3& s, const Vec3& t) const override;
  bool holds(const Vec3& s) const override;
  CellBounds bounds(const SurfaceCell& cell) const override;
  std::vector<SurfaceCell> split(const SurfaceCell& cell) const override;
  TriangleMesh triangles(int segments) const override;

  const Interval& range(std::size_t i) const { return range_[i]; }

 protected:
  using Point2 = std::array<Jet<double, 2>, 3>;
  using Bounds2 = std::array<Jet<Interval, 2>, 3>;
  virtual Point2 jets(double u, double v) const = 0;
  virtual Bounds2 jet_bounds(const Interval& u, const Interval& v) const = 0;

  Interval range_[2]{{0.0, 1.0}, {0.0, 1.0}};
  bool is_turned_ = false;             ///< the normal is -r_u x r_v
  bool is_periodic_[2]{false, false};  ///< states may lie beyond the range: it repeats itself
};

/// Those whose parameters are x and y: z = f(x, y), the solid below. A step along the surface is
/// one of x and y.
class HeightSurface : public ChartSurface {
 public:
  SurfacePoint at(const Vec3& s) const override;
  Vec3 moved(const Vec3& s, const Vec3& t) const override { return {s.x + t.x, s.y + t.y, 0.0}; }

 protected:
  virtual Jet<double, 2> height(double x, double y) const = 0;
  virtual Jet<Interval, 2> height_bounds(const Interval& x, const Interval& y) const = 0;
  Point2 jets(double x, double y) const final;
  Bounds2 jet_bounds(const Interval& x, const Interval& y) const final;
};

}  // namespace carom
