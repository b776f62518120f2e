#include "carom/proximity/convex/optimum.h"

#include <algorithm>

#include "carom/proximity/convex/active_set.h"
#include "carom/proximity/convex/superquadric_optimum.h"

namespace carom {
namespace {

constexpr int kMaxSteps = 30;
// A Newton step of this length leaves an error of its square.
constexpr double kLastStep = 3e-9;
// A step of this length is the rounding of the direction.
constexpr double kNoStep = 4.0 * kEpsilon;
constexpr double kRounding = 32.0 * kEpsilon;
// Steps longer than this can lose what they were to gain.
constexpr double kShortStep = 1e-3;

/// The fraction of a step, at whose end the value has been lost, that keeps most of what
/// can be gained on the way: bisection on the slope, for near the axis of a disc the
/// value is all but a kink.
double shorten(const Minkowski& M, const Tangent& base, const Vec3& move, double slope) {
  double lower = 0.0, upper = 1.0;
  while (upper - lower > 1e-6) {
    const double s = 0.5 * (lower + upper);
    const Vec3 n = normalized(base.n + s * move);
    const double here = dot(M.support(n).w, move - dot(move, n) * n);
    (here > 0.0 ? lower : upper) = s;
    if (std::abs(here) < 0.1 * slope) return s;
  }
  return lower;
}

/// Back to where the two pieces of the set are equal: a straight step along their ridge
/// leaves it where it is curved.
Tangent back_to_ridge(const Minkowski& M, const Tangent& from, ActiveSet s) {
  Tangent at = from;
  for (int i = 0; i < 2; ++i) {
    evaluate(M, at, s.piece[0]);
    evaluate(M, at, s.piece[1]);
    const Vec3 u = s.piece[0].w - s.piece[1].w;
    const Vec3 tangential = u - dot(u, at.n) * at.n;
    const double u2 = norm2(tangential);
    if (!(u2 > 0.0)) return from;
    const double along = (s.piece[1].value - s.piece[0].value) / u2;
    at = tangent_plane(M, normalized(at.n + along * tangential));
  }
  return at;
}

enum class Verdict { optimal, more, failed };

/// Fills `out` with the conditions (2) at a direction where the step has become small. If
/// a piece is missing it enters the set. `here`: the set has been evaluated at this direction.
Verdict certify(const Minkowski& M, const Tangent& at, bool here, double rounding, ActiveSet& s,
                Optimum& out) {
  out.n = at.n;
  out.set = s;
  out.phi = 0.0;
  out.evaluated = true;
  Vec3 w;
  for (int i = 0; i < s.count; ++i) {
    ActivePiece& p = out.set.piece[i];
    if (!here) evaluate(M, at, p);
    out.phi += p.weight * p.value;
    w += p.weight * p.w;
  }
  // Beside the axis of a disc H is so large that a small step proves nothing.
  if (norm(w - out.phi * at.n) > 1e4 * rounding) return Verdict::failed;
  if (M.single()) return Verdict::optimal;
  const MinkowskiPoint check = M.support(at.n);
  if (dot(at.n, check.w) >= out.phi - rounding) return Verdict::optimal;
  if (contains(M, s, check)) return Verdict::failed;
  s = out.set;
  enter(M, at, check, s);
  return Verdict::more;
}

/// Newton's method on its way up. A step that loses what it was to gain is bent back to the
/// ridge, brings the piece that it has met to where it started, or is shortened.
class Climb {
 public:
  Climb(const Minkowski& M, const Vec3& start, const ActiveSet& guess)
      : M_(M), single_(M.single()), set_(guess), at_(tangent_plane(M, start)), base_(at_) {
    for (int i = 0; i < set_.count; ++i) see(set_.piece[i]);
  }

  bool run(Optimum& out) {
    for (int step = 0; step < kMaxSteps; ++step) {
      if (!arrive(step == 0)) continue;
      Step d;
      solve_step(M_, at_, set_, d);
      const double length = std::sqrt(d.x * d.x + d.y * d.y);
      if (!std::isfinite(length)) break;
      const double limit = length > 0.5 ? 0.5 / length : 1.0;
      base_ = at_, move_ = limit * (d.x * at_.e1 + d.y * at_.e2);
      const bool stays = length <= kNoStep;
      if (!stays) at_ = tangent_plane(M_, normalized(base_.n + move_));
      if (length > kLastStep) continue;
      switch (certify(M_, at_, stays, kRounding * size_, set_, out)) {
        case Verdict::optimal: return true;
        case Verdict::failed: return false;
        case Verdict::more: break;
      }
    }
    out.n = at_.n;
    return false;
  }

 private:
  void see(const ActivePiece& p) { size_ = std::max(size_, M_.magnitude(p.a, p.b)); }

  /// Evaluates the set at the direction reached. False if the step was taken back in part: then
  /// there is a new direction to arrive at.
  bool arrive(bool first) {
    // After a short step nothing can be lost, and what is missing is found in the end.
    const bool far = norm2(move_) > kShortStep * kShortStep;
    const bool look = !single_ && (first || far);
    MinkowskiPoint p;
    double value = -1e300;
    if (single_) {
      evaluate(M_, at_, set_.piece[0]);
      value = set_.piece[0].value;
      see(set_.piece[0]);
    } else if (look) {
      p = M_.support(at_.n);
      value = dot(at_.n, p.w);
      size_ = std::max(size_, M_.magnitude(p));
    }
    const bool lost = far && value < reached_;
    if (lost && take_back(p)) return false;
    if (lost) at_ = base_;
    brought_ = lost, bent_ = false;
    if (!lost) reached_ = value;
    if (single_) return true;
    for (int i = 0; i < set_.count; ++i) evaluate(M_, at_, set_.piece[i]);
    const bool missing = look && value < lowest_value(set_) - kRounding * size_;
    if (lost || (missing && !contains(M_, set_, p))) enter(M_, at_, p, set_);
    return true;
  }

  bool take_back(const MinkowskiPoint& p) {
    if (!bent_ && set_.count == 2) {
      bent_ = true;
      at_ = back_to_ridge(M_, at_, set_);
      return true;
    }
    if (!brought_ && !single_ && !contains(M_, set_, p)) return false;
    if (M_.curved()) {
      move_ *= shorten(M_, base_, move_, dot(M_.support(base_.n).w, move_));
      reached_ = -1e300;
    } else {
      move_ *= 0.5;
    }
    at_ = tangent_plane(M_, normalized(base_.n + move_));
    return true;
  }

  const Minkowski& M_;
  bool single_;  ///< no piece is ever missing
  ActiveSet set_;
  Tangent at_, base_;
  Vec3 move_;  ///< from the base to where the climb is
  double reached_ = -1e300, size_ = 0.0;
  bool brought_ = false;  ///< a losing step has brought a new piece to the base already
  bool bent_ = false;     ///< and has been bent back to the ridge
};

}  // namespace

bool solve_optimum(const Minkowski& M, const Vec3& start, const ActiveSet& guess, Optimum& out) {
  out.face_a = out.face_b = false;
  // Where that does not settle, deep in each other, the way over normals may.
  if (has_superquadric(M) && solve_on_superquadric(M, start, guess, out)) return true;
  return Climb(M, start, guess).run(out);
}

}  // namespace carom
