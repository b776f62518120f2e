// Prints the heap of spheres (S2) as a scene file: the peers and Carom start from the same points.
//
//   bench_spheres_scene COUNT
#include <cstdio>
#include <cstdlib>

#include "../../common/spheres.h"

int main(int count, char** words) {
  using carom::bench::Point;
  using S = carom::bench::Spheres;
  const int spheres = count > 1 ? std::atoi(words[1]) : 1000;
  std::puts(
      "# Spheres fall into a box: written by bench_spheres_scene (benchmarks/scenes/s2_spheres).\n"
      "carom: 1\n"
      "name: Heap of spheres\n"
      "bodies:\n"
      "  box:\n"
      "    fixed: true\n"
      "    material: steel\n"
      "    shapes:\n"
      "      - {half_space: {}}\n"
      "      - {half_space: {}, at: [1, 0, 0], rotation: [0, -1.5707963267948966, 0]}\n"
      "      - {half_space: {}, at: [-1, 0, 0], rotation: [0, 1.5707963267948966, 0]}\n"
      "      - {half_space: {}, at: [0, 1, 0], rotation: [1.5707963267948966, 0, 0]}\n"
      "      - {half_space: {}, at: [0, -1, 0], rotation: [-1.5707963267948966, 0, 0]}");
  int number = 0;
  for (const Point& p : S::start(spheres)) {
    std::printf(
        "  s%d: {mass: %.17g, inertia: [%.17g, %.17g, %.17g], material: steel, "
        "shapes: [{sphere: {radius: 0.05}}], position: [%.17g, %.17g, %.17g]}\n",
        ++number, S::mass(), S::inertia(), S::inertia(), S::inertia(), p.x, p.y, p.z);
  }
  std::puts(
      "contact: {law: exact, restitution: 0.1, friction: coulomb, mu_k: 0.5, v_small: 0.01, "
      "resistance: none, k_red: 2.2e-4}\n"
      "run: {until: 2, integrator: semi_implicit_euler, step: 2.8e-4}");
}
