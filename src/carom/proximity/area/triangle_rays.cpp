#include "carom/proximity/area/triangle_rays.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "carom/base/index.h"
#include "carom/geometry/core_kinds.h"
#include "carom/geometry/superquadric_core.h"
#include "carom/proximity/area/gauss_rule.h"
#include "carom/proximity/area/inner_depth.h"
#include "carom/proximity/area/line_exit.h"
#include "carom/proximity/distance.h"

namespace carom {
namespace {

constexpr double kPi = std::numbers::pi;

/// A piece of the rim: from `p` to `q`, straight along an edge of the triangle or where the body
/// ends.
struct RimPiece {
  Vec3 p, q;
  bool is_straight = false;
};

class TriangleRays {
 public:
  TriangleRays(const Core& core, const std::array<Vec3, 3>& v, const Vec3& m, bool is_small,
               const std::function<void(const Vec3&, double)>& put)
      : core_(core), v_(v), m_(m), put_(put) {
    e1_ = normalized(v[1] - v[0]), e2_ = cross(m, e1_);
    angles_ = is_small ? 2 : 3, along_ = is_small ? 2 : 4;
    constexpr double kBlocky = 4.0;  // from where faces are flatter than a few points follow
    is_blocky_ = core.kind == &core_superquadric && std::max(core.v[1].x, core.v[1].y) > kBlocky;
  }

  void integrate() {
    find_chords();
    if (count_ == 0) return integrate_oval();
    // By their lengths, so that an edge that just comes in moves nothing.
    centre_ = {};
    double sum = 0.0;
    for (std::size_t i = 0; i < count_; ++i) sum += norm(chords_[i].q - chords_[i].p);
    for (std::size_t i = 0; i < count_; ++i) {
      const double share = norm(chords_[i].q - chords_[i].p) / sum;
      centre_ += 0.5 * share * (chords_[i].p + chords_[i].q);
    }
    flatten();
    for (std::size_t i = 0; i < count_; ++i) {
      integrate_piece(chords_[i]);
      const Vec3 &from = chords_[i].q, &to = chords_[(i + 1) % count_].p;
      if (norm2(to - from) > 0.0 || count_ == 1) integrate_piece({from, to, false});
    }
  }

 private:
  /// What an edge of the triangle has just come into is a hundred times as long as wide. Angles are
  /// those of coordinates in which it is as wide as long: along the longest chord, and across it.
  void flatten() {
    constexpr double kFlattest = 1e-9;
    double longest = 0.0;
    for (std::size_t i = 0; i < count_; ++i) {
      const Vec3 along = chords_[i].q - chords_[i].p;
      if (!(norm(along) > longest)) continue;
      longest = norm(along), e1_ = along / longest;
    }
    e2_ = cross(m_, e1_);
    LineExit one, other;
    if (!find_exit(core_, centre_, e2_, one) || !find_exit(core_, centre_, -e2_, other)) return;
    // The edge has the body beyond it on one side.
    double wide = 0.0;
    for (const double t : {one.t, -other.t}) {
      const Vec3 x = centre_ + t * e2_;
      bool is_in = true;
      for (std::size_t i = 0; i < 3; ++i) {
        is_in = is_in && dot(cross(v_[(i + 1) % 3] - v_[i], x - v_[i]), m_) >= 0.0;
      }
      if (is_in) wide = std::max(wide, std::abs(t));
    }
    if (wide > 0.0) flatness_ = std::clamp(2.0 * wide / longest, kFlattest, 1.0);
  }

  /// What of every edge is inside, in the order of the edges: their ends are the corners of the
  /// part inside.
  void find_chords() {
    for (std::size_t i = 0; i < 3; ++i) {
      const Vec3 &a = v_[i], &b = v_[(i + 1) % 3];
      const double length = norm(b - a);
      const Vec3 d = (b - a) / length;
      LineExit out, in;
      if (!find_exit(core_, a, d, out) || !find_exit(core_, a, -d, in)) continue;
      const double first = std::max(0.0, -in.t), last = std::min(length, out.t);
      if (!(last > first)) continue;
      chords_[count_++] = {first > 0.0 ? a + first * d : a, last < length ? a + last * d : b, true};
    }
  }

