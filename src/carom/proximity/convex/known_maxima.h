// Directions around a local maximum of the signed distance in which none is larger.
//
// Overlap has many local maxima (optimum.h). Each comes with a cap of directions that it
// rules: with d the tangential offset of the direction n* + d and F = |phi|, a direction
// of the cap is no better if
//
//   min over i of ( w_i.d - q_i(d) ) + F d.d / 2 <= 0                             (1)
//
// where w_i are the points of M that carry the maximum and q_i is what their pieces bend
// away: q(d) = r (|a + b| - |a| - a.b / |a|) for a circle or an ellipsoid, with a and b
// the images of n* and d, so
//
//   q(d) >= k/2 d.H d,   k = s / (s + |d|),   s = turn_scale                       (2)
//
// Three points that push from all sides rule up to 2 m / F, m their distance from a line
// between two of them; one piece rules where k H > F; two do the one along the line
// between them and the other across. A body of revolution has a band besides: directions
// near the normals of its lateral surface (ring_search.h).
#pragma once

#include "carom/proximity/convex/optimum.h"

namespace carom {

/// Radius of the cap, as the tangent of its angle; 0 if nothing is known.
double cap_radius(const Minkowski& M, const Optimum& o);

/// Directions within `tilt` [rad] of the ring n.axis = cos(angle).
struct Band {
  Vec3 axis;
  double angle = 0.0, tilt = 0.0;
};

class KnownMaxima {
 public:
  void add(const Minkowski& M, const Optimum& o);
  void add(const Band& band);
  /// Is one of the regions around all of these unit directions?
  bool cover(const Vec3* n, int count) const;

 private:
  struct Cap {
    Vec3 n;
    double cosine;
  };
  static constexpr int kMaxCaps = 16, kMaxBands = 2;
  Cap cap_[kMaxCaps];
  Band band_[kMaxBands];
  int caps_ = 0, bands_ = 0;
};

}  // namespace carom
