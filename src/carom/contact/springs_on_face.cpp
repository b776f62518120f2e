// Springs of a body of flat faces on one bounded face of another. All that presses lies on the
// border of the patch where the two overlap, seen along the normal n of the face:
//
//   edges of the body, as far as they are inside the face, and
//   borders of the face, as far as they are under faces of the body that look at it.
//
// Each is a line of projected length l whose depth goes linearly from a to b (LineTerm), with
//
//   U = sum of kappa h l G(a, b),   h = l²/(l² + (a - b)²),                               (1)
//   kappa = pi/4 + (kappa_Q - pi/4) near,   kappa_Q = 2 sqrt(A_Q/pi) / perimeter of Q,    (2)
//
// Q the patch under the face of the body that lies flat. Everything is computed with derivatives
// along the six motions of the body, so clipped ends that move and patches that grow bring their
// forces. An edge that leaves the face over its border hands over to the border: edges count up to
// and with a tolerance beyond it, borders from there on.
#include <algorithm>
#include <array>
#include <cmath>
#include <utility>
#include <vector>

#include "carom/contact/contact_springs.h"
#include "carom/contact/spring_terms.h"

namespace carom {
namespace {

using Motion6 = Dual<6>;
using Pair = Motion6::Pair;

struct Flat2 {
  Motion6 x, y;
};
inline Flat2 operator-(const Flat2& a, const Flat2& b) { return {a.x - b.x, a.y - b.y}; }
inline Motion6 cross2(const Flat2& a, const Flat2& b) { return a.x * b.y - a.y * b.x; }

struct Placed {
  Flat2 at;
  Motion6 depth;
};

/// A constraint at the two ends of a line.
struct Ends {
  Motion6 first, second;
};

/// The part of 0..1 in which all constraints that are linear along a line are not positive.
struct Clip {
  Motion6 from{0.0}, to{1.0};
  bool is_empty = false;
  double least = 0.0;  ///< difference of a constraint between the ends

  /// The constraint at the two ends, and with its derivatives there, which only a cut needs.
  template <class AtEnds>
  void demand(double first, double second, const AtEnds& with_derivatives) {
    if (first <= 0.0 && second <= 0.0) return;
    if (first > 0.0 && second > 0.0) {
      is_empty = true;
      return;
    }
    // A line along a border all but exactly: it is inside or outside as a whole. Where it is cut
    // would move by any amount with a turn too small to matter.
    if (std::abs(first - second) < least) {
      is_empty = first + second > 0.0;
      return;
    }
    const auto [a, b] = with_derivatives();
    const Motion6 t = a / (a - b);
    if (first > 0.0 && t.v > from.v) from = t;
    if (second > 0.0 && t.v < to.v) to = t;
    if (!(to.v > from.v)) is_empty = true;
  }
};

/// Of the tolerance: what two ends must differ by to be cut apart.
constexpr double kLeast = 1e-4;

using Corner2 = std::array<double, 2>;

/// A face of the body that looks at the base, turned by less than a right angle.
struct Looking {
  const SpringFace* face = nullptr;
  std::int32_t index = -1;
  bool is_flat = false;  ///< near enough to carry as a face
  Motion6 kappa;         ///< of a line that borders on it and on nothing else
  Motion6 slope_x, slope_y;
};

/// Room for bodies of any number of corners and faces. It only grows, so that an evaluation
/// allocates nothing once the largest pair was seen; nothing in it lives on from call to call but
/// the stamps, which say of which call a placed corner is.
struct FaceScratch {
  std::vector<Corner2> corner;   ///< of the face of the base
  std::vector<Corner2> outward;  ///< of the border from there: y, x
  std::vector<Corner2> outline;  ///< of a face of the body
  std::vector<Flat2> whole, rest;
  std::vector<Looking> looking;
  std::vector<Placed> placed;  ///< corners of the body
  std::vector<std::uint64_t> stamp;
  std::uint64_t call = 0;

