// Collects the points of a manifold from pairs of faces and lines; for find_manifold() only.
//
// Everything happens in the contact plane: the plane across the common normal through the
// midpoint of the witness points. A face is a region of it with a height that is linear
// in the place; the gap of two faces is linear on the intersection of their regions.
#pragma once

#include <algorithm>
#include <numbers>

#include "carom/proximity/convex/support_feature.h"
#include "carom/proximity/manifold/manifold.h"
#include "carom/proximity/manifold/patch.h"

namespace carom {

/// Lighter points are left out: their force is below the rounding of the others.
inline constexpr double kNoWeight = 1e-14;

inline double smooth_step(double x) {
  const double t = std::clamp(x, 0.0, 1.0);
  return t * t * (3.0 - 2.0 * t);
}

/// Axes of the contact plane about the midpoint of the witness points; z along the normal.
struct ContactFrame {
  Vec3 origin, u, v, n;
  Vec2 plane(const Vec3& p) const { return {dot(u, p - origin), dot(v, p - origin)}; }
  double height(const Vec3& p) const { return dot(n, p - origin); }
};

/// Height of a face over the contact plane: at + slope.s
struct Slant {
  double at = 0.0;
  Vec2 slope{};
  double operator()(const Vec2& s) const { return at + dot(slope, s); }
};

inline Slant slant(const SupportFace& face, const ContactFrame& frame) {
  const double c = 1.0 / dot(face.normal, frame.n);
  Slant out;
  out.slope = {-c * dot(face.normal, frame.u), -c * dot(face.normal, frame.v)};
  out.at = frame.height(face.point) - dot(out.slope, frame.plane(face.point));
  return out;
}

class ManifoldBuilder {
 public:
  ManifoldBuilder(const Core& A, const Core& B, const Contact& contact, double tilt, Manifold& out)
      : contact_(contact),
        tilt_(tilt),
        rounding_a_(A.rounding),
        rounding_b_(B.rounding),
        out_(out) {
    frame_.origin = 0.5 * (contact.p_WCa + contact.p_WCb);
    frame_.n = contact.n_AB_W;
    frame_.u = any_perpendicular(frame_.n);
    frame_.v = cross(frame_.n, frame_.u);
    out_.count = 0;
    out_.area = 0.0;
    out_.n_AB_W = contact.n_AB_W;
  }

  void add_point(double share) {
    add(Vec2{}, -0.5 * contact_.phi, 0.5 * contact_.phi, share, kPointFeature);
  }
  void add_faces(const SupportFace& a, const SupportFace& b, double share);
  void add_line_on_face(const SupportLine& line, const SupportFace& face, bool line_is_a,
                        double share);
  void add_lines(const SupportLine& a, const SupportLine& b, double share);
  void finish();

 private:
  static constexpr std::uint32_t kPointFeature = 1u << 20, kLineFeature = 2u << 20,
                                 kLinesFeature = 3u << 20;

  struct Borders {
    int count = 0;
    std::array<SupportLine, 2> line;
  };
  Borders borders(const SupportFace& face) const;
  void add_borders(const Borders& a, const Borders& b, double share);
  /// z_a, z_b: heights of the two surfaces, rounding included.
  void add(const Vec2& s, double z_a, double z_b, double weight, std::uint32_t feature);
  void add_patch(const Slant& a, const Slant& b, double share);
  void set_tolerance(const PatchPolygon& a, const PatchPolygon& b, double radius);
  bool find_patch(const SupportFace& a, const SupportFace& b);
  void project(const SupportFace& face, PatchPolygon& out) const;
  PatchDisc disc(const SupportFace& face) const;

  const Contact& contact_;
  double tilt_, rounding_a_, rounding_b_;
  double tolerance_ = 0.0;
  Manifold& out_;
  ContactFrame frame_;
  Patch patch_;
};

}  // namespace carom
