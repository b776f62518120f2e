// Smooth surfaces: CPU time of a tracked contact, of a search of all minima and of an area, beside
// the warm distance of two ellipsoids in the same run.
//
//   surfaces [calls]
//
// B turns and sinks a little from call to call, as it does from step to step.
#include <time.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "carom/geometry/shape.h"
#include "carom/math/rotation.h"
#include "carom/proximity/area/area_patch.h"
#include "carom/proximity/finder.h"

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

Shape superquadric(const Vec3& radii, double p) {
  ShapeInput input{.kind = find_shape_kind("superquadric"), .params = {radii.x, radii.y, radii.z}};
  input.formulas.ranges = {{"exponents", p, p}};
  return make_shape(std::move(input));
}

Shape formula(const char* kind, std::vector<SurfaceFormulas::Text> texts,
              std::vector<SurfaceFormulas::Range> ranges) {
  ShapeInput input{.kind = find_shape_kind(kind)};
  input.formulas.texts = std::move(texts), input.formulas.ranges = std::move(ranges);
  return make_shape(std::move(input));
}

struct Case {
  const char* name;
  Shape a, b;
  Pose X_WB;     ///< apart by a little, or in overlap where an area is asked for
  double limit;  ///< times the warm distance of two ellipsoids
};

ShapePiece piece_of(const Shape& s) {
  ShapePiece piece = s.surface ? make_piece(*s.surface, s.core) : make_piece(s.core, false);
  prepare_for_smooth(piece);
  return piece;
}

Pose pose_of(const Case& c, int i) {
  const double a = 1e-4 * (i % 16);
  return {to_matrix(quat_exp({a, 0.5 * a, a})) * c.X_WB.R,
          c.X_WB.p - Vec3{0.0, 0.0, 1e-6 * (i % 16)}};
}

/// The least of several rounds: others use the machine, too.
template <class Call>
double least_time(int calls, Call&& call) {
  double least = 1e9;
  for (int round = 0; round < 7; ++round) {
    const double begin = cpu_seconds();
    for (int i = 0; i < calls; ++i) call(i);
    least = std::min(least, (cpu_seconds() - begin) / calls);
  }
  return 1e6 * least;
}

double median_search(const Case& c) {
  const ShapePiece a = piece_of(c.a), b = piece_of(c.b);
  std::vector<double> times;
  std::vector<DistanceCache> sites;
  const Pose X_WA;
  for (int i = 0; i < 101; ++i) {
    const Pose X = pose_of(c, i);
    const double begin = cpu_seconds();
    finder_smooth.find_sites({a, X_WA}, {b, X}, 0.05 * std::min(a.reach, b.reach), sites);
    times.push_back(1e6 * (cpu_seconds() - begin));
  }
  std::ranges::nth_element(times, times.begin() + 50);
  return times[50];
}

double tracked(const Case& c, int calls) {
  const ShapePiece a = piece_of(c.a), b = piece_of(c.b);
  const ContactFinder& finder = finder_of(a, b);
  const Pose X_WA;
  DistanceCache memory;
  finder.remember({a, X_WA}, {b, pose_of(c, 0)}, memory);
  double sum = 0.0;
  const double time = least_time(calls, [&](int i) {
    sum += finder.find({a, X_WA}, {b, pose_of(c, i)}, memory, nullptr).phi;
  });
  if (!std::isfinite(sum)) std::printf("  not a number\n");
  return time;
}

double area_time(const Case& c, int order, int calls, double& error) {
  const ShapePiece a = piece_of(c.a), b = piece_of(c.b);
  const Pose X_WA, X_WB = c.X_WB;
  const Contact contact = finder_of(a, b).find({a, X_WA}, {b, X_WB}, {}, nullptr);
  const AreaBody A{a.core, X_WA, a.centre, a.reach, a.smooth},
      B{b.core, X_WB, b.centre, b.reach, b.smooth};
  AreaPatch patch;
  find_area(A, B, contact, 8, patch);
  const double finest = patch.volume;
  const double time = least_time(calls, [&](int) { find_area(A, B, contact, order, patch); });
  error = std::abs(patch.volume / finest - 1.0);
  return time;
}

}  // namespace