  void begin(const SpringBody& body, const SpringFace& base_face) {
    ++call;
    const auto borders = static_cast<std::size_t>(base_face.count);
    grow(corner, borders), grow(outward, borders);
    grow(placed, body.corners.size()), grow(stamp, body.corners.size());
    std::size_t most = 0;
    for (const SpringFace& f : body.faces) most = std::max<std::size_t>(most, f.count);
    grow(outline, most);
    // A border adds a corner to a convex outline; by rounding it may add two.
    grow(whole, most + 2 * borders), grow(rest, most + 2 * borders);
    looking.clear();
    if (looking.capacity() < body.faces.size()) looking.reserve(body.faces.size());
  }

 private:
  template <class T>
  static void grow(std::vector<T>& room, std::size_t n) {
    if (room.size() < n) room.resize(n);
  }
};

class FaceSprings {
 public:
  FaceSprings(const SpringBody& body, const Pose& X_WS, const SpringBody& base, const Pose& X_WF,
              const SpringFace& face, double modulus, FaceScratch& room, ContactSprings& out)
      : body_(body), base_(base), face_(face), modulus_(modulus), room_(room), out_(out) {
    room.begin(body, face);
    n_ = X_WF.R * face.normal;
    e1_ = any_perpendicular(n_), e2_ = cross(n_, e1_);
    origin_ = X_WF * base.corners[base.loop[face.first]].p;
    R_ = X_WS.R, p_ = X_WS.p - origin_;
    m_ = transpose_times(R_, n_), height_ = dot(n_, p_), local_p_ = local(p_);
    rounding_ = body.rounding + base.rounding;
    count_ = static_cast<int>(face.count);
    double size = 0.0;
    const Vec3 first = base.corners[base.loop[face.first]].p;
    for (int i = 0; i < count_; ++i) {
      // Without the place of the base, which may be anywhere in a trial step.
      const std::uint32_t k = base.loop[face.first + static_cast<std::uint32_t>(i)];
      const Vec3 r = X_WF.R * (base.corners[k].p - first);
      room_.corner[at(i)] = {dot(e1_, r), dot(e2_, r)};
      size = std::max(size, norm(r));
    }
    for (int i = 0; i < count_; ++i) {
      const auto &c = room_.corner[at(i)], &d = room_.corner[at((i + 1) % count_)];
      const double dx = d[0] - c[0], dy = d[1] - c[1], l = std::hypot(dx, dy);
      room_.outward[at(i)] = {dy / l, dx / l};
    }
    tolerance_ = 1e-10 * size;
  }

  void run() {
    out_.n_W = n_;
    for (std::size_t f = 0; f < body_.faces.size(); ++f) look_at_face(f);
    for (const SpringEdge& e : body_.edges) add_edge(e);
    for (const Looking& look : room_.looking) add_borders(look);
  }

  void finish() const {
    out_.energy = modulus_ * sum_.v;
    const Vec3 force{-sum_.d(0), -sum_.d(1), -sum_.d(2)},
        torque{-sum_.d(3), -sum_.d(4), -sum_.d(5)};
    out_.force_W = modulus_ * world(force);
    out_.torque_W = modulus_ * world(torque);
  }

 private:
  static std::size_t at(int i) { return static_cast<std::size_t>(i); }
  Vec3 world(const Vec3& a) const { return a.x * e1_ + a.y * e2_ + a.z * n_; }
  Vec3 local(const Vec3& a) const { return {dot(e1_, a), dot(e2_, a), dot(n_, a)}; }

  double height(const Vec3& v) const { return height_ + dot(m_, v); }

