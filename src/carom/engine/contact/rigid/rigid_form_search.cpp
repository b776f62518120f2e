#include "carom/engine/contact/rigid/rigid_form_search.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "carom/engine/contact/rigid/rigid_features.h"

namespace carom {
namespace {

/// As of rigid_features.cpp: sine of the angle below which curves run along each other, speed at
/// which a point on a border leaves it [m/s], overlap in which features are told apart, and
/// distance of points that are one, over the size.
constexpr double kAlong = 1e-6, kLeavesBorder = 1e-10, kDeepestForm = 1e-5, kOnePlace = 1e-8;

class FormSearch {
 public:
  FormSearch(const PairState& s, const RigidForm& A, const RigidForm& B, double size)
      : sites_(s, A, B),
        nearest_(form_distance(s, A, B)),
        size_(size),
        radii_(A.radius + B.radius) {}

  void find(std::vector<RigidSite>& out) {
    find_on_flats(true), find_on_flats(false);
    find_curves();
    find_on_sides(true), find_on_sides(false);
    offer_all(FormKind::sides, true, sites_.a().form.sides.size(), sites_.b().form.sides.size());
    if (radii_ > 0.0) find_rounded();
    tell_apart();
    choose(true, out);
    if (out.empty()) choose(false, out);
  }

 private:
  const PlacedForm& body(bool is_a) const { return is_a ? sites_.a() : sites_.b(); }

  /// Farthest reach of the core along a unit vector.
  static double reach(const PlacedForm& body, const Vec3& n) {
    const double rounding = body.form.core.rounding;
    return dot(n, body.X.p) + extent(body.form.core, transpose_times(body.X.R, n)) - rounding;
  }

  /// Whether nothing of either body is beyond the planes through the two points.
  bool parts(const RigidSite& site) const {
    const double slack = 2.0 * kNearFeature * size_ + 4.0 * std::max(0.0, -site.phi);
    const double at_a = dot(site.n, site.p_a) - sites_.a().form.radius;
    const double at_b = dot(site.n, site.p_b) + sites_.b().form.radius;
    return reach(sites_.a(), site.n) <= at_a + slack && reach(sites_.b(), -site.n) <= -at_b + slack;
  }

  void offer(const FormFeature& f, const Vec3& side = {}) {
    const RigidSite found = sites_.site(f, side);
    if (!(found.phi <= kNearFeature * size_ && found.phi >= -kDeepestForm * size_)) return;
    if (!(found.margin >= -kFormLooseBorder * size_) || !parts(found)) return;
    // Where Newton's method has not settled the points are not above each other.
    if (!(norm(carom::cross(found.n, found.p_b - found.p_a)) <= kNearFeature * size_)) return;
    found_.push_back(found);
  }

  void offer_all(FormKind kind, bool a_carries, std::size_t on, std::size_t of) {
    for (std::uint32_t i = 0; i < on; ++i) {
      for (std::uint32_t j = 0; j < of; ++j) offer({kind, a_carries, i, j});
    }
  }

  void find_on_flats(bool a_carries) {
    const PlacedForm &on = body(a_carries), &of = body(!a_carries);
    for (std::uint32_t i = 0; i < on.form.flats.size(); ++i) {
      const Vec3 up = on.direction(on.form.flats[i].normal);
      const double lowest = -reach(of, -up) - dot(up, on.X * on.form.flats[i].origin) - radii_;
      if (lowest < -kDeepestForm * size_ || lowest > kNearRim * size_) continue;
      for (std::uint32_t j = 0; j < of.form.corners.size(); ++j) {
        const double height = dot(up, of.X * of.form.corners[j] - on.X * on.form.flats[i].origin);
        if (height - radii_ > 2.0 * kNearFeature * size_) continue;
        offer({FormKind::corner_flat, a_carries, i, j});
      }
      for (std::uint32_t j = 0; j < of.form.curves.size(); ++j) {
        if (of.form.curves[j].is_rim) lay_rim({FormKind::rim_flat, a_carries, i, j});
      }
    }
  }

  /// The lowest point of a rim over a face, or points of it that lie flat.
  void lay_rim(FormFeature f) {
    const RigidRim rim = sites_.rim(f, {});
    if (!rim.is_flat(size_)) return offer(f);
    if (sites_.site(f, {}).phi > kNearRim * size_) return;
    f.kind = FormKind::point_flat;
    const bool is_pressed = rim.is_pressed(size_);
    f.is_cut = !(sites_.room_for_disc(f) > -kFormOverhang * size_);
    for (std::uint32_t k = 0; k < kRimPoints; ++k) {
      f.angle = 2.0 * std::numbers::pi * k / kRimPoints;
      if (!is_pressed) {
        offer(f);
        continue;
      }
      RigidSite site = sites_.site(f, {});
      site.is_pressed = true;
      if (site.margin >= -kFormLooseBorder * size_) found_.push_back(site);
    }
  }

