#include "carom/proximity/optimum.h"

#include <algorithm>

namespace carom {
namespace {

constexpr int kMaxSteps = 30;
// A Newton step of this length leaves an error of its square.
constexpr double kLastStep = 3e-9;
constexpr double kRounding = 32.0 * kEpsilon;

struct Tangent {
  Vec3 n, e1, e2;
};

Tangent tangent_plane(const Vec3& n) {
  const Vec3 e1 = any_perpendicular(n);
  return {n, e1, cross(n, e1)};
}

struct Step {
  double x = 0.0, y = 0.0;  ///< d of (3) in the tangent basis
  double weight[3];         ///< the new l_i
};

/// w_i, n.w_i and H_i at the direction of `at`.
void evaluate(const Minkowski& M, const Tangent& at, ActivePiece& p) {
  p.hxx = p.hxy = p.hyy = 0.0;
  if (p.moves_a) {
    const SupportDerivatives d = M.kind_a->derivatives(*M.A, p.piece_a, at.n);
    p.a = d.point - M.inner_a * at.n;
    const Vec3 h1 = d.hessian * at.e1, h2 = d.hessian * at.e2;
    p.hxx += dot(at.e1, h1) - M.inner_a, p.hxy += dot(at.e2, h1);
    p.hyy += dot(at.e2, h2) - M.inner_a;
  }
  if (p.moves_b) {
    const Vec3 n = -transpose_times(M.R, at.n), e1 = transpose_times(M.R, at.e1),
               e2 = transpose_times(M.R, at.e2);
    const SupportDerivatives d = M.kind_b->derivatives(*M.B, p.piece_b, n);
    p.b = M.t + M.R * d.point + M.inner_b * at.n;
    const Vec3 h1 = d.hessian * e1, h2 = d.hessian * e2;
    p.hxx += dot(e1, h1) - M.inner_b, p.hxy += dot(e2, h1);
    p.hyy += dot(e2, h2) - M.inner_b;
  }
  p.w = p.b - p.a;
  p.value = dot(at.n, p.w);
}

double lowest_value(const ActiveSet& s) {
  double v = s.piece[0].value;
  for (int i = 1; i < s.count; ++i) v = std::min(v, s.piece[i].value);
  return v;
}

/// The matrix of (3) and the tangential parts of the w_i.
struct Reduced {
  double mxx = 0.0, mxy = 0.0, myy = 0.0;
  double wx[3], wy[3], value[3];
  double rounding;  ///< of the entries
};

Reduced reduce(const Minkowski& M, const Tangent& at, const ActiveSet& s) {
  Reduced r;
  double sum = 0.0, size = 0.0;
  for (int i = 0; i < s.count; ++i) {
    const ActivePiece& p = s.piece[i];
    size = std::max(size, M.magnitude(p.a, p.b));
    r.wx[i] = dot(at.e1, p.w), r.wy[i] = dot(at.e2, p.w), r.value[i] = p.value;
    r.mxx += p.weight * p.hxx, r.mxy += p.weight * p.hxy, r.myy += p.weight * p.hyy;
    sum += p.weight;
  }
  r.rounding = 4.0 * kEpsilon * size;
  const double scale = 1.0 / sum, phi = lowest_value(s);
  r.mxx = scale * r.mxx + phi, r.mxy *= scale, r.myy = scale * r.myy + phi;
  return r;
}

/// A slope that is only rounding calls for no step: where the maximum is flat (a point
/// near the axis of a cylinder) that is all that can be known.
bool is_rounding(const Reduced& r, double slope) { return std::abs(slope) <= r.rounding; }

/// Where the matrix is not positive definite (overlap, away from a maximum) its
/// eigenvalues are turned positive: the step still climbs.
void solve_one(const Reduced& r, Step& d) {
  d.weight[0] = 1.0;
  const double mean = 0.5 * (r.mxx + r.myy), half = 0.5 * (r.mxx - r.myy);
  const double root = std::sqrt(half * half + r.mxy * r.mxy);
  if (is_rounding(r, r.wx[0]) && is_rounding(r, r.wy[0])) {
    d.x = d.y = 0.0;
    return;
  }
  if (mean - root > 0.0) {
    const double det = r.mxx * r.myy - r.mxy * r.mxy;
    d.x = (r.myy * r.wx[0] - r.mxy * r.wy[0]) / det;
    d.y = (r.mxx * r.wy[0] - r.mxy * r.wx[0]) / det;
    return;
  }
  // Eigenvectors (c, s) and (-s, c) at half the angle of (half, mxy).
  const double angle = 0.5 * std::atan2(r.mxy, half), cosine = std::cos(angle),
               sine = std::sin(angle);
  const double major = std::max(std::abs(mean + root), r.rounding),
               minor = std::max(std::abs(mean - root), r.rounding);
  const double p = (cosine * r.wx[0] + sine * r.wy[0]) / major;
  const double q = (cosine * r.wy[0] - sine * r.wx[0]) / minor;
  d.x = cosine * p - sine * q, d.y = sine * p + cosine * q;
}

/// The difference u fixes d along u; across it, along v, (3) remains.
bool solve_two(const Reduced& r, Step& d) {
  const double ux = r.wx[0] - r.wx[1], uy = r.wy[0] - r.wy[1];
  const double u2 = ux * ux + uy * uy;
  if (!(u2 > 0.0)) return false;
  const double k = 1.0 / std::sqrt(u2), vx = -k * uy, vy = k * ux;
  const double mvx = r.mxx * vx + r.mxy * vy, mvy = r.mxy * vx + r.myy * vy;
  const double curvature = std::max(std::abs(vx * mvx + vy * mvy), r.rounding);
  const double along = (r.value[1] - r.value[0]) / u2;
  const double px = along * ux, py = along * uy;
  const double slope = vx * r.wx[1] + vy * r.wy[1] - (mvx * px + mvy * py);
  const double across = is_rounding(r, slope) ? 0.0 : slope / curvature;
  d.x = px + across * vx, d.y = py + across * vy;
  const double fx = r.mxx * d.x + r.mxy * d.y - r.wx[1], fy = r.mxy * d.x + r.myy * d.y - r.wy[1];
  d.weight[0] = (ux * fx + uy * fy) / u2;
  d.weight[1] = 1.0 - d.weight[0];
  return true;
}

bool solve_three(const Reduced& r, Step& d) {
  const double ux = r.wx[0] - r.wx[2], uy = r.wy[0] - r.wy[2];
  const double vx = r.wx[1] - r.wx[2], vy = r.wy[1] - r.wy[2];
  const double det = ux * vy - uy * vx;
  const double size = std::max(ux * ux + uy * uy, vx * vx + vy * vy);
  if (!(std::abs(det) > 1e-13 * size)) return false;
  const double p = r.value[2] - r.value[0], q = r.value[2] - r.value[1];
  d.x = (p * vy - q * uy) / det, d.y = (q * ux - p * vx) / det;
  const double fx = r.mxx * d.x + r.mxy * d.y - r.wx[2], fy = r.mxy * d.x + r.myy * d.y - r.wy[2];
  d.weight[0] = (fx * vy - fy * vx) / det;
  d.weight[1] = (ux * fy - uy * fx) / det;
  d.weight[2] = 1.0 - d.weight[0] - d.weight[1];
  return true;
}

bool solve_set(const Reduced& r, int count, Step& d) {
  if (count == 3) return solve_three(r, d);
  if (count == 2) return solve_two(r, d);
  solve_one(r, d);
  return true;
}

int least_of(const double* weight, int count) {
  int least = 0;
  for (int i = 1; i < count; ++i) {
    if (weight[i] < weight[least]) least = i;
  }
  return least;
}

void remove_piece(ActiveSet& s, int i) { s.piece[i] = s.piece[--s.count]; }

/// The piece below all others, if there is one: it has to stay, for a step without it
/// would go where it is violated.
int violated_piece(const ActiveSet& s, double rounding) {
  int low = 0;
  for (int i = 1; i < s.count; ++i) {
    if (s.piece[i].value < s.piece[low].value) low = i;
  }
  for (int i = 0; i < s.count; ++i) {
    if (i != low && s.piece[i].value <= s.piece[low].value + rounding) return -1;
  }
  return low;
}

/// Which piece to drop when the one that must stay is the one that pulls: the one
/// without which the others push most evenly.
int other_than(const Minkowski& M, const Tangent& at, const ActiveSet& s, int stays) {
  int best = stays == 0 ? 1 : 0;
  double best_weight = -1e300;
  for (int leaving = 0; leaving < s.count; ++leaving) {
    if (leaving == stays) continue;
    ActiveSet trial = s;
    remove_piece(trial, leaving);
    Step d;
    if (!solve_set(reduce(M, at, trial), trial.count, d)) continue;
    const double weight = d.weight[least_of(d.weight, trial.count)];
    if (weight > best_weight) best_weight = weight, best = leaving;
  }
  return best;
}

/// Solves (3), dropping pieces that pull instead of push.
void solve_step(const Minkowski& M, const Tangent& at, ActiveSet& s, Step& d) {
  for (;;) {
    const Reduced r = reduce(M, at, s);
    const bool solved = solve_set(r, s.count, d);
    if (!solved) {
      for (int i = 0; i < s.count; ++i) d.weight[i] = s.piece[i].weight;
    }
    const int least = least_of(d.weight, s.count);
    if (solved && d.weight[least] >= -1e-13) {
      for (int i = 0; i < s.count; ++i) s.piece[i].weight = d.weight[i];
      return;
    }
    const bool must_stay = s.count > 1 && least == violated_piece(s, r.rounding);
    remove_piece(s, must_stay ? other_than(M, at, s, least) : least);
    for (int i = 0; i < s.count; ++i) s.piece[i].weight = std::max(s.piece[i].weight, 1e-9);
  }
}

ActivePiece make_piece(const Minkowski& M, const MinkowskiPoint& p, const ActiveSet& s) {
  ActivePiece q;
  q.hxx = q.hxy = q.hyy = q.value = 0.0, q.weight = 1.0;
  q.a = p.a, q.b = p.b, q.w = p.w, q.piece_a = p.piece_a, q.piece_b = p.piece_b;
  q.moves_a = M.kind_a->curved && !s.freeze_a;
  q.moves_b = M.kind_b->curved && !s.freeze_b;
  return q;
}

bool same_piece(const Minkowski& M, const ActiveSet& s, const ActivePiece& q,
                const MinkowskiPoint& p) {
  if (p.piece_a != q.piece_a || p.piece_b != q.piece_b) return false;
  const bool frozen = (M.kind_a->curved && s.freeze_a) || (M.kind_b->curved && s.freeze_b);
  return !frozen || norm2(q.w - p.w) <= 1e-24 * norm2(q.w);
}

bool contains(const Minkowski& M, const ActiveSet& s, const MinkowskiPoint& p) {
  for (int i = 0; i < s.count; ++i) {
    if (same_piece(M, s, s.piece[i], p)) return true;
  }
  return false;
}

/// A new piece enters a full set: the one leaves without which all others push.
void exchange(const Minkowski& M, const Tangent& at, const ActivePiece& entering, ActiveSet& s) {
  ActiveSet best = s;
  double best_weight = -1e300;
  for (int leaving = 0; leaving < 3; ++leaving) {
    ActiveSet trial = s;
    trial.piece[leaving] = entering;
    for (ActivePiece& p : trial.piece) p.weight = std::max(p.weight, 1e-9);
    Step d;
    if (!solve_three(reduce(M, at, trial), d)) continue;
    const double weight = d.weight[least_of(d.weight, 3)];
    if (weight <= best_weight) continue;
    best_weight = weight, best = trial;
    for (int i = 0; i < 3; ++i) best.piece[i].weight = d.weight[i];
  }
  s = best;
}

void enter(const Minkowski& M, const Tangent& at, const MinkowskiPoint& p, ActiveSet& s) {
  ActivePiece q = make_piece(M, p, s);
  evaluate(M, at, q);
  q.weight = 0.0;
  if (s.count == 3) return exchange(M, at, q, s);
  s.piece[s.count++] = q;
}

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
    at = tangent_plane(normalized(at.n + along * tangential));
  }
  return at;
}

