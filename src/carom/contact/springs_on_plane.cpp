// Springs on a plane. With m = -n in the axes of the body and h the depth of its origin, the depth
// of a point v of the body is
//
//   d(v) = h + m.v + q,                                                               (1)
//
// so U = U(h, m): four numbers. Turning the body by a small theta (in its axes) changes m by
// m x theta, hence
//
//   force = dU/dh n,    torque = m x dU/dm    on the body, about its origin.         (2)
#include <algorithm>
#include <array>
#include <cmath>

#include "carom/contact/contact_springs.h"
#include "carom/contact/elliptic_hertz.h"
#include "carom/contact/spring_terms.h"

namespace carom {
namespace {

using Number = Dual<4>;
using Direction = VecT<Number>;

/// Of the rim's arc that lies below the plane, on either side of its lowest point.
constexpr int kGaussPoints = 10;
constexpr double kGaussAt[] = {0.013046735741414140, 0.067468316655507745, 0.160295215850487797,
                               0.283302302935376405, 0.425562830509184394, 0.574437169490815606,
                               0.716697697064623595, 0.839704784149512203, 0.932531683344492255,
                               0.986953264258585860};
constexpr double kGaussShare[] = {0.033335672154344069, 0.074725674575290297, 0.109543181257991022,
                                  0.134633359654998178, 0.147762112357376435, 0.147762112357376435,
                                  0.134633359654998178, 0.109543181257991022, 0.074725674575290297,
                                  0.033335672154344069};
/// A rim that is below the plane all but this share of its rise is so as a whole: where its arc
/// ends would move with any turn, however small.
constexpr double kAllButWhole = 1e-12;
/// A slope whose square is too small for a number is none.
constexpr double kLeastRho = 1e-150;
/// Lumps in which a whole rim presses.
constexpr int kLumps = 8;

class PlaneSprings {
 public:
  PlaneSprings(const SpringBody& body, const Pose& X_WS, const Vec3& n_W, const Vec3& p_W,
               double modulus, ContactSprings& out)
      : body_(body), X_WS_(X_WS), modulus_(modulus), out_(out) {
    m_ = -transpose_times(X_WS.R, n_W);
    const double depth = dot(n_W, p_W - X_WS.p) + body.rounding;
    h_ = Number::variable(depth, 0);
    md_ = {Number::variable(m_.x, 1), Number::variable(m_.y, 2), Number::variable(m_.z, 3)};
  }

  void run() {
    if (body_.is_smooth) return add_smooth();
    for (const SpringEdge& e : body_.edges) add_edge(e);
    if (body_.has_corners) {
      for (const SpringCorner& c : body_.corners) add_corner(c);
    }
    for (const SpringRim& r : body_.rims) add_rim(r);
    for (const SpringRuling& r : body_.rulings) add_ruling(r);
    for (const SpringTip& t : body_.tips) add_tip(t);
  }

  void finish() const {  // (2)
    out_.energy = modulus_ * sum_.v;
    out_.force_W = (modulus_ * sum_.d(0)) * out_.n_W;
    const Vec3 slope{sum_.d(1), sum_.d(2), sum_.d(3)};
    out_.torque_W = modulus_ * (X_WS_.R * cross(m_, slope));
  }

 private:
  double depth(const Vec3& v) const { return h_.v + dot(m_, v); }
  /// m.v, whose slopes are known.
  Number along(const Vec3& v) const {
    Number out;
    out.v = v.x * m_.x + v.y * m_.y + v.z * m_.z;
    out.s[0] = Number::Pair{0.0, v.x}, out.s[1] = Number::Pair{v.y, v.z};
    return out;
  }
  Number depth_number(const Vec3& v) const {
    Number d;
    d.v = depth(v);
    d.s[0] = Number::Pair{1.0, v.x}, d.s[1] = Number::Pair{v.y, v.z};
    return d;
  }
  /// Half-way between the surfaces; p is a point of the core.
  void point(const Vec3& p, double d, double force) {
    out_.add(X_WS_ * p - (body_.rounding - 0.5 * d) * out_.n_W, d, modulus_ * force);
  }
  const SpringFace& face(std::int32_t i) const { return body_.faces[static_cast<std::size_t>(i)]; }

  /// The part of a line's stiffness that its faces take over as they come to lie flat.
  void add_face_share(std::int32_t index, double lying, Number& kappa) const {
    if (index < 0) return;
    const SpringFace& f = face(index);
    const bool lies = 2.0 * (1.0 - dot(m_, f.normal)) < lying * lying;
    out_.note(lies);
    if (!lies) return;
    kappa += (f.kappa - kEdgeKappa) * near((2.0 / (lying * lying)) * (1.0 - along(f.normal)));
  }

