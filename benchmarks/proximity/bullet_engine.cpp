// Bullet in double precision: btGjkPairDetector with the EPA depth solver, and
// btGjkEpaSolver2. Margins are zero but where the shape is round.
#include <BulletCollision/CollisionShapes/btBoxShape.h>
#include <BulletCollision/CollisionShapes/btCapsuleShape.h>
#include <BulletCollision/CollisionShapes/btConeShape.h>
#include <BulletCollision/CollisionShapes/btConvexHullShape.h>
#include <BulletCollision/CollisionShapes/btCylinderShape.h>
#include <BulletCollision/CollisionShapes/btSphereShape.h>
#include <BulletCollision/NarrowPhaseCollision/btGjkEpa2.h>
#include <BulletCollision/NarrowPhaseCollision/btGjkEpaPenetrationDepthSolver.h>
#include <BulletCollision/NarrowPhaseCollision/btGjkPairDetector.h>
#include <BulletCollision/NarrowPhaseCollision/btPointCollector.h>
#include <BulletCollision/NarrowPhaseCollision/btVoronoiSimplexSolver.h>

#include "engine.h"

namespace carom::bench {
namespace {

/// An ellipsoid by its support mapping.
class Ellipsoid : public btConvexInternalShape {
 public:
  explicit Ellipsoid(const Vec3& a) : a_(a.x, a.y, a.z) {
    m_shapeType = CUSTOM_CONVEX_SHAPE_TYPE;
    m_implicitShapeDimensions = a_;
    setMargin(0.0);
  }
  btVector3 localGetSupportingVertex(const btVector3& d) const override {
    return localGetSupportingVertexWithoutMargin(d);
  }
  btVector3 localGetSupportingVertexWithoutMargin(const btVector3& d) const override {
    const btVector3 s = a_ * d;
    const btScalar length = s.length();
    return length > 0 ? a_ * s / length : btVector3(a_.x(), 0, 0);
  }
  void batchedUnitVectorGetSupportingVertexWithoutMargin(const btVector3* v, btVector3* out,
                                                         int count) const override {
    for (int i = 0; i < count; ++i) out[i] = localGetSupportingVertexWithoutMargin(v[i]);
  }
  void calculateLocalInertia(btScalar, btVector3& inertia) const override { inertia.setZero(); }
  const char* getName() const override { return "ellipsoid"; }

 private:
  btVector3 a_;
};

std::unique_ptr<btConvexShape> shape(const Body& b) {
  std::unique_ptr<btConvexShape> s;
  switch (b.kind) {
    case Kind::sphere: return std::make_unique<btSphereShape>(b.size.x);
    case Kind::capsule: return std::make_unique<btCapsuleShapeX>(b.size.x, 2 * b.size.y);
    case Kind::ellipsoid: return std::make_unique<Ellipsoid>(b.size);
    case Kind::box:
      s = std::make_unique<btBoxShape>(btVector3(b.size.x, b.size.y, b.size.z));
      break;
    case Kind::cylinder:
      s = std::make_unique<btCylinderShapeX>(btVector3(b.size.y, b.size.x, b.size.x));
      break;
    case Kind::cone: s = std::make_unique<btConeShapeX>(b.size.x, b.size.y); break;
    case Kind::hull: {
      auto hull = std::make_unique<btConvexHullShape>();
      for (const Vec3& v : b.hull->vertices) hull->addPoint(btVector3(v.x, v.y, v.z), false);
      hull->recalcLocalAabb();
      s = std::move(hull);
    }
  }
  // setMargin keeps the outer size of boxes and cylinders; rounding is added outside.
  s->setMargin(0.0);
  if (b.rounding > 0.0) {
    if (b.kind == Kind::box) {
      const btVector3 h(b.size.x + b.rounding, b.size.y + b.rounding, b.size.z + b.rounding);
      s = std::make_unique<btBoxShape>(h);
    } else {
      const btScalar r = b.size.x + b.rounding;
      s = std::make_unique<btCylinderShapeX>(btVector3(b.size.y + b.rounding, r, r));
    }
    s->setMargin(b.rounding);
  }
  return s;
}

btTransform transform(const Pose& X) {
  const auto& m = X.R.m;
  return btTransform(btMatrix3x3(m[0], m[1], m[2], m[3], m[4], m[5], m[6], m[7], m[8]),
                     btVector3(X.p.x, X.p.y, X.p.z));
}

class BulletEngine : public Engine {
 public:
  bool load(const Body& A, const Body& B) override {
    A_ = shape(A), B_ = shape(B);
    reset();
    return true;
  }
  void reset() override { axis_ = btVector3(0, 1, 0); }

 protected:
  std::unique_ptr<btConvexShape> A_, B_;
  btVector3 axis_;
};

class PairDetector : public BulletEngine {
 public:
  const char* name() const override { return "bullet-pair"; }
  Answer query(const Pose& X_WA, const Pose& X_WB, bool warm) override {
    btGjkPairDetector detector(A_.get(), B_.get(), &simplex_, &depth_);
    if (warm) detector.setCachedSeparatingAxis(axis_);
    btGjkPairDetector::ClosestPointInput input;
    input.m_transformA = transform(X_WA), input.m_transformB = transform(X_WB);
    btPointCollector out;
    detector.getClosestPoints(input, out, nullptr);
    axis_ = detector.getCachedSeparatingAxis();
    const btVector3& n = out.m_normalOnBInWorld;
    return {out.m_hasResult, out.m_distance, {-n.x(), -n.y(), -n.z()}};
  }

 private:
  btVoronoiSimplexSolver simplex_;
  btGjkEpaPenetrationDepthSolver depth_;
};

class EpaSolver2 : public BulletEngine {
 public:
  const char* name() const override { return "bullet-epa2"; }
  bool load(const Body& A, const Body& B) override {
    return A.rounding == 0.0 && B.rounding == 0.0 && BulletEngine::load(A, B);
  }
  Answer query(const Pose& X_WA, const Pose& X_WB, bool) override {
    btGjkEpaSolver2::sResults r;
    const btVector3 guess(X_WB.p.x - X_WA.p.x, X_WB.p.y - X_WA.p.y, X_WB.p.z - X_WA.p.z);
    btGjkEpaSolver2::SignedDistance(A_.get(), transform(X_WA), B_.get(), transform(X_WB), guess, r);
    const btVector3 v = (r.witnesses[1] - r.witnesses[0]) * (r.distance < 0 ? -1 : 1);
    const btScalar length = v.length();
    if (!(length > 0)) return {};
    return {true, r.distance, {v.x() / length, v.y() / length, v.z() / length}};
  }
};

}  // namespace

void add_bullet(Engines& engines) {
  engines.push_back(std::make_unique<PairDetector>());
  engines.push_back(std::make_unique<EpaSolver2>());
}

}  // namespace carom::bench
