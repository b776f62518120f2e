// How the point of a contact runs over both bodies, whatever features they touch with.
//
// A feature has none, one or two directions d along which its points lie, each with a curvature k
// of its own: none of a corner, the tangent of an edge (k = 0) or of a rim, those of a face (0 and
// 0) or of the side of a cylinder (0 and 1/r). Across them it is sharp; a ball of radius r goes
// over all of it. With the normal `up` from the one to the other, its turn nu over the first body,
// W = (w_2 - w_1) x up, slip u = v_2 - v_1 and velocities x_i, y_j of the points along their
// directions,
//
//   nu . d_i = k_i x_i,   (nu - W) . d_j = -k_j y_j                                        (1)
//   s_1 = sum x_i d_i + r_1 nu,   s_2 = sum y_j d_j - r_2 (nu - W),   s_1 - s_2 = u_t      (2)
//
// is one linear system, regular where the two touch in one point alone.
#pragma once

#include <array>
#include <cstddef>

#include "carom/math/vec3.h"

namespace carom {

struct FeaturePatch {
  std::size_t count = 0;
  std::array<Vec3, 2> d;
  std::array<double, 2> k{};
  double radius = 0.0;
  void add(const Vec3& direction, double curvature) {
    d[count] = direction, k[count] = curvature;
    ++count;
  }
};

struct FeatureMotion {
  Vec3 turn;                                            ///< nu
  Vec3 first, second;                                   ///< s_1, s_2
  std::array<double, 2> along_first{}, along_second{};  ///< x, y
  Vec3 core_first, core_second;                         ///< sum x_i d_i, sum y_j d_j
};

FeatureMotion solve_motion(const FeaturePatch& first, const FeaturePatch& second, const Vec3& up,
                           const Vec3& slip, const Vec3& W);

}  // namespace carom