  /// No edge is inside: all of a section of the body, or nothing.
  void integrate_oval() {
    const int rays = is_blocky_ ? 64 : 16;
    if (!find_middle()) return;
    if (has_depth_kinks(core_)) return integrate_with_corners(0.0, 2.0 * kPi);
    const double step = 2.0 * kPi / rays;
    for (int i = 0; i < rays; ++i) {
      const Ray ray = direction(step * (i + 0.5));
      LineExit out;
      if (find_exit(core_, centre_, ray.d, out) && out.t > 0.0) {
        put_ray(ray.d, out.t, ray.widening * step);
      }
    }
  }

  /// A point of the triangle inside the body.
  bool find_middle() {
    if (core_.kind == &core_point) {
      const Vec3 off = core_.v[0] - v_[0];
      centre_ = core_.v[0] - dot(off, m_) * m_;
    } else {
      Core triangle;
      triangle.kind = &core_simplex, triangle.count = 3;
      for (std::size_t i = 0; i < 3; ++i) triangle.v[i] = v_[i];
      const Contact c = distance(triangle, Pose{}, core_, Pose{});
      if (!(c.phi < 0.0)) return false;
      centre_ = c.p_WCa;
    }
    if (!(inner_depth(core_, centre_).u > 0.0)) return false;
    for (std::size_t i = 0; i < 3; ++i) {
      if (dot(cross(v_[(i + 1) % 3] - v_[i], centre_ - v_[i]), m_) < 0.0) return false;
    }
    return true;
  }

  void integrate_piece(const RimPiece& piece) {
    if (piece.is_straight) return integrate_chord(piece);
    const Vec3 a = piece.p - centre_, b = piece.q - centre_;
    const double from = std::atan2(dot(a, e2_) / flatness_, dot(a, e1_));
    double turn = std::atan2(dot(b, e2_) / flatness_, dot(b, e1_)) - from;
    // Counter-clockwise about the centre.
    while (turn <= 0.0) turn += 2.0 * kPi;
    while (turn > 2.0 * kPi) turn -= 2.0 * kPi;
    if (!has_depth_kinks(core_)) return integrate_angles(from, turn);
    integrate_with_corners(from, turn);
  }

  /// The triangle between the centre and an edge, by places of the edge: the centre may be all but
  /// on it, where angles would tell little. Cut where the depth has a kink on it.
  void integrate_chord(const RimPiece& piece) {
    std::array<double, 4> kinks{};
    const Vec3 along = piece.q - piece.p;
    const double twice = dot(cross(piece.p - centre_, along), m_);
    if (!(twice > 0.0)) return;
    const int cuts = find_depth_kinks(core_, piece.p, along, 1.0, kinks);
    double from = 0.0;
    for (int k = 0; k <= cuts; ++k) {
      const double to = k < cuts ? kinks[at(k)] : 1.0;
      integrate_part(piece, from, 0.5 * (from + to), twice);
      integrate_part(piece, 0.5 * (from + to), to, twice);
      from = to;
    }
  }
  void integrate_part(const RimPiece& piece, double from, double to, double twice) {
    const GaussRule& rule = gauss_rule(angles_);
    const double half = 0.5 * (to - from);
    for (std::size_t i = 0; i < at(angles_); ++i) {
      const Vec3 x = piece.p + (from + half * (1.0 + rule.node[i])) * (piece.q - piece.p) - centre_;
      const double end = norm(x);
      if (end > 0.0) put_ray(x / end, end, half * rule.weight[i] * twice / (end * end));
    }
  }

