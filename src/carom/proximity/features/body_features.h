// The corners, edges and faces of a convex core, and the rims and sides of round ones.
//
// Where a core has a flat face or a straight edge its support mapping jumps, and a contact with a
// smooth surface cannot be looked for among normals. Instead every feature is a little manifold of
// its own: of dimension 0 (a corner, the tip of a cone), 1 (an edge, the rim of a disc) or 2 (a
// face, a disc, the side of a cylinder or cone). Its point y, unit tangents t_i and, for a normal
// n, the forms n.y_ij say all that Newton's method needs (feature_pair.h). Which feature comes next
// where y passes a border, or where going on to a neighbour leads closer, is told here too.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "carom/geometry/core.h"

namespace carom {

enum class FeatureKind : std::uint8_t { corner, tip, edge, rim, face, disc, side };

struct FeatureName {
  FeatureKind kind = FeatureKind::corner;
  std::uint32_t index = 0;
  bool operator==(const FeatureName&) const = default;
};

/// Of a point y on a feature, for a unit n: tangents, n.y_ij, and curvatures of the rounded body.
struct FeatureFrame {
  int dimension = 0;
  Vec3 t[2];            ///< orthonormal
  double along = 0.0;   ///< n.y_11, where t[0] is the curved direction [1/m]
  double radius = 0.0;  ///< of that curve; 0: it is straight [m]
};

struct BodyFeatures {
  struct Corner {
    Vec3 p;
    std::uint32_t first = 0, count = 0;  ///< its edges are corner_edges[first ...)
  };
  struct Edge {
    std::array<std::uint32_t, 2> corners{};
    Vec3 p, e;  ///< its first corner, and the unit vector to the other
    double length = 0.0;
    int face_count = 0;
    std::array<std::uint32_t, 2> faces{};
    std::array<Vec3, 2> inward;  ///< unit, from the edge into each of the faces
  };
  struct Face {
    Vec3 n, p;
    std::uint32_t first = 0, count = 0;  ///< its edges are face_edges[first ...)
    double radius = 0.0;                 ///< of a ball about p that holds it
  };
  std::vector<Corner> corners;
  std::vector<Edge> edges;
  std::vector<Face> faces;
  std::vector<std::uint32_t> corner_edges, face_edges;

  /// Discs about x at the two ends of a cylinder or cone; of radius 0 it is the tip.
  struct Disc {
    double x = 0.0, r = 0.0;
  };
  bool is_round = false;
  std::array<Disc, 2> discs;  ///< the first has the smaller x
  double rounding = 0.0;
  double size = 0.0;  ///< largest distance of two points, or nearly [m]

  bool empty() const { return corners.empty() && !is_round; }
  std::vector<FeatureName> names() const;
};

/// Of boxes, tetrahedra, triangles, segments, hulls, cylinders and cones; empty of other cores.
BodyFeatures make_features(const Core& core);

int dimension(FeatureKind kind);
FeatureFrame frame_at(const BodyFeatures& b, FeatureName f, const Vec3& y, const Vec3& n);
/// Where a step along the tangents leads, on the feature continued beyond its border.
Vec3 moved_on(const BodyFeatures& b, FeatureName f, const Vec3& y, const Vec3& step);
/// The point of the continued feature nearest to x.
Vec3 nearest_on(const BodyFeatures& b, FeatureName f, const Vec3& x);
/// Distance of x from the feature within its borders, or less [m].
double distance_from(const BodyFeatures& b, FeatureName f, const Vec3& x);

/// Whether y is beyond the border by more than `much`; then what lies there, and where.
bool is_beyond(const BodyFeatures& b, FeatureName f, const Vec3& y, double much, FeatureName& next,
               Vec3& at);

/// With n from a surface to the body: how the gap falls at most on the way from y into a neighbour
/// of higher dimension, the negative slope or 0; that neighbour, and the direction into it.
struct Descent {
  double slope = 0.0;
  FeatureName next;
  Vec3 direction;
};
Descent steepest_descent(const BodyFeatures& b, FeatureName f, const Vec3& y, const Vec3& n);

/// Whether a surface with a normal within the angle of `sine` about n, at most 1.1 rad, may touch
/// the feature.
bool may_face(const BodyFeatures& b, FeatureName f, const Vec3& n, double sine);

}  // namespace carom
