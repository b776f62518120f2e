// Mesh on mesh in DART: its mesh shapes, collided by FCL.
#include "../../common/meshes.h"

#include "../s4.h"
#include "world.h"

namespace carom::bench {
namespace {

ShapePtr dart_mesh(const std::string& name) {
  const std::string file = std::string(CAROM_BENCH_WRITTEN) + "/s4_meshes/" + name + ".off";
  return std::make_shared<dart::dynamics::MeshShape>(Vector3d::Ones(),
                                                     dart::dynamics::MeshShape::loadMesh(file));
}

Row drop(double step) {
  using S = Meshes;
  World w(step, S::gravity);
  w.use_fcl();
  w.add_fixed(dart_mesh("ground"), Vector3d::Zero(), S::friction, 0.0);
  BodyNode* body = w.add_free(dart_mesh("torus"), S::mass, Vector3d(S::Ix, S::Ix, S::Iz),
                              Vector3d(0, 0, S::height), S::friction, 0.0);
  return run_meshes(
      "Dantzig, FCL's collisions, step " + short_number(step) + " s", 0.0, step, [&] { w.step(); },
      [&] {
        const Eigen::Isometry3d& X = body->getWorldTransform();
        TorusAt at;
        for (int i = 0; i < 3; ++i) {
          const auto row = static_cast<std::size_t>(i);
          at.p[row] = X.translation()[i];
          for (int k = 0; k < 3; ++k) at.R[row][static_cast<std::size_t>(k)] = X.linear()(i, k);
        }
        at.speed = body->getLinearVelocity().norm();
        return at;
      });
}

}  // namespace

void s4() { print_row("s4_meshes", "DART 6.12.1", drop(1e-3)); }

}  // namespace carom::bench
