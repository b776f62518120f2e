#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <numbers>

#include "carom/verify/own_quadrature.h"

namespace carom::verify {
namespace {

/// A place of the surface, and its normal times area per area of parameters.
struct Place {
  Vec3 p_W, m_W;
};
using Corner = std::array<double, 2>;
using Chart = std::function<Place(const Corner&)>;

struct PartSums {
  double area = 0.0, volume = 0.0;
  Vec3 first, pressed;  ///< moments of area and depth
  Vec3 low{kInf, kInf, kInf}, high{-kInf, -kInf, -kInf};

  OwnArea finished() const {
    if (!(area > 0.0)) return {};
    return {area, volume, first / area, pressed / volume, norm(high - low)};
  }
};

struct Parts {
  const Chart& chart;
  const OwnSolid& body;
  double inside, rim;  ///< how small parts get [m]
  PartSums& out;

  double value_at(const Place& at) const { return body.value(inverse(body.X) * at.p_W); }

  void add(const Place& at, double of_chart) {
    const auto depth = body.depth(at.p_W);
    if (!depth) return;
    const double dA = std::max(0.0, -dot(depth->n_W, at.m_W)) * of_chart;
    out.area += dA, out.volume += dA * depth->u;
    for (std::size_t i = 0; i < 3; ++i) {
      out.low[i] = std::min(out.low[i], at.p_W[i]), out.high[i] = std::max(out.high[i], at.p_W[i]);
    }
    out.first += dA * at.p_W, out.pressed += (dA * depth->u) * at.p_W;
  }

  /// What is inside of a small triangle, its rim taken for straight.
  void add_cut(const std::array<Corner, 3>& corners) {
    std::array<double, 3> value{};
    for (std::size_t i = 0; i < 3; ++i) value[i] = value_at(chart(corners[i]));
    std::array<Corner, 4> kept;
    std::size_t count = 0;
    for (std::size_t i = 0; i < 3; ++i) {
      const std::size_t k = (i + 1) % 3;
      if (value[i] < 0.0) kept[count++] = corners[i];
      if ((value[i] < 0.0) == (value[k] < 0.0)) continue;
      const double share = value[i] / (value[i] - value[k]);
      kept[count++] = {corners[i][0] + share * (corners[k][0] - corners[i][0]),
                       corners[i][1] + share * (corners[k][1] - corners[i][1])};
    }
    for (std::size_t i = 1; i + 1 < count; ++i) {
      const Corner &a = kept[0], &b = kept[i], &c = kept[i + 1];
      const double two = (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
      add(chart({(a[0] + b[0] + c[0]) / 3.0, (a[1] + b[1] + c[1]) / 3.0}), 0.5 * std::abs(two));
    }
  }

  void add_triangle(const Corner& a, const Corner& b, const Corner& c) {
    const Place middle = chart({(a[0] + b[0] + c[0]) / 3.0, (a[1] + b[1] + c[1]) / 3.0});
    const double value = value_at(middle);
    double radius = 0.0;
    bool has_rim = false;
    for (const Corner& corner : {a, b, c}) {
      const Place at = chart(corner);
      radius = std::max(radius, norm(at.p_W - middle.p_W));
      has_rim = has_rim || (value_at(at) < 0.0) != (value < 0.0);
    }
    constexpr double kBent = 1.2;  // of rings: a part reaches beyond the chords of its corners
    if (value > kBent * radius) return;
    const auto half = [](const Corner& x, const Corner& y) {
      return Corner{0.5 * (x[0] + y[0]), 0.5 * (x[1] + y[1])};
    };
    const Corner ab = half(a, b), bc = half(b, c), ca = half(c, a);
    if (radius <= (has_rim ? rim : inside)) {
      const double two = (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
      if (has_rim) return add_cut({a, b, c});
      // Exact for squares.
      for (const Corner& at : {ab, bc, ca}) add(chart(at), std::abs(two) / 6.0);
      return;
    }
    add_triangle(a, ab, ca), add_triangle(ab, b, bc);
    add_triangle(ca, bc, c), add_triangle(ab, bc, ca);
  }
};

/// Adds what `cover` hands over, with parts that get smaller until that changes little.
template <class Cover>
OwnArea integrate_parts(double area_about, const Cover& cover) {
  constexpr double kFirst = 1.0 / 8.0, kOfRim = 1.0 / 4.0;  // of the width of the area; of parts
  constexpr double kEnough = 2e-4;
  constexpr int kMostPasses = 6;
  OwnArea last;
  double inside = kFirst * std::sqrt(area_about);
  for (int pass = 0; pass < kMostPasses; ++pass, inside *= 0.5) {
    PartSums sums;
    cover(inside, kOfRim * inside, sums);
    OwnArea next = sums.finished();
    next.area_error = std::abs(next.area - last.area);
    next.volume_error = std::abs(next.volume - last.volume);
    last = next;
    if (last.area_error < kEnough * last.area && last.volume_error < kEnough * last.volume) break;
  }
  return last;
}

}  // namespace

OwnArea own_mesh_area(const TriangleMesh& mesh, const Pose& X_WM, const OwnSolid& body,
                      double area_about) {
  return integrate_parts(area_about, [&](double inside, double rim, PartSums& out) {
    for (const Triangle& t : mesh.triangles) {
      const Vec3 a = X_WM * mesh.vertices[t[0]], b = X_WM * mesh.vertices[t[1]],
                 c = X_WM * mesh.vertices[t[2]];
      const Vec3 twice = cross(b - a, c - a);
      const Chart chart = [&](const Corner& at) {
        return Place{a + at[0] * (b - a) + at[1] * (c - a), twice};
      };
      Parts parts{chart, body, inside, rim, out};
      parts.add_triangle({0.0, 0.0}, {1.0, 0.0}, {0.0, 1.0});
    }
  });
}

OwnArea own_ring_area(const OwnSolid& ring, const OwnSolid& body, double area_about) {
  constexpr int kAround = 48, kAcross = 16;  // begun with
  const double R = ring.r.x, r = ring.r.y;
  const Chart chart = [&](const Corner& at) {
    const Vec3 out{std::cos(at[0]), std::sin(at[0]), 0.0};
    const Vec3 m = std::cos(at[1]) * out + Vec3{0.0, 0.0, std::sin(at[1])};
    return Place{ring.X * (R * out + r * m), (r * (R + r * std::cos(at[1]))) * (ring.X.R * m)};
  };
  return integrate_parts(area_about, [&](double inside, double rim, PartSums& out) {
    const double wide = 2.0 * std::numbers::pi / kAround, high = 2.0 * std::numbers::pi / kAcross;
    for (int i = 0; i < kAround * kAcross; ++i) {
      const int row = i / kAround;
      const double t = (i - row * kAround) * wide, f = row * high;
      Parts parts{chart, body, inside, rim, out};
      parts.add_triangle({t, f}, {t + wide, f}, {t, f + high});
      parts.add_triangle({t + wide, f + high}, {t, f + high}, {t + wide, f});
    }
  });
}

}  // namespace carom::verify
