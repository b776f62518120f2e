#include "carom/proximity/smooth/ring_search.h"

#include <algorithm>

namespace carom {
namespace {

constexpr double kTurn = 6.283185307179586;
constexpr int kFirstSamples = 12;
constexpr int kMaxSamples = 400;

/// One direction of the ring, with the point z of (1) that is least along it.
struct Sample {
  double s, g;
  Vec3 n, z;
};

/// The ring in the axes of A, for normals from A to B.
class PlacedRing {
 public:
  PlacedRing(const Minkowski& M, bool of_a, const Ring& ring) : M_(M), of_a_(of_a), ring_(ring) {
    axis_ = of_a ? ring.axis : M.R * ring.axis;
    straight_ = of_a ? ring.straight : M.R * ring.straight;
    along_ = of_a ? ring.along : -ring.along;
    across_ = std::sqrt(1.0 - along_ * along_);
    e1_ = any_perpendicular(axis_), e2_ = cross(axis_, e1_);
  }

  Vec3 direction(double s) const {
    return along_ * axis_ + (across_ * std::cos(s)) * e1_ + (across_ * std::sin(s)) * e2_;
  }

  Sample sample(double s) const {
    Sample out{s, 0.0, direction(s), {}};
    const Vec3& n = out.n;
    std::uint32_t piece = 0;
    const Vec3 straight = dot(n, straight_) >= 0.0 ? straight_ : -straight_;
    if (of_a_) {
      const Vec3 b = M_.kind_b->support(*M_.B, -transpose_times(M_.R, n), piece);
      out.z = M_.t + M_.R * b + M_.inner_b * n - straight;
    } else {
      out.z = M_.t - straight - M_.kind_a->support(*M_.A, n, piece) + M_.inner_a * n;
    }
    out.g = dot(n, out.z) - ring_.extent;
    return out;
  }

  /// Where between two neighbours the lower of their bounds is highest, and how high: where
  /// they are equal, c + x cos s + y sin s = 0, or on the way there at the top of one.
  void cut(const Sample& p, const Sample& q, double& s, double& bound) const {
    const Vec3 d = p.z - q.z;
    const double c = along_ * dot(axis_, d), x = across_ * dot(e1_, d), y = across_ * dot(e2_, d);
    const double r = std::hypot(x, y);
    s = 0.5 * (p.s + q.s);
    if (r > 0.0 && std::abs(c) <= r) {
      const double rising = std::atan2(y, x) - std::acos(-c / r);
      const double turned = rising + kTurn * std::round((s - rising) / kTurn);
      if (turned > p.s && turned < q.s) s = turned;
    }
    const double middle = s;
    const Vec3 n = direction(s);
    bound = std::max({dot(n, p.z) - ring_.extent, dot(n, q.z) - ring_.extent, p.g, q.g});
    raise_to_top(p.z, p.s, p.n, middle, n, s, bound);
    raise_to_top(q.z, middle, n, q.s, q.n, s, bound);
  }

  /// The point of a sample along another direction of the ring.
  Sample seen_along(const Vec3& n, const Sample& p) const {
    return {p.s, dot(n, p.z) - ring_.extent, n, p.z};
  }

  /// Both ends of the ruling relative to z, along the tangent that turns towards the axis.
  void ends(const Sample& p, Vec3& tangent, double& first, double& second) const {
    const Vec3 radial = (p.n - along_ * axis_) / across_;
    tangent = across_ * axis_ - along_ * radial;
    const double z = dot(tangent, p.z), sign = of_a_ ? -1.0 : 1.0;
    first = z + sign * ring_.ends[0], second = z + sign * ring_.ends[1];
  }

  /// How far off the ring this sample rules: |g| cos y + m sin y >= |best|.
  double tilt(const Sample& p, double best) const {
    Vec3 tangent;
    double first = 0.0, second = 0.0;
    ends(p, tangent, first, second);
    const double m = std::min(-std::min(first, second), std::max(first, second));
    const double g = -p.g, slack = 2.0 * g * (g + best);
    if (!(g > 0.0) || slack < -m * m) return 0.0;
    return std::max(0.0, (m + std::sqrt(std::max(m * m + slack, 0.0))) / g);
  }

  Band band(double tilt) const {
    return {axis_, std::acos(std::clamp(along_, -1.0, 1.0)), std::min(tilt, 1.0)};
  }

 private:
  double slope(const Vec3& n, const Vec3& z) const { return dot(cross(axis_, n), z); }

  /// If n.z is highest between two directions, its top there.
  void raise_to_top(const Vec3& z, double from, const Vec3& n_from, double to, const Vec3& n_to,
                    double& s, double& bound) const {
    if (!(slope(n_from, z) > 0.0 && slope(n_to, z) < 0.0)) return;
    const double angle = std::atan2(dot(e2_, z), dot(e1_, z));
    const double top = angle + kTurn * std::round((0.5 * (from + to) - angle) / kTurn);
    const double value = dot(direction(top), z) - ring_.extent;
    if (top > from && top < to && value > bound) s = top, bound = value;
  }

