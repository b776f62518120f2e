// Where two bodies touch of which one at least is round (rigid_forms.h): the point of one pair of
// their features, how far they are apart there, and how it moves.
//
//   corner, rim or point of a rim on a flat face     the normal is that of the face
//   edges and rims that cross                        across both tangents
//   corner, edge or rim on the side of a cylinder    that of the side; of an edge across it, too
//   sides that cross                                 across the straight lines of both
//   corner on an edge or a rim, or on a corner       the line between them, where they are rounded
//
// Of a disc that is tilted the lowest point of its rim touches, of one that lies flat points of the
// rim that stay where they are (rigid_rims.h). Crossings with a rim are found by Newton's method
// from where they were: RigidSite::side holds both places along the curves, and 1.
#pragma once

#include <cstdint>

#include "carom/engine/contact/rigid/rigid_form_motion.h"
#include "carom/engine/contact/rigid/rigid_forms.h"

namespace carom {

enum class FormKind : std::uint8_t {
  corner_flat,
  rim_flat,
  point_flat,
  curves,
  corner_side,
  curve_side,
  sides,
  corner_curve,
  corners,
};

struct FormFeature {
  FormKind kind = FormKind::corner_flat;
  bool a_carries = true;    ///< the face, side or curve is of A
  std::uint32_t on = 0;     ///< number of that face, side or curve
  std::uint32_t of = 0;     ///< of what the other body touches it with
  double angle = 0.0;       ///< of a point of a rim
  std::uint32_t which = 0;  ///< of the places where the same two curves meet
  bool is_loose = false;    ///< its border is not exact: curves run along each other there
  bool is_cut = false;      ///< of a point of a rim: the disc reaches beyond the face
};

RigidFeature number_of(const FormFeature& f);
FormFeature form_feature(RigidFeature number);

/// A body of the pair where it is.
struct PlacedForm {
  const RigidForm& form;
  const Pose& X;
  Vec3 w;  ///< angular velocity
  Vec3 direction(const Vec3& d) const { return X.R * d; }
};

/// A place on a curve, `x` along it [m].
struct CurvePoint {
  Vec3 c, t;     ///< point, unit tangent
  Vec3 bends;    ///< change of the tangent along it [1/m]
  Vec3 outward;  ///< away from the body; zero: it has no faces
};
CurvePoint point_on(const PlacedForm& body, const RigidForm::Curve& curve, double x);

/// A straight line of a side, with the outward normal that it has.
struct SideLine {
  Vec3 from, g, normal;
};
SideLine line_of(const PlacedForm& body, const RigidForm::Side& side, const Vec3& radial);
/// Of the line nearest to p: unit, across the axis.
Vec3 radial_of(const PlacedForm& body, const RigidForm::Side& side, const Vec3& p);

class FormSites {
 public:
  FormSites(const PairState& s, const RigidForm& A, const RigidForm& B);

  /// `side`: as of RigidPoint. Without a place where there is none: phi is infinite.
  RigidSite site(const FormFeature& f, const Vec3& side) const;

  RigidRim rim(const FormFeature& f, const Vec3& side) const;
  /// Of the disc of a point of a rim: by how much it stays within the face that it lies on [m].
  double room_for_disc(const FormFeature& f) const;

  const PlacedForm& a() const { return A_; }
  const PlacedForm& b() const { return B_; }

 private:
  const PlacedForm& carrier(const FormFeature& f) const { return f.a_carries ? A_ : B_; }
  const PlacedForm& other(const FormFeature& f) const { return f.a_carries ? B_ : A_; }
  struct Geometry {
    Vec3 up, on, of;  ///< normal from the carrier to the other, points of the cores
  };
  FeatureMotion finish(const FormFeature& f, const Geometry& g, FeaturePatch p_on,
                       FeaturePatch p_of, RigidSite& out) const;
  void place(const FormFeature& f, const Geometry& g, RigidSite& out) const;
  void move(const FormFeature& f, const Vec3& s_on, const Vec3& s_of, const Vec3& nu,
            RigidSite& out) const;
  void keep_within(const PlacedForm& body, const RigidForm::Flat& flat, const Vec3& p,
                   const Vec3& slide, RigidSite& out) const;
  void on_flat(const FormFeature& f, const Vec3& side, RigidSite& out) const;
  void on_curves(const FormFeature& f, const Vec3& side, RigidSite& out) const;
  void corner_on_side(const FormFeature& f, RigidSite& out) const;
  void edge_on_side(const FormFeature& f, RigidSite& out) const;
  void rim_on_side(const FormFeature& f, const Vec3& side, RigidSite& out) const;
  void on_sides(const FormFeature& f, RigidSite& out) const;
  /// Two straight lines in the tangent plane of `up`, of which the first lies on a side.
  void cross_lines(const FormFeature& f, const SideLine& line, const CurvePoint& edge,
                   double length, const RigidForm::Side* other_side, const Vec3& radial,
                   RigidSite& out) const;
  void on_curve(const FormFeature& f, RigidSite& out) const;
  void on_corners(const FormFeature& f, RigidSite& out) const;

  const PairState& s_;
  PlacedForm A_, B_;
};

/// What is left of the margin before others take over [m].
double form_margin(const FormSites& sites, const RigidSite& site, double size);

/// Points this far beyond a border are still on it, over the size [-]; where curves run along each
/// other, this far.
inline constexpr double kFormBorder = 1e-10, kFormLooseBorder = 2e-6;
/// A disc that reaches over the border of a face by more is cut by it, over the size [-]: where it
/// is, its rim crosses the border by more than this sine.
inline constexpr double kFormOverhang = 2e-8, kFormCrossing = 1e-4;

}  // namespace carom
