// Signs of determinants against whole numbers of 128 bits.
#include "carom/proximity/triangles/exact_signs.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <random>

namespace carom::triangles {
namespace {

__extension__ using Wide = __int128;

struct Whole {
  std::int64_t x, y, z;
  Vec3 scaled(double unit) const {
    return {unit * static_cast<double>(x), unit * static_cast<double>(y),
            unit * static_cast<double>(z)};
  }
};
Whole operator-(const Whole& a, const Whole& b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }

int sign(Wide x) { return x > 0 ? 1 : x < 0 ? -1 : 0; }
int sign(double x) { return x > 0 ? 1 : x < 0 ? -1 : 0; }

Wide determinant(const Whole& a, const Whole& b, const Whole& c) {
  const auto minor = [](std::int64_t p, std::int64_t q, std::int64_t r, std::int64_t s) {
    return Wide{p} * s - Wide{q} * r;
  };
  return minor(a.y, a.z, b.y, b.z) * c.x + minor(a.z, a.x, b.z, b.x) * c.y +
         minor(a.x, a.y, b.x, b.y) * c.z;
}

/// Points in a plane or, half of the time, a unit off it: rounding cannot tell.
class NearPlane {
 public:
  explicit NearPlane(std::uint64_t seed) : gen_(seed) {}
  Whole any(std::int64_t reach) {
    std::uniform_int_distribution<std::int64_t> u(-reach, reach);
    return {u(gen_), u(gen_), u(gen_)};
  }
  Whole on(const Whole& o, const Whole& u, const Whole& v) {
    std::uniform_int_distribution<std::int64_t> k(-3, 3);
    const std::int64_t a = k(gen_), b = k(gen_), off = gen_() % 2 ? 0 : k(gen_);
    const Whole p = u - o, q = v - o;
    return {o.x + a * p.x + b * q.x + off, o.y + a * p.y + b * q.y, o.z + a * p.z + b * q.z};
  }

 private:
  std::mt19937_64 gen_;
};

TEST(ExactSigns, AreThoseOfWholeNumbers) {
  NearPlane points(7);
  int zeros = 0;
  for (int i = 0; i < 20000; ++i) {
    const std::int64_t reach = i % 3 == 0 ? 9 : i % 3 == 1 ? 1 << 20 : std::int64_t{1} << 34;
    // A unit that is no power of two would round; differences of a third kind are not exact.
    const double unit = i % 2 ? 1.0 : 0x1p-40;
    const Whole o = points.any(reach), u = points.any(reach), v = points.any(reach);
    const Whole w = points.on(o, u, v);
    const int expected = sign(determinant(u - o, v - o, w - o));
    zeros += expected == 0;
    const Vec3 a = o.scaled(unit), b = u.scaled(unit), c = v.scaled(unit), d = w.scaled(unit);
    ASSERT_EQ(sign(orient(a, b, c, d)), expected) << i;
    ASSERT_EQ(sign(orient(b, a, c, d)), -expected) << i;
    ASSERT_EQ(sign(orient(d, b, c, a)), -expected) << i;
    ASSERT_EQ(sign(exact_orient(a, b, c, d)), expected) << i;
  }
  EXPECT_GT(zeros, 5000);
}

TEST(ExactSigns, HoldWhereDifferencesOfCoordinatesAreRounded) {
  // 1 and 2^-52 in one point: no difference of coordinates is a double. The determinant is that
  // of the small parts, 2^-156 at most.
  const double e = 0x1p-52;
  const Vec3 o{0.1, 0.1, 0.1};
  for (int i = 0; i < 64; ++i) {
    const auto bit = [&](int k) { return i >> k & 1 ? e : -e; };
    const Vec3 u{1e16, bit(0), bit(1)}, v{bit(2), 1e16, bit(3)}, w{bit(4), bit(5), 1e16};
    // Dominated by 1e48: the filter answers. Against its own plane it must be zero, and a nudge
    // of one point along the normal must show.
    EXPECT_GT(orient(o, u, v, w), 0.0);
    EXPECT_EQ(orient(o, u, v, u), 0.0);
    EXPECT_EQ(orient(o, u, v, v), 0.0);
    EXPECT_EQ(orient(u, v, w, v), 0.0);
    const Vec3 nudged{u.x, u.y, std::nextafter(u.z, 1.0)};
    EXPECT_GT(orient(o, u, v, nudged), 0.0);
    EXPECT_EQ(leading_cross_sign(o, u, o, u), 0);
    EXPECT_NE(leading_cross_sign(o, u, o, v), 0);
  }
}

TEST(ExactSigns, OfCrossProductsNameTheFirstComponentThatIsNotZero) {
  const Vec3 o{};
  EXPECT_EQ(leading_cross_sign(o, {0, 1, 0}, o, {0, 0, 1}), 1);
  EXPECT_EQ(leading_cross_sign(o, {1, 0, 0}, o, {0, 0, 1}), -1);
  EXPECT_EQ(leading_cross_sign(o, {1, 0, 0}, o, {0, 1, 0}), 1);
  EXPECT_EQ(leading_cross_sign(o, {1, 2, 3}, {5, 5, 5}, {7, 9, 11}), 0);
  EXPECT_EQ(leading_cross_sign({0.1, 0.2, 0.3}, {1, 2, 3}, {0, 0, 0}, {0, 0, 0}), 0);
}

}  // namespace
}  // namespace carom::triangles
