#include "carom/proximity/convex/superquadric_optimum.h"

#include <algorithm>
#include <cmath>

#include "carom/geometry/superquadric_core.h"

namespace carom {
namespace {

constexpr int kMostSteps = 40, kMostHalvings = 12;
/// What is left of the conditions, over size, where steps bring nothing more.
constexpr double kSettled = 1e-13;
/// Curvature over 1/size that decides nothing: flat on flat, any point of both will do.
constexpr double kNoCurvature = 1e-14;

/// A symmetric matrix over the tangent plane.
struct PlaneForm {
  double xx = 0.0, xy = 0.0, yy = 0.0;
};
struct PlaneVector {
  double x = 0.0, y = 0.0;
};
struct PlaneMatrix {
  double xx = 0.0, xy = 0.0, yx = 0.0, yy = 0.0;
  double det() const { return xx * yy - xy * yx; }
  bool solve(const PlaneVector& b, PlaneVector& t) const {
    const double d = det();
    if (!(d > 0.0) || !(xx + yy > 0.0)) return false;
    t = {(yy * b.x - xy * b.y) / d, (xx * b.y - yx * b.x) / d};
    return std::isfinite(t.x) && std::isfinite(t.y);
  }
};
PlaneVector operator*(const PlaneForm& a, const PlaneVector& v) {
  return {a.xx * v.x + a.xy * v.y, a.xy * v.x + a.yy * v.y};
}
PlaneMatrix product(const PlaneForm& a, const PlaneForm& b) {
  return {a.xx * b.xx + a.xy * b.xy, a.xx * b.xy + a.xy * b.yy, a.xy * b.xx + a.yy * b.xy,
          a.xy * b.xy + a.yy * b.yy};
}
double dot(const PlaneVector& a, const PlaneVector& b) { return a.x * b.x + a.y * b.y; }
double length2(const PlaneVector& a) { return a.x * a.x + a.y * a.y; }

struct PlaneBasis {
  Vec3 e1, e2;
  explicit PlaneBasis(const Vec3& n) : e1(any_perpendicular(n)), e2(cross(n, e1)) {}
  PlaneForm of(const Sym3& a) const {
    const Vec3 a1 = a * e1;
    return {carom::dot(e1, a1), carom::dot(e2, a1), carom::dot(e2, a * e2)};
  }
  PlaneVector of(const Vec3& v) const { return {carom::dot(e1, v), carom::dot(e2, v)}; }
  Vec3 at(const PlaneVector& t) const { return t.x * e1 + t.y * e2; }
};

/// A point of one of the bodies, a superquadric, in the axes of A.
struct SurfaceAt {
  Vec3 own;  ///< the point in the body's own axes
  Vec3 p, n;
  Sym3 K;
};

/// Where a body is, in the axes of A.
struct BodyFrame {
  const Core& core;
  const PieceKind& kind;
  const Mat3* R;  ///< null: the axes of A
  Vec3 t;
  double inner;

