#include "carom/proximity/triangles/intersection.h"
#include "engine.h"

namespace carom::bench {
namespace {

class Carom : public IntersectionEngine {
 public:
  Carom(const TriangleMesh& mesh, const Pose& X_AB, bool with_patches)
      : surface_(make_triangle_surface(mesh)), X_AB_(X_AB), with_patches_(with_patches) {}
  const char* name() const override { return with_patches_ ? "carom_patches" : "carom_curves"; }
  std::size_t find() override {
    if (with_patches_) {
      triangles::intersect(surface_, surface_, X_AB_, x_);
    } else {
      triangles::find_curves(surface_, surface_, X_AB_, x_);
    }
    return x_.curves.segments.size();
  }

 private:
  TriangleSurface surface_;
  Pose X_AB_;
  bool with_patches_;
  triangles::Intersection x_;
};

}  // namespace

std::unique_ptr<IntersectionEngine> make_carom_curves(const TriangleMesh& mesh, const Pose& X) {
  return std::make_unique<Carom>(mesh, X, false);
}
std::unique_ptr<IntersectionEngine> make_carom_patches(const TriangleMesh& mesh, const Pose& X) {
  return std::make_unique<Carom>(mesh, X, true);
}

}  // namespace carom::bench