  /// Components along e1, e2 and n of a direction fixed to the body; theta x r is their change.
  VecT<Motion6> direction(const Vec3& v) const {
    const Vec3 r = local(R_ * v);
    VecT<Motion6> out{r.x, r.y, r.z};
    out.x.s[2] = Pair{r.z, -r.y};
    out.y.s[1] = Pair{0.0, -r.z}, out.y.s[2] = Pair{0.0, r.x};
    out.z.s[1] = Pair{0.0, r.y}, out.z.s[2] = Pair{-r.x, 0.0};
    return out;
  }
  Placed place(const Vec3& v) const {
    VecT<Motion6> r = direction(v);
    const Vec3& p = local_p_;
    r.x.v += p.x, r.y.v += p.y, r.z.v += p.z;
    r.x.s[0] = Pair{1.0, 0.0}, r.y.s[0] = Pair{0.0, 1.0};
    r.z.s[1] = Pair{1.0, r.z.s[1][1]};
    return {{r.x, r.y}, rounding_ - r.z};
  }
  /// A corner of the body, by its number: faces and edges share them.
  const Placed& placed(std::uint32_t corner) {
    Placed& out = room_.placed[corner];
    if (std::exchange(room_.stamp[corner], room_.call) != room_.call) {
      out = place(body_.corners[corner].p);
    }
    return out;
  }
  const Placed& placed(const SpringFace& f, std::uint32_t i) {
    return placed(body_.loop[f.first + i % f.count]);
  }
  /// Where that is, without derivatives.
  Corner2 seen(const Vec3& v) const {
    const Vec3 r = R_ * v;
    return {dot(e1_, r) + local_p_.x, dot(e2_, r) + local_p_.y};
  }
  void point(const Flat2& p, double depth, double force) {
    out_.add(origin_ + p.x.v * e1_ + p.y.v * e2_ + (base_.rounding - 0.5 * depth) * n_, depth,
             modulus_ * force);
  }
  Vec3 body_corner(const SpringFace& f, std::uint32_t i) const {
    return body_.corners[body_.loop[f.first + i % f.count]].p;
  }

  void look_at_face(std::size_t index) {
    const SpringFace& f = body_.faces[index];
    const Vec3 N = R_ * f.normal;
    const double facing = -dot(N, n_);
    constexpr double kEdgewise = 0.05;  // seen so obliquely, its own edges carry
    if (facing < kEdgewise) return;
    bool is_deep = false;
    for (std::uint32_t i = 0; i < f.count; ++i) is_deep |= height(body_corner(f, i)) < rounding_;
    out_.note(is_deep);
    if (!is_deep) return;
    Looking look;
    look.face = &f, look.index = static_cast<std::int32_t>(index);
    const VecT<Motion6> m = direction(f.normal);
    look.slope_x = -m.x / m.z, look.slope_y = -m.y / m.z;
    look.kappa = Motion6(kEdgeKappa);
    look.is_flat = 2.0 * (1.0 - facing) < f.lying * f.lying;
    if (look.is_flat) {
      const Motion6 turned = (2.0 / (f.lying * f.lying)) * (1.0 + m.z);
      Motion6 patch(0.0);
      if (patch_kappa(f, patch))
        look.kappa += (patch - kEdgeKappa) * near(turned);
      else
        look.is_flat = false;
    }
    out_.note(look.is_flat);
    room_.looking.push_back(look);
  }

  /// kappa_Q of (2); false where the face does not lie over the base.
  bool patch_kappa(const SpringFace& f, Motion6& kappa) {
    std::vector<Flat2>&whole = room_.whole, &rest = room_.rest;
    int n = static_cast<int>(f.count);
    for (int i = 0; i < n; ++i) whole[at(i)] = placed(f, static_cast<std::uint32_t>(i)).at;
    for (int k = 0; k < count_ && n > 0; ++k) n = cut(k, whole, n, rest), whole.swap(rest);
    if (n < 3) return false;
    Motion6 area(0.0), perimeter(0.0);
    for (int i = 0; i < n; ++i) {
      const Flat2 &p = whole[at(i)], &q = whole[at((i + 1) % n)];
      area += 0.5 * cross2(p, q);
      const Flat2 e = q - p;
      const Motion6 l2 = square(e.x) + square(e.y);
      if (l2.v > tolerance_ * tolerance_) perimeter += sqrt(l2);
    }
    if (area.v < 0.0) area = -area;
    if (!(perimeter.v > 0.0)) return false;
    // A strip far narrower than it is long is no punch: its area counts as a floor.
    const Motion6 floor = square(0.05 * perimeter);
    if (area.v < floor.v) area = 0.5 * (square(area) / floor + floor);
    kappa = (2.0 / std::sqrt(std::numbers::pi)) * (sqrt(area) / perimeter);
    return true;
  }

