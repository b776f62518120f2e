#include "carom/proximity/optimum.h"

#include <algorithm>

#include "carom/proximity/active_set.h"

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

}  // namespace

bool solve_optimum(const Minkowski& M, const Vec3& start, const ActiveSet& guess, Optimum& out) {
  out.face_a = out.face_b = false;
  const bool single = M.single();  // then no piece is ever missing
  ActiveSet s = guess;
  Tangent at = tangent_plane(M, start), base = at;
  Vec3 move;  // from the base; it is halved while it loses
  double reached = -1e300;
  double size = 0.0;
  for (int i = 0; i < s.count; ++i) size = std::max(size, M.magnitude(s.piece[i].a, s.piece[i].b));
  bool brought = false;  // a losing step has brought a new piece to the base already
  bool bent = false;     // and has been bent back to the ridge
  for (int step = 0; step < kMaxSteps; ++step) {
    // After a short step nothing can be lost, and what is missing is found in the end.
    const bool far = norm2(move) > kShortStep * kShortStep;
    const bool look = !single && (step == 0 || far);
    MinkowskiPoint p;
    double value = -1e300;
    if (single) {
      evaluate(M, at, s.piece[0]);
      value = s.piece[0].value;
      size = std::max(size, M.magnitude(s.piece[0].a, s.piece[0].b));
    } else if (look) {
      p = M.support(at.n);
      value = dot(at.n, p.w);
      size = std::max(size, M.magnitude(p));
    }
    const double rounding = kRounding * size;
    const bool lost = far && value < reached;
    if (lost && !bent && s.count == 2) {
      bent = true;
      at = back_to_ridge(M, at, s);
      continue;
    }
    if (lost && (brought || single || contains(M, s, p))) {
      if (M.curved()) {
        move *= shorten(M, base, move, dot(M.support(base.n).w, move));
        reached = -1e300;
      } else {
        move *= 0.5;
      }
      at = tangent_plane(M, normalized(base.n + move));
      continue;
    }
    if (lost) at = base;
    brought = lost, bent = false;
    if (!lost) reached = value;
    for (int i = 0; i < s.count && !single; ++i) evaluate(M, at, s.piece[i]);
    if (lost || (look && value < lowest_value(s) - rounding && !contains(M, s, p))) {
      enter(M, at, p, s);
    }

    Step d;
    solve_step(M, at, s, d);
    const double length = std::sqrt(d.x * d.x + d.y * d.y);
    if (!std::isfinite(length)) break;
    const double limit = length > 0.5 ? 0.5 / length : 1.0;
    base = at, move = limit * (d.x * at.e1 + d.y * at.e2);
    const bool stays = length <= kNoStep;
    if (!stays) at = tangent_plane(M, normalized(base.n + move));
    if (length > kLastStep) continue;
    switch (certify(M, at, stays, rounding, s, out)) {
      case Verdict::optimal: return true;
      case Verdict::failed: return false;
      case Verdict::more: break;
    }
  }
  out.n = at.n;
  return false;
}

}  // namespace carom
