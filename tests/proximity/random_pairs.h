// Random pairs of bodies of every kind, in general and in degenerate poses, and the
// checks that every answer must pass.
#pragma once

#include <array>
#include <random>
#include <string>
#include <vector>

#include "carom/geometry/superquadric_core.h"
#include "carom/proximity/distance.h"
#include "geometry/example_shapes.h"

namespace carom {

struct PairBody {
  std::string name;
  Core core;
};

/// Bounded cores of every row of the shape catalogue, as they are, with sharp edges,
/// flattened, and scaled by 1e-3 and 1e3.
class BodyPool {
 public:
  BodyPool() {
    // Smooth surfaces are no cores.
    std::erase_if(all_, [](const NamedShape& s) { return s.shape.surface != nullptr; });
    for (NamedShape& s : all_) add(s.name, s.shape.core);
    for (const ShapeKind* kind : shape_catalogue()) {
      if (!kind->surface) add_variants(*kind);
    }
  }
  const std::vector<PairBody>& bodies() const { return bodies_; }

 private:
  void add(const std::string& name, const Core& core) {
    if (std::isfinite(bounding_radius(core))) bodies_.push_back({name, core});
  }
  void add_variants(const ShapeKind& kind) {
    for (const ShapeInput& example : examples(kind)) {
      for (const double scale : {1e-3, 1.0, 1e3}) {
        ShapeInput input = example;
        input.scale = {scale, scale, scale};
        input.edge_radius = kind.rounding == Rounding::none ? kDefaultEdgeRadius : 0.0;
        Diagnostics diagnostics;
        std::optional<Shape> shape = make_shape(input, diagnostics);
        if (!shape) continue;
        all_.push_back({kind.name, *shape});
        add(std::string(kind.name) + "*" + std::to_string(scale), all_.back().shape.core);
      }
    }
  }

  std::vector<NamedShape> all_ = example_shapes();
  std::vector<PairBody> bodies_;
};

struct PosedPair {
  const PairBody* A;
  const PairBody* B;
  Pose X_WA, X_WB;
  double size;  ///< of the numbers involved [m]
};

/// Deep inside a superquadric the depth is that of a face beside, in about one query of a thousand:
/// a tenth of the smaller body is as deep as answers are the least ones.
inline bool is_least(const PosedPair& p, double phi) {
  const Core &A = p.A->core, &B = p.B->core;
  if (A.kind != &core_superquadric && B.kind != &core_superquadric) return true;
  return phi > -0.1 * std::min(bounding_radius(A), bounding_radius(B));
}

/// The signed extent along n that separates the pair: (1) of distance.h.
inline double support_gap(const Core& A, const Pose& X_WA, const Core& B, const Pose& X_WB,
                          const Vec3& n) {
  return dot(n, X_WB.p - X_WA.p) - extent(A, transpose_times(X_WA.R, n)) -
         extent(B, -transpose_times(X_WB.R, n));
}

class PairSampler {
 public:
  PairSampler(const std::vector<PairBody>& bodies, unsigned seed) : bodies_(bodies), gen_(seed) {}

  PosedPair next() {
    PosedPair p;
    p.A = &pick(), p.B = &pick();
    const double ra = bounding_radius(p.A->core), rb = bounding_radius(p.B->core);
    p.X_WA.R = rotation(), p.X_WB.R = chance(0.25) ? p.X_WA.R * square() : rotation();
    const Vec3 direction =
        chance(0.3) ? p.X_WA.R.col(static_cast<std::size_t>(gen_() % 3)) : random_direction(gen_);
    p.X_WA.p = chance(0.5) ? Vec3{} : ra * random_direction(gen_);
    p.X_WB.p = p.X_WA.p + offset(p, direction, ra, rb) * direction;
    p.size = ra + rb + norm(p.X_WA.p) + norm(p.X_WB.p);
    return p;
  }
  std::mt19937& generator() { return gen_; }

 private:
  const PairBody& pick() { return bodies_[gen_() % bodies_.size()]; }
  bool chance(double p) { return std::uniform_real_distribution<double>()(gen_) < p; }
  double uniform() { return std::uniform_real_distribution<double>()(gen_); }

  Mat3 square() {
    const Mat3 quarter[3] = {{{1, 0, 0, 0, 0, -1, 0, 1, 0}},
                             {{0, 0, 1, 0, 1, 0, -1, 0, 0}},
                             {{0, -1, 0, 1, 0, 0, 0, 0, 1}}};
    Mat3 R;
    for (const Mat3& q : quarter) {
      for (unsigned i = gen_() % 4; i > 0; --i) R = R * q;
    }
    return R;
  }
  Mat3 rotation() {
    if (chance(0.2)) return square();
    const Mat3 R = axis_angle(random_direction(gen_), 6.3 * uniform());
    return chance(0.2)
               ? square() * axis_angle(random_direction(gen_), std::pow(10.0, -12 * uniform()))
               : R;
  }
  /// Far, near, touching, overlapping, contained, concentric.
  double offset(const PosedPair& p, const Vec3& d, double ra, double rb) {
    PosedPair at = p;
    at.X_WB.p = at.X_WA.p;
    const double touch = -support_gap(p.A->core, at.X_WA, p.B->core, at.X_WB, d);
    switch (gen_() % 6) {
      case 0: return touch + (ra + rb) * uniform();
      case 1:
        return touch + std::min(ra, rb) * (chance(0.5) ? 1 : -1) * std::pow(10.0, -14 * uniform());
      case 2: return touch;
      case 3: return touch * uniform();
      case 4: return std::abs(ra - rb) * uniform();
      default: return chance(0.5) ? 0.0 : 1e-9 * uniform() * (ra + rb);
    }
  }

  const std::vector<PairBody>& bodies_;
  std::mt19937 gen_;
};

}  // namespace carom
