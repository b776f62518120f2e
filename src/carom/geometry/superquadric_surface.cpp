#include "carom/geometry/superquadric_surface.h"

#include <algorithm>
#include <cmath>

#include "carom/geometry/superquadric_core.h"

namespace carom {
namespace {

/// u/‖(u, v)‖_p of numbers that are not negative and not both zero.
double share_of(double u, double v, double p) {
  if (u >= v) return std::pow(1.0 + std::pow(v / u, p), -1.0 / p);
  const double t = u / v;
  return t * std::pow(1.0 + std::pow(t, p), -1.0 / p);
}

/// The same of intervals: it grows with u and falls with v.
Interval share_of(const Interval& u, const Interval& v, double p) {
  constexpr double kUlps = 64.0;
  const double lo = u.lo > 0.0 ? share_of(u.lo, v.hi, p) : 0.0;
  const double hi = v.lo > 0.0 ? share_of(u.hi, v.lo, p) : 1.0;
  const Interval wide = interval_detail::outward(lo, hi, kUlps);
  return {std::max(0.0, wide.lo), std::min(1.0, wide.hi)};
}

Interval magnitude_of(const Interval& x) { return {x.mignitude(), x.magnitude()}; }

/// x of a monotonic function f of |x|, with the sign of x.
Interval with_sign(const Interval& x, const Interval& f) {
  if (x.lo >= 0.0) return f;
  if (x.hi <= 0.0) return {-f.hi, -f.lo};
  return {-f.hi, f.hi};
}

Interval raised(const Interval& x, double e) {
  constexpr double kUlps = 16.0;
  const Interval wide = interval_detail::outward(std::pow(x.lo, e), std::pow(x.hi, e), kUlps);
  return {std::max(0.0, wide.lo), wide.hi};
}

class SuperquadricSurface final : public SmoothSurface {
 public:
  explicit SuperquadricSurface(const Core& core) : core_(core), a_(core.v[0]) {
    is_closed_ = true;
    const Interval all(-1.0, 1.0);
    problem_ = make_tree({{all, all, all}}, 0.3);
  }
  bool is_made() const { return problem_.empty(); }

  SurfacePoint at(const Vec3& s) const override {
    const SuperquadricPoint x = superquadric_point(core_, {a_.x * s.x, a_.y * s.y, a_.z * s.z});
    return {x.p, x.n, x.K};
  }

  Vec3 moved(const Vec3& s, const Vec3& t) const override {
    const Vec3 x{a_.x * s.x, a_.y * s.y, a_.z * s.z};
    const Vec3 p = x / superquadric_gauge(core_, x, false).value + t;
    const Vec3 d{p.x / a_.x, p.y / a_.y, p.z / a_.z};
    return d / std::max({std::abs(d.x), std::abs(d.y), std::abs(d.z)});
  }

  bool holds(const Vec3&) const override { return true; }

  CellBounds bounds(const SurfaceCell& cell) const override {
    const double p = core_.v[1].x, q = core_.v[1].y;
    const Interval x = magnitude_of(cell.s[0]), y = magnitude_of(cell.s[1]),
                   z = magnitude_of(cell.s[2]);
    const auto norm_of = [&](double u, double v) {
      const double most = std::max(u, v);
      return most > 0.0 ? most * std::pow(std::pow(u / most, p) + std::pow(v / most, p), 1.0 / p)
                        : 0.0;
    };
    const Interval r = interval_detail::outward(norm_of(x.lo, y.lo), norm_of(x.hi, y.hi), 64.0);
    const Interval across = share_of({std::max(0.0, r.lo), r.hi}, z, q),
                   up = share_of(z, {std::max(0.0, r.lo), r.hi}, q);
    const Interval of_x = share_of(x, y, p), of_y = share_of(y, x, p);
    const Interval turn = raised(across, q - 1.0);
    CellBounds out;
    out.p = {Interval(a_.x) * with_sign(cell.s[0], across * of_x),
             Interval(a_.y) * with_sign(cell.s[1], across * of_y),
             Interval(a_.z) * with_sign(cell.s[2], up)};
    out.normal = {with_sign(cell.s[0], turn * raised(of_x, p - 1.0)) / Interval(a_.x),
                  with_sign(cell.s[1], turn * raised(of_y, p - 1.0)) / Interval(a_.y),
                  with_sign(cell.s[2], raised(up, q - 1.0)) / Interval(a_.z)};
    return out;
  }

  std::vector<SurfaceCell> split(const SurfaceCell& cell) const override {
    std::vector<SurfaceCell> out;
    std::size_t face = 3;
    for (std::size_t i = 0; i < 3; ++i) {
      if (cell.s[i].lo == cell.s[i].hi) face = i;
    }
    if (face == 3) {  // the whole cube: its faces
      for (std::size_t i = 0; i < 3; ++i) {
        for (const double side : {-1.0, 1.0}) {
          out.push_back(cell);
          out.back().s[i] = Interval(side);
        }
      }
      return out;
    }
    const std::size_t u = (face + 1) % 3, v = (face + 2) % 3;
    const Interval U = cell.s[u], V = cell.s[v];
    for (const Interval& part_u : {Interval(U.lo, U.middle()), Interval(U.middle(), U.hi)}) {
      for (const Interval& part_v : {Interval(V.lo, V.middle()), Interval(V.middle(), V.hi)}) {
        out.push_back(cell);
        out.back().s[u] = part_u, out.back().s[v] = part_v;
      }
    }
    return out;
  }

  TriangleMesh triangles(int) const override { return {}; }

 private:
  Core core_;
  Vec3 a_;
  std::string problem_;
};

}  // namespace

std::shared_ptr<const SmoothSurface> make_superquadric_surface(const Core& core) {
  auto made = std::make_shared<SuperquadricSurface>(core);
  if (!made->is_made()) return nullptr;
  return made;
}

}  // namespace carom
