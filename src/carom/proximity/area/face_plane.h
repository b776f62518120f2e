// The flat face of a body that looks straight at another one.
#pragma once

#include <array>
#include <cstddef>
#include <optional>

#include "carom/proximity/area/area_patch.h"

namespace carom {

inline constexpr std::size_t kMostFaceEdges = 4;

struct FacePlane {
  Vec3 n_W, p_W;  ///< unit, outward; a point of it
  struct Edge {
    Vec3 inward_W, p_W;
  };
  std::array<Edge, kMostFaceEdges> edge;
  std::size_t count = 0;  ///< 0: a half space
};

/// The face with the normal `n_W` of a half space, or of a box, beyond whose edges there is nothing
/// along n.
std::optional<FacePlane> face_along(const AreaBody& body, const Vec3& n_W);

/// Where the ball around `other` is over a flat face with the normal `n_W` with all of itself, the
/// edges of that do not matter: the half space that the body is then as good as.
std::optional<Pose> half_space_under(const AreaBody& body, const Vec3& n_W, const AreaBody& other);

}  // namespace carom