  Vec3 out(const Vec3& d) const { return R ? *R * d : d; }
  Vec3 in(const Vec3& d) const { return R ? transpose_times(*R, d) : d; }
  SurfaceAt surface(const Vec3& x) const {
    const SuperquadricPoint s = superquadric_point(core, x);
    return {s.p, t + out(s.p), out(s.n), R ? rotated(*R, s.K) : s.K};
  }
};
BodyFrame frame_a(const Minkowski& M) { return {*M.A, *M.kind_a, nullptr, {}, M.inner_a}; }
BodyFrame frame_b(const Minkowski& M) { return {*M.B, *M.kind_b, &M.R, M.t, M.inner_b}; }

bool is_superquadric(const Core& c) { return c.kind == &core_superquadric; }

/// Steps turn the normal by half a radian at most and stay within the body.
double step_limit(const PlaneVector& t, const PlaneForm& K, double size) {
  const double way = std::sqrt(length2(t)) / (0.5 * size), turn = std::sqrt(length2(K * t)) / 0.5;
  return 1.0 / std::max({1.0, way, turn});
}

/// Where the guess says that a body is touched, in its own axes.
Vec3 start_point(const BodyFrame& body, const ActiveSet& guess, bool is_a, const Vec3& n_out) {
  Vec3 sum;
  double weights = 0.0;
  for (int i = 0; i < guess.count; ++i) {
    const ActivePiece& p = guess.piece[i];
    const Vec3& x = is_a ? p.a : p.b;
    if (!(norm2(x) > 0.0)) return support(body.core, body.in(n_out));  // nothing but the normal
    sum += p.weight * x, weights += p.weight;
  }
  if (!(weights > 0.0)) return support(body.core, body.in(n_out));
  const Vec3 x = body.in(sum / weights + body.inner * n_out - body.t);
  return norm2(x) > 0.0 ? x : support(body.core, body.in(n_out));
}

void put_optimum(const Vec3& n, Optimum& out) {
  out.n = n;
  out.face_a = out.face_b = out.evaluated = false;
  out.set.clear();
}

/// Radii of curvature at a normal say nothing about those beside it: a maximum covers no
/// neighbourhood of itself (known_maxima.h), and the search looks at all of it.
void put_piece(const Minkowski& M, const MinkowskiPoint& p, double weight, Optimum& out) {
  add_piece(M, p, weight, out.set);
  for (int i = 0; i < out.set.count; ++i) {
    out.set.piece[i].radii_a = out.set.piece[i].radii_b = {};
    out.set.piece[i].value = carom::dot(out.n, out.set.piece[i].w);
  }
}

// ---- two superquadrics

class TwoSurfaces {
 public:
  explicit TwoSurfaces(const Minkowski& M)
      : M_(M),
        A_(frame_a(M)),
        B_(frame_b(M)),
        size_(std::min(M.A->kind->radius(*M.A), M.B->kind->radius(*M.B))) {}

  bool run(const Vec3& n, const ActiveSet& guess, Optimum& out) {
    Pair at = place(start_point(A_, guess, true, n), start_point(B_, guess, false, -n));
    for (int step = 0; step < kMostSteps; ++step) {
      out.n = at.a.n;
      if (!std::isfinite(at.merit)) return false;
      const double rounding = 8.0 * kEpsilon * M_.magnitude(at.a.p, at.b.p) / size_;
      if (at.merit <= rounding * rounding) break;
      if (!advance(at)) break;
    }
    return finish(at, out);
  }

 private:
  struct Pair {
    SurfaceAt a, b;
    Vec3 d;
    double phi = 0.0, merit = 0.0;
  };

  Pair place(const Vec3& x, const Vec3& y) const {
    Pair at{A_.surface(x), B_.surface(y), {}, 0.0, 0.0};
    at.d = at.b.p - at.a.p;
    at.phi = carom::dot(at.a.n, at.d);
    const Vec3 m = at.a.n + at.b.n;
    at.merit = norm2(at.d - at.phi * at.a.n) / (size_ * size_) + norm2(m);
    return at;
  }

  bool advance(Pair& at) const {
    const PlaneBasis basis(at.a.n);
    const PlaneForm Ka = basis.of(at.a.K), Kb = basis.of(at.b.K);
    const PlaneVector g = basis.of(at.d), m = basis.of(at.b.n);
    PlaneMatrix Q = product(Kb, Ka);
    const double little = kNoCurvature / size_;
    Q = {Ka.xx + Kb.xx + at.phi * Q.xx + little, Ka.xy + Kb.xy + at.phi * Q.xy,
         Ka.xy + Kb.xy + at.phi * Q.yx, Ka.yy + Kb.yy + at.phi * Q.yy + little};
    const PlaneVector pull = Kb * g;
    PlaneVector s;
    if (!Q.solve({pull.x - m.x, pull.y - m.y}, s)) return false;
    const PlaneVector turned = Ka * s;
    const PlaneVector s_b{s.x + at.phi * turned.x - g.x, s.y + at.phi * turned.y - g.y};  // (1)
    double share = std::min(step_limit(s, Ka, size_), step_limit(s_b, Kb, size_));
    for (int i = 0; i < kMostHalvings; ++i, share *= 0.5) {
      const Pair next =
          place(at.a.own + share * A_.in(basis.at(s)), at.b.own + share * B_.in(basis.at(s_b)));
      if (!(next.merit < at.merit)) continue;
      at = next;
      return true;
    }
    return false;
  }

