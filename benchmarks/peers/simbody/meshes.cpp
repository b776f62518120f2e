// Mesh on mesh in Simbody: elastic foundation, the ground closed to a body.
#include "../../common/meshes.h"

#include "../s4.h"
#include "world.h"

namespace carom::bench {
namespace {

using SimTK::Vec3;

SimTK::ContactGeometry::TriangleMesh simbody_mesh(const Mesh& mesh) {
  SimTK::PolygonalMesh made;
  for (const auto& v : mesh.vertices) made.addVertex(Vec3(v[0], v[1], v[2]));
  for (const auto& t : mesh.triangles) {
    SimTK::Array_<int> face;
    for (const int corner : t) face.push_back(corner);
    made.addFace(face);
  }
  return SimTK::ContactGeometry::TriangleMesh(made);
}

std::unique_ptr<SimTK::Integrator> integrator_of(const World& world, bool merson) {
  if (merson) return std::make_unique<SimTK::RungeKuttaMersonIntegrator>(world.system);
  return std::make_unique<SimTK::SemiExplicitEuler2Integrator>(world.system);
}

/// 1 MPa over a foundation of 20 mm: it sinks by a few millimetres.
Row drop(bool merson, double accuracy) {
  using S = Meshes;
  World world(S::gravity, 0.01);
  const SimTK::ContactMaterial material(1e6, 1.0, S::friction, S::friction, 0);
  constexpr double kThickness = 0.02;
  world.matter.Ground().updBody().addContactSurface(
      SimTK::Transform(),
      SimTK::ContactSurface(simbody_mesh(S::closed_ground()), material, kThickness));
  SimTK::Body::Rigid torus(
      SimTK::MassProperties(S::mass, Vec3(0), SimTK::Inertia(S::Ix, S::Ix, S::Iz)));
  torus.addContactSurface(SimTK::Transform(),
                          SimTK::ContactSurface(simbody_mesh(S::torus()), material, kThickness));
  SimTK::MobilizedBody::Free body(world.matter.Ground(), SimTK::Transform(), torus,
                                  SimTK::Transform());
  SimTK::State state = world.system.realizeTopology();
  body.setQToFitTranslation(state, Vec3(0, 0, S::height));
  const auto integrator = integrator_of(world, merson);
  integrator->setAccuracy(accuracy);
  integrator->initialize(state);
  double until = 0.0;
  Row row = run_meshes(
      std::string(merson ? "RungeKuttaMerson" : "SemiExplicitEuler2") + " accuracy " +
          short_number(accuracy) + ", elastic foundation 1 MPa",
      0.0, S::sample,
      [&] {
        until += S::sample;
        advance(*integrator, until);
      },
      [&] {
        const SimTK::State& now = integrator->getState();
        world.system.realize(now, SimTK::Stage::Velocity);
        const SimTK::Transform& X = body.getBodyTransform(now);
        TorusAt at;
        for (int i = 0; i < 3; ++i) {
          const auto line = static_cast<std::size_t>(i);
          at.p[line] = X.p()[i];
          for (int k = 0; k < 3; ++k) at.R[line][static_cast<std::size_t>(k)] = X.R()[i][k];
        }
        at.speed = body.getBodyOriginVelocity(now).norm();
        return at;
      });
  row.evaluations = integrator->getNumRealizations();
  return row;
}

}  // namespace

void s4() {
  print_row("s4_meshes", "Simbody 3.7", drop(false, 1e-2));
  print_row("s4_meshes", "Simbody 3.7", drop(true, 1e-3));
}

}  // namespace carom::bench
