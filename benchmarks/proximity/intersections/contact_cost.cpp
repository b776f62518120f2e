// What contact of two triangle surfaces costs, over the number of triangle pairs that meet.
//
//   bench_contact_cost > contact_cost.csv
//
// A flat slab on one with bumps, 1 to some hundred of them, of 200 triangles per bump.
// `curves_us`: pairs, segments and curves. `detection_us`: that and what the curves go around, with
// vector areas, volumes and moments. `listed_us`: the same with the list of near pairs that a run
// keeps from pose to pose. `response_us`: depth field, force and centre of pressure of every patch.
// `kept_us`: patches that are moved along with the bodies, where they are found once per step.
// Medians.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numbers>

#include "../../common/clock.h"
#include "carom/proximity/triangles/carried_patches.h"

namespace carom::bench {
namespace {

using namespace triangles;

/// Median CPU time of a call [µs].
template <class Call>
double median_time(Call&& call) {
  constexpr int kCalls = 41;
  constexpr double kPatience = 2.0;  // [s]
  std::vector<double> times;
  const double begun = thread_cpu_seconds();
  call();  // buffers grow
  for (int i = 0; i < kCalls && thread_cpu_seconds() - begun < kPatience; ++i) {
    const double start = thread_cpu_seconds();
    call();
    times.push_back(thread_cpu_seconds() - start);
  }
  return 1e6 * quantile(times, 0.5);
}

/// A slab whose top has n by n bumps on cells of 1 m, each of 8 by 8 squares; flat if they are 0
/// high.
TriangleMesh slab(std::uint32_t n, double height) {
  constexpr std::uint32_t kSquares = 8;
  const std::uint32_t m = n * kSquares, row = m + 1;
  TriangleMesh out;
  for (const double base : {-1.0, 0.0}) {
    for (std::uint32_t i = 0; i < row; ++i) {
      for (std::uint32_t j = 0; j < row; ++j) {
        const double x = 1.0 * i / kSquares, y = 1.0 * j / kSquares;
        const double up = std::sin(std::numbers::pi * x) * std::sin(std::numbers::pi * y);
        out.vertices.push_back({x, y, base < 0.0 ? base : height * up * up});
      }
    }
  }
  const std::uint32_t top = row * row;
  for (std::uint32_t i = 0; i < m; ++i) {
    for (std::uint32_t j = 0; j < m; ++j) {
      const std::uint32_t a = i * row + j, b = a + row, c = b + 1, d = a + 1;
      out.triangles.insert(out.triangles.end(), {{a, d, c}, {a, c, b}});
      out.triangles.insert(out.triangles.end(),
                           {{top + a, top + b, top + c}, {top + a, top + c, top + d}});
    }
    const auto wall = [&](std::uint32_t p, std::uint32_t q) {
      out.triangles.insert(out.triangles.end(), {{p, q, top + q}, {p, top + q, top + p}});
    };
    wall((i + 1) * row, i * row), wall(i * row + m, (i + 1) * row + m);
    wall(i, i + 1), wall(m * row + i + 1, m * row + i);
  }
  return out;
}

/// Upside down on the bumps, turned a little, another way in every call: a pose that comes again
/// would be known to caches and branches as no pose of a run is.
class Poses {
 public:
  Poses(double size, double depth)
      : middle_(Pose::translation({0.5 * size, 0.5 * size, 0.0})),
        over_(Pose::translation({0.0, 0.0, 0.2 - depth})) {}
  Pose next() {
    const double turn = 0.1 + 0.003 * (++calls_ % kPoses);
    return over_ * middle_ * Pose::rotation(rotation_z(turn) * rotation_x(std::numbers::pi)) *
           inverse(middle_);
  }

 private:
  static constexpr int kPoses = 41;
  Pose middle_, over_;
  int calls_ = 0;
};

void measure(std::uint32_t bumps, double depth) {
  const TriangleSurface A = make_triangle_surface(slab(bumps, 0.2)),
                        B = make_triangle_surface(slab(bumps, 0.0));
  Poses poses(bumps, depth);
  Intersection x;
  NearPairs near;
  const double curves = median_time([&] { find_curves(A, B, poses.next(), x); });
  const double all = median_time([&] { intersect(A, B, poses.next(), x); });
  // A run moves by less than the margin of its list in most steps.
  const Pose last = poses.next();
  int calls = 0;
  intersect(A, B, last, x, Faces::second_drawn_in, &near);
  const double listed = median_time([&] {
    const Pose X_AB = Pose::translation({1e-7 * ++calls, 0.0, 0.0}) * last;
    intersect(A, B, X_AB, x, Faces::second_drawn_in, &near);
  });
  SurfaceState found, moved;
  const double response = median_time([&] {
    found.patches.clear();
    for (const TrianglePatch& patch : x.patches) {
      found.patches.push_back(calc_load(A, B, last.R, x, patch));
    }
  });
  const Motions little{{}, Pose::translation({1e-6, 0.0, 0.0})};
  const double kept = median_time([&] { carry(found, little, moved); });
  std::printf("%zu,%zu,%zu,%.4g,%.4g,%.4g,%.4g,%.4g\n", A.triangles.size() + B.triangles.size(),
              x.curves.segments.size(), x.patches.size(), curves, all, listed, response, kept);
  std::fflush(stdout);
}

}  // namespace
}  // namespace carom::bench

int main() {
  std::puts("triangles,pairs,patches,curves_us,detection_us,listed_us,response_us,kept_us");
  carom::bench::measure(1, 0.003);
  for (const std::uint32_t bumps : {1u, 2u, 3u, 5u, 8u, 13u, 18u, 23u}) {
    carom::bench::measure(bumps, 0.03);
  }
}