enum class Verdict { optimal, more, failed };

/// Fills `out` with the conditions (2) at a direction where the step has become small. If
/// a piece is missing it enters the set.
Verdict certify(const Minkowski& M, const Tangent& at, double rounding, ActiveSet& s,
                Optimum& out) {
  out.n = at.n;
  out.set = s;
  out.phi = 0.0;
  Vec3 w;
  for (int i = 0; i < s.count; ++i) {
    ActivePiece& p = out.set.piece[i];
    evaluate(M, at, p);
    out.phi += p.weight * p.value;
    w += p.weight * p.w;
  }
  // Beside the axis of a disc H is so large that a small step proves nothing.
  if (norm(w - out.phi * at.n) > 1e4 * rounding) return Verdict::failed;
  const MinkowskiPoint check = M.support(at.n);
  if (dot(at.n, check.w) >= out.phi - rounding) return Verdict::optimal;
  if (contains(M, s, check)) return Verdict::failed;
  s = out.set;
  enter(M, at, check, s);
  return Verdict::more;
}

}  // namespace

void add_piece(const Minkowski& M, const MinkowskiPoint& p, double weight, ActiveSet& s) {
  for (int i = 0; i < s.count; ++i) {
    if (same_piece(M, s, s.piece[i], p)) {
      s.piece[i].weight += weight;
      return;
    }
  }
  if (s.count == 3) return;
  s.piece[s.count] = make_piece(M, p, s);
  s.piece[s.count++].weight = weight;
}

