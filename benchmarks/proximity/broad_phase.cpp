// Broad phase over moving spheres: CPU time per sphere and step.
//
//   broad_phase [repeats] > broad_phase.csv
//
// Spheres of radius 0.05 m fill a cube so that each box overlaps 2.8 others (1.4 pairs per
// sphere), move with up to 1 m/s along each axis and are reflected at the walls. A step
// is 2 ms: 2 % of a diameter. Each step writes all boxes and finds all pairs whose tight
// boxes overlap (margin 0); moving the spheres is not counted. A slowdown in the course
// of 300 steps would show in the last column (last 50 steps against the first 50).
#include <time.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <vector>

#include "carom/proximity/search/broad_phase.h"

namespace {

constexpr double kRadius = 0.05, kStep = 0.002, kPairsPerSphere = 1.4;
constexpr int kSteps = 300, kEnds = 50;

double cpu_seconds() {
  timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

struct Result {
  double mean = 0.0, first = 0.0, last = 0.0;  ///< [s] per step
  double pairs = 0.0;                          ///< per sphere
};

Result run(std::size_t n) {
  // Boxes of side d overlap if their centres differ by less than d along each axis, so
  // a sphere has n (2 d)³ / V partners, each pair counted twice.
  const double d = 2.0 * kRadius;
  const double side = std::cbrt(static_cast<double>(n) * 8.0 * d * d * d / (2.0 * kPairsPerSphere));
  std::mt19937_64 gen(1);
  std::uniform_real_distribution<double> place(0.0, side), speed(-1.0, 1.0);
  std::vector<carom::Vec3> p(n), v(n);
  for (std::size_t i = 0; i < n; ++i) {
    p[i] = {place(gen), place(gen), place(gen)};
    v[i] = {speed(gen), speed(gen), speed(gen)};
  }
  std::vector<carom::BoundingBox> boxes(n);
  carom::BroadPhaseWorkspace workspace;
  carom::CandidateList list;
  const carom::Vec3 r{kRadius, kRadius, kRadius};
  Result out;
  for (int step = 0; step < kSteps; ++step) {
    for (std::size_t i = 0; i < n; ++i) {
      p[i] += kStep * v[i];
      for (std::size_t k = 0; k < 3; ++k) {
        if (p[i][k] < 0.0 || p[i][k] > side) v[i][k] = std::copysign(v[i][k], side - 2.0 * p[i][k]);
      }
    }
    const double start = cpu_seconds();
    for (std::size_t i = 0; i < n; ++i) boxes[i] = {p[i] - r, p[i] + r};
    carom::find_candidates(boxes, {}, 0.0, workspace, list);
    const double time = cpu_seconds() - start;
    out.mean += time / kSteps;
    if (step < kEnds) out.first += time / kEnds;
    if (step >= kSteps - kEnds) out.last += time / kEnds;
    out.pairs += static_cast<double>(list.pairs.size()) / static_cast<double>(n) / kSteps;
  }
  return out;
}

}  // namespace

int main(int argc, char** argv) {
  const int repeats = argc > 1 ? std::max(1, std::atoi(argv[1])) : 3;
  std::printf("spheres,pairs_each,ns_each_step,last_over_first\n");
  for (const std::size_t n : {1000u, 10000u, 100000u}) {
    Result best = run(n);
    for (int k = 1; k < repeats; ++k) {
      const Result again = run(n);
      if (again.mean < best.mean) best = again;
    }
    std::printf("%zu,%.2f,%.1f,%.2f\n", n, best.pairs, 1e9 * best.mean / static_cast<double>(n),
                best.last / best.first);
  }
}