  // Crossings of edges and rims.

  struct Box {
    Vec3 lower, upper;
  };
  static Box box_of(const PlacedForm& body) {
    Box box;
    for (std::size_t k = 0; k < 3; ++k) {
      Vec3 e;
      e[k] = 1.0;
      box.upper[k] = reach(body, e), box.lower[k] = -reach(body, -e);
    }
    return box;
  }

  /// Edges that come near the box around the other body, and all rims.
  std::vector<std::uint32_t> near_curves(const PlacedForm& own, const PlacedForm& other) const {
    const Box box = box_of(other);
    const double reach = radii_ + kFormLooseBorder * size_;
    std::vector<std::uint32_t> near;
    for (std::uint32_t i = 0; i < own.form.curves.size(); ++i) {
      const RigidForm::Curve& c = own.form.curves[i];
      bool is_near = true;
      const Vec3 p = own.X * c.p, q = own.X * (c.p + c.length * c.d);
      for (std::size_t k = 0; k < 3 && !c.is_rim; ++k) {
        is_near &= std::min(p[k], q[k]) <= box.upper[k] + reach;
        is_near &= std::max(p[k], q[k]) >= box.lower[k] - reach;
      }
      if (is_near) near.push_back(i);
    }
    return near;
  }

  /// Where a point of the core of a body lies along one of its curves.
  static double place_along(const PlacedForm& body, const RigidForm::Curve& c, const Vec3& p) {
    if (!c.is_rim) return dot(body.direction(c.d), p - body.X * c.p);
    const Vec3 from = p - body.X * c.disc.centre;
    return c.disc.radius *
           std::atan2(dot(from, body.direction(c.disc.e2)), dot(from, body.direction(c.disc.e1)));
  }
  /// The nearest point of a body, as the search for it says.
  Vec3 nearest_of(bool is_a) const {
    const Vec3& n = nearest_.n_AB_W;
    return is_a ? nearest_.p_WCa - sites_.a().form.radius * n
                : nearest_.p_WCb + sites_.b().form.radius * n;
  }

  void find_curves() {
    const PlacedForm &A = sites_.a(), &B = sites_.b();
    const std::vector<std::uint32_t> near_b = near_curves(B, A);
    for (const std::uint32_t i : near_curves(A, B)) {
      for (const std::uint32_t j : near_b) {
        const RigidForm::Curve &a = A.form.curves[i], &b = B.form.curves[j];
        const FormFeature f{FormKind::curves, true, i, j};
        if (!a.is_rim && !b.is_rim) {
          cross_edges(f, a, b);
          continue;
        }
        cross(f, {place_along(A, a, nearest_of(true)), place_along(B, b, nearest_of(false)), 1.0});
        if (a.is_rim && b.is_rim) {
          cross_rims(f, a, b);
        } else if (a.is_rim) {
          for (const auto& [x, y] : meet(A, a, point_on(B, b, 0.0))) cross(f, {x, y, 1.0});
        } else {
          for (const auto& [x, y] : meet(B, b, point_on(A, a, 0.0))) cross(f, {y, x, 1.0});
        }
      }
    }
  }

  void cross(const FormFeature& f, const Vec3& start) {
    const RigidSite at = sites_.site(f, start);
    const PlacedForm &A = sites_.a(), &B = sites_.b();
    const Vec3 t_a = point_on(A, A.form.curves[f.on], at.side.x).t;
    const Vec3 t_b = point_on(B, B.form.curves[f.of], at.side.y).t;
    if (radii_ > 0.0 || norm(carom::cross(t_a, t_b)) >= kFormCrossing) {
      offer(f, at.side);
    }
  }

  void cross_edges(const FormFeature& f, const RigidForm::Curve& a, const RigidForm::Curve& b) {
    const CurvePoint p = point_on(sites_.a(), a, 0.0), q = point_on(sites_.b(), b, 0.0);
    const double sine = norm(carom::cross(p.t, q.t));
    if (sine >= kAlong) return offer(f, {0.0, 0.0, 1.0});
    const Vec3 d = q.c - p.c, off = d - dot(d, p.t) * p.t;
    runs_along_ |= sine > kFormBorder && norm(off) <= radii_ + kFormLooseBorder * size_;
  }