bool solve_optimum(const Minkowski& M, const Vec3& start, const ActiveSet& guess, Optimum& out) {
  out.face_a = out.face_b = false;
  ActiveSet s = guess;
  Tangent at = tangent_plane(start), base = at;
  Vec3 move;  // from the base; it is halved while it loses
  double reached = -1e300;
  double size = 0.0;
  for (int i = 0; i < s.count; ++i) size = std::max(size, M.magnitude(s.piece[i].a, s.piece[i].b));
  bool brought = false;  // a losing step has brought a new piece to the base already
  bool bent = false;     // and has been bent back to the ridge
  for (int step = 0; step < kMaxSteps; ++step) {
    const MinkowskiPoint p = M.support(at.n);
    size = std::max(size, M.magnitude(p));
    const double value = dot(at.n, p.w), rounding = kRounding * size;
    const bool lost = value < reached && norm2(move) > 1e-6;
    if (lost && !bent && s.count == 2) {
      bent = true;
      at = back_to_ridge(M, at, s);
      continue;
    }
    if (lost && (brought || contains(M, s, p))) {
      if (M.curved()) {
        move *= shorten(M, base, move, dot(M.support(base.n).w, move));
        reached = -1e300;
      } else {
        move *= 0.5;
      }
      at = tangent_plane(normalized(base.n + move));
      continue;
    }
    if (lost) at = base;
    brought = lost, bent = false;
    if (!lost) reached = value;
    for (int i = 0; i < s.count; ++i) evaluate(M, at, s.piece[i]);
    if (lost || (value < lowest_value(s) - rounding && !contains(M, s, p))) enter(M, at, p, s);

    Step d;
    solve_step(M, at, s, d);
    const double length = std::sqrt(d.x * d.x + d.y * d.y);
    if (!std::isfinite(length)) break;
    const double limit = length > 0.5 ? 0.5 / length : 1.0;
    base = at, move = limit * (d.x * at.e1 + d.y * at.e2);
    at = tangent_plane(normalized(base.n + move));
    if (length > kLastStep) continue;
    switch (certify(M, at, rounding, s, out)) {
      case Verdict::optimal: return true;
      case Verdict::failed: return false;
      case Verdict::more: break;
    }
  }
  out.n = at.n;
  return false;
}

