// Two convex meshes, one fixed and one guided along z above it, that touch by Moisio's elements: a
// program of its own, without the engine, its exact signs, its trees and its patches. Pairs of
// triangles are tried one by one in floating point, memory is a map.
#pragma once

#include <array>
#include <cmath>
#include <map>
#include <optional>
#include <vector>

#include "carom/geometry/mesh.h"

namespace carom::testing {

struct GuidedLaw {
  double pressure = 0.0;  ///< K_p L_r / 4 [Pa]
  // LuGre, per point (Moisio 2013, 6.3); s0 = 0: none.
  double s0 = 0.0, s1 = 0.0, s2 = 0.0, mu_k = 0.0, mu_s = 0.0, v_s = 1e-3;
};

class GuidedElements {
 public:
  GuidedElements(TriangleMesh lower, TriangleMesh upper, GuidedLaw law, double mass)
      : A_(std::move(lower)), B_(std::move(upper)), law_(law), mass_(mass) {}

  double z = 1.0, v = 0.0, lost_by_friction = 0.0;

  /// Heights of the first `count` tops after a bounce, in steps of h.
  std::vector<double> peaks(std::size_t count, double h) {
    std::vector<double> found;
    bool has_touched = false;
    for (int i = 0; i < 2000000 && found.size() < count; ++i) {
      const double before = v;
      step(h);
      if (!memory_.empty()) has_touched = true;
      if (!has_touched || !(before > 0.0 && v <= 0.0) || !memory_.empty()) continue;
      found.push_back(z);
      has_touched = false;
    }
    return found;
  }

 private:
  struct End {
    double height = 0.0;  ///< z of the guided body when it was noted
    Vec3 p;
    std::array<double, 2> depth{}, speed{};
    std::array<Vec3, 2> bristle{};
  };
  using Key = std::pair<std::size_t, std::size_t>;
  struct Line {
    Key key;
    Vec3 p, q, n_a, n_b;
  };
  struct Answer {
    double force = 0.0, friction_power = 0.0;
    std::map<Key, std::array<End, 2>> memory;
  };

  static std::array<Vec3, 3> corners(const TriangleMesh& m, std::size_t t, double lift) {
    std::array<Vec3, 3> out;
    for (std::size_t k = 0; k < 3; ++k) {
      out[k] = m.vertices[m.triangles[t][k]] + Vec3{0.0, 0.0, lift};
    }
    return out;
  }
  static Vec3 normal(const std::array<Vec3, 3>& t) {
    return normalized(cross(t[1] - t[0], t[2] - t[0]));
  }

  /// The interval of a triangle on the line o + s d, if it crosses the plane with normal n there.
  static std::optional<std::pair<double, double>> interval(const std::array<Vec3, 3>& t,
                                                           const Vec3& n, double offset,
                                                           const Vec3& o, const Vec3& d) {
    std::vector<double> at;
    for (std::size_t k = 0; k < 3; ++k) {
      const Vec3 &p = t[k], &q = t[(k + 1) % 3];
      const double a = dot(n, p) - offset, b = dot(n, q) - offset;
      if ((a < 0.0) == (b < 0.0)) continue;
      at.push_back(dot(d, p + a / (a - b) * (q - p) - o));
    }
    if (at.size() != 2) return {};
    return std::minmax(at[0], at[1]);
  }

  static std::optional<std::pair<Vec3, Vec3>> meet(const std::array<Vec3, 3>& a,
                                                   const std::array<Vec3, 3>& b) {
    const Vec3 na = normal(a), nb = normal(b), d = cross(na, nb);
    if (norm(d) < 1e-12) return {};
    const Vec3 u = normalized(d);
    const double ha = dot(na, a[0]), hb = dot(nb, b[0]);
    const Vec3 o = (ha * cross(nb, d) + hb * cross(d, na)) / norm2(d);
    const auto ia = interval(a, nb, hb, o, u), ib = interval(b, na, ha, o, u);
    if (!ia || !ib) return {};
    const double from = std::max(ia->first, ib->first), to = std::min(ia->second, ib->second);
    if (!(from < to)) return {};
    return std::pair(o + from * u, o + to * u);
  }

