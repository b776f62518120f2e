// FCL: signed distance by libccd at its default tolerance (at 1e-12 it does not always end).
// The library of Debian has its asserts on; one that fires counts as no answer.
#include <fcl/fcl.h>

#include <csetjmp>
#include <csignal>

#include "engine.h"

namespace carom::bench {
namespace {

sigjmp_buf recovery;
void on_abort(int) { siglongjmp(recovery, 1); }

std::shared_ptr<fcl::CollisionGeometryd> geometry(const Body& b) {
  switch (b.kind) {
    case Kind::sphere: return std::make_shared<fcl::Sphered>(b.size.x);
    case Kind::box: return std::make_shared<fcl::Boxd>(2 * b.size.x, 2 * b.size.y, 2 * b.size.z);
    case Kind::capsule: return std::make_shared<fcl::Capsuled>(b.size.x, 2 * b.size.y);
    case Kind::cylinder: return std::make_shared<fcl::Cylinderd>(b.size.x, 2 * b.size.y);
    case Kind::ellipsoid: return std::make_shared<fcl::Ellipsoidd>(b.size.x, b.size.y, b.size.z);
    case Kind::cone: return std::make_shared<fcl::Coned>(b.size.x, b.size.y);
    case Kind::hull: break;
  }
  auto vertices = std::make_shared<std::vector<fcl::Vector3d>>();
  for (const Vec3& v : b.hull->vertices) vertices->push_back({v.x, v.y, v.z});
  auto faces = std::make_shared<std::vector<int>>();
  const auto triangles = triangulate(*b.hull);
  for (const auto& t : triangles) {
    faces->push_back(3);
    for (const auto i : t) faces->push_back(static_cast<int>(i));
  }
  return std::make_shared<fcl::Convexd>(vertices, static_cast<int>(triangles.size()), faces);
}

class FclEngine : public Engine {
 public:
  FclEngine(const char* name, fcl::GJKSolverType solver, double tolerance) : name_(name) {
    request_.enable_nearest_points = true;
    request_.enable_signed_distance = true;
    request_.gjk_solver_type = solver;
    request_.distance_tolerance = tolerance;
    std::signal(SIGABRT, on_abort);
  }
  const char* name() const override { return name_; }
  bool load(const Body& A, const Body& B) override {
    if (A.rounding > 0.0 || B.rounding > 0.0) return false;
    A_ = std::make_unique<fcl::CollisionObjectd>(geometry(A));
    B_ = std::make_unique<fcl::CollisionObjectd>(geometry(B));
    turn_a_ = turned(A), turn_b_ = turned(B);
    return true;
  }
  Answer query(const Pose& X_WA, const Pose& X_WB, bool) override {
    set(*A_, X_WA, turn_a_), set(*B_, X_WB, turn_b_);
    fcl::DistanceResultd result;
    if (sigsetjmp(recovery, 1) != 0) return {};
    fcl::distance(A_.get(), B_.get(), request_, result);
    const fcl::Vector3d v = result.nearest_points[1] - result.nearest_points[0];
    const double d = result.min_distance;
    const fcl::Vector3d n = (d < 0 ? -1.0 : 1.0) * v.normalized();
    return {std::isfinite(d), d, {n.x(), n.y(), n.z()}};
  }

 private:
  static bool turned(const Body& b) {
    return b.kind == Kind::cylinder || b.kind == Kind::capsule || b.kind == Kind::cone;
  }
  static void set(fcl::CollisionObjectd& o, const Pose& X, bool turn) {
    const Mat3 R = turn ? X.R * z_to_x() : X.R;
    fcl::Transform3d T = fcl::Transform3d::Identity();
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j) {
        T.linear()(i, j) = R(static_cast<std::size_t>(i), static_cast<std::size_t>(j));
      }
    }
    T.translation() = fcl::Vector3d(X.p.x, X.p.y, X.p.z);
    o.setTransform(T);
  }

  const char* name_;
  fcl::DistanceRequestd request_;
  std::unique_ptr<fcl::CollisionObjectd> A_, B_;
  bool turn_a_ = false, turn_b_ = false;
};

}  // namespace

void add_fcl(Engines& engines) {
  engines.push_back(std::make_unique<FclEngine>("fcl", fcl::GST_LIBCCD, 1e-6));
}

}  // namespace carom::bench