bool solve_on_rim(const Minkowski& M, const Vec3& n, Optimum& out) {
  const auto near = [](const PieceKind& kind, const Core& core, const Vec3& d, Vec3& face) {
    return kind.curved && kind.flat_face && kind.flat_face(core, d, face);
  };
  Vec3 face_a, face_b;
  ActiveSet set;
  set.freeze_a = near(*M.kind_a, *M.A, n, face_a);
  set.freeze_b = near(*M.kind_b, *M.B, -transpose_times(M.R, n), face_b);
  if (!set.freeze_a && !set.freeze_b) return false;
  // Points all around the rim, from directions tilted a little off the normal of the face.
  const Tangent face = tangent_plane(set.freeze_a ? face_a : -(M.R * face_b));
  constexpr double kTilt = 1e-3, kCos[3] = {1.0, -0.5, -0.5}, kSin[3] = {0.0, 0.866, -0.866};
  for (int i = 0; i < 3; ++i) {
    const Vec3 tilted = face.n + kTilt * (kCos[i] * face.e1 + kSin[i] * face.e2);
    add_piece(M, M.support(normalized(tilted)), 1.0 / 3.0, set);
  }
  const bool freeze_a = set.freeze_a, freeze_b = set.freeze_b;
  if (!solve_optimum(M, face.n, set, out)) return false;
  return (!freeze_a || norm2(out.n - face_a) < 1e-26) &&
         (!freeze_b || norm2(out.n + M.R * face_b) < 1e-26);
}

bool optimum_on_face_of_a(const Minkowski& M, const Vec3& normal, Optimum& out) {
  Vec3 face;
  if (!M.kind_a->flat_face || !M.kind_a->flat_face(*M.A, normal, face)) return false;
  const MinkowskiPoint p = M.support(face);
  out.margin = M.kind_a->face_margin(*M.A, face, p.b);
  if (!(out.margin >= 0.0)) return false;
  out.n = face, out.phi = dot(face, p.w), out.face_a = true, out.face_b = false;
  out.set = {};
  add_piece(M, p, 1.0, out.set);
  out.set.piece[0].a = p.b - out.phi * face;
  return true;
}

bool optimum_on_face_of_b(const Minkowski& M, const Vec3& normal, Optimum& out) {
  Vec3 face;
  if (!M.kind_b->flat_face || !M.kind_b->flat_face(*M.B, normal, face)) return false;
  const Vec3 n = -(M.R * face);
  const MinkowskiPoint p = M.support(n);
  out.margin = M.kind_b->face_margin(*M.B, face, transpose_times(M.R, p.a - M.t));
  if (!(out.margin >= 0.0)) return false;
  out.n = n, out.phi = dot(n, p.w), out.face_a = false, out.face_b = true;
  out.set = {};
  add_piece(M, p, 1.0, out.set);
  out.set.piece[0].b = p.a + out.phi * n;
  return true;
}

bool face_optimum(const Minkowski& M, const Vec3& n, Optimum& out) {
  return optimum_on_face_of_a(M, n, out) || optimum_on_face_of_b(M, -transpose_times(M.R, n), out);
}

}  // namespace carom
