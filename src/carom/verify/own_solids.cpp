#include "carom/verify/own_solids.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace carom::verify {
namespace {

using Kind = OwnSolid::Kind;

/// (a^p + b^p)^(1/p) of positive numbers, without overflow.
double norm_p(double a, double b, double p) {
  const double large = std::max(a, b), small = std::min(a, b);
  return large > 0.0 ? large * std::pow(1.0 + std::pow(small / large, p), 1.0 / p) : 0.0;
}

/// Zero of f between a point inside and one outside, by secants that keep a bracket (Illinois).
template <class F>
double zero_between(const F& f, double in, double out) {
  constexpr double kEnough = 1e-13;
  const double scale = std::abs(in) + std::abs(out);
  double f_in = f(in), f_out = f(out);
  int side = 0;
  for (int i = 0; i < 80 && std::abs(out - in) > kEnough * scale; ++i) {
    // Every third step halves: where f is flat at one end secants would creep.
    const double t = i % 3 == 2 ? 0.5 * (in + out) : (in * f_out - out * f_in) / (f_out - f_in);
    const double f_t = f(t);
    if (f_t == 0.0) return t;
    if (f_t < 0.0) {
      in = t, f_in = f_t;
      if (side < 0) f_out *= 0.5;
      side = -1;
    } else {
      out = t, f_out = f_t;
      if (side > 0) f_in *= 0.5;
      side = 1;
    }
  }
  return 0.5 * (in + out);
}

std::optional<double> top_of_quadric(const Vec3& r, const Vec3& p, const Vec3& e) {
  double a = 0.0, b = 0.0, c = -1.0;
  for (std::size_t i = 0; i < 3; ++i) {
    a += e[i] * e[i] / (r[i] * r[i]);
    b += p[i] * e[i] / (r[i] * r[i]);
    c += p[i] * p[i] / (r[i] * r[i]);
  }
  const double root = b * b - a * c;
  return root >= 0.0 ? std::optional((std::sqrt(root) - b) / a) : std::nullopt;
}

std::optional<double> top_of_box(const Vec3& r, const Vec3& p, const Vec3& e) {
  double in = -kInf, out = kInf;
  for (std::size_t i = 0; i < 3; ++i) {
    if (e[i] == 0.0) {
      if (std::abs(p[i]) > r[i]) return {};
      continue;
    }
    const double one = (-r[i] - p[i]) / e[i], other = (r[i] - p[i]) / e[i];
    in = std::max(in, std::min(one, other)), out = std::min(out, std::max(one, other));
  }
  return in <= out ? std::optional(out) : std::nullopt;
}

/// By halving, from well inside to well outside.
std::optional<double> top_of_graph(const SmoothSurface& graph, const Vec3& p, const Vec3& e) {
  const auto above = [&](double t) {
    const Vec3 x = p + t * e;
    return graph.holds({x.x, x.y, 0.0}) ? x.z - graph.at({x.x, x.y, 0.0}).p.z : kInf;
  };
  constexpr double kOfSize = 0.05;
  double in = -kOfSize * graph.size(), out = -in;
  if (!(above(in) < 0.0) || !(above(out) > 0.0)) return {};
  for (int i = 0; i < 52; ++i) (above(0.5 * (in + out)) < 0.0 ? in : out) = 0.5 * (in + out);
  return in;
}

/// Of a convex body: a point inside, by thirds of the line if o is not one, then the zero beyond.
std::optional<double> top_of_convex(const OwnSolid& s, const Vec3& p, const Vec3& e) {
  const auto f = [&](double t) { return s.value(p + t * e); };
  const double way = norm(p) + 1.01 * s.reach();
  double in = 0.0;
  if (f(in) >= 0.0) {
    double low = -way, high = way;
    for (int i = 0; i < 90; ++i) {
      const double a = low + (high - low) / 3.0, b = high - (high - low) / 3.0;
      const double f_a = f(a), f_b = f(b);
      in = f_a < f_b ? a : b;
      if (std::min(f_a, f_b) < 0.0) break;
      // Neither third is nearer than the larger value is high: nothing inside can be there.
      if (std::min(f_a, f_b) > high - low) return {};
      (f_a < f_b ? high : low) = f_a < f_b ? b : a;
    }
    if (!(f(in) < 0.0)) return {};
  }
  return zero_between(f, in, way);
}

/// Of a ring: the change from inside to outside nearest to o, within a tube's width of it.
std::optional<double> top_of_ring(const OwnSolid& s, const Vec3& p, const Vec3& e) {
  constexpr int kParts = 24;
  const auto f = [&](double t) { return s.value(p + t * e); };
  const double way = 2.0 * s.r.y;
  std::optional<double> nearest;
  double last = f(-way);
  for (int i = 1; i <= kParts; ++i) {
    const double t = way * (2.0 * i / kParts - 1.0), next = f(t);
    if (last < 0.0 && next >= 0.0) {
      const double found = zero_between(f, t - 2.0 * way / kParts, t);
      if (!nearest || std::abs(found) < std::abs(*nearest)) nearest = found;
    }
    last = next;
  }
  return nearest;
}

Vec3 slope(const OwnSolid& s, const Vec3& p, double step) {
  Vec3 g;
  for (std::size_t i = 0; i < 3; ++i) {
    Vec3 d;
    d[i] = step;
    g[i] = s.value(p + d) - s.value(p - d);
  }
  return normalized(g);
}

/// The shortest way out, by turning it towards the normal where it ends: a step is halved until the
/// way gets shorter.
OwnDepth shortest_way(const OwnSolid& s, const Vec3& p) {
  const double step = 1e-6 * s.reach();
  const auto way = [&](const Vec3& d) {
    return zero_between([&](double t) { return s.value(p + t * d); }, 0.0, 2.01 * s.reach());
  };
  Vec3 d = slope(s, p, step);
  double t = way(d);
  for (int i = 0; i < 40; ++i) {
    const Vec3 n = slope(s, p + t * d, step);
    double share = 1.0, shorter = kInf;
    Vec3 turned;
    for (; share > 1e-3; share *= 0.5) {
      turned = normalized(d + share * (n - d));
      shorter = way(turned);
      if (shorter < t) break;
    }
    if (!(shorter < t)) break;
    const bool is_enough = t - shorter < 1e-9 * t;
    d = turned, t = shorter;
    if (is_enough) break;
  }
  return {t, slope(s, p + t * d, step)};
}

OwnDepth depth_in_box(const Vec3& r, const Vec3& p) {
  OwnDepth out{kInf, {}};
  for (std::size_t i = 0; i < 3; ++i) {
    if (r[i] - std::abs(p[i]) >= out.u) continue;
    out = {r[i] - std::abs(p[i]), {}};
    out.n_W[i] = p[i] < 0.0 ? -1.0 : 1.0;
  }
  return out;
}

/// Of a cone from x = low to high: the nearer of its ends and its side.
OwnDepth depth_in_cone(const Vec3& p, double low, double high, double at_low, double at_high) {
  const double rho = std::hypot(p.y, p.z), fall = (at_low - at_high) / (high - low);
  const double cosine = 1.0 / std::sqrt(1.0 + fall * fall);
  const Vec3 out = rho > 0.0 ? Vec3{0.0, p.y / rho, p.z / rho} : Vec3{0.0, 1.0, 0.0};
  OwnDepth side{(at_low - fall * (p.x - low) - rho) * cosine, cosine * (out + Vec3{fall, 0, 0})};
  if (p.x - low < side.u) side = {p.x - low, {-1, 0, 0}};
  if (high - p.x < side.u) side = {high - p.x, {1, 0, 0}};
  return side;
}

}  // namespace

