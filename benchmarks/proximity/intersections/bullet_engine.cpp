// Bullet: GImpact's trees and its test of triangle pairs, without its cache of manifolds.
#include <BulletCollision/Gimpact/btGImpactShape.h>
#include <BulletCollision/Gimpact/btTriangleShapeEx.h>
#include <btBulletCollisionCommon.h>

#include "engine.h"

namespace carom::bench {
namespace {

class Bullet : public IntersectionEngine {
 public:
  Bullet(const TriangleMesh& mesh, const Pose& X) {
    const auto at = [&](std::uint32_t i) {
      const Vec3& v = mesh.vertices[i];
      return btVector3(v.x, v.y, v.z);
    };
    for (const Triangle& t : mesh.triangles) {
      triangles_.addTriangle(at(t[0]), at(t[1]), at(t[2]));
    }
    shape_ = std::make_unique<btGImpactMeshShape>(&triangles_);
    shape_->setMargin(0.0);
    shape_->updateBound();
    place_ = btTransform(btMatrix3x3(X.R(0, 0), X.R(0, 1), X.R(0, 2), X.R(1, 0), X.R(1, 1),
                                     X.R(1, 2), X.R(2, 0), X.R(2, 1), X.R(2, 2)),
                         btVector3(X.p.x, X.p.y, X.p.z));
  }
  const char* name() const override { return "bullet"; }
  std::size_t find() override {
    btGImpactMeshShapePart* part = shape_->getMeshPart(0);
    pairs_.clear();
    const btTransform here = btTransform::getIdentity();
    part->lockChildShapes();
    btGImpactBoxSet::find_collision(part->getBoxSet(), here, part->getBoxSet(), place_, pairs_);
    std::size_t found = 0;
    btPrimitiveTriangle a, b;
    GIM_TRIANGLE_CONTACT contact;
    for (int i = 0; i < pairs_.size(); ++i) {
      part->getPrimitiveTriangle(pairs_[i].m_index1, a);
      part->getPrimitiveTriangle(pairs_[i].m_index2, b);
      b.applyTransform(place_);
      a.buildTriPlane(), b.buildTriPlane();
      if (!a.overlap_test_conservative(b)) continue;
      if (a.find_triangle_collision_clip_method(b, contact)) ++found;
    }
    part->unlockChildShapes();
    return found;
  }

 private:
  btTriangleMesh triangles_;
  std::unique_ptr<btGImpactMeshShape> shape_;
  btTransform place_;
  btPairSet pairs_;
};

}  // namespace

std::unique_ptr<IntersectionEngine> make_bullet(const TriangleMesh& mesh, const Pose& X) {
  return std::make_unique<Bullet>(mesh, X);
}

}  // namespace carom::bench