  bool finish(const Pair& at, Optimum& out) const {
    const Vec3& n = at.a.n;
    put_optimum(n, out);
    const double size = M_.magnitude(at.a.p, at.b.p);
    if (!(std::sqrt(at.merit) * size_ <= kSettled * size + kSettled * size_)) return false;
    if (!is_convex(at)) return false;
    MinkowskiPoint p;
    p.a = at.a.p - M_.inner_a * n, p.b = at.b.p + M_.inner_b * n;
    p.w = p.b - p.a;
    out.phi = carom::dot(n, p.w);
    put_piece(M_, p, 1.0, out);
    return true;
  }

  /// 1 + phi K positive on both sides: a maximum over n, and not a saddle.
  bool is_convex(const Pair& at) const {
    const PlaneBasis basis(at.a.n);
    for (const Sym3* K : {&at.a.K, &at.b.K}) {
      const PlaneForm k = basis.of(*K);
      const double xx = 1.0 + at.phi * k.xx, yy = 1.0 + at.phi * k.yy, xy = at.phi * k.xy;
      if (at.phi < 0.0 && (!(xx > 0.0) || !(xx * yy - xy * xy > 0.0))) {
        return sum_is_convex(basis.of(at.a.K), basis.of(at.b.K), at.phi);
      }
    }
    return true;
  }
  /// In overlap deeper than one radius of curvature the sum of both radii decides.
  static bool sum_is_convex(const PlaneForm& a, const PlaneForm& b, double phi) {
    // det and trace of K_a + K_b + phi K_b K_a, which is K_b (H_a + H_b + phi) K_a.
    const PlaneMatrix ba = product(b, a);
    const PlaneMatrix Q{a.xx + b.xx + phi * ba.xx, a.xy + b.xy + phi * ba.xy,
                        a.xy + b.xy + phi * ba.yx, a.yy + b.yy + phi * ba.yy};
    return Q.det() > 0.0 && Q.xx + Q.yy > 0.0;
  }

  const Minkowski& M_;
  BodyFrame A_, B_;
  double size_;
};

// ---- a superquadric and pieces of another body

class SurfaceAndPieces {
 public:
  SurfaceAndPieces(const Minkowski& M, bool is_a)
      : M_(M),
        is_a_(is_a),
        S_(is_a ? frame_a(M) : frame_b(M)),
        O_(is_a ? frame_b(M) : frame_a(M)),
        size_(S_.core.kind->radius(S_.core)) {}

  bool run(const Vec3& n, const ActiveSet& guess, Optimum& out) {
    const Vec3 n_out = is_a_ ? n : -n;
    for (int i = 0; i < guess.count; ++i) {
      add(is_a_ ? guess.piece[i].piece_b : guess.piece[i].piece_a, guess.piece[i].weight);
    }
    if (count_ == 0) return false;
    scale_weights();
    State at = place(start_point(S_, guess, is_a_, n_out), weight_);
    for (int step = 0; step < kMostSteps; ++step) {
      out.n = is_a_ ? at.s.n : -at.s.n;
      if (!std::isfinite(at.merit)) return false;
      const double rounding = 8.0 * kEpsilon * magnitude(at) / size_;
      bool is_settled = at.merit <= rounding * rounding;
      if (!is_settled) {
        const Move move = advance(at);
        if (move == Move::failed) return false;
        if (move == Move::dropped) continue;
        is_settled = move == Move::none;
      }
      if (!is_settled) continue;
      if (!(std::sqrt(at.merit) * size_ <= kSettled * magnitude(at))) return false;
      const Verdict verdict = certify(at, out);
      if (verdict != Verdict::more) return verdict == Verdict::optimal;
      at = place(at.s.own, weight_);
    }
    return false;
  }