int main(int count, char** words) {
  const int calls = count > 1 ? std::atoi(words[1]) : 2000;
  const Mat3 tilted = to_matrix(quat_exp({0.2, 0.3, 0.1}));
  const Shape egg = shape("ellipsoid", {0.15, 0.1, 0.08}), ball = shape("sphere", {0.1});
  const Shape bowl = formula("graph", {{"z", "0.5*x^2 + 0.3*y^2"}}, {{"x", -1, 1}, {"y", -1, 1}});
  const Shape crate =
      formula("graph", {{"z", "0.05*cos(7*x)*sin(6*y + 0.3)"}}, {{"x", -1, 1}, {"y", -1, 1}});
  const Shape ring = formula("implicit", {{"h", "(sqrt(x^2+y^2)-0.3)^2 + z^2 - 0.01"}},
                             {{"x", -0.5, 0.5}, {"y", -0.5, 0.5}, {"z", -0.2, 0.2}});
  const Shape torus = shape("torus", {0.3, 0.1}), link = shape("torus", {0.3, 0.05});
  const Shape box = shape("box", {0.3, 0.2, 0.12}), rod = shape("cylinder", {0.06, 0.3});
  const auto at = [&](double x, double y, double z) { return Pose{tilted, {x, y, z}}; };
  const std::vector<Case> cases = {
      {"torus, ball", torus, ball, at(0.3, 0.0, 0.201), 2.0},
      {"torus, ellipsoid", torus, egg, at(0.3, 0.0, 0.2), 2.0},
      {"graph, ball", bowl, ball, at(0.1, 0.05, 0.12), 2.0},
      {"graph, ellipsoid", bowl, egg, at(0.1, 0.05, 0.12), 2.0},
      {"graph, box", crate, box, at(0.1, 0.05, 0.2), 2.0},
      {"graph, cylinder", crate, rod, at(0.1, 0.05, 0.2), 2.0},
      {"graph, superquadric 4", crate, superquadric({0.15, 0.1, 0.08}, 4.0), at(0.1, 0.05, 0.2),
       3.0},
      {"torus, torus", torus, link, at(0.55, 0.0, 0.1), 2.0},
      {"implicit, ball", ring, ball, at(0.3, 0.0, 0.201), 4.0},
      {"implicit, ellipsoid", ring, egg, at(0.3, 0.0, 0.2), 4.0},
      {"implicit, box", ring, box, at(0.3, 0.0, 0.22), 4.0},
  };
  const Case two{"two ellipsoids", egg, egg, at(0.02, 0.01, 0.19), 1.0};
  const double unit = tracked(two, calls);
  std::printf("%-24s %10s %8s %8s %14s\n", "pair", "tracked us", "times", "limit", "search us");
  std::printf("%-24s %10.3f %8.2f %8.1f %14s\n", two.name, unit, 1.0, 1.0, "-");
  for (const Case& c : cases) {
    const double time = tracked(c, calls);
    std::printf("%-24s %10.3f %8.2f %8.1f %14.1f\n", c.name, time, time / unit, c.limit,
                median_search(c));
  }
  std::printf("\n%-24s %8s %10s %12s\n", "area", "points", "us", "difference");
  const std::vector<Case> areas = {
      {"two ellipsoids", egg, egg, {Mat3{}, {0.0, 0.0, 0.157}}, 0.0},
      {"graph, ball", bowl, ball, {Mat3{}, {0.0, 0.0, 0.098}}, 0.0},
      {"implicit, ball", ring, ball, {Mat3{}, {0.3, 0.0, 0.198}}, 0.0},
      {"torus, ball", torus, ball, {Mat3{}, {0.3, 0.0, 0.198}}, 0.0},
  };
  for (const Case& c : areas) {
    for (const int order : {6, 8}) {
      double error = 0.0;
      const double time = area_time(c, order, calls / 10 + 1, error);
      std::printf("%-24s %8d %10.2f %12.1e\n", c.name, order * order, time, error);
    }
  }
  return 0;
}
