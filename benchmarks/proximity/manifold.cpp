// Contact manifolds: CPU time per call, given the distance query's answer.
//
//   manifold [calls]
//
// Bodies rest on each other in flat and conforming contact; B turns about the normal and
// tilts a little from call to call, so that no two calls see the same patch.
#include <time.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <numbers>
#include <vector>

#include "carom/geometry/shape.h"
#include "carom/proximity/manifold/manifold.h"

namespace {

using namespace carom;

double cpu_seconds() {
  timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

Shape shape(const char* kind, std::vector<double> params) {
  return make_shape({.kind = find_shape_kind(kind), .params = std::move(params)});
}

struct Case {
  const char* name;
  Shape a, b;
  Pose X_WB;
};

struct Query {
  Pose X_WB;
  Contact contact;
};

void run(const Case& c, int calls) {
  std::vector<Query> queries;
  for (int i = 0; i < 64; ++i) {
    const Mat3 turned = rotation_z(0.05 * i) * rotation_x(3e-6 * (i % 16)) * c.X_WB.R;
    const Pose X{turned, c.X_WB.p};
    queries.push_back({X, distance(c.a.core, {}, c.b.core, X)});
  }
  Manifold m;
  double best = 1e9, points = 0.0;
  for (int repeat = 0; repeat < 5; ++repeat) {
    points = 0.0;
    const double start = cpu_seconds();
    for (int i = 0; i < calls; ++i) {
      const Query& q = queries[static_cast<std::size_t>(i) % queries.size()];
      find_manifold(c.a.core, {}, c.b.core, q.X_WB, q.contact, kDefaultTilt, m);
      points += m.count;
    }
    best = std::min(best, cpu_seconds() - start);
  }
  std::printf("%-28s %8.0f %10.1f\n", c.name, 1e9 * best / calls, points / calls);
}

}  // namespace

int main(int argc, char** argv) {
  const int calls = argc > 1 ? std::max(64, std::atoi(argv[1])) : 20000;
  const Mat3 upright = rotation_y(0.5 * std::numbers::pi);
  const Shape ground = shape("half_space", {}), box = shape("box", {0.2, 0.15, 0.1});
  const Shape can = shape("cylinder", {0.05, 0.2}), ball = shape("sphere", {0.05});
  const Case cases[] = {
      {"sphere on half space", ground, ball, {{}, {0, 0, 0.05}}},
      {"box on half space", ground, box, {{}, {0, 0, 0.05}}},
      {"box on box", box, box, {{}, {0.02, 0.03, 0.1}}},
      {"standing cylinder on box", box, can, {upright, {0.02, 0.03, 0.15}}},
      {"lying cylinder on box", box, can, {{}, {0.02, 0.03, 0.1}}},
      {"cylinder on cylinder, lying", can, can, {{}, {0.02, 0.0, 0.1}}},
  };
  std::printf("%-28s %8s %10s\n", "pair", "ns", "points");
  for (const Case& c : cases) run(c, calls);
}