  struct Start {
    double x, y;  ///< along the rim, along the line
  };
  /// Where a line may meet a rim: where it passes through its plane, and where it crosses it as
  /// seen along the axis.
  static std::vector<Start> meet(const PlacedForm& body, const RigidForm::Curve& rim,
                                 const CurvePoint& line) {
    std::vector<Start> starts;
    const RigidDisc& disc = rim.disc;
    const Vec3 centre = body.X * disc.centre, axis = body.direction(disc.axis);
    const Vec3 e1 = body.direction(disc.e1), e2 = body.direction(disc.e2);
    const auto add = [&](double y) {
      const Vec3 from = line.c + y * line.t - centre;
      starts.push_back({disc.radius * std::atan2(dot(from, e2), dot(from, e1)), y});
    };
    const double slope = dot(line.t, axis);
    const Vec3 to = line.c - centre;
    if (std::abs(slope) > kAlong) add(-dot(to, axis) / slope);
    const Vec3 level = line.t - slope * axis, flat = to - dot(to, axis) * axis;
    const double a = norm2(level), b = dot(level, flat);
    const double c = norm2(flat) - disc.radius * disc.radius;
    if (a > kAlong * kAlong) {
      const double root = std::sqrt(std::max(0.0, b * b - a * c));
      add((-b - root) / a), add((-b + root) / a);
    }
    return starts;
  }

  void cross_rims(const FormFeature& f, const RigidForm::Curve& a, const RigidForm::Curve& b) {
    const PlacedForm &A = sites_.a(), &B = sites_.b();
    const Vec3 ca = A.X * a.disc.centre, cb = B.X * b.disc.centre, way = cb - ca;
    const Vec3 axis_a = A.direction(a.disc.axis), axis_b = B.direction(b.disc.axis);
    const Vec3 along = carom::cross(axis_a, axis_b);
    const auto start = [&](const Vec3& p) {
      const Vec3 u = p - ca, v = p - cb;
      const double x = std::atan2(dot(u, A.direction(a.disc.e2)), dot(u, A.direction(a.disc.e1)));
      const double y = std::atan2(dot(v, B.direction(b.disc.e2)), dot(v, B.direction(b.disc.e1)));
      cross(f, {x * a.disc.radius, y * b.disc.radius, 1.0});
    };
    const double sine = norm(along);
    if (sine > kAlong) {  // on the line that both planes have in common
      const Vec3 d = along / sine, in = carom::cross(d, axis_a);
      const double h = dot(way, axis_b) / dot(in, axis_b);
      const Vec3 base = ca + h * in;
      for (const RigidForm::Curve* rim : {&a, &b}) {
        const Vec3 from = base - (rim == &a ? ca : cb);
        const double along_d = dot(from, d), r = rim->disc.radius;
        const double root = r * r - norm2(from) + along_d * along_d;
        if (root < 0.0) continue;
        start(base + (-along_d - std::sqrt(root)) * d);
        start(base + (-along_d + std::sqrt(root)) * d);
      }
    }
    const Vec3 off = way - dot(way, axis_a) * axis_a;
    const double apart = norm(off), ra = a.disc.radius, rb = b.disc.radius;
    const bool is_level = sine <= 1e-3;
    if (sine <= kAlong && apart <= kFormLooseBorder * size_ &&
        std::abs(ra - rb) <= kFormLooseBorder * size_ &&
        std::abs(dot(way, axis_a)) <= radii_ + kFormLooseBorder * size_) {
      runs_along_ = true;
      return;
    }
    if (!is_level || !(apart > 0.0) || apart > ra + rb || apart < std::abs(ra - rb)) return;
    const double x = (apart * apart + ra * ra - rb * rb) / (2.0 * apart);
    const double y = std::sqrt(std::max(0.0, ra * ra - x * x));
    const Vec3 e = off / apart, side = carom::cross(axis_a, e);
    start(ca + x * e + y * side), start(ca + x * e - y * side);
  }

  // Sides of cylinders and cones.