  std::vector<Line> lines(double height) const {
    double top = -1e9, bottom = 1e9;
    for (const Vec3& p : A_.vertices) top = std::max(top, p.z);
    for (const Vec3& p : B_.vertices) bottom = std::min(bottom, p.z + height);
    std::vector<Line> out;
    if (bottom > top) return out;
    for (std::size_t i = 0; i < A_.triangles.size(); ++i) {
      const std::array<Vec3, 3> a = corners(A_, i, 0.0);
      if (std::max({a[0].z, a[1].z, a[2].z}) < bottom) continue;
      for (std::size_t j = 0; j < B_.triangles.size(); ++j) {
        const std::array<Vec3, 3> b = corners(B_, j, height);
        if (std::min({b[0].z, b[1].z, b[2].z}) > top) continue;
        if (const auto s = meet(a, b)) {
          out.push_back({{i, j}, s->first, s->second, normal(a), normal(b)});
        }
      }
    }
    return out;
  }

  static bool is_inside(const TriangleMesh& m, double lift, const Vec3& p) {
    for (std::size_t t = 0; t < m.triangles.size(); ++t) {
      const std::array<Vec3, 3> c = corners(m, t, lift);
      if (dot(normal(c), p - c[0]) > 0.0) return false;
    }
    return true;
  }

  /// Both bodies are convex: there is one overlap.
  double approach(const std::vector<Line>& all, const Vec3& m, double height) const {
    double of_a = -1e9, of_b = -1e9;
    for (const Line& l : all) {
      for (const Vec3& p : {l.p, l.q}) {
        of_a = std::max(of_a, dot(m, p)), of_b = std::max(of_b, -dot(m, p));
      }
    }
    for (const Vec3& p : A_.vertices) {
      if (dot(m, p) > of_a && is_inside(B_, height, p)) of_a = dot(m, p);
    }
    for (const Vec3& low : B_.vertices) {
      const Vec3 p = low + Vec3{0.0, 0.0, height};
      if (-dot(m, p) > of_b && is_inside(A_, 0.0, p)) of_b = -dot(m, p);
    }
    return of_a + of_b;
  }

  Answer ask(double height, double rate, double since) const {
    Answer out;
    const std::vector<Line> all = lines(height);
    if (all.empty()) return out;
    Vec3 area;
    for (const Line& l : all) area += 0.5 * cross(l.p, l.q);
    Vec3 m = normalized(area);
    if (m.z < 0.0) m = -m;
    const double measured = approach(all, m, height);
    for (const Line& l : all) {
      const double both = std::abs(dot(l.n_a, m)) + std::abs(dot(l.n_b, m));
      const double weight = 0.5 * norm(l.q - l.p) / both;
      for (const std::size_t end : {0u, 1u}) {
        End now{height, end == 0 ? l.p : l.q, {}, {}, {}};
        const auto [key, was] = source(l, end);
        for (const std::size_t side : {0u, 1u}) {
          const Vec3 n = side == 0 ? l.n_a : -l.n_b;
          double depth = 0.0;
          Vec3 z0, way;
          if (was) {
            way = {0.0, 0.0, height - was->height};
            const bool shares = side == 0 ? key.first == l.key.first : key.second == l.key.second;
            const Vec3 old = side == 0 ? normal(corners(A_, key.first, 0.0))
                                       : -normal(corners(B_, key.second, height));
            depth = (shares ? 1.0 : dot(old, n)) * was->depth[side] - dot(n, way);
            if (key == l.key) z0 = was->bristle[side];
          }
          depth = std::min(depth, measured);
          now.depth[side] = depth;
          const double fn = law_.pressure * weight * std::max(0.0, depth);
          out.force += fn * n.z;
          if (law_.s0 > 0.0) rub(n, fn, rate, way, since, z0, now.bristle[side], out);
        }
        out.memory[l.key][end] = now;
      }
    }
    return out;
  }

