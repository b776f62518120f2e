// Surfaces h(p) = 0 of a field with exact derivatives, within a box (shapes/implicit.cpp).
#pragma once

#include "carom/geometry/smooth_surface.h"
#include "carom/math/jet.h"

namespace carom {

class ImplicitSurface : public SmoothSurface {
 public:
  SurfacePoint at(const Vec3& s) const override;
  Vec3 moved(const Vec3& s, const Vec3& t) const override;
  bool holds(const Vec3& s) const override;
  CellBounds bounds(const SurfaceCell& cell) const override;
  std::vector<SurfaceCell> split(const SurfaceCell& cell) const override;
  /// Tetrahedra of a grid of `segments` along the longest side, cut where h changes its sign.
  TriangleMesh triangles(int segments) const override;

  MassProperties unit_properties() const;

 protected:
  virtual Jet<double, 3> field(const Vec3& p) const = 0;
  virtual double value_at(const Vec3& p) const = 0;
  virtual Jet<Interval, 3> field_bounds(const SurfaceCell& cell) const = 0;
  /// Makes the tree and finds what is wrong: nothing there, gradients that vanish, an inside that
  /// reaches the border of the box.
  std::string finish(const SurfaceCell& whole);

 private:
  Vec3 onto_surface(Vec3 p) const;
  bool touches_border() const;
  SurfaceCell whole_;
};

}  // namespace carom
