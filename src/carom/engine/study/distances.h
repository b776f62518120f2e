// Distances between the bodies of a scene, without a simulation.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "carom/engine/model.h"
#include "carom/proximity/distance.h"

namespace carom {

/// The distance of two shapes of different bodies.
struct ShapeDistance {
  int body_a = 0, body_b = 0;    ///< indices into Model::bodies, a < b
  int shape_a = 0, shape_b = 0;  ///< indices into the shapes of these bodies
  Contact contact;
};

/// World poses of all bodies at the state x.
std::vector<Pose> body_poses(const std::shared_ptr<const Model>& model, double t,
                             std::span<const double> x);

/// Distances of all pairs of shapes of the bodies `a` and `b`, nearest first.
std::vector<ShapeDistance> distances_between(const Model& model, std::span<const Pose> X_WB, int a,
                                             int b);

/// For every pair of bodies that move relative to each other and have shapes, the nearest
/// pair of shapes.
std::vector<ShapeDistance> nearest_distances(const Model& model, std::span<const Pose> X_WB);

}  // namespace carom
