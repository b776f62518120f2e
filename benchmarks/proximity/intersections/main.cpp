// All pairs of intersecting triangles of two meshes: Carom beside FCL, ODE and Bullet.
//
//   bench_intersections > intersections.csv
//   bench_intersections carom_curves torus20k 1000     one engine, one mesh, so many calls
//
// Bumpy spheres and tori of about 5, 20 and 80 thousand triangles, B a copy of A in one pose.
// Referee: the number of pairs by exact predicates (CGAL). Carom gives pairs, segments with their
// points, and curves; with `patches` also vector area, volume and moments. The peers give pairs
// (FCL), or contacts (ODE, Bullet), of which there may be fewer or more.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include "../../common/clock.h"
#include "engine.h"
#include "tests/proximity/surface_meshes.h"

namespace carom::bench {
namespace {

struct Case {
  const char* name;
  bool is_torus;
  int fineness;
  std::size_t pairs;
};
constexpr Case kCases[] = {{"sphere5k", false, 4, 108},  {"sphere20k", false, 5, 218},
                           {"sphere82k", false, 6, 440}, {"torus5k", true, 50, 442},
                           {"torus20k", true, 100, 892}, {"torus70k", true, 187, 1656}};

constexpr MakeEngine kEngines[] = {
    make_carom_curves, make_carom_patches,
#ifdef CAROM_BENCH_FCL
    make_fcl,
#endif
#ifdef CAROM_BENCH_ODE
    make_ode,
#endif
#ifdef CAROM_BENCH_BULLET
    make_bullet,
#endif
};

void measure(const Case& c, IntersectionEngine& engine, std::size_t triangles, int calls) {
  std::size_t found = engine.find();  // buffers grow
  std::vector<double> times;
  const double begun = thread_cpu_seconds();
  for (int i = 0; i < calls && thread_cpu_seconds() - begun < kCpuLimit; ++i) {
    const double start = thread_cpu_seconds();
    found = engine.find();
    times.push_back(1e6 * (thread_cpu_seconds() - start));
  }
  std::printf("%s,%zu,%s,%.4g,%.4g,%.4g,%zu,%zu\n", c.name, triangles, engine.name(),
              quantile(times, 0.5), quantile(times, 0.0), quantile(times, 0.9), found, c.pairs);
  std::fflush(stdout);
}

}  // namespace
}  // namespace carom::bench

int main(int argc, char** argv) {
  using namespace carom;
  using namespace carom::bench;
  const char* only_engine = argc > 1 ? argv[1] : nullptr;
  const char* only_mesh = argc > 2 ? argv[2] : nullptr;
  const int calls = argc > 3 ? std::atoi(argv[3]) : 101;
  std::puts("mesh,triangles,engine,median_us,least_us,ninth_decile_us,found,pairs");
  for (const Case& c : kCases) {
    if (only_mesh && std::strcmp(only_mesh, c.name) != 0) continue;
    const TriangleMesh mesh = c.is_torus ? test::bumpy_torus(static_cast<std::uint32_t>(c.fineness))
                                         : test::bumpy_sphere(c.fineness);
    const Pose X{to_matrix(Quat{0.8, 0.3, 0.4, 0.33}),
                 c.is_torus ? Vec3{1.0, 0.1, 0.05} : Vec3{1.9, 0.11, 0.07}};
    for (const MakeEngine make : kEngines) {
      const std::unique_ptr<IntersectionEngine> engine = make(mesh, X);
      if (only_engine && std::strcmp(only_engine, engine->name()) != 0) continue;
      measure(c, *engine, mesh.triangles.size(), calls);
    }
  }
}