bool OwnSolid::is_any_of(std::initializer_list<Kind> kinds) const {
  return std::find(kinds.begin(), kinds.end(), kind) != kinds.end();
}

double OwnSolid::reach() const {
  switch (kind) {
    case Kind::plane: return kInf;
    case Kind::graph: return graph->size();
    case Kind::cylinder: return std::hypot(r.x, 0.5 * r.y);
    case Kind::capsule: return r.x + 0.5 * r.y;
    case Kind::cone: return std::max(r.x, std::hypot(r.z, r.y));
    case Kind::torus: return r.x + r.y;
    default: return norm(r);
  }
}

double OwnSolid::value(const Vec3& x) const {
  const double smallest = std::min({r.x, r.y, r.z});
  switch (kind) {
    case Kind::plane: return x.z;
    case Kind::quadric: return smallest * (norm(Vec3{x.x / r.x, x.y / r.y, x.z / r.z}) - 1.0);
    case Kind::box:
      return std::max({std::abs(x.x) - r.x, std::abs(x.y) - r.y, std::abs(x.z) - r.z});
    case Kind::cylinder: return std::max(std::hypot(x.y, x.z) - r.x, std::abs(x.x) - 0.5 * r.y);
    case Kind::capsule:
      return std::hypot(std::max(0.0, std::abs(x.x) - 0.5 * r.y), std::hypot(x.y, x.z)) - r.x;
    case Kind::cone: {
      const double fall = (r.x - r.z) / r.y;
      const double side = std::hypot(x.y, x.z) - (r.x - fall * x.x);
      return std::max({-x.x, x.x - r.y, side / std::sqrt(1.0 + fall * fall)});
    }
    case Kind::superquadric: {
      const double across = norm_p(std::abs(x.x / r.x), std::abs(x.y / r.y), p);
      // Norms of exponents above 2 are below Euclid's: so is their slope.
      return smallest * (norm_p(across, std::abs(x.z / r.z), q) - 1.0);
    }
    case Kind::torus: return std::hypot(std::hypot(x.x, x.y) - r.x, x.z) - r.y;
    default: return kInf;
  }
}