  /// Signed distance beyond border k, of numbers with or without derivatives.
  template <class T>
  T beyond(int k, const T& x, const T& y) const {
    const auto &c = room_.corner[at(k)], &out = room_.outward[at(k)];
    return out[0] * (x - c[0]) - out[1] * (y - c[1]);
  }
  Motion6 beyond(int k, const Flat2& p) const { return beyond(k, p.x, p.y); }
  double beyond_value(int k, const Flat2& p) const { return beyond(k, p.x.v, p.y.v); }

  int cut(int k, const std::vector<Flat2>& in, int n, std::vector<Flat2>& out) const {
    const int most = static_cast<int>(out.size());
    int count = 0;
    for (int i = 0; i < n; ++i) {
      const Flat2 &p = in[at(i)], &q = in[at((i + 1) % n)];
      const double vp = beyond_value(k, p) - tolerance_, vq = beyond_value(k, q) - tolerance_;
      if (vp <= 0.0 && count < most) out[at(count++)] = p;
      const bool crosses = (vp <= 0.0) != (vq <= 0.0);
      if (crosses && std::abs(vp - vq) >= kLeast * tolerance_ && count < most) {
        const Motion6 sp = beyond(k, p) - tolerance_, sq = beyond(k, q) - tolerance_;
        const Motion6 t = sp / (sp - sq);
        out[at(count++)] = {p.x + t * (q.x - p.x), p.y + t * (q.y - p.y)};
      }
    }
    return count;
  }

  /// kappa h l G of a line between placed ends, of which `clip` remains.
  void add_line(const Placed& p, const Placed& q, const Clip& clip, const Motion6& kappa,
                double share) {
    const Flat2 e = q.at - p.at;
    const Motion6 rise = q.depth - p.depth;
    const Motion6 l2 = square(e.x) + square(e.y);
    if (!(l2.v > 1e-16 * square(rise).v) || !(l2.v > 0.0)) return;
    const Motion6 a = p.depth + clip.from * rise, b = p.depth + clip.to * rise;
    out_.note(a.v > 0.0), out_.note(b.v > 0.0);
    if (a.v <= 0.0 && b.v <= 0.0) return;
    const LineTerm<Motion6> line(a, b);
    const Motion6 h = l2 / (l2 + square(rise));
    const Motion6 c = share * (kappa * h * sqrt(l2) * (clip.to - clip.from));
    sum_ += c * line.energy;
    const auto end = [&](double t) {
      return Flat2{Motion6(p.at.x.v + t * e.x.v), Motion6(p.at.y.v + t * e.y.v)};
    };
    point(end(clip.from.v), a.v, c.v * line.at_first);
    point(end(clip.to.v), b.v, c.v * line.at_second);
  }

  void add_edge(const SpringEdge& e) {
    if (height(e.p) >= rounding_ && height(e.q) >= rounding_) return;
    const Corner2 first = seen(e.p), second = seen(e.q);
    for (int k = 0; k < count_; ++k) {  // most are over another face
      if (beyond(k, first[0], first[1]) > tolerance_ &&
          beyond(k, second[0], second[1]) > tolerance_)
        return;
    }
    const Placed p = placed(e.corner[0]), q = placed(e.corner[1]);
    Clip clip;
    clip.least = kLeast * tolerance_;
    for (int k = 0; k < count_ && !clip.is_empty; ++k) {
      clip.demand(beyond_value(k, p.at) - tolerance_, beyond_value(k, q.at) - tolerance_, [&] {
        return Ends{beyond(k, p.at) - tolerance_, beyond(k, q.at) - tolerance_};
      });
    }
    if (clip.is_empty) return;
    Motion6 kappa(kEdgeKappa);
    for (const Looking& look : room_.looking) {
      const bool is_own = look.index == e.face[0] || look.index == e.face[1];
      if (look.is_flat && is_own) kappa += look.kappa - kEdgeKappa;
    }
    add_line(p, q, clip, kappa, e.share);
  }

