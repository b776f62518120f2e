// The depth of two convex bodies along rays across their area.
//
// The rim of a body on a half space is where it leaves the plane. Elsewhere u is concave along a
// ray: tangents meet zero beyond the rim and chords inside, and where both are far from each other
// a power through what is known says where to look (superquadrics). Where a body ends by a wall
// along n, u ends before it is zero, and halving finds the wall. Between the middle and the rim u
// is smooth but for kinks where another face begins: from depths and slopes at the ends of a part
// and the depth in its middle a polynomial of degree 4 is known to be u, or not, and then the part
// is cut where the tangents of its ends meet, which is the kink between two flat faces.
#pragma once

#include <algorithm>

#include "carom/proximity/area/depth_field.h"
#include "carom/proximity/vec2.h"

namespace carom {

/// How much a finer rule counts beside a coarse one with such an error: all where that is not
/// allowed, nothing where it is half of it, and no jump between.
inline double share_of_finer(double error, double allowed) {
  return std::clamp(2.0 * error / allowed - 1.0, 0.0, 1.0);
}

/// Integrals over a ray, with r dr, in coordinates of the frame: of 1, u, x u and y u.
struct RaySums {
  double area = 0.0, volume = 0.0, x = 0.0, y = 0.0;
};

class DepthRay {
 public:
  /// From `middle`, which is inside, along `way`, whose length is the unit of r.
  DepthRay(const DepthField& field, const Vec2& middle, const Vec2& way)
      : field_(field), middle_(middle), way_(way) {}

  /// Where u ends, to a share of it; 0 where the middle is not inside.
  double find_rim(double accuracy);

  /// Puts points up to the rim that was found, each with the area r dr, and adds to the sums.
  /// `accuracy` is of the integral of u, as a share of the depth over a patch of the unit's size.
  void integrate(double depth, double accuracy, const Vec2& direction, AreaPatch& out,
                 RaySums& sums);

 private:
  struct Sample {
    double r = 0.0;
    bool hits = false;
    double u = -1.0, slope = 0.0, between = 0.0;
    bool is_inside() const { return hits && u > 0.0; }
  };
  Sample at(double r) const;
  double guess_rim(const Sample& beyond, double low, double high) const;
  double end_at(const Sample& beyond, double high);
  struct Part {
    Sample from, middle, to;
    /// The polynomial through all that is known, at a share of the way.
    double depth_at(double share) const;
    double between_at(double share) const;
    double bend() const;  ///< of the depth in the middle, beyond what the ends let expect
  };
  void put_part(const Sample& from, const Sample& to, double share, int cuts);
  static double cut_of(const Sample& from, const Sample& to);
  void put_points(const Part& part, double counted);

  const DepthField& field_;
  Vec2 middle_, way_;
  Sample first_, last_;
  // Of integrate().
  double depth_ = 0.0, allowed_ = 0.0;
  int parts_left_ = 0;
  Vec2 direction_{0.0, 0.0};
  AreaPatch* out_ = nullptr;
  RaySums* sums_ = nullptr;
};

}  // namespace carom