std::optional<double> OwnSolid::top(const Vec3& o, const Vec3& d) const {
  const Vec3 x = inverse(X) * o, e = transpose_times(X.R, d);
  switch (kind) {
    case Kind::plane: return e.z > 0.0 ? std::optional(-x.z / e.z) : std::nullopt;
    case Kind::box: return top_of_box(r, x, e);
    case Kind::graph: return top_of_graph(*graph, x, e);
    case Kind::quadric: return top_of_quadric(r, x, e);
    case Kind::torus: return top_of_ring(*this, x, e);
    default: return top_of_convex(*this, x, e);
  }
}

std::optional<OwnDepth> OwnSolid::depth(const Vec3& p_W) const {
  const Vec3 x = inverse(X) * p_W;
  if (kind == Kind::graph || !(value(x) < 0.0)) return {};
  OwnDepth out;
  switch (kind) {
    case Kind::plane: out = {-x.z, {0, 0, 1}}; break;
    case Kind::box: out = depth_in_box(r, x); break;
    case Kind::cylinder: out = depth_in_cone(x, -0.5 * r.y, 0.5 * r.y, r.x, r.x); break;
    case Kind::cone: out = depth_in_cone(x, 0.0, r.y, r.x, r.z); break;
    case Kind::capsule: {
      const Vec3 off = x - Vec3{std::clamp(x.x, -0.5 * r.y, 0.5 * r.y), 0.0, 0.0};
      out = {-value(x), norm2(off) > 0.0 ? normalized(off) : Vec3{0, 0, 1}};
      break;
    }
    case Kind::torus: {
      const double rho = std::hypot(x.x, x.y), off = std::hypot(rho - r.x, x.z);
      const double out_by = rho > 0.0 ? (rho - r.x) / rho : 0.0;
      out = {r.y - off, off > 0.0 ? Vec3{out_by * x.x, out_by * x.y, x.z} / off : Vec3{0, 0, 1}};
      break;
    }
    default:
      if (kind == Kind::quadric && r.x == r.y && r.y == r.z) {
        out = {r.x - norm(x), norm2(x) > 0.0 ? normalized(x) : Vec3{0, 0, 1}};
      } else {
        out = shortest_way(*this, x);
      }
  }
  out.n_W = X.R * out.n_W;
  return out;
}

std::optional<OwnSolid> own_solid(const BodySpec& body, const Pose& X_WB) {
  if (body.shapes.size() != 1) return {};
  const Shape& s = body.shapes.front().shape;
  const std::string name = s.kind->name;
  OwnSolid out;
  out.X = X_WB * body.shapes.front().X_BS;
  const auto params = [&](std::size_t count) {
    Vec3 v;
    for (std::size_t i = 0; i < count; ++i) v[i] = s.params[i];
    return v;
  };
  struct Row {
    const char* name;
    Kind kind;
    std::size_t params;
  };
  constexpr std::array kRows = {
      Row{"half_space", Kind::plane, 0}, Row{"ellipsoid", Kind::quadric, 3},
      Row{"box", Kind::box, 3},          Row{"cylinder", Kind::cylinder, 2},
      Row{"capsule", Kind::capsule, 2},  Row{"cone", Kind::cone, 3},
      Row{"torus", Kind::torus, 2},      Row{"superquadric", Kind::superquadric, 3},
      Row{"graph", Kind::graph, 0},      Row{"paraboloid", Kind::graph, 0}};
  if (name == "sphere") {
    out.r = {s.params[0], s.params[0], s.params[0]};
    return out;
  }
  const auto row = std::find_if(kRows.begin(), kRows.end(),
                                [&](const Row& known) { return name == known.name; });
  if (row == kRows.end()) return {};
  out.kind = row->kind, out.r = params(row->params);
  if (out.kind == Kind::box) out.r = 0.5 * out.r;
  if (out.kind == Kind::graph) out.graph = s.surface.get();
  if (out.kind == Kind::superquadric) {
    out.p = s.formulas.ranges.front().lower, out.q = s.formulas.ranges.front().upper;
  }
  return out;
}

}  // namespace carom::verify