  /// Borders of the base under one face of the body.
  void add_borders(const Looking& look) {
    const SpringFace& f = *look.face;
    const Placed first = placed(f, 0);
    const int n = static_cast<int>(f.count);
    bool is_placed = false;
    for (int k = 0; k < count_; ++k) {
      const auto &c = room_.corner[at(k)], &d = room_.corner[at((k + 1) % count_)];
      const auto depth = [&](const auto& corner) {
        return first.depth.v - look.slope_x.v * (corner[0] - first.at.x.v) -
               look.slope_y.v * (corner[1] - first.at.y.v);
      };
      if (depth(c) <= 0.0 && depth(d) <= 0.0) continue;
      if (!std::exchange(is_placed, true)) place_outline(f, n);
      const Clip clip = clip_border(f, n, c, d);
      if (clip.is_empty) continue;
      const SpringEdge& edge =
          base_.edges[base_.loop_edges[face_.first_edge + static_cast<std::uint32_t>(k)]];
      add_line(under(look, first, c), under(look, first, d), clip, look.kappa, edge.share);
    }
  }

  void place_outline(const SpringFace& f, int n) {
    for (int i = 0; i < n; ++i)
      room_.outline[at(i)] = seen(body_corner(f, static_cast<std::uint32_t>(i)));
  }

  /// A corner of the base, as deep as the plane of the face is there.
  static Placed under(const Looking& look, const Placed& first, const Corner2& c) {
    Placed out{{Motion6(c[0]), Motion6(c[1])}, Motion6(0.0)};
    out.depth = first.depth - look.slope_x * (out.at.x - first.at.x) -
                look.slope_y * (out.at.y - first.at.y);
    return out;
  }

  /// The part of the border from c to d that is under the face. Seen along n the outline runs
  /// clockwise.
  Clip clip_border(const SpringFace& f, int n, const Corner2& c, const Corner2& d) {
    const std::vector<Corner2>& outline = room_.outline;
    Clip clip;
    clip.least = kLeast * tolerance_;
    for (int i = 0; i < n && !clip.is_empty; ++i) {
      const auto &u = outline[at(i)], &v = outline[at((i + 1) % n)];
      const double ex = v[0] - u[0], ey = v[1] - u[1], l2 = ex * ex + ey * ey;
      if (!(l2 > tolerance_ * tolerance_)) continue;
      const double k_l = 1.0 / std::sqrt(l2);
      const auto value = [&](const Corner2& end) {
        return k_l * (ex * (end[1] - u[1]) - ey * (end[0] - u[0])) + tolerance_;
      };
      clip.demand(value(c), value(d), [&] {
        const auto corner = static_cast<std::uint32_t>(i);
        const Flat2 from = placed(f, corner).at;
        const Flat2 e = placed(f, corner + 1).at - from;
        const Motion6 k_length = Motion6(1.0) / sqrt(square(e.x) + square(e.y));
        const auto beside = [&](const Corner2& end) {
          const Flat2 at_end{Motion6(end[0]), Motion6(end[1])};
          return k_length * cross2(e, at_end - from) + tolerance_;
        };
        return Ends{beside(c), beside(d)};
      });
    }
    return clip;
  }

  const SpringBody &body_, &base_;
  const SpringFace& face_;
  double modulus_, rounding_ = 0.0, tolerance_ = 0.0;
  FaceScratch& room_;
  ContactSprings& out_;
  Vec3 n_, e1_, e2_, origin_, p_;
  Vec3 m_, local_p_;  ///< n in the axes of the body; p along e1, e2 and n
  double height_ = 0.0;
  Mat3 R_;
  int count_ = 0;
  Motion6 sum_{0.0};
};

}  // namespace

void springs_on_face(const SpringBody& body, const Pose& X_WS, const SpringBody& base,
                     const Pose& X_WF, std::int32_t face, double modulus, ContactSprings& out) {
  thread_local FaceScratch room;
  out.clear(body.size);
  FaceSprings springs(body, X_WS, base, X_WF, base.faces[static_cast<std::size_t>(face)], modulus,
                      room, out);
  springs.run();
  springs.finish();
}

}  // namespace carom
