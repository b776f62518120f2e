// An engine that finds the pairs of triangles of two copies of a mesh that intersect.
#pragma once

#include <cstddef>
#include <memory>

#include "carom/geometry/mesh.h"
#include "carom/math/pose.h"

namespace carom::bench {

class IntersectionEngine {
 public:
  virtual ~IntersectionEngine() = default;
  virtual const char* name() const = 0;
  /// All pairs, with what the engine tells of each; returns their number. The mesh is built once.
  virtual std::size_t find() = 0;
};

using MakeEngine = std::unique_ptr<IntersectionEngine> (*)(const TriangleMesh&, const Pose& X_AB);

std::unique_ptr<IntersectionEngine> make_carom_curves(const TriangleMesh&, const Pose& X_AB);
std::unique_ptr<IntersectionEngine> make_carom_patches(const TriangleMesh&, const Pose& X_AB);
std::unique_ptr<IntersectionEngine> make_fcl(const TriangleMesh&, const Pose& X_AB);
std::unique_ptr<IntersectionEngine> make_ode(const TriangleMesh&, const Pose& X_AB);
std::unique_ptr<IntersectionEngine> make_bullet(const TriangleMesh&, const Pose& X_AB);

}  // namespace carom::bench