  /// How much an edge counts that leaves the plane with slope s: 1/(1 + s²) where it is sharp; a
  /// rounded one passes on to its corners.
  Number level(const Number& t2) const {
    if (!body_.has_corners) return 1.0 - t2;
    const double most = kLying * kLying;
    if (t2.v >= most * (1.0 - t2.v)) return Number(0.0);
    return near((1.0 / most) * (t2 / (1.0 - t2)));
  }

  void add_edge(const SpringEdge& e) {
    const double a = depth(e.p), b = depth(e.q);
    out_.note(a > 0.0), out_.note(b > 0.0);
    if ((a <= 0.0 && b <= 0.0) || !(e.share > 0.0)) return;
    const Number t = along(e.along);
    const Number t2 = square(t);
    if (t2.v >= 1.0) return;
    const Number h = level(t2);
    out_.note(h.v > 0.0);
    if (!(h.v > 0.0)) return;
    Number kappa(kEdgeKappa);
    add_face_share(e.face[0], e.lying, kappa);
    add_face_share(e.face[1], e.lying, kappa);
    const LineTerm<Number> line(depth_number(e.p), depth_number(e.q));
    const Number c = (e.share * e.length) * (kappa * h * sqrt(1.0 - t2));
    sum_ += c * line.energy;
    point(e.p, a, c.v * line.at_first);
    point(e.q, b, c.v * line.at_second);
  }

  void add_corner(const SpringCorner& corner) {
    const double d = depth(corner.p);
    out_.note(d > 0.0);
    if (d <= 0.0) return;
    Number c(1.0);
    for (std::uint32_t i = 0; i < corner.count; ++i) {
      const SpringEdge& e = body_.edges[body_.corner_edges[corner.first + i]];
      const Number t2 = square(along(e.along));
      if (t2.v < 1.0) c = c * (1.0 - level(t2));
      if (!(c.v > 0.0)) return;
    }
    out_.note(is_blunt(body_.rounding, d));
    sum_ += c * ball_energy(body_.rounding, depth_number(corner.p));
    point(corner.p, d, c.v * ball_force(body_.rounding, d));
  }

  /// Components of m in the plane of a circle, and their length.
  struct Polar {
    Number u, v;
    double rho = 0.0;
  };
  Polar polar(const Vec3& u, const Vec3& v) const {
    Polar p{along(u), along(v), 0.0};
    p.rho = std::hypot(p.u.v, p.v.v);
    if (p.rho < kLeastRho) p.rho = 0.0;
    return p;
  }
  /// sqrt(u² + v²), not where it is zero.
  static Number length_of(const Polar& p) { return sqrt(square(p.u) + square(p.v)); }

  /// Direction in which the lowest point of a circle lies, and its height per radius.
  struct Lowest {
    Number rise;
    double c = 1.0, s = 0.0;  ///< along u and v
  };
  static Lowest lowest(const Polar& p, bool is_half) {
    if (is_half && p.u.v < 0.0) {  // the end of the half
      const double sign = p.v.v >= 0.0 ? 1.0 : -1.0;
      return {sign * p.v, 0.0, sign};
    }
    return {length_of(p), p.u.v / p.rho, p.v.v / p.rho};
  }

  /// 1 where the rulings of a side lie along the plane, 0 from an angle kLying on.
  Number lying(const SpringRuling& r) const {
    const Polar p = polar(r.u, r.v);
    if (!(p.rho > 0.0)) return Number(0.0);
    const Lowest low = lowest(p, r.is_half);
    const Number t = (1.0 / r.length) *
                     (along(r.centre[1] - r.centre[0]) + (r.radius[1] - r.radius[0]) * low.rise);
    return near((1.0 / (kLying * kLying)) * square(t));
  }

  void add_ruling(const SpringRuling& r) {
    const Polar p = polar(r.u, r.v);
    if (!(p.rho > 0.0)) return;
    const Lowest low = lowest(p, r.is_half);
    const auto end_depth = [&](int i) {
      return depth_number(r.centre[i]) + r.radius[i] * low.rise;
    };
    const Number a = end_depth(0), b = end_depth(1);
    out_.note(a.v > 0.0), out_.note(b.v > 0.0);
    if (a.v <= 0.0 && b.v <= 0.0) return;
    const Number lie = lying(r);
    out_.note(lie.v > 0.0);
    if (!(lie.v > 0.0)) return;
    const Number t = (1.0 / r.length) * (b - a);
    Number kappa(kEdgeKappa);
    add_face_share(r.face[0], kLying, kappa);
    add_face_share(r.face[1], kLying, kappa);
    const LineTerm<Number> line(a, b);
    const Number c = r.length * (kappa * lie * sqrt(1.0 - square(t)));
    sum_ += c * line.energy;
    const Vec3 out = low.c * r.u + low.s * r.v;
    point(r.centre[0] + r.radius[0] * out, a.v, c.v * line.at_first);
    point(r.centre[1] + r.radius[1] * out, b.v, c.v * line.at_second);
  }