 private:
  enum class Move { made, dropped, none, failed };
  enum class Verdict { optimal, more, failed };

  struct State {
    SurfaceAt s;
    Vec3 c[3];  ///< points of the pieces
    Sym3 H;     ///< their mean radii
    Vec3 mean;
    double weight[3];
    double phi = 0.0, merit = 0.0;
  };

  double magnitude(const State& at) const { return M_.magnitude(at.s.p, at.mean); }

  void add(std::uint32_t piece, double weight) {
    for (int i = 0; i < count_; ++i) {
      if (piece_[i] != piece) continue;
      weight_[i] += weight;
      return;
    }
    if (count_ == 3) return;
    piece_[count_] = piece, weight_[count_++] = weight;
  }
  void drop(int i) {
    piece_[i] = piece_[--count_], weight_[i] = weight_[count_];
    scale_weights();
  }
  void scale_weights() {
    double sum = 0.0;
    for (int i = 0; i < count_; ++i) sum += weight_[i] = std::max(weight_[i], 0.0);
    for (int i = 0; i < count_; ++i) weight_[i] = sum > 0.0 ? weight_[i] / sum : 1.0 / count_;
  }

  State place(const Vec3& x, const double* weight) const {
    State at;
    at.s = S_.surface(x);
    const Vec3 d = O_.in(-at.s.n);
    for (int i = 0; i < count_; ++i) {
      const SupportDerivatives o = O_.kind.derivatives(O_.core, piece_[i], d);
      at.c[i] = O_.t + O_.out(o.point);
      at.weight[i] = weight[i];
      at.mean += weight[i] * at.c[i];
      if (O_.kind.curved) at.H += weight[i] * o.hessian;
    }
    if (O_.kind.curved && O_.R) at.H = rotated(*O_.R, at.H);
    const Vec3 v = at.mean - at.s.p;
    at.phi = dot(at.s.n, v);
    at.merit = norm2(v - at.phi * at.s.n);
    for (int i = 1; i < count_; ++i) {
      const double uneven = dot(at.s.n, at.c[i] - at.c[0]);
      at.merit += uneven * uneven;
    }
    at.merit /= size_ * size_;
    return at;
  }

  /// One step of (2).
  Move advance(State& at) {
    const PlaneBasis basis(at.s.n);
    const PlaneForm K = basis.of(at.s.K);
    PlaneForm H = basis.of(at.H);
    H.xx += at.phi, H.yy += at.phi;
    PlaneMatrix N = product(H, K);
    N.xx += 1.0, N.yy += 1.0;
    const PlaneVector g = basis.of(at.mean - at.s.p);
    PlaneVector free;
    if (!N.solve(g, free)) return Move::failed;
    PlaneVector u[2], by_weight[2];
    double S[2][2] = {}, r[2] = {}, change[3] = {};
    const int extra = count_ - 1;
    for (int i = 0; i < extra; ++i) {
      u[i] = basis.of(at.c[i + 1] - at.c[0]);
      if (!N.solve(u[i], by_weight[i])) return Move::failed;
    }
    for (int i = 0; i < extra; ++i) {
      r[i] = -dot(at.s.n, at.c[i + 1] - at.c[0]) - dot(u[i], K * free);
      for (int k = 0; k < extra; ++k) S[i][k] = dot(u[i], K * by_weight[k]);
      S[i][i] += kNoCurvature * length2(u[i]) / size_;
    }
    if (extra == 1) change[1] = r[0] / S[0][0];
    if (extra == 2) {
      const double det = S[0][0] * S[1][1] - S[0][1] * S[1][0];
      change[1] = (r[0] * S[1][1] - r[1] * S[0][1]) / det;
      change[2] = (r[1] * S[0][0] - r[0] * S[1][0]) / det;
    }
    PlaneVector t = free;
    double most = 0.0;
    for (int i = 0; i < extra; ++i) {
      if (!std::isfinite(change[i + 1])) return Move::failed;
      t.x += change[i + 1] * by_weight[i].x, t.y += change[i + 1] * by_weight[i].y;
      change[0] -= change[i + 1];
      most = std::max(most, std::abs(change[i + 1]));
    }
    if (drop_what_pulls(at, change)) return Move::dropped;
    double share = std::min(step_limit(t, K, size_), 1.0 / std::max(1.0, most));
    for (int i = 0; i < kMostHalvings; ++i, share *= 0.5) {
      double weight[3];
      for (int k = 0; k < count_; ++k) weight[k] = at.weight[k] + share * change[k];
      const State next = place(at.s.own + share * S_.in(basis.at(t)), weight);
      if (!(next.merit < at.merit)) continue;
      at = next;
      return Move::made;
    }
    return Move::none;
  }

