#include "carom/proximity/triangles/exact_signs.h"

namespace carom::triangles {
namespace {

/// A sum of doubles, kept as components that do not overlap, smallest first.
class Expansion {
 public:
  /// Adds x without loss [Shewchuk 1997, Grow-Expansion]; components that vanish are dropped.
  void add(double x) {
    if (x == 0.0) return;
    int kept = 0;
    for (int i = 0; i < count_; ++i) {
      const double e = part_[i], sum = x + e, shadow = sum - x;
      const double lost = (x - (sum - shadow)) + (e - shadow);
      if (lost != 0.0) part_[kept++] = lost;
      x = sum;
    }
    if (x != 0.0) part_[kept++] = x;
    count_ = kept;
  }
  /// Adds x y z: a product of two doubles is exactly the sum of two.
  void add_product(double x, double y, double z) {
    const double high = x * y;
    if (high == 0.0 || z == 0.0) return;  // most products of aligned bodies are
    const double low = std::fma(x, y, -high);
    if (low != 0.0) add_product(low, z);
    add_product(high, z);
  }
  void add_product(double x, double y) {
    const double high = x * y;
    if (high == 0.0) return;
    add(std::fma(x, y, -high));
    add(high);
  }
  /// [a, b, c] = a . (b × c), times a sign.
  void add_triple(double sign, const Vec3& a, const Vec3& b, const Vec3& c) {
    for (std::size_t i = 0; i < 3; ++i) {
      const std::size_t j = (i + 1) % 3, k = (i + 2) % 3;
      add_product(sign * a[i], b[j], c[k]);
      add_product(-sign * a[i], b[k], c[j]);
    }
  }
  /// From the largest component down the rest is below half a unit in the last place.
  double value() const {
    double sum = 0.0;
    for (int i = 0; i < count_; ++i) sum += part_[i];
    return sum;
  }

 private:
  double part_[96];  // 24 products of three doubles have 96 components
  int count_ = 0;
};

/// a - b, if it is a double.
bool is_exact_difference(const Vec3& a, const Vec3& b, Vec3& d) {
  d = a - b;
  for (std::size_t i = 0; i < 3; ++i) {
    const double shadow = d[i] - a[i];
    if ((a[i] - (d[i] - shadow)) - (b[i] + shadow) != 0.0) return false;
  }
  return true;
}

/// (q - p)_j (s - r)_k - (q - p)_k (s - r)_j
double cross_component(const Vec3& p, const Vec3& q, const Vec3& r, const Vec3& s, std::size_t j,
                       std::size_t k) {
  Expansion sum;
  const auto add = [&](double sign, std::size_t a, std::size_t b) {
    sum.add_product(sign * q[a], s[b]), sum.add_product(-sign * q[a], r[b]);
    sum.add_product(-sign * p[a], s[b]), sum.add_product(sign * p[a], r[b]);
  };
  add(1.0, j, k);
  add(-1.0, k, j);
  return sum.value();
}

}  // namespace

double exact_orient(const Vec3& o, const Vec3& u, const Vec3& v, const Vec3& w) {
  Expansion sum;
  Vec3 a, b, c;
  if (is_exact_difference(u, o, a) && is_exact_difference(v, o, b) &&
      is_exact_difference(w, o, c)) {
    sum.add_triple(1.0, a, b, c);
    return sum.value();
  }
  // The 4×4 determinant of the points, without differences.
  sum.add_triple(1.0, u, v, w);
  sum.add_triple(-1.0, o, v, w);
  sum.add_triple(-1.0, u, o, w);
  sum.add_triple(-1.0, u, v, o);
  return sum.value();
}

int leading_cross_sign(const Vec3& p, const Vec3& q, const Vec3& r, const Vec3& s) {
  for (std::size_t i = 0; i < 3; ++i) {
    const double c = cross_component(p, q, r, s, (i + 1) % 3, (i + 2) % 3);
    if (c != 0.0) return c > 0.0 ? 1 : -1;
  }
  return 0;
}

}  // namespace carom::triangles
