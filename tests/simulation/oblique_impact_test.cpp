// The benchmark impacts of Chung and Ooi (Granular Matter 13, 2011, tests 3 to 8) with `mindlin`,
// against the integration of oblique_impact.h. Materials, radii, speeds and coefficients are
// theirs; their rigid plane is 1000 times as stiff as the sphere.
#include "oblique_impact.h"

#include <limits>

#include "scene_runs.h"

namespace carom {
namespace {

using testing::body;
using testing::ImpactSolid;
using testing::integrate_impact;
using testing::ObliqueImpact;
using testing::Rebound;
using testing::run_text;

constexpr double kPlane = std::numeric_limits<double>::infinity();
constexpr double kDegree = M_PI / 180.0;

constexpr ImpactSolid kOxide{4000, 3.8e11, 0.23}, kAlloy{2700, 7e10, 0.33},
    kSteel{7850, 2.08e11, 0.3}, kPolyethylene{1400, 1e9, 0.4}, kNylon{1000, 2.5e9, 0.4},
    kCopper{8900, 1.2e11, 0.35}, kCastIron{7000, 1e11, 0.25};

ImpactSolid rigid(const ImpactSolid& s) {
  return {s.density, 1000.0 * s.youngs_modulus, s.poissons_ratio};
}

std::string text(double value) {
  char buffer[40];
  std::snprintf(buffer, sizeof buffer, "%.17g", value);
  return buffer;
}

std::string material_text(const std::string& name, const ImpactSolid& s) {
  return "  " + name + ": {density: " + text(s.density) +
         ", youngs_modulus: " + text(s.youngs_modulus) +
         ", poissons_ratio: " + text(s.poissons_ratio) + "}\n";
}

/// The first sphere flies down onto the second, or onto a plane, and along x.
std::string scene_of(const ObliqueImpact& i, const std::string& friction, double lasts) {
  const double r = i.first.radius, gap = 1e-3 * r;
  const bool plane = std::isinf(i.second.radius);
  std::string s = "carom: 1\ngravity: off\nmaterials:\n" + material_text("one", i.first.solid) +
                  material_text("two", i.second.solid) + "bodies:\n";
  if (plane) {
    s += "  two: {fixed: true, material: two, shapes: [{half_space: {}}]}\n";
  } else {
    s += "  two: {material: two, shapes: [{sphere: {radius: " + text(i.second.radius) +
         "}}], position: [0, 0, " + text(-i.second.radius) + "], angular_velocity: [0, " +
         text(-i.second.spin) + ", 0]}\n";
  }
  s += "  one: {material: one, shapes: [{sphere: {radius: " + text(r) + "}}], position: [0, 0, " +
       text(r + gap) + "], velocity: [" + text(i.tangential) + ", 0, " + text(-i.normal) +
       "], angular_velocity: [0, " + text(-i.first.spin) + ", 0]}\n";
  s += "contact: {friction: " + friction +
       ", resistance: none, restitution: " + text(i.restitution) + ", mu_k: " + text(i.mu) + "}\n";
  s += "run: {until: " + text(gap / i.normal + 3.0 * lasts) + ", tolerance: 1e-7}\n";
  return s;
}

/// About how long the impact lasts: Hertz without loss.
double duration(const ObliqueImpact& i) {
  const auto compliance = [](const ImpactSolid& s) {
    return (1.0 - s.poissons_ratio * s.poissons_ratio) / s.youngs_modulus;
  };
  const double E = 1.0 / (compliance(i.first.solid) + compliance(i.second.solid));
  const double R = 1.0 / (1.0 / i.first.radius + 1.0 / i.second.radius);
  const double m = 1.0 / (1.0 / i.first.mass() + 1.0 / i.second.mass());
  return 2.9432 * std::pow(15.0 * m * i.normal * i.normal / (16.0 * E * std::sqrt(R)), 0.4) /
         i.normal;
}

Rebound run_impact(const ObliqueImpact& i, const std::string& friction = "mindlin") {
  const RunResult r = run_text(scene_of(i, friction, duration(i)));
  const BodyState &one = body(r, "one"), &two = body(r, "two");
  const Vec3 v = one.velocity - two.velocity;
  return {v.z, v.x, -one.angular_velocity.y, -two.angular_velocity.y, 0.0};
}

void expect_same(const ObliqueImpact& i, const std::string& what) {
  const Rebound seen = run_impact(i), expected = integrate_impact(i);
  EXPECT_NEAR(seen.normal, expected.normal, 1e-3 * expected.normal) << what;
  // What both leave out is 0.1 % of the slip that arrives.
  const double slip =
      std::abs(i.tangential + i.first.radius * i.first.spin) +
      (std::isinf(i.second.radius) ? 0.0 : i.second.radius * std::abs(i.second.spin));
  const double floor = 1e-3 * slip;
  EXPECT_NEAR(seen.tangential, expected.tangential, 0.02 * std::abs(expected.tangential) + floor)
      << what;
  EXPECT_NEAR(i.first.radius * seen.spin_first, i.first.radius * expected.spin_first,
              0.02 * i.first.radius * std::abs(expected.spin_first) + floor)
      << what;
}

TEST(ChungAndOoi, Test3KeepsTheSetRestitution) {
  for (const ImpactSolid& s : {kOxide, kCastIron}) {
    for (const double e : {0.2, 0.4, 0.6, 0.8, 1.0}) {
      const ObliqueImpact i{{s, 0.0025}, {rigid(s), kPlane}, 3.9, 0.0, 0.0, e};
      EXPECT_NEAR(run_impact(i).normal, 3.9 * e, 3.9 * 1e-4) << e;
    }
  }
}

TEST(ChungAndOoi, Test4ReboundsAndSpinsAtEveryAngle) {
  for (const ImpactSolid& s : {kOxide, kAlloy}) {
    for (const double degrees :
         {1.0, 2.0, 5.0, 10.0, 15.0, 20.0, 25.0, 30.0, 40.0, 50.0, 60.0, 70.0}) {
      const double a = degrees * kDegree;
      const ObliqueImpact i{
          {s, 0.0025}, {rigid(s), kPlane}, 3.9 * std::cos(a), 3.9 * std::sin(a), 0.092, 0.98};
      const Rebound seen = run_impact(i), expected = integrate_impact(i);
      const auto angle = [](const Rebound& r) { return std::atan2(r.tangential, r.normal); };
      EXPECT_NEAR(angle(seen), angle(expected), 0.01 * angle(expected)) << degrees;
      EXPECT_NEAR(seen.tangential, expected.tangential, 0.01 * expected.tangential) << degrees;
      EXPECT_NEAR(seen.spin_first, expected.spin_first, 0.01 * std::abs(expected.spin_first))
          << degrees;
    }
  }
}

TEST(ChungAndOoi, Test4HasTheTangentialRestitutionOfTheTheory) {
  // A patch without micro-slip; the contact point of a rigid plane and lever arms of R move these
  // by less than 0.002.
  const double table[][2] = {{2.0, 0.964}, {5.0, 0.893}, {20.0, 0.611}};
  for (const auto& [degrees, expected] : table) {
    const double a = degrees * kDegree;
    const ObliqueImpact i{{kOxide, 0.0025},
                          {rigid(kOxide), kPlane},
                          3.9 * std::cos(a),
                          3.9 * std::sin(a),
                          0.092,
                          0.98};
    EXPECT_NEAR(run_impact(i).tangential / i.tangential, expected, 0.004) << degrees;
  }
}

TEST(ChungAndOoi, Test5RecoilsAtEveryTangentialSpeed) {
  for (const ImpactSolid& s : {kSteel, kPolyethylene}) {
    for (const double over : {0.5, 1.0, 2.0, 4.0, 7.0, 12.0}) {
      expect_same({{s, 1e-5}, {rigid(s), kPlane}, 5.0, over * 0.3 * 5.0, 0.3, 1.0},
                  std::to_string(over));
    }
  }
}

TEST(ChungAndOoi, Test6TurnsSpinIntoSpeedOnAPlane) {
  for (const ImpactSolid& s : {kAlloy, kNylon}) {
    for (const double spin : {0.175, 0.5, 1.3, 3.0, 7.0, 22.0}) {
      expect_same({{s, 0.1, spin}, {rigid(s), kPlane}, 0.2, 0.0, 0.4, 0.5}, std::to_string(spin));
    }
  }
}

TEST(ChungAndOoi, Test7TurnsTheSpinsOfEqualSpheres) {
  for (const ImpactSolid& s : {kAlloy, kCopper}) {
    for (const double spin : {0.175, 1.3, 5.0, 22.0}) {
      expect_same({{s, 0.1, spin}, {s, 0.1, spin}, 0.4, 0.0, 0.4, 0.5}, std::to_string(spin));
    }
  }
}

TEST(ChungAndOoi, Test8TurnsASmallSphereOnALargeOne) {
  for (const ImpactSolid& s : {kAlloy, kNylon}) {
    const ImpactSolid heavy{1000.0 * s.density, s.youngs_modulus, s.poissons_ratio};
    const ImpactSolid hard{1000.0 * s.density, 1000.0 * s.youngs_modulus, s.poissons_ratio};
    for (const ImpactSolid& second : {heavy, hard}) {
      for (const double spin : {0.175, 1.3, 5.0, 22.0}) {
        expect_same({{s, 0.1, spin}, {second, 0.5}, 0.2, 0.0, 0.4, 0.5}, std::to_string(spin));
      }
    }
  }
}

TEST(Impacts, NoFrictionExceedsItsShareOfTheImpulse) {
  for (const char* law : {"mindlin", "{mindlin: {passive: true}}", "lugre", "elasto_plastic",
                          "{lugre: {passive: false}}", "{lugre: {stiffness: 1e7}}"}) {
    for (const double degrees : {10.0, 30.0, 45.0, 60.0, 80.0}) {
      const double a = degrees * kDegree;
      const ObliqueImpact i{
          {kSteel, 0.01}, {kSteel, kPlane}, 2.0 * std::cos(a), 2.0 * std::sin(a), 0.3, 0.7};
      const Rebound seen = run_impact(i, law);
      const double tangential = i.tangential - seen.tangential, normal = i.normal + seen.normal;
      EXPECT_LE(tangential, 0.3 * normal * (1.0 + 1e-6)) << law << " at " << degrees;
      if (degrees < 80.0) continue;  // else it ends rolling
      EXPECT_GE(tangential, 0.3 * normal * 0.98) << law << " at " << degrees;
    }
  }
}

}  // namespace
}  // namespace carom