  /// A piece whose weight would become negative pulls instead of pushing.
  bool drop_what_pulls(State& at, const double* change) {
    if (count_ == 1) return false;
    int least = 0;
    for (int i = 1; i < count_; ++i) {
      if (at.weight[i] + change[i] < at.weight[least] + change[least]) least = i;
    }
    if (at.weight[least] + change[least] >= -1e-12) return false;
    for (int i = 0; i < count_; ++i) weight_[i] = at.weight[i];
    drop(least);
    at = place(at.s.own, weight_);
    return true;
  }

  Verdict certify(const State& at, Optimum& out) {
    const Vec3 n = is_a_ ? at.s.n : -at.s.n;
    put_optimum(n, out);
    const double phi = at.phi + M_.inner_a + M_.inner_b;
    const MinkowskiPoint check = M_.support(n);
    if (dot(n, check.w) < phi - 32.0 * kEpsilon * M_.magnitude(check)) {
      const std::uint32_t piece = is_a_ ? check.piece_b : check.piece_a;
      for (int i = 0; i < count_; ++i) {
        if (piece_[i] == piece) return Verdict::failed;
        weight_[i] = at.weight[i];
      }
      if (count_ == 3) drop(static_cast<int>(std::min_element(weight_, weight_ + 3) - weight_));
      add(piece, 0.0);
      return Verdict::more;
    }
    for (int i = 0; i < count_; ++i) {
      MinkowskiPoint p;
      (is_a_ ? p.piece_b : p.piece_a) = piece_[i];
      (is_a_ ? p.a : p.b) = at.s.p + (is_a_ ? -S_.inner : S_.inner) * n;
      (is_a_ ? p.b : p.a) = at.c[i] + (is_a_ ? O_.inner : -O_.inner) * n;
      p.w = p.b - p.a;
      put_piece(M_, p, std::max(at.weight[i], 0.0), out);
    }
    out.phi = phi;
    return Verdict::optimal;
  }

  const Minkowski& M_;
  bool is_a_;  ///< the superquadric is A
  BodyFrame S_, O_;
  double size_;
  std::uint32_t piece_[3] = {};
  double weight_[3] = {};
  int count_ = 0;
};

}  // namespace

bool has_superquadric(const Minkowski& M) { return is_superquadric(*M.A) || is_superquadric(*M.B); }

bool solve_on_superquadric(const Minkowski& M, const Vec3& n, const ActiveSet& guess,
                           Optimum& out) {
  if (is_superquadric(*M.A) && is_superquadric(*M.B)) return TwoSurfaces(M).run(n, guess, out);
  return SurfaceAndPieces(M, is_superquadric(*M.A)).run(n, guess, out);
}

}  // namespace carom
