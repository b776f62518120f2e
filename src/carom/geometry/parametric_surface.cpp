#include "carom/geometry/parametric_surface.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numbers>

#include "carom/geometry/surface_crossing.h"
#include "carom/geometry/surface_tape.h"
#include "carom/math/formula_run.h"

namespace carom {
namespace {

constexpr double kTurn = 2.0 * std::numbers::pi;
constexpr int kLooks = 32;  ///< along an edge
/// Points that are one, over the size of the surface; tangents over their length.
constexpr double kSamePoint = 1e-9, kSameTangent = 1e-6;
/// So near to a pole, over the range, that what holds there holds here.
constexpr double kAtPole = 1e-7;

using JetPoint = std::array<Jet<double, 2>, 3>;

Vec3 value_of(const JetPoint& r) { return {r[0].v, r[1].v, r[2].v}; }
Vec3 slope_of(const JetPoint& r, std::size_t i) { return {r[0].g[i], r[1].g[i], r[2].g[i]}; }
/// 0: uu, 1: uv, 2: vv.
Vec3 bend_of(const JetPoint& r, std::size_t i) { return {r[0].h[i], r[1].h[i], r[2].h[i]}; }

std::string short_text(double x) {
  char text[32];
  std::snprintf(text, sizeof text, "%.3g", std::abs(x) < 1e-9 ? 0.0 : x);
  return text;
}

/// Vectors whose products with a tangent vector are its components over a and b.
struct DualPair {
  Vec3 a, b;
  DualPair(const Vec3& ra, const Vec3& rb) {
    const double aa = norm2(ra), ab = dot(ra, rb), bb = norm2(rb), det = norm2(cross(ra, rb));
    a = (1.0 / det) * (bb * ra - ab * rb), b = (1.0 / det) * (aa * rb - ab * ra);
  }
};

}  // namespace

ChartSurface::Point2 ParametricSurface::jets(double u, double v) const {
  const double s[2] = {u, v};
  return {formula_jet<2>(tapes_[0], s), formula_jet<2>(tapes_[1], s), formula_jet<2>(tapes_[2], s)};
}

ChartSurface::Bounds2 ParametricSurface::jet_bounds(const Interval& u, const Interval& v) const {
  const Interval s[2] = {u, v};
  return {formula_bounds<2>(tapes_[0], s), formula_bounds<2>(tapes_[1], s),
          formula_bounds<2>(tapes_[2], s)};
}

std::string ParametricSurface::make(const SurfaceFormulas& formulas,
                                    std::span<const FormulaField> parameters) {
  std::string problem;
  constexpr const char* kNames[] = {"x", "y", "z"};
  for (std::size_t i = 0; i < 3 && problem.empty(); ++i) {
    tapes_[i] = surface_tape(formulas, parameters, kNames[i], problem);
  }
  for (std::size_t i = 0; i < 2 && problem.empty(); ++i) {
    range_[i] = surface_range(formulas, parameters[i].name, problem);
  }
  if (problem.empty()) problem = look_around();
  if (!problem.empty()) return problem;
  find_edges();
  is_closed_ = true;
  for (const auto& ends : edges_) {
    is_closed_ &= ends[0] != Edge::open && ends[1] != Edge::open;
  }
  if (is_closed_) integrate();
  problem = find_poles();
  if (!problem.empty()) return problem;
  SurfaceCell whole{{range_[0], range_[1], Interval(0.0)}};
  for (std::size_t i = 0; i < 2; ++i) {
    // A minimum on the seam must lie in a cell, to rounding.
    const double beyond = is_periodic_[i] ? 1e-9 * range_[i].width() : 0.0;
    whole.s[i] = {range_[i].lo - beyond, range_[i].hi + beyond};
  }
  constexpr double kCone = 0.2;
  return make_tree(whole, kCone);
}

/// Points, slopes and curvatures are asked for on a grid, poles apart.
std::string ParametricSurface::look_around() {
  constexpr int kPlaces = 48;
  Vec3 low{kInf, kInf, kInf}, high = -low;
  double steepest = 0.0;
  for (int i = 0; i <= kPlaces; ++i) {
    for (int k = 0; k <= kPlaces; ++k) {
      const double u = range_[0].lo + range_[0].width() * i / kPlaces,
                   v = range_[1].lo + range_[1].width() * k / kPlaces;
      const Point2 r = jets(u, v);
      const bool is_finite_here = is_finite(value_of(r)) && is_finite(slope_of(r, 0)) &&
                                  is_finite(slope_of(r, 1)) && is_finite(bend_of(r, 0)) &&
                                  is_finite(bend_of(r, 1)) && is_finite(bend_of(r, 2));
      if (!is_finite_here) {
        return "a point, a slope or a curvature has no value at u = " + std::to_string(u) +
               ", v = " + std::to_string(v);
      }
      steepest = std::max(steepest, norm(cross(slope_of(r, 0), slope_of(r, 1))));
      const Vec3 p = value_of(r);
      for (std::size_t j = 0; j < 3; ++j) {
        low[j] = std::min(low[j], p[j]), high[j] = std::max(high[j], p[j]);
      }
    }
  }
  extent_ = norm(high - low);
  if (!(extent_ > 0.0)) return "it is a single point";
  if (!(steepest > 1e-12 * extent_ * extent_)) return "it is a line and no surface";
  return {};
}

void ParametricSurface::find_edges() {
  for (std::size_t k = 0; k < 2; ++k) {
    const std::size_t j = 1 - k;
    bool closes = true, is_pole[2] = {true, true};
    Vec3 first[2];
    for (int i = 0; i <= kLooks; ++i) {
      double s[2];
      s[j] = range_[j].lo + range_[j].width() * i / kLooks;
      s[k] = range_[k].lo;
      const Point2 a = jets(s[0], s[1]);
      s[k] = range_[k].hi;
      const Point2 b = jets(s[0], s[1]);
      if (i == 0) first[0] = value_of(a), first[1] = value_of(b);
      const double same = kSamePoint * extent_;
      closes &= norm(value_of(a) - value_of(b)) <= same;
      for (std::size_t d = 0; d < 2; ++d) {
        const double length = norm(slope_of(a, d)) + norm(slope_of(b, d));
        closes &= norm(slope_of(a, d) - slope_of(b, d)) <=
                  kSameTangent * length + kSamePoint * extent_ / range_[d].width();
      }
      is_pole[0] &= norm(value_of(a) - first[0]) <= same;
      is_pole[1] &= norm(value_of(b) - first[1]) <= same;
    }
    for (std::size_t e = 0; e < 2; ++e) {
      edges_[k][e] = is_pole[e] ? Edge::pole : closes ? Edge::closes : Edge::open;
    }
    is_periodic_[k] = closes && !is_pole[0];
  }
  // A pole is one that the other parameter runs once around.
  for (std::size_t k = 0; k < 2; ++k) {
    for (Edge& edge : edges_[k]) {
      if (edge == Edge::pole && !is_periodic_[1 - k]) edge = Edge::open;
    }
  }
}

std::string ParametricSurface::find_poles() {
  poles_.clear();
  for (std::size_t k = 0; k < 2; ++k) {
    for (const bool upper : {false, true}) {
      if (edges_[k][upper] != Edge::pole) continue;
      std::string problem = make_pole(k, upper);
      if (!problem.empty()) return problem;
    }
  }
  return {};
}

std::string ParametricSurface::make_pole(std::size_t k, bool upper) {
  const std::size_t j = 1 - k;
  Pole pole;
  pole.k = k, pole.end = upper ? range_[k].hi : range_[k].lo, pole.sign = upper ? -1.0 : 1.0;
  const auto meridian = [&](double turn) {
    double s[2];
    s[k] = pole.end, s[j] = range_[j].lo + range_[j].width() * turn / kTurn;
    return jets(s[0], s[1]);
  };
  const Point2 east = meridian(0.0), north = meridian(0.25 * kTurn),
               between = meridian(0.125 * kTurn);
  pole.a = pole.sign * slope_of(east, k), pole.b = pole.sign * slope_of(north, k);
  const Vec3 middle = pole.sign * slope_of(between, k);
  const double half = std::sqrt(0.5);
  const double uneven = norm(middle - half * (pole.a + pole.b));
  if (!(uneven <= kSameTangent * (norm(pole.a) + norm(pole.b)))) {
    return "it has a tip or a crease where an edge of its ranges shrinks to a point";
  }
  pole.at.p = value_of(east);
  const Vec3 n = cross(pole.a, pole.b);
  if (!(norm(n) > kSameTangent * norm(pole.a) * norm(pole.b))) {
    return "it has a cusp where an edge of its ranges shrinks to a point";
  }
  // Outward as beside it: θ runs with the other parameter.
  double s[2];
  s[k] = pole.end + pole.sign * 1e-3 * range_[k].width(), s[j] = range_[j].lo;
  const Vec3 beside = ChartSurface::at({s[0], s[1], 0.0}).n;
  pole.at.n = dot(n, beside) > 0.0 ? normalized(n) : -normalized(n);
  const std::size_t kk = k == 0 ? 0 : 2;
  const auto bend = [&](const Point2& r) { return -dot(pole.at.n, bend_of(r, kk)); };
  const double aa = bend(east), bb = bend(north), ab = bend(between) - 0.5 * (aa + bb);
  const DualPair G(pole.a, pole.b);
  pole.at.K = (aa - ab) * outer(G.a) + (bb - ab) * outer(G.b) + ab * outer(G.a + G.b);
  poles_.push_back(pole);
  return {};
}

const ParametricSurface::Pole* ParametricSurface::near_pole(const Vec3& s, double within) const {
  for (const Pole& pole : poles_) {
    if (pole.sign * (s[pole.k] - pole.end) <= within * range_[pole.k].width()) return &pole;
  }
  return nullptr;
}

const ParametricSurface::Pole* ParametricSurface::touched_pole(const SurfaceCell& cell) const {
  for (const Pole& pole : poles_) {
    if (cell.s[pole.k].contains(pole.end)) return &pole;
  }
  return nullptr;
}

SurfacePoint ParametricSurface::at(const Vec3& s) const {
  const Pole* pole = near_pole(s, kAtPole);
  if (!pole) return ChartSurface::at(s);
  const Point2 r = jets(s.x, s.y);
  SurfacePoint out = pole->at;
  out.p = value_of(r);
  out.n = normalized(pole->at.n + pole->at.K * (out.p - pole->at.p));
  return out;
}

Vec3 ParametricSurface::moved(const Vec3& s, const Vec3& t) const {
  constexpr double kNearPole = 0.25, kMostTurn = 0.3;
  const Pole* pole = near_pole(s, kNearPole);
  if (!pole) return ChartSurface::moved(s, t);
  const std::size_t k = pole->k, j = 1 - k;
  const double around = range_[j].width() / kTurn;
  const double rho = std::max(0.0, pole->sign * (s[k] - pole->end));
  const bool is_at = rho <= kAtPole * range_[k].width();
  if (!is_at) {
    const Vec3 next = ChartSurface::moved(s, t);
    const bool turns_little = std::abs(next[j] - s[j]) <= kMostTurn * around;
    if (turns_little && pole->sign * (next[k] - pole->end) > 0.3 * rho) return next;
  }
  const double turn = (s[j] - range_[j].lo) / around, c = std::cos(turn), d = std::sin(turn);
  Vec3 ra = pole->a, rb = pole->b;
  if (!is_at) {
    const Point2 r = jets(s.x, s.y);
    const Vec3 out = pole->sign * slope_of(r, k), side = (around / rho) * slope_of(r, j);
    ra = c * out - d * side, rb = d * out + c * side;
  }
  const DualPair G(ra, rb);
  const double a = rho * c + dot(G.a, t), b = rho * d + dot(G.b, t);
  Vec3 next = s;
  next[k] = pole->end + pole->sign * std::min(std::hypot(a, b), range_[k].width());
  double angle = std::atan2(b, a);
  if (angle < 0.0) angle += kTurn;
  if (a != 0.0 || b != 0.0) next[j] = range_[j].lo + around * angle;
  return next;
}

/// At a pole the derivative around it is zero; beside it, it is ρ times what the mixed derivative
/// is in between, so that bounds of that say where normals point. Cells reach a little beyond the
/// pole, which no double need be: a minimum there must lie in one of them.
CellBounds ParametricSurface::bounds(const SurfaceCell& cell) const {
  const Pole* pole = touched_pole(cell);
  if (!pole) return ChartSurface::bounds(cell);
  const double beyond = pole->end - pole->sign * 1e-9 * range_[pole->k].width();
  SurfaceCell wider = cell;
  Interval& towards = wider.s[pole->k];
  towards = {std::min(towards.lo, beyond), std::max(towards.hi, beyond)};
  CellBounds out = ChartSurface::bounds(wider);
  IntervalVector side = out.second[1];
  if (pole->sign < 0.0) {
    for (Interval& x : side) x = -x;
  }
  const IntervalVector &a = pole->k == 0 ? out.first[0] : side,
                       &b = pole->k == 0 ? side : out.first[1];
  IntervalVector n{a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
  if (is_turned_) {
    for (Interval& x : n) x = -x;
  }
  out.normal = n;
  out.is_at_pole = true;
  return out;
}

/// Wedges at a pole are cut around it until they are slim, then towards it only; the last have no
/// parts.
std::vector<SurfaceCell> ParametricSurface::split(const SurfaceCell& cell) const {
  constexpr double kSlim = 1.0 / 16.0, kSmallest = 1e-4;
  const Pole* pole = touched_pole(cell);
  if (!pole) return ChartSurface::split(cell);
  const std::size_t k = pole->k, j = 1 - k;
  if (cell.s[j].width() > 1.001 * kSlim * range_[j].width()) return ChartSurface::split(cell);
  if (cell.s[k].width() <= kSmallest * range_[k].width()) return {};
  SurfaceCell low = cell, high = cell;
  low.s[k].hi = high.s[k].lo = cell.s[k].middle();
  return {low, high};
}

/// Volume and moments by the divergence theorem, with Gauss's points; the sign of the volume says
/// whether r_u x r_v points outward.
void ParametricSurface::integrate() {
  constexpr int kPanels = 24;
  constexpr double kNodes[] = {-0.8611363115940526, -0.3399810435848563, 0.3399810435848563,
                               0.8611363115940526};
  constexpr double kWeights[] = {0.3478548451374538, 0.6521451548625461, 0.6521451548625461,
                                 0.3478548451374538};
  VolumeMoments m;
  const double du = range_[0].width() / kPanels, dv = range_[1].width() / kPanels;
  for (int i = 0; i < 4 * kPanels; ++i) {
    for (int k = 0; k < 4 * kPanels; ++k) {
      const int panel_u = i / 4, panel_v = k / 4;
      const double u = range_[0].lo + du * (panel_u + 0.5 + 0.5 * kNodes[i % 4]),
                   v = range_[1].lo + dv * (panel_v + 0.5 + 0.5 * kNodes[k % 4]);
      const Point2 r = jets(u, v);
      const Vec3 p = value_of(r);
      const Vec3 n = (0.25 * du * dv * kWeights[i % 4] * kWeights[k % 4]) *
                     cross(slope_of(r, 0), slope_of(r, 1));
      const double pn = dot(p, n);
      m.volume += pn / 3.0;
      m.first += (pn / 4.0) * p;
      m.second += (pn / 5.0) * outer(p);
    }
  }
  is_turned_ = m.volume < 0.0;
  if (is_turned_) m.volume = -m.volume, m.first = -m.first, m.second = -1.0 * m.second;
  unit_properties_ = to_mass_properties(m);
}

TriangleMesh ParametricSurface::triangles(int segments) const {
  const auto n = static_cast<std::uint32_t>(std::max(4, segments));
  TriangleMesh mesh;
  std::vector<std::uint32_t> index((std::size_t{n} + 1) * (n + 1));
  for (std::uint32_t k = 0; k <= n; ++k) {
    for (std::uint32_t i = 0; i <= n; ++i) {
      std::uint32_t a = is_periodic_[0] && i == n ? 0 : i, b = is_periodic_[1] && k == n ? 0 : k;
      if (edges_[0][i == n] == Edge::pole && (i == 0 || i == n)) b = 0;
      if (edges_[1][k == n] == Edge::pole && (k == 0 || k == n)) a = 0;
      std::uint32_t& own = index[k * (n + 1) + i];
      if (a != i || b != k) {
        own = index[b * (n + 1) + a];
        continue;
      }
      own = static_cast<std::uint32_t>(mesh.vertices.size());
      mesh.vertices.push_back(value_of(jets(range_[0].lo + range_[0].width() * i / n,
                                            range_[1].lo + range_[1].width() * k / n)));
    }
  }
  const auto add = [&](std::uint32_t a, std::uint32_t b, std::uint32_t c) {
    if (a == b || b == c || c == a) return;
    if (is_turned_) std::swap(b, c);
    mesh.triangles.push_back({a, b, c});
  };
  for (std::uint32_t k = 0; k < n; ++k) {
    for (std::uint32_t i = 0; i < n; ++i) {
      const std::uint32_t a = index[k * (n + 1) + i], b = index[k * (n + 1) + i + 1],
                          c = index[(k + 1) * (n + 1) + i], d = index[(k + 1) * (n + 1) + i + 1];
      add(a, b, d), add(a, d, c);
    }
  }
  return mesh;
}

std::string ParametricSurface::doubt() const {
  SurfaceGrid grid;
  for (std::size_t k = 0; k < 2; ++k) {
    grid.range[k] = range_[k], grid.is_periodic[k] = is_periodic_[k];
  }
  grid.at = [this](double u, double v) -> std::array<Vec3, 3> {
    const Point2 r = jets(u, v);
    return {value_of(r), slope_of(r, 0), slope_of(r, 1)};
  };
  const auto p = find_crossing(grid);
  if (!p) return {};
  return "it passes through itself at [" + short_text(p->x) + ", " + short_text(p->y) + ", " +
         short_text(p->z) + "]";
}

std::string ParametricSurface::describe() const {
  constexpr const char* kNames[] = {"u", "v"};
  std::string text;
  for (std::size_t k = 0; k < 2; ++k) {
    text += text.empty() ? "" : ", ";
    text += kNames[k];
    if (is_periodic_[k]) {
      text += " closes";
      continue;
    }
    const bool low = edges_[k][0] == Edge::pole, high = edges_[k][1] == Edge::pole;
    text += low && high ? " shrinks to a point at both ends"
            : low       ? " shrinks to a point at its lower end and is open at its upper one"
            : high      ? " shrinks to a point at its upper end and is open at its lower one"
                        : " is open";
  }
  if (!is_closed_) return text + "; outside is where r_u x r_v points";
  return text +
         (is_turned_ ? "; r_u x r_v points inward, and was turned" : "; r_u x r_v points outward");
}

}  // namespace carom
