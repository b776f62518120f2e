// Smooth surfaces, convex or not: what contact and pictures ask of them.
//
// A point of a surface is named by a state s, whose meaning is the kind's: two parameters, or the
// point itself. A kind says for a state where the point is, its outward normal n and its shape
// operator K, the turn of the normal under a step t along the surface,
//
//   dn = K t,    positive where the body is convex                                  (1)
//
// and which state a step along the tangent plane leads to. Besides, it bounds all of that over a
// cell of states (math/interval.h), so that a search can prove that nothing is in a cell.
#pragma once

#include <array>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "carom/geometry/core.h"
#include "carom/geometry/mass_properties.h"
#include "carom/math/interval.h"

namespace carom {

struct SurfacePoint {
  Vec3 p, n;
  Sym3 K;  ///< (1); n is in its null space [1/m]
};

/// A box of states.
struct SurfaceCell {
  std::array<Interval, 3> s;
  Vec3 middle() const { return {s[0].middle(), s[1].middle(), s[2].middle()}; }
};

using IntervalVector = std::array<Interval, 3>;

/// What holds for every point of the surface in a cell.
struct CellBounds {
  IntervalVector p;
  IntervalVector normal;  ///< outward, of any length
  /// Derivatives of the point in two parameters, of surfaces that have them: u, v; uu, uv, vv.
  std::array<IntervalVector, 2> first;
  std::array<IntervalVector, 3> second;
  bool has_parameters = false;
  bool is_at_pole = false;  ///< where `normal` is not the product of the first derivatives
  /// Of the field whose gradient `normal` is, of surfaces that have one: xx, xy, xz, yy, yz, zz.
  std::array<Interval, 6> field;
  bool has_field = false;
  bool is_empty = false;  ///< nothing of the surface is in the cell
};

/// Shape operators over a cell, each turned with its normal to the axis of the cell's normals: how
/// far they are from `middle` at most, by the norm of matrices; infinite where normals differ too
/// much to tell [1/m]. Bounds are guaranteed (curvature_bounds.h) but of superquadrics and at
/// poles, where they are taken from places of the cell, with a reserve.
struct CurvatureRange {
  Sym3 middle;
  double off = std::numeric_limits<double>::infinity();
};

/// A cell seen by another surface: a ball around its points, a cone around its normals and what
/// its curvatures are about.
struct CellShape {
  Vec3 centre;
  double radius = 0.0;
  Vec3 axis;
  double angle = 0.0;  ///< of the cone [rad]
  double cosine = 1.0, sine = 0.0;
  bool is_on_surface = false;  ///< the centre
  CurvatureRange curvature;
  double low = 0.0, high = 0.0;  ///< least and largest curvature of `curvature.middle` [1/m]
};

/// A node of the tree of cells; its children are `first` and those that follow it.
struct CellNode {
  SurfaceCell cell;
  CellBounds bounds;
  CellShape shape;
  std::uint32_t first = 0, count = 0;
};

class CellCache;

class SmoothSurface {
 public:
  SmoothSurface();
  SmoothSurface(const SmoothSurface&) = delete;
  SmoothSurface& operator=(const SmoothSurface&) = delete;
  virtual ~SmoothSurface();

  /// Not finite where the surface is not defined.
  virtual SurfacePoint at(const Vec3& s) const = 0;
  /// The state to which a short step t in the tangent plane at s leads.
  virtual Vec3 moved(const Vec3& s, const Vec3& t) const = 0;
  /// Whether the surface has this state: not beyond one of its borders.
  virtual bool holds(const Vec3& s) const = 0;
  virtual CellBounds bounds(const SurfaceCell& cell) const = 0;
  /// Of a cell of which nothing could be shown.
  virtual std::vector<SurfaceCell> split(const SurfaceCell& cell) const = 0;
  virtual TriangleMesh triangles(int segments) const = 0;
  /// What its user should know of it, or nothing; takes milliseconds.
  virtual std::string doubt() const { return {}; }

  /// A node for a cell of which something may be in it.
  CellNode make_node(const SurfaceCell& cell) const;
  /// The same, remembered: searches come back to the cells around a contact in every step. Safe
  /// between threads; a node is a function of its cell, whoever asks first.
  CellNode find_node(const SurfaceCell& cell) const;
  const std::vector<CellNode>& tree() const { return tree_; }
  const BoundingBox& box() const { return box_; }
  bool is_closed() const { return is_closed_; }
  double size() const { return 0.5 * norm(box_.upper - box_.lower); }

 protected:
  /// Of all cells, the first of which is whole; call when the rest is known. Cells are split until
  /// their normals differ by less than `cone` [rad] or there are enough of them. Returns what is
  /// wrong, or nothing.
  std::string make_tree(const SurfaceCell& whole, double cone);

  bool is_closed_ = false;

 private:
  CurvatureRange curvature(const CellNode& node) const;
  std::vector<CellNode> tree_;
  BoundingBox box_;
  std::unique_ptr<CellCache> cache_;
};

/// Eigenvalues of a symmetric matrix, the largest first.
struct Eigenvalues {
  double large = 0.0, middle = 0.0, small = 0.0;
};
Eigenvalues eigenvalues(const Sym3& a);

/// The least turn that takes one unit vector to another, which is not opposite.
Mat3 turn_between(const Vec3& from, const Vec3& to);

/// Middle direction of the normals in a cell, and the angle around it that holds them all [rad].
struct NormalCone {
  Vec3 axis;
  double angle = 0.0;
};
NormalCone normal_cone(const CellBounds& bounds);

}  // namespace carom
