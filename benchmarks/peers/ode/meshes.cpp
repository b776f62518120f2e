// Mesh on mesh in ODE: its trimesh collider.
#include "../../common/meshes.h"

#include "../s4.h"
#include "world.h"

namespace carom::bench {
namespace {

/// ODE keeps pointers to what it is given.
struct OdeMesh {
  std::vector<double> vertices;
  std::vector<dTriIndex> corners;
  dTriMeshDataID data = dGeomTriMeshDataCreate();

  explicit OdeMesh(const Mesh& mesh) {
    for (const auto& v : mesh.vertices) vertices.insert(vertices.end(), v.begin(), v.end());
    for (const auto& t : mesh.triangles) {
      for (const int corner : t) corners.push_back(static_cast<dTriIndex>(corner));
    }
    dGeomTriMeshDataBuildDouble(data, vertices.data(), 3 * sizeof(double),
                                static_cast<int>(mesh.vertices.size()), corners.data(),
                                static_cast<int>(corners.size()), 3 * sizeof(dTriIndex));
    dGeomTriMeshDataPreprocess2(data,
                                (1U << dTRIDATAPREPROCESS_BUILD_FACE_ANGLES) |
                                    (1U << dTRIDATAPREPROCESS_BUILD_CONCAVE_EDGES),
                                nullptr);
  }
};

/// The collider tells the sides of a mesh by where it was a step before.
class LastTransform {
 public:
  void remember(dGeomID geometry) {
    const dReal *p = dGeomGetPosition(geometry), *R = dGeomGetRotation(geometry);
    dReal* now = kept_[turn_];
    for (int i = 0; i < 3; ++i) {
      for (int k = 0; k < 3; ++k) now[4 * i + k] = R[4 * k + i];
      now[4 * i + 3] = 0.0;
      now[12 + i] = p[i];
    }
    now[15] = 1.0;
    turn_ = 1 - turn_;
    dGeomTriMeshSetLastTransform(geometry, kept_[turn_]);
  }

 private:
  dMatrix4 kept_[2]{};
  int turn_ = 0;
};

Row drop(const Options& o) {
  using S = Meshes;
  World w(o);
  const OdeMesh ground(S::ground()), torus(S::torus());
  dCreateTriMesh(w.space, ground.data, nullptr, nullptr, nullptr);
  const dGeomID geometry = dCreateTriMesh(w.space, torus.data, nullptr, nullptr, nullptr);
  const dBodyID body = w.add(S::mass, S::Ix, S::Ix, S::Iz, 0, 0, S::height, geometry);
  LastTransform last;
  const Row row = run_meshes(
      setting_of(o) + ", trimesh", 0.0, o.step,
      [&] {
        w.step();
        last.remember(geometry);
      },
      [&] {
        const dReal *p = dBodyGetPosition(body), *R = dBodyGetRotation(body),
                    *v = dBodyGetLinearVel(body);
        return TorusAt{{p[0], p[1], p[2]},
                       {{{R[0], R[1], R[2]}, {R[4], R[5], R[6]}, {R[8], R[9], R[10]}}},
                       std::hypot(v[0], v[1], v[2])};
      });
  dGeomTriMeshDataDestroy(ground.data);
  dGeomTriMeshDataDestroy(torus.data);
  return row;
}

}  // namespace

void s4() {
  for (const double step : {5e-3, 1e-3}) {
    Options o;
    o.step = step;
    o.friction = Meshes::friction;
    o.most_contacts = 256;
    print_row("s4_meshes", "ODE 0.16.2", drop(o));
  }
}

}  // namespace carom::bench
