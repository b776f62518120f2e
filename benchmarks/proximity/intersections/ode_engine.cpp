// ODE: its trimesh collider, which answers with contacts.
#include <ode/ode.h>

#include <cstdarg>
#include <vector>

#include "engine.h"

namespace carom::bench {
namespace {

/// It tells of every contact that its hash table has no room for.
void keep_quiet(int, const char*, va_list) {}

class Ode : public IntersectionEngine {
 public:
  Ode(const TriangleMesh& mesh, const Pose& X) : contacts_(20000) {
    [[maybe_unused]] static const int started = dInitODE2(0);
    dSetMessageHandler(keep_quiet);
    for (const Vec3& v : mesh.vertices) vertices_.insert(vertices_.end(), {v.x, v.y, v.z});
    for (const Triangle& t : mesh.triangles) {
      for (const std::uint32_t corner : t) corners_.push_back(static_cast<dTriIndex>(corner));
    }
    data_ = dGeomTriMeshDataCreate();
    dGeomTriMeshDataBuildDouble(data_, vertices_.data(), 3 * sizeof(double),
                                static_cast<int>(mesh.vertices.size()), corners_.data(),
                                static_cast<int>(corners_.size()), 3 * sizeof(dTriIndex));
    for (dGeomID& g : geometry_) g = dCreateTriMesh(nullptr, data_, nullptr, nullptr, nullptr);
    dMatrix3 R{};
    for (std::size_t i = 0; i < 3; ++i) {
      for (std::size_t k = 0; k < 3; ++k) R[4 * i + k] = X.R(i, k);
    }
    dGeomSetPosition(geometry_[1], X.p.x, X.p.y, X.p.z);
    dGeomSetRotation(geometry_[1], R);
  }
  ~Ode() override {
    for (dGeomID g : geometry_) dGeomDestroy(g);
    dGeomTriMeshDataDestroy(data_);
  }
  const char* name() const override { return "ode"; }
  std::size_t find() override {
    return static_cast<std::size_t>(dCollide(geometry_[0], geometry_[1],
                                             static_cast<int>(contacts_.size()), contacts_.data(),
                                             sizeof(dContactGeom)));
  }

 private:
  std::vector<double> vertices_;  // ODE keeps pointers to what it is given
  std::vector<dTriIndex> corners_;
  dTriMeshDataID data_;
  dGeomID geometry_[2];
  std::vector<dContactGeom> contacts_;
};

}  // namespace

std::unique_ptr<IntersectionEngine> make_ode(const TriangleMesh& mesh, const Pose& X) {
  return std::make_unique<Ode>(mesh, X);
}

}  // namespace carom::bench
