// FCL: trees of oriented boxes, the fastest of its volumes here; pairs without points.
#include <fcl/fcl.h>

#include "engine.h"

namespace carom::bench {
namespace {

class Fcl : public IntersectionEngine {
 public:
  Fcl(const TriangleMesh& mesh, const Pose& X) {
    std::vector<fcl::Vector3d> vertices;
    std::vector<fcl::Triangle> triangles;
    for (const Vec3& v : mesh.vertices) vertices.emplace_back(v.x, v.y, v.z);
    for (const Triangle& t : mesh.triangles) triangles.emplace_back(t[0], t[1], t[2]);
    model_.beginModel();
    model_.addSubModel(vertices, triangles);
    model_.endModel();
    for (int i = 0; i < 3; ++i) {
      const auto r = static_cast<std::size_t>(i);
      for (int k = 0; k < 3; ++k) place_.linear()(i, k) = X.R(r, static_cast<std::size_t>(k));
      place_.translation()(i) = X.p[r];
    }
  }
  const char* name() const override { return "fcl"; }
  std::size_t find() override {
    const fcl::CollisionRequestd request(1000000, false);
    fcl::CollisionResultd result;
    return fcl::collide(&model_, fcl::Transform3d::Identity(), &model_, place_, request, result);
  }

 private:
  fcl::BVHModel<fcl::OBBd> model_;
  fcl::Transform3d place_ = fcl::Transform3d::Identity();
};

}  // namespace

std::unique_ptr<IntersectionEngine> make_fcl(const TriangleMesh& mesh, const Pose& X) {
  return std::make_unique<Fcl>(mesh, X);
}

}  // namespace carom::bench