  void find_on_sides(bool a_carries) {
    const PlacedForm &on = body(a_carries), &of = body(!a_carries);
    if (on.form.sides.empty()) return;
    offer_all(FormKind::corner_side, a_carries, on.form.sides.size(), of.form.corners.size());
    const std::vector<std::uint32_t> near = near_curves(of, on);
    for (std::uint32_t i = 0; i < on.form.sides.size(); ++i) {
      for (const std::uint32_t j : near) {
        const FormFeature f{FormKind::curve_side, a_carries, i, j};
        if (of.form.curves[j].is_rim) {
          find_rim_on_side(f, on, of);
        } else {
          offer(f);
        }
      }
    }
  }

  /// From every place of the rim that is nearer to the side than those beside it.
  void find_rim_on_side(const FormFeature& f, const PlacedForm& on, const PlacedForm& of) {
    constexpr std::size_t kPlaces = 16;
    const RigidForm::Side& side = on.form.sides[f.on];
    const RigidForm::Curve& rim = of.form.curves[f.of];
    offer(f, {place_along(of, rim, nearest_of(!f.a_carries)), 0.0, 1.0});
    std::array<double, kPlaces> gap{};
    const double step = 2.0 * std::numbers::pi * rim.disc.radius / kPlaces;
    for (std::size_t k = 0; k < kPlaces; ++k) {
      const Vec3 p = point_on(of, rim, step * static_cast<double>(k)).c;
      const SideLine line = line_of(on, side, radial_of(on, side, p));
      gap[k] = dot(line.normal, p - line.from);
    }
    for (std::size_t k = 0; k < kPlaces; ++k) {
      if (gap[k] > gap[(k + 1) % kPlaces] || gap[k] > gap[(k + kPlaces - 1) % kPlaces]) continue;
      offer(f, {step * static_cast<double>(k), 0.0, 1.0});
    }
  }

  void find_rounded() {
    for (const bool a_carries : {true, false}) {
      const PlacedForm &on = body(a_carries), &of = body(!a_carries);
      offer_all(FormKind::corner_curve, a_carries, on.form.curves.size(), of.form.corners.size());
    }
    const PlacedForm &A = sites_.a(), &B = sites_.b();
    offer_all(FormKind::corners, true, A.form.corners.size(), B.form.corners.size());
  }

  bool is_same_place(const RigidSite& a, const RigidSite& b) const {
    return norm(a.p - b.p) <= kOnePlace * size_ && dot(a.n, b.n) > 0.999;
  }

  /// A rim may meet an edge, a rim or a side twice: each is a feature of its own, numbered along
  /// the curves, whatever moves.
  void tell_apart() {
    std::vector<RigidSite> own;
    for (const RigidSite& site : found_) {
      const auto is_known = [&](const RigidSite& other) {
        return other.feature == site.feature && is_same_place(other, site);
      };
      if (std::ranges::none_of(own, is_known)) own.push_back(site);
    }
    found_ = own;
    const auto along = [](const RigidSite& site) { return site.side.x + 1e3 * site.side.y; };
    for (RigidSite& site : found_) {
      FormFeature f = form_feature(site.feature);
      if (f.kind != FormKind::curves && f.kind != FormKind::curve_side) continue;
      for (const RigidSite& other : own) {
        if (other.feature == site.feature && along(other) < along(site)) ++f.which;
      }
      site.feature = number_of(f);
    }
  }

  /// Those within their borders, each place once. On a border the rate decides, unless nothing else
  /// is there.
  void choose(bool lets_leave, std::vector<RigidSite>& out) {
    for (RigidSite& site : found_) {
      FormFeature f = form_feature(site.feature);
      const bool is_crossing = f.kind == FormKind::curves || f.kind == FormKind::sides;
      f.is_loose = runs_along_ && !is_crossing && site.margin < kFormBorder * size_;
      const double border = (f.is_loose ? kFormLooseBorder : kFormBorder) * size_;
      if (site.margin < -border) continue;
      const bool leaves = !f.is_loose && site.margin <= border && site.margin_rate < -kLeavesBorder;
      if (lets_leave && leaves) continue;
      const auto is_there = [&](const RigidSite& other) { return is_same_place(other, site); };
      if (std::ranges::any_of(out, is_there)) continue;
      site.feature = number_of(f);
      out.push_back(site);
    }
  }

  FormSites sites_;
  Contact nearest_;
  double size_ = 1.0, radii_ = 0.0;
  std::vector<RigidSite> found_;
  bool runs_along_ = false;  ///< curves do, nearly
};

}  // namespace

void find_form_sites(const PairState& s, const RigidForm& A, const RigidForm& B, double size,
                     std::vector<RigidSite>& out) {
  FormSearch(s, A, B, size).find(out);
}

}  // namespace carom