  const Minkowski& M_;
  bool of_a_;
  const Ring& ring_;
  Vec3 axis_, straight_, e1_, e2_;
  double along_, across_;
};

/// Samples of the ring and the arcs between them, the most promising first.
class RingSamples {
 public:
  RingSamples(const PlacedRing& ring, double exact) : ring_(ring), exact_(exact) {}

  void run(double known) {
    bisect(known);
    refine();
  }
  const Sample& best() const { return best_; }
  /// How far off the ring its samples rule, at their own places and where two of them meet.
  double tilt(double shallowest) const {
    double least = 1e300;
    for (int i = 0; i < count_; ++i) least = std::min(least, ring_.tilt(sample_[i], shallowest));
    for (int i = 0; i < arcs_; ++i) {
      const Arc& arc = arc_[i];
      const Vec3 n = ring_.direction(arc.s);
      const double p = ring_.tilt(ring_.seen_along(n, sample_[arc.p]), shallowest),
                   q = ring_.tilt(ring_.seen_along(n, sample_[arc.q]), shallowest);
      least = std::min(least, std::max(p, q));
    }
    return least;
  }

 private:
  struct Arc {
    int p, q;
    double s, bound;
    bool operator<(const Arc& other) const { return bound < other.bound; }
  };
  void bisect(double known) {
    const double step = kTurn / kFirstSamples;
    for (int i = 0; i < kFirstSamples; ++i) take(i * step);
    sample_[count_] = sample_[0], sample_[count_++].s = kTurn;
    for (int i = 0; i < kFirstSamples; ++i) push(i, i + 1);
    while (arcs_ > 0 && count_ < kMaxSamples) {
      if (arc_[0].bound <= std::max(best_.g, known) + exact_) return;
      std::pop_heap(arc_, arc_ + arcs_);
      const Arc arc = arc_[--arcs_];
      if (sample_[arc.q].s - sample_[arc.p].s < 1e-12) continue;
      const int middle = take(arc.s);
      push(arc.p, middle), push(middle, arc.q);
    }
  }
  /// The top of a smooth maximum, which bisection only nears: golden section.
  void refine() {
    constexpr double kGolden = 0.6180339887498949;
    double low = best_.s - 0.02, high = best_.s + 0.02;
    while (high - low > 1e-9) {
      const double p = high - kGolden * (high - low), q = low + kGolden * (high - low);
      const Sample left = ring_.sample(p), right = ring_.sample(q);
      if (left.g > best_.g) best_ = left;
      if (right.g > best_.g) best_ = right;
      (left.g > right.g ? high : low) = left.g > right.g ? q : p;
    }
  }
  int take(double s) {
    sample_[count_] = ring_.sample(s);
    if (sample_[count_].g > best_.g) best_ = sample_[count_];
    return count_++;
  }
  void push(int p, int q) {
    Arc arc{p, q, 0.0, 0.0};
    ring_.cut(sample_[p], sample_[q], arc.s, arc.bound);
    arc_[arcs_++] = arc;
    std::push_heap(arc_, arc_ + arcs_);
  }

  const PlacedRing& ring_;
  double exact_;
  Sample sample_[kMaxSamples + 1];
  Arc arc_[2 * kMaxSamples];
  Sample best_{0.0, -1e300, {}, {}};
  int count_ = 0, arcs_ = 0;
};

/// The direction of a sample, carried by the two ends of the ruling.
bool carried_by_ends(const Minkowski& M, const PlacedRing& ring, const Sample& p, Optimum& out) {
  Vec3 tangent;
  double first = 0.0, second = 0.0;
  ring.ends(p, tangent, first, second);
  out.n = p.n, out.phi = p.g, out.face_a = out.face_b = false;
  out.set.clear();
  constexpr double kTilt = 1e-7;
  const MinkowskiPoint plus = M.support(normalized(p.n + kTilt * tangent)),
                       minus = M.support(normalized(p.n - kTilt * tangent));
  // Least along the tangent is the end that a tilt towards it brings.
  const double low = std::min(first, second), high = std::max(first, second);
  const bool held = low <= 0.0 && high >= 0.0 && high > low;
  const double weight = held ? high / (high - low) : 0.5;
  add_piece(M, plus, weight, out.set), add_piece(M, minus, 1.0 - weight, out.set);
  return held;
}

}  // namespace

bool search_ring(const Minkowski& M, bool of_a, double known, RingBest& out) {
  const PieceKind& kind = of_a ? *M.kind_a : *M.kind_b;
  Ring ring;
  if (!kind.ring || !kind.ring(of_a ? *M.A : *M.B, ring)) return false;
  const PlacedRing placed(M, of_a, ring);
  RingSamples samples(placed, 16.0 * kEpsilon * (ring.extent + M.reach));
  samples.run(known);
  out.held = carried_by_ends(M, placed, samples.best(), out.optimum);
  out.band = placed.band(0.9 * samples.tilt(std::max(samples.best().g, known)));
  return true;
}

}  // namespace carom