  void add_rim(const SpringRim& r) {
    const Polar p = polar(r.u, r.v);
    const double D = depth(r.centre);
    out_.note(D + r.radius * p.rho > 0.0);
    if (D + r.radius * p.rho <= 0.0) return;
    Number c(kEdgeKappa);
    add_face_share(r.face, kLying, c);
    c = c * (1.0 - lying(body_.rulings[r.ruling]));
    if (!(c.v > 0.0)) return;
    const bool is_whole = D >= (1.0 - kAllButWhole) * r.radius * p.rho;
    out_.note(is_whole);
    if (is_whole) {
      add_whole_rim(r, p, c);
    } else if (r.is_half) {
      add_half_arc(r, p, c);
    } else {
      add_arc(r, p, c);
    }
  }

  /// Half the integral of (D + R (u cos + v sin))² along the rim.
  void add_whole_rim(const SpringRim& r, const Polar& p, const Number& c) {
    constexpr double pi = std::numbers::pi;
    const Number D = depth_number(r.centre);
    const double R = r.radius;
    const Number round = square(D) + (0.5 * R * R) * (square(p.u) + square(p.v));
    Number integral = (r.is_half ? pi : 2.0 * pi) * round;
    if (r.is_half) integral += (4.0 * R) * (D * p.u);
    sum_ += (0.5 * R) * (c * integral);
    const int lumps = r.is_half ? kLumps / 2 : kLumps;
    for (int k = 0; k < lumps; ++k) {
      const double angle = (k + 0.5) * 2.0 * pi / kLumps - (r.is_half ? 0.5 * pi : 0.0);
      const Vec3 at = r.centre + R * (std::cos(angle) * r.u + std::sin(angle) * r.v);
      const double d = depth(at), width = 2.0 * pi / kLumps;
      point(at, d, c.v * R * (width * D.v + 2.0 * std::sin(0.5 * width) * (d - D.v)));
    }
  }

  /// The same where only an arc about the lowest point is below the plane: d = d0 - 2 R rho
  /// sin²(phi/2), phi from there.
  void add_arc(const SpringRim& r, const Polar& p, const Number& c) {
    const Number rho = length_of(p);
    const Number d0 = depth_number(r.centre) + r.radius * rho;
    const Number half = sqrt(d0 / ((2.0 * r.radius) * rho));  // sin of half the arc's half
    const Number end = chain(half, 2.0 * std::asin(half.v), 2.0 / std::sqrt(1.0 - half.v * half.v));
    const double cu = p.u.v / p.rho, sv = p.v.v / p.rho;
    Number integral(0.0);
    std::array<double, 2> force{}, moment{};
    for (int k = 0; k < kGaussPoints; ++k) {
      const Number phi = kGaussAt[k] * end;
      const Number d = d0 - (2.0 * r.radius) * (rho * square(sin(0.5 * phi)));
      integral += kGaussShare[k] * square(d);
      const auto lump = static_cast<std::size_t>(k < 4 ? 0 : 1);
      const double f = kGaussShare[k] * d.v;
      force[lump] += f, moment[lump] += f * phi.v;
    }
    sum_ += r.radius * (c * end * integral);  // both sides, and a half
    for (std::size_t lump = 0; lump < 2; ++lump) {
      const double phi = moment[lump] / force[lump];
      for (const double sign : {1.0, -1.0}) {
        const double co = std::cos(phi), si = sign * std::sin(phi);
        const Vec3 at =
            r.centre + r.radius * ((cu * co - sv * si) * r.u + (sv * co + cu * si) * r.v);
        point(at, depth(at), c.v * r.radius * end.v * force[lump]);
      }
    }
  }

