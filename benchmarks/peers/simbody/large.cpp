// Many bodies in Simbody: a heap of spheres, and stacks of cubes whose lower corners are spheres on
// half-spaces that the cubes below carry.
#include "large.h"

#include "../../common/spheres.h"
#include "../../common/stacks.h"
#include "world.h"

namespace carom::bench {
namespace {

using SimTK::Vec3;

SimTK::Body::Rigid rigid(double mass, double inertia) {
  return SimTK::Body::Rigid(SimTK::MassProperties(mass, Vec3(0), SimTK::Inertia(inertia)));
}

/// Surfaces that share a clique do not touch: only a top and the corners right above it may.
struct Cliques {
  SimTK::ContactCliqueId tops = SimTK::ContactSurface::createNewContactClique();
  SimTK::ContactCliqueId corners = SimTK::ContactSurface::createNewContactClique();
  std::vector<std::vector<SimTK::ContactCliqueId>> apart;  ///< of top i and the corners of cube k

  Cliques() : apart(Stacks::cubes + 1) {
    for (auto& row : apart) {
      for (int k = 0; k <= Stacks::cubes; ++k) {
        row.push_back(SimTK::ContactSurface::createNewContactClique());
      }
    }
  }
};

constexpr double kCorner = 0.01;

SimTK::ContactSurface top_of(int i, const Cliques& cliques, const SimTK::ContactMaterial& m) {
  SimTK::ContactSurface surface(SimTK::ContactGeometry::HalfSpace(), m);
  surface.joinClique(cliques.tops);
  for (int k = 1; k <= Stacks::cubes; ++k) {
    if (k != i + 1) surface.joinClique(cliques.apart[size_t(i)][size_t(k)]);
  }
  return surface;
}

SimTK::ContactSurface corner_of(int k, const Cliques& cliques, const SimTK::ContactMaterial& m) {
  SimTK::ContactSurface surface(SimTK::ContactGeometry::Sphere(kCorner), m);
  surface.joinClique(cliques.corners);
  for (int i = 0; i <= Stacks::cubes; ++i) {
    if (i != k - 1) surface.joinClique(cliques.apart[size_t(i)][size_t(k)]);
  }
  return surface;
}

Row stack(double lean, double accuracy, double transition) {
  using S = Stacks;
  World world(S::gravity, transition);
  const SimTK::ContactMaterial material(1e8, 1.0, S::friction, S::friction, 0);
  const Cliques cliques;
  const SimTK::Rotation up(SimTK::Pi / 2, SimTK::YAxis);
  world.matter.Ground().updBody().addContactSurface(SimTK::Transform(up, Vec3(0)),
                                                    top_of(0, cliques, material));
  std::vector<SimTK::MobilizedBody::Free> bodies;
  const double half = S::edge / 2;
  for (int k = 1; k <= S::cubes; ++k) {
    SimTK::Body::Rigid cube = rigid(S::mass, S::inertia);
    if (k < S::cubes) {
      cube.addContactSurface(SimTK::Transform(up, Vec3(0, 0, half)), top_of(k, cliques, material));
    }
    for (int c = 0; c < 4; ++c) {
      const Vec3 at((c & 1 ? 1 : -1) * (half - kCorner), (c & 2 ? 1 : -1) * (half - kCorner),
                    kCorner - half);
      cube.addContactSurface(SimTK::Transform(at), corner_of(k, cliques, material));
    }
    bodies.emplace_back(world.matter.Ground(), SimTK::Transform(), cube, SimTK::Transform());
  }
  SimTK::State state = world.system.realizeTopology();
  for (int i = 0; i < S::cubes; ++i) {
    bodies[size_t(i)].setQToFitTranslation(state, Vec3(S::x(i, lean), 0, S::z(i)));
  }
  const auto integrator = start(world, Method::bdf, accuracy, state);
  double until = 0.0;
  Row row = run_stack(
      name_of(Method::bdf, accuracy) + " transition " + short_number(transition) + " m/s", lean,
      S::sample,
      [&] {
        until += S::sample;
        advance(*integrator, until);
      },
      [&] {
        world.system.realize(integrator->getState(), SimTK::Stage::Position);
        std::vector<CubeAt> cubes;
        for (const auto& body : bodies) {
          const SimTK::Transform& X = body.getBodyTransform(integrator->getState());
          cubes.push_back({X.p()[0], X.p()[1], X.p()[2], X.R()[2][2]});
        }
        return cubes;
      });
  row.evaluations = integrator->getNumRealizations();
  return row;
}

Row spheres(double accuracy) {
  using S = Spheres;
  World world(S::gravity, 0.01);
  const SimTK::ContactMaterial material(1e8, 0.5, S::friction, S::friction, 0);
  world.add_floor(material);
  const auto add_wall = [&](double angle, const Vec3& at) {  // the solid side is +x of its frame
    world.matter.Ground().updBody().addContactSurface(
        SimTK::Transform(SimTK::Rotation(angle, SimTK::ZAxis), at),
        SimTK::ContactSurface(SimTK::ContactGeometry::HalfSpace(), material));
  };
  add_wall(0.0, Vec3(S::half, 0, 0));
  add_wall(SimTK::Pi, Vec3(-S::half, 0, 0));
  add_wall(SimTK::Pi / 2, Vec3(0, S::half, 0));
  add_wall(-SimTK::Pi / 2, Vec3(0, -S::half, 0));
  SimTK::Body::Rigid ball = rigid(S::mass(), S::inertia());
  ball.addContactSurface(
      SimTK::Transform(),
      SimTK::ContactSurface(SimTK::ContactGeometry::Sphere(S::radius), material));
  const std::vector<Point> points = S::start(1000);
  std::vector<SimTK::MobilizedBody::Free> bodies;
  for (std::size_t i = 0; i < points.size(); ++i) {
    bodies.emplace_back(world.matter.Ground(), SimTK::Transform(), ball, SimTK::Transform());
  }
  SimTK::State state = world.system.realizeTopology();
  for (std::size_t i = 0; i < points.size(); ++i) {
    bodies[i].setQToFitTranslation(state, Vec3(points[i].x, points[i].y, points[i].z));
  }
  const auto integrator = start(world, Method::merson, accuracy, state);
  double until = 0.0;
  Row row = run_spheres(
      name_of(Method::merson, accuracy), S::sample,
      [&] {
        until += S::sample;
        advance(*integrator, until);
      },
      [&] {
        world.system.realize(integrator->getState(), SimTK::Stage::Position);
        std::vector<Point> now;
        for (const auto& body : bodies) {
          const Vec3 p = body.getBodyOriginLocation(integrator->getState());
          now.push_back({p[0], p[1], p[2]});
        }
        return now;
      });
  row.evaluations = integrator->getNumRealizations();
  return row;
}

}  // namespace

void s2() { print_row("s2_spheres", "Simbody 3.7", spheres(1e-3)); }

void s3() {
  for (const double lean : Stacks::leans) {
    print_row(stack_scene(lean), "Simbody 3.7", stack(lean, 1e-4, 1e-5));
  }
}

}  // namespace carom::bench