  /// The rim of a cylinder or cone has corners where its end meets its side: where the normal along
  /// the axis changes, found by halving.
  void integrate_with_corners(double from, double turn) {
    constexpr int kLooks = 16, kHalvings = 40;
    constexpr double kSame = 1e-9;
    const auto leans = [&](double angle) {
      LineExit out;
      find_exit(core_, centre_, direction(angle).d, out);
      return out.normal.x;
    };
    double done = 0.0, seen = 0.0, last = leans(from);
    for (int i = 1; i <= kLooks; ++i) {
      const double next = turn * i / kLooks, lean = leans(from + next);
      if (std::abs(lean - last) > kSame) {
        double low = seen, high = next;
        for (int k = 0; k < kHalvings; ++k) {
          const double half = 0.5 * (low + high);
          (std::abs(leans(from + half) - last) > kSame ? high : low) = half;
        }
        if (low > done) integrate_angles(from + done, low - done);
        done = low;
      }
      seen = next, last = lean;
    }
    if (turn > done) integrate_angles(from + done, turn - done);
  }

  void integrate_angles(double from, double turn) {
    // What ends on a ray changes with a bend where the depth has kinks or all but kinks.
    const double widest = has_depth_kinks(core_) || is_blocky_ ? 0.15 : 0.4;
    const int parts = std::max(1, static_cast<int>(std::ceil(turn / (2.0 * widest))));
    const GaussRule& rule = gauss_rule(angles_);
    const double half = 0.5 * turn / parts;
    for (int k = 0; k < parts; ++k) {
      for (std::size_t i = 0; i < at(angles_); ++i) {
        const Ray ray = direction(from + half * (2 * k + 1 + rule.node[i]));
        put_ray(ray.d, end_of(ray.d), ray.widening * half * rule.weight[i]);
      }
    }
  }

  /// At an angle of the coordinates in which the part is round; `widening`: by how much wider a
  /// sector is than the angle between its rays there.
  struct Ray {
    Vec3 d;
    double widening;
  };
  Ray direction(double angle) const {
    const Vec3 d = std::cos(angle) * e1_ + (flatness_ * std::sin(angle)) * e2_;
    const double length2 = norm2(d);
    return {d / std::sqrt(length2), flatness_ / length2};
  }

  double end_of(const Vec3& d) const {
    LineExit out;
    return find_exit(core_, centre_, d, out) ? std::max(0.0, out.t) : 0.0;
  }

  void put_ray(const Vec3& d, double end, double angle) {
    if (!(end > 0.0)) return;
    std::array<double, 4> kinks{};
    int cuts = find_depth_kinks(core_, centre_, d, end, kinks);
    // The faces of a blocky body are all but flat, and bend away towards its edges.
    if (is_blocky_) {
      cuts = 2, kinks = {0.6 * end, 0.9 * end, 0.0, 0.0};
    }
    const GaussRule& rule = gauss_rule(along_);
    double from = 0.0;
    for (int k = 0; k <= cuts; ++k) {
      const double to = k < cuts ? kinks[at(k)] : end, half = 0.5 * (to - from);
      for (std::size_t i = 0; i < at(along_); ++i) {
        const double r = from + half * (1.0 + rule.node[i]);
        put_(centre_ + r * d, angle * half * rule.weight[i] * r);
      }
      from = to;
    }
  }

  const Core& core_;
  const std::array<Vec3, 3>& v_;
  const Vec3& m_;
  const std::function<void(const Vec3&, double)>& put_;
  Vec3 e1_, e2_, centre_;
  double flatness_ = 1.0;
  std::array<RimPiece, 3> chords_;
  std::size_t count_ = 0;
  int angles_ = 0, along_ = 0;
  bool is_blocky_ = false;
};

}  // namespace

void integrate_triangle_rays(const Core& core, const std::array<Vec3, 3>& corners, const Vec3& m,
                             bool is_small, const std::function<void(const Vec3&, double)>& put) {
  TriangleRays(core, corners, m, is_small, put).integrate();
}

}  // namespace carom
