// Mesh on mesh in Bullet: a GImpact mesh on a tree of triangles.
#include "../../common/meshes.h"

#include <BulletCollision/Gimpact/btGImpactCollisionAlgorithm.h>
#include <BulletCollision/Gimpact/btGImpactShape.h>

#include "../s4.h"
#include "world.h"

namespace carom::bench {
namespace {

std::unique_ptr<btTriangleMesh> bullet_mesh(const Mesh& mesh) {
  auto made = std::make_unique<btTriangleMesh>();
  const auto at = [&](int i) {
    const auto& v = mesh.vertices[static_cast<std::size_t>(i)];
    return btVector3(v[0], v[1], v[2]);
  };
  for (const auto& t : mesh.triangles) made->addTriangle(at(t[0]), at(t[1]), at(t[2]));
  return made;
}

/// Its margin of 2 mm covers the torus; the ground has Bullet's own of 40 mm set to none.
Row drop(const Options& o) {
  using S = Meshes;
  constexpr double kMargin = 2e-3;
  const auto ground_mesh = bullet_mesh(S::ground()), torus_mesh = bullet_mesh(S::torus());
  World w(o);
  w.enable_gimpact();
  auto* ground = w.shape<btBvhTriangleMeshShape>(ground_mesh.get(), true);
  ground->setMargin(0.0);
  w.add(ground, 0, btVector3(0, 0, 0), btVector3(0, 0, 0), S::friction, 0);
  auto* torus = w.shape<btGImpactMeshShape>(torus_mesh.get());
  torus->setMargin(kMargin);
  torus->updateBound();
  btRigidBody* body = w.add(torus, S::mass, btVector3(S::Ix, S::Ix, S::Iz),
                            btVector3(0, 0, S::height), S::friction, 0);
  return run_meshes(
      setting_of(o) + ", GImpact, margin 2 mm", kMargin, o.step, [&] { w.step(); },
      [&] {
        const btTransform& X = body->getWorldTransform();
        TorusAt at;
        for (int i = 0; i < 3; ++i) {
          const auto row = static_cast<std::size_t>(i);
          at.p[row] = X.getOrigin()[i];
          for (int k = 0; k < 3; ++k) at.R[row][static_cast<std::size_t>(k)] = X.getBasis()[i][k];
        }
        at.speed = body->getLinearVelocity().length();
        return at;
      });
}

}  // namespace

void s4() {
  for (const Options& o : {Options{1.0 / 240.0, 10}, Options{1e-3, 10}, Options{1e-3, 50}}) {
    print_row("s4_meshes", "Bullet 3.24 double", drop(o));
  }
}

}  // namespace carom::bench