  /// The pair itself, or the nearest end of one that shares a triangle, or the nearest of all.
  std::pair<Key, const End*> source(const Line& l, std::size_t end) const {
    if (const auto own = memory_.find(l.key); own != memory_.end()) {
      return {l.key, &own->second[end]};
    }
    std::pair<Key, const End*> nearest{{}, nullptr};
    for (const bool must_share : {true, false}) {
      double least = 1e9;
      for (const auto& [key, ends] : memory_) {
        if (must_share && key.first != l.key.first && key.second != l.key.second) continue;
        for (const End& e : ends) {
          const double d = norm(e.p - (end == 0 ? l.p : l.q));
          if (d < least) least = d, nearest = {key, &e};
        }
      }
      if (nearest.second) break;
    }
    return nearest;
  }

  void rub(const Vec3& n, double fn, double rate, const Vec3& way, double since, const Vec3& z0,
           Vec3& bristle, Answer& out) const {
    const auto across = [&](const Vec3& a) { return a - dot(a, n) * n; };
    const auto steady = [&](double speed) {
      const double u = speed / law_.v_s;
      return fn * (law_.mu_k + (law_.mu_s - law_.mu_k) * std::exp(-u * u));
    };
    bristle = across(z0);
    if (since > 0.0 && norm(way) > 0.0) {
      const Vec3 slid = across(way);
      const double G = steady(norm(slid) / since);
      const double x = G > 0.0 ? law_.s0 * norm(slid) / G : 0.0;
      if (G > 0.0) {
        bristle =
            x > 1e-9 ? bristle + (-std::expm1(-x) / x) * (slid - x * bristle) : bristle + slid;
      }
      if (norm(bristle) > G / law_.s0)
        bristle = norm(bristle) > 0.0 ? (G / law_.s0 / norm(bristle)) * bristle : Vec3{};
    }
    const Vec3 slip = across({0.0, 0.0, rate});
    const double speed = norm(slip), G = steady(speed), most = G / law_.s0;
    const Vec3 bent = norm(bristle) > most ? (most / norm(bristle)) * bristle : bristle;
    const Vec3 bending = G > 0.0 ? slip - (law_.s0 * speed / G) * bent : Vec3{};
    double s1 = 0.0;
    if (G > 0.0) s1 = law_.s1 / std::hypot(1.0, law_.s1 * speed / (4.0 * G));
    // As much of the damping as dry friction can be, by halving.
    double low = 0.0, high = 1.0;
    const auto dry = [&](double share) { return law_.s0 * bent + (share * s1) * bending; };
    if (norm(dry(1.0)) > fn * law_.mu_s) {
      for (int i = 0; i < 60; ++i) {
        const double middle = 0.5 * (low + high);
        (norm(dry(middle)) > fn * law_.mu_s ? high : low) = middle;
      }
    } else {
      low = 1.0;
    }
    const Vec3 f = dry(low) + law_.s2 * slip;
    out.force -= f.z;
    out.friction_power += dot(f, slip) - law_.s0 * dot(bent, bending);
  }

  void step(double h) {
    const auto slope = [&](double height, double rate, double since) {
      const Answer a = ask(height, rate, since);
      return std::pair(a.force / mass_ - 9.81, a.friction_power);
    };
    const auto [a1, w1] = slope(z, v, 0.0);
    const auto [a2, w2] = slope(z + 0.5 * h * v, v + 0.5 * h * a1, 0.5 * h);
    const auto [a3, w3] = slope(z + 0.5 * h * (v + 0.5 * h * a1), v + 0.5 * h * a2, 0.5 * h);
    const auto [a4, w4] = slope(z + h * (v + 0.5 * h * a2), v + h * a3, h);
    z += h * v + h * h / 6.0 * (a1 + a2 + a3);
    v += h / 6.0 * (a1 + 2.0 * a2 + 2.0 * a3 + a4);
    lost_by_friction += h / 6.0 * (w1 + 2.0 * w2 + 2.0 * w3 + w4);
    memory_ = ask(z, v, h).memory;
  }

  TriangleMesh A_, B_;
  GuidedLaw law_;
  double mass_;
  std::map<Key, std::array<End, 2>> memory_;
};

}  // namespace carom::testing
