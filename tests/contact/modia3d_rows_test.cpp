// Modia3D's documented law against 100 rows of its formulas in 40-digit arithmetic.
#include <gtest/gtest.h>

#include "carom/contact/contact_radius.h"
#include "contact/law_point.h"

namespace carom {
namespace {

struct Row {
  int kind;
  double E[2], nu[2], r[2];
  double cor, mu_k, mu_r, k_red, v_small, w_small, d, d_rate, v0;
  Vec3 normal, v_rel, w_rel;
  double damping, f_n;
  Vec3 f_t, tau;
};

const Row kRows[] = {
#include "contact/modia3d_rows.inc"
};

// 15 digits were printed; a force is a product of a dozen rounded factors.
constexpr double kRounding = 1e-12;

PairMaterial material_of(const Row& row) {
  PairMaterial m;
  const auto compliance = [&](int i) { return (1.0 - row.nu[i] * row.nu[i]) / row.E[i]; };
  m.modulus = row.k_red / (compliance(0) + compliance(1));
  m.restitution.value = row.cor;
  m.mu_k = row.mu_k, m.mu_r = row.mu_r;
  m.v_small = row.v_small, m.w_small = row.w_small;
  m.restitution_min = 0.001;
  return m;
}

TEST(Modia3dLaw, GivesEveryRowOfTheDocumentedLaw) {
  for (const Row& row : kRows) {
    const PairMaterial m = material_of(row);
    const ContactRadius a{row.r[0], false, true}, b{row.r[1], row.kind == 1, row.kind == 0};
    NormalInput in{.depth = row.d, .depth_rate = row.d_rate};
    in.radius = combined_radius(a, b);
    in.has_sphere = row.kind != 2;
    NormalPoint law(*find_normal_law("modia3d"), m);
    law.start(row.v0);
    // At restitution 1 the rows keep a remainder of 40 digits, which a double does not.
    EXPECT_NEAR(law.constants[0], row.damping, kRounding * row.damping + 1e-30);
    const double f_n = law(in).force;
    EXPECT_NEAR(f_n, row.f_n, kRounding * std::abs(row.f_n));

    const Vec3 n = normalized(row.normal);
    FrictionInput friction;
    friction.normal_force = f_n;
    friction.slip = row.v_rel - dot(row.v_rel, n) * n;
    FrictionOutput f_t;
    const FrictionLaw& coulomb = *find_friction_law("coulomb");
    coulomb.evaluate(friction, law_params(coulomb, m), f_t);
    EXPECT_LE(norm(f_t.force - row.f_t), kRounding * (norm(row.f_t) + row.mu_k * f_n));

    ResistanceInput resistance{f_n, row.w_rel, n, in.radius, in.has_sphere};
    const ResistanceLaw& modia = *find_resistance_law("modia3d");
    const Vec3 tau = modia.evaluate(resistance, law_params(modia, m, {{"unit_radius", 1.0}}));
    EXPECT_LE(norm(tau - row.tau), kRounding * norm(row.tau));
  }
}

TEST(Modia3dLaw, Version012DampsAsItsSourceSays) {
  PairMaterial m;
  m.modulus = 1e11;
  m.restitution.value = 0.7;
  NormalPoint law(*find_normal_law("modia3d_0_12"), m);
  law.start(0.5);
  EXPECT_DOUBLE_EQ(law.constants[0], 8.0 * 0.3 / (5.0 * 0.7 * 0.5));
  law.start(0.01);  // not above v_small: no restitution
  EXPECT_EQ(law.constants[0], 2000.0);
  law.start(0.5);
  const NormalInput in{.depth = 1e-5, .depth_rate = -10.0, .radius = 0.05, .has_sphere = false};
  const double elastic = 1e11 * 4.0 / 3.0 * std::sqrt(0.05) * std::pow(1e-5, 1.5);
  const NormalOutput out = law(in);
  EXPECT_NEAR(out.elastic, elastic, 1e-14 * elastic);
  EXPECT_NEAR(out.force, elastic * (1.0 - 10.0 * law.constants[0]), 1e-13 * elastic);
  EXPECT_LT(out.force, 0.0);  // its source has no clamp
}

}  // namespace
}  // namespace carom
