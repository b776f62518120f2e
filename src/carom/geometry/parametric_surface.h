// A surface r(u, v) by three formulas over two ranges, with what its edges do.
//
// An edge of the ranges closes (it is where the opposite one is, with the same tangents), shrinks
// to a point, a pole, or is open. Near a pole, where r_u vanishes, steps are made in
//
//   a = ρ cos θ,   b = ρ sin θ                                                       (1)
//
// ρ the way from the pole along the other parameter, θ the angle that runs once around it: r is
// smooth in a and b where it is smooth at all. Normal and curvature of the pole itself come from
// three meridians.
#pragma once

#include <optional>

#include "carom/geometry/chart_surface.h"
#include "carom/geometry/shape.h"
#include "carom/math/formula_tape.h"

namespace carom {

class ParametricSurface final : public ChartSurface {
 public:
  enum class Edge { open, closes, pole };

  /// What is wrong, or nothing.
  std::string make(const SurfaceFormulas& formulas, std::span<const FormulaField> parameters);

  SurfacePoint at(const Vec3& s) const override;
  Vec3 moved(const Vec3& s, const Vec3& t) const override;
  CellBounds bounds(const SurfaceCell& cell) const override;
  std::vector<SurfaceCell> split(const SurfaceCell& cell) const override;
  TriangleMesh triangles(int segments) const override;

  const MassProperties& unit_properties() const { return unit_properties_; }
  /// "u closes, v shrinks to a point at both ends; inside out as written, turned".
  std::string describe() const;
  /// Where it passes through itself.
  std::string doubt() const override;

 protected:
  Point2 jets(double u, double v) const override;
  Bounds2 jet_bounds(const Interval& u, const Interval& v) const override;

 private:
  /// An end of the range of parameter k, where r does not depend on the other parameter.
  struct Pole {
    std::size_t k = 1;
    double end = 0.0, sign = 1.0;  ///< s_k = end + sign ρ
    SurfacePoint at;
    Vec3 a, b;  ///< derivatives of r in (1)
  };

  std::string look_around();
  void find_edges();
  std::string find_poles();
  std::string make_pole(std::size_t k, bool upper);
  void integrate();
  const Pole* near_pole(const Vec3& s, double within) const;
  const Pole* touched_pole(const SurfaceCell& cell) const;

  FormulaTape tapes_[3];
  Edge edges_[2][2] = {};  ///< [parameter][upper]
  std::vector<Pole> poles_;
  MassProperties unit_properties_;
  double extent_ = 0.0;  ///< of the points [m]
};

}  // namespace carom
