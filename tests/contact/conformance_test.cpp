// What every row of the three catalogues must keep, whatever it is.
#include <gtest/gtest.h>

#include <set>

#include "carom/contact/bristle.h"
#include "carom/contact/law_formula.h"
#include "contact/law_point.h"

namespace carom {
namespace {

PairMaterial usual() {
  PairMaterial m;
  m.modulus = 1e9, m.mu_k = 0.4, m.mu_s = 0.6, m.mu_r = 1e-3;
  return m;
}

NormalPoint make(const NormalLaw& law) {
  NormalPoint point(law, usual());
  FormulaError error;
  if (std::string_view(law.name) == "formula") {
    point.params =
        compile_law_formula("k*d + kh*d^1.5*(1 + (1-e)*v/v0)", kNormalFormulaNames, {}, error);
  }
  EXPECT_EQ(error.message, "");
  point.start(0.5);
  return point;
}

NormalInput input(double depth, double rate) {
  NormalInput in{.depth = depth, .depth_rate = rate};
  in.linear = 1e6, in.hertz = 1e8, in.radius = 0.05;
  in.state = 0.3 * depth;
  return in;
}

TEST(NormalCatalogue, ForcesAreFiniteAndVanishWithTheDepth) {
  for (const NormalLaw* law : normal_law_catalogue()) {
    const NormalPoint point = make(*law);
    for (const double d : {0.0, 1e-12, 1e-6, 1e-2}) {
      for (const double v : {-10.0, -1e-6, 0.0, 1e-6, 10.0}) {
        const NormalOutput out = point(input(d, v));
        for (const double x : {out.force, out.elastic, out.energy, out.state_rate}) {
          EXPECT_TRUE(std::isfinite(x)) << law->name;
        }
      }
    }
    if (!law->jumps) {
      EXPECT_EQ(point(input(0.0, 1.0)).force, 0.0) << law->name;
    }
    EXPECT_EQ(point(input(0.0, 0.0)).energy, 0.0) << law->name;
  }
}

// Central differences of laws that are powers of the depth: 1e-9 of the slope at a step of 1e-4.
TEST(NormalCatalogue, TangentsAreTheSlopesOfTheElasticForce) {
  int offered = 0;
  for (const NormalLaw* law : normal_law_catalogue()) {
    if (!law->tangent) continue;
    ++offered;
    const NormalPoint point = make(*law);
    for (const double d : {1e-7, 1e-5, 1e-3}) {
      const NormalInput in = input(d, 0.3);
      double slope = 0.0;
      law->tangent({&in, 1}, point.material, point.params, {&slope, 1});
      NormalLaw without = *law;
      without.tangent = nullptr;
      const double differences =
          elastic_slope(without, in, point.material, point.params, point.constants);
      EXPECT_NEAR(slope, differences, 1e-7 * slope) << law->name << " at " << d;
      EXPECT_EQ(elastic_slope(*law, in, point.material, point.params, point.constants), slope);
    }
  }
  EXPECT_GE(offered, 6);
}

TEST(NormalCatalogue, ElasticForceIsTheSlopeOfTheEnergyAndTheRestDissipates) {
  for (const NormalLaw* law : normal_law_catalogue()) {
    const NormalPoint point = make(*law);
    for (const double d : {1e-5, 1e-3}) {
      const double h = 1e-4 * d;
      NormalInput low = input(d, 0.0), high = low;
      low.depth -= h, high.depth += h;
      const double slope = (point(high).energy - point(low).energy) / (2.0 * h);
      // Second-order differences: h² / d² = 1e-8.
      EXPECT_NEAR(point(low).elastic, point(high).elastic, 1e-3 * slope) << law->name;
      EXPECT_NEAR(point(input(d, 0.0)).elastic, slope, 1e-7 * slope) << law->name;
      for (const double v : {-0.3, -0.01, 0.02, 0.4}) {
        const NormalOutput out = point(input(d, v));
        EXPECT_GE((out.force - out.elastic) * v + out.state_power, -1e-12 * out.elastic)
            << law->name << " " << v;
      }
    }
  }
}

TEST(NormalCatalogue, SharesOfPointsAddUpToTheWhole) {
  for (const NormalLaw* law : normal_law_catalogue()) {
    const NormalPoint point = make(*law);
    const double whole = point(input(1e-4, 0.1)).force;
    double sum = 0.0;
    for (const double w : {0.25, 0.75}) {
      NormalInput in = input(1e-4, 0.1);
      in.weight = w, in.linear *= w, in.hertz *= w;
      sum += point(in).force;
    }
    EXPECT_NEAR(sum, whole, 1e-13 * whole) << law->name;
  }
}

std::vector<double> params_of(const FrictionLaw& law) {
  FormulaError error;
  if (std::string_view(law.name) == "formula") {
    return compile_law_formula("0.4*tanh(s/0.01)", kFrictionFormulaNames, {}, error);
  }
  return law_params(law, usual(), {}, law.derived);
}

TEST(FrictionCatalogue, OpposesSlipIsotropicallyAndInProportionToTheLoad) {
  for (const FrictionLaw* law : friction_law_catalogue()) {
    const std::vector<double> p = params_of(*law);
    for (const double speed : {0.0, 1e-9, 1e-3, 0.01, 1.0, 50.0}) {
      FrictionOutput reference, out;
      FrictionInput in;
      in.normal_force = 10.0, in.slip = {speed, 0, 0};
      in.bristle = {1e-6, 0, 0};
      law->evaluate(in, p, reference);
      EXPECT_TRUE(is_finite(reference.force) && std::isfinite(reference.torque)) << law->name;
      if (!law->has_bristle) {
        EXPECT_LE(reference.force.x, 0.0) << law->name;
      }
      const double c = std::cos(0.7), s = std::sin(0.7);
      in.slip = {speed * c, speed * s, 0}, in.bristle = {1e-6 * c, 1e-6 * s, 0};
      law->evaluate(in, p, out);
      const double size = std::abs(reference.force.x);
      EXPECT_NEAR(out.force.x, c * reference.force.x, 1e-12 * size) << law->name;
      EXPECT_NEAR(out.force.y, s * reference.force.x, 1e-12 * size) << law->name;
      in.normal_force = 20.0;
      law->evaluate(in, p, out);
      EXPECT_NEAR(out.force.x, 2.0 * c * reference.force.x, 1e-12 * size) << law->name;
    }
  }
}

TEST(FrictionCatalogue, SpinOnAPatchGivesATorqueThatSlipShares) {
  for (const FrictionLaw* law : friction_law_catalogue()) {
    if (std::string_view(law->name) == "none") continue;
    const std::vector<double> p = params_of(*law);
    FrictionInput in;
    in.normal_force = 10.0, in.spin = 100.0;
    // A law that remembers force has none before its first step.
    if (law->remembers_force) in.stiffness = 1e7, in.step = 1e-3, in.kicks = true;
    FrictionOutput point, alone, both;
    law->evaluate(in, p, point);
    EXPECT_EQ(point.torque, 0.0) << law->name;
    in.radius = 0.02;
    law->evaluate(in, p, alone);
    EXPECT_LT(alone.torque, 0.0) << law->name;
    in.slip = {2.0, 0, 0};
    law->evaluate(in, p, both);
    EXPECT_GT(both.torque, alone.torque) << law->name;
  }
}

/// Stretched to a tenth of what it bears, a bristle with such a border moves as the surfaces do;
/// all others lag behind already.
TEST(FrictionCatalogue, BristlesFollowTheSlipWhereALawSaysThatTheyHaveABorder) {
  int with_border = 0;
  for (const FrictionLaw* law : friction_law_catalogue()) {
    if (!law->has_bristle || law->remembers_force) {
      EXPECT_FALSE(law->has_elastic_border) << law->name;
      continue;
    }
    const std::vector<double> p = params_of(*law);
    FrictionInput in;
    in.normal_force = 10.0, in.slip = {0.01, 0, 0};
    in.bristle = {0.1 * p[Bristle::kMuK] / p[Bristle::kStiffness], 0, 0};
    FrictionOutput out;
    law->evaluate(in, p, out);
    EXPECT_EQ(out.bristle_rate.x == in.slip.x, law->has_elastic_border) << law->name;
    with_border += law->has_elastic_border ? 1 : 0;
  }
  EXPECT_EQ(with_border, 1);
}

TEST(ResistanceCatalogue, OpposesRotation) {
  for (const ResistanceLaw* law : resistance_law_catalogue()) {
    const std::vector<double> p = law_params(*law, usual());
    for (const Vec3 w : {Vec3{}, Vec3{1, 2, 3}, Vec3{0, 0, 1e-9}, Vec3{-5, 0, 0}}) {
      const Vec3 torque = law->evaluate({10.0, w, {0, 0, 1}, 0.05}, p);
      EXPECT_TRUE(is_finite(torque)) << law->name;
      EXPECT_LE(dot(torque, w), 0.0) << law->name;
    }
  }
}

TEST(ResistanceCatalogue, TakesOttersLeverInMetres) {
  const ResistanceLaw& otter = *find_resistance_law("otter");
  const auto p = law_params(otter, usual(), {{"d_w", 0.01}, {"d_w_2", 0.03}});
  const Vec3 full = otter.evaluate({10.0, {5, 0, -2}, {0, 0, 1}, 0.05}, p);
  EXPECT_EQ(full.x, 0.0);
  EXPECT_NEAR(full.z, 0.02 * 10.0, 1e-15);
  const Vec3 half = otter.evaluate({10.0, {0, 0, 5e-4}, {0, 0, 1}, 0.05}, p);
  EXPECT_NEAR(half.z, -0.5 * 0.2, 1e-15);
}

template <class Row>
void expect_documented(std::span<const Row* const> rows) {
  std::set<std::string> names;
  for (const Row* row : rows) {
    EXPECT_TRUE(names.insert(row->name).second) << row->name;
    EXPECT_GT(std::string(row->doc).size(), 5u) << row->name;
    ASSERT_TRUE(row->evaluate) << row->name;
    std::set<std::string> fields;
    for (const ParamField& field : row->fields) {
      EXPECT_TRUE(fields.insert(field.name).second) << row->name << "." << field.name;
      EXPECT_GT(std::string(field.doc).size(), 5u) << row->name << "." << field.name;
      EXPECT_NE(std::string(field.unit), "") << row->name << "." << field.name;
    }
  }
}

TEST(LawCatalogues, DocumentEveryField) {
  expect_documented(normal_law_catalogue());
  expect_documented(friction_law_catalogue());
  expect_documented(resistance_law_catalogue());
}

TEST(LawFormula, ComputesAndRefuses) {
  FormulaError error;
  const auto value = [&](const char* text, std::vector<double> x) {
    const auto program = compile_law_formula(text, kNormalFormulaNames, {}, error);
    EXPECT_EQ(error.message, "") << text;
    return evaluate_law_formula(program, x);
  };
  const std::vector<double> x{2.0, -3.0, 0.5, 0.25, 7.0, 11.0};
  EXPECT_EQ(value("k*d+kh*d^2", x), 58.0);
  EXPECT_EQ(value("-d^2", x), -4.0);
  EXPECT_EQ(value("2^3^2", x), 512.0);
  EXPECT_EQ(value("10-4-3", x), 3.0);
  EXPECT_EQ(value("v<0 && d>1 ? max(1, e) : 9", x), 1.0);
  EXPECT_EQ(value("1 + 2*(3 - -v0)/2e0", x), 4.5);
  EXPECT_EQ(value("e", x), 0.25);  // the restitution, not the constant
  EXPECT_EQ(value("d > v ? (v > d ? 1 : atan2(0, d) + avg(d, 4)) : 2", x), 3.0);
  for (const char* text :
       {"", "1 +", "q", "(1", "min()", "herz(1)", "1 2", "d = 3", "max(1,2", "?"}) {
    compile_law_formula(text, kNormalFormulaNames, {}, error);
    EXPECT_NE(error.message, "") << text;
  }
}

TEST(Restitution, DependsOnSpeedAsAsked) {
  PairMaterial m;
  m.restitution.kind = Restitution::Kind::table;
  m.restitution.table = {{1.0, 0.9}, {3.0, 0.5}};
  EXPECT_EQ(restitution_at(m, 0.1), 0.9);
  EXPECT_DOUBLE_EQ(restitution_at(m, 2.0), 0.7);
  EXPECT_EQ(restitution_at(m, 9.0), 0.5);
  m.restitution.kind = Restitution::Kind::power;
  m.restitution.value = 0.5, m.restitution.reference = 1.0, m.restitution.exponent = 0.25;
  EXPECT_DOUBLE_EQ(restitution_at(m, 16.0), 0.25);
  EXPECT_EQ(restitution_at(m, 1e-9), 1.0);
  EXPECT_EQ(restitution_at(m, 0.0), 1.0);
  m.restitution.kind = Restitution::Kind::regularised;
  EXPECT_DOUBLE_EQ(restitution_at(m, 0.0), 1e-3);
  EXPECT_NEAR(restitution_at(m, 0.01), 0.5 - 0.01 * 0.499, 1e-15);
}

}  // namespace
}  // namespace carom