  /// Of a half rim the arc below the plane, cut where the half ends.
  void add_half_arc(const SpringRim& r, const Polar& p, const Number& c) {
    constexpr double pi = std::numbers::pi;
    const Number rho = length_of(p), middle = atan2(p.v, p.u);
    const Number d0 = depth_number(r.centre) + r.radius * rho;
    const Number half = sqrt(d0 / ((2.0 * r.radius) * rho));
    const Number reach =
        chain(half, 2.0 * std::asin(half.v), 2.0 / std::sqrt(1.0 - half.v * half.v));
    for (const double turn : {-2.0 * pi, 0.0, 2.0 * pi}) {
      Number from = -reach, to = reach;  // from the lowest point
      const Number low = (-0.5 * pi - turn) - middle, high = (0.5 * pi - turn) - middle;
      if (low.v > from.v) from = low;
      if (high.v < to.v) to = high;
      if (!(to.v > from.v)) continue;
      Number integral(0.0);
      double force = 0.0, moment = 0.0;
      for (int k = 0; k < kGaussPoints; ++k) {
        const Number phi = from + kGaussAt[k] * (to - from);
        const Number d = d0 - (2.0 * r.radius) * (rho * square(sin(0.5 * phi)));
        integral += kGaussShare[k] * square(d);
        const double f = kGaussShare[k] * std::max(d.v, 0.0);
        force += f, moment += f * phi.v;
      }
      sum_ += (0.5 * r.radius) * (c * (to - from) * integral);
      if (!(force > 0.0)) continue;
      const double phi = middle.v + moment / force;
      const Vec3 at = r.centre + r.radius * (std::cos(phi) * r.u + std::sin(phi) * r.v);
      point(at, depth(at), c.v * r.radius * (to.v - from.v) * force);
    }
  }

  /// A cone pressed in by its tip: F = (2/pi) E* tan(alpha) d².
  void add_tip(const SpringTip& tip) {
    const double d = depth(tip.p);
    if (d <= 0.0) return;
    const Number c =
        (2.0 / std::numbers::pi * tip.tangent) * (1.0 - lying(body_.rulings[tip.ruling]));
    const Number depth = depth_number(tip.p);
    sum_ += c * (depth * square(depth)) / 3.0;
    point(tip.p, d, c.v * d * d);
  }

  /// A ball, or an ellipsoid, whose radii of curvature depend on m: U = (2/5) k(m) d^(5/2).
  void add_smooth() {
    if (!(norm2(body_.half_axes) > 0.0)) {
      const double d = depth(body_.centre);
      if (d <= 0.0) return;
      if (is_blunt(body_.rounding, d)) out_.note(true);  // where it touches there is no kink
      sum_ += ball_energy(body_.rounding, depth_number(body_.centre));
      point(body_.centre, d, ball_force(body_.rounding, d));
      return;
    }
    const Vec3 a2{body_.half_axes.x * body_.half_axes.x, body_.half_axes.y * body_.half_axes.y,
                  body_.half_axes.z * body_.half_axes.z};
    const Number H = sqrt(a2.x * square(md_.x) + a2.y * square(md_.y) + a2.z * square(md_.z));
    const Number d = h_ + H;
    if (d.v <= 0.0) return;
    // Radii: the Hessian (A² - p pᵀ)/H of the support function H has this trace and determinant.
    const Number p2 =
        (a2.x * a2.x * square(md_.x) + a2.y * a2.y * square(md_.y) + a2.z * a2.z * square(md_.z)) /
        square(H);
    const double q = body_.rounding, abc2 = a2.x * a2.y * a2.z;
    const Number trace = (a2.x + a2.y + a2.z - p2) / H + 2.0 * q;
    const Number determinant = Number(abc2) / square(square(H)) + q * (trace - 2.0 * q) + q * q;
    const Number k = elliptic_stiffness(trace, determinant);
    const Number root = sqrt(d);
    sum_ += 0.4 * (k * square(d) * root);
    const Vec3 p = (1.0 / H.v) * Vec3{a2.x * m_.x, a2.y * m_.y, a2.z * m_.z};
    point(p, d.v, k.v * d.v * root.v);
  }

  /// (4/3) sqrt(R_e) f(B/A) from the sum and the product of the two radii.
  static Number elliptic_stiffness(const Number& sum, const Number& product) {
    const Number mean = sqrt(sqrt(product));  // sqrt(R_e), R_e = sqrt(r1 r2)
    const Number w = square(sum) / product;
    const FactorOfRadii f = elliptic_factor_of_radii(w.v);
    return (4.0 / 3.0) * (mean * chain(w, f.factor, f.slope));
  }

  const SpringBody& body_;
  const Pose& X_WS_;
  double modulus_;
  ContactSprings& out_;
  Vec3 m_;
  Number h_;
  Direction md_;
  Number sum_{0.0};
};

}  // namespace

void springs_on_plane(const SpringBody& body, const Pose& X_WS, const Vec3& n_W, const Vec3& p_W,
                      double modulus, ContactSprings& out) {
  out.clear(body.size);
  out.n_W = n_W;
  PlaneSprings springs(body, X_WS, n_W, p_W, modulus, out);
  springs.run();
  springs.finish();
}

}  // namespace carom
