// Points of round bodies on others: wherever two bodies are brought to touch something of them is
// found, and gaps, rates and accelerations of it are those of difference quotients.
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "carom/engine/contact/rigid/rigid_form_search.h"
#include "carom/geometry/core_kinds.h"
#include "carom/math/rotation.h"

namespace carom {
namespace {

Core form_core(const CoreKind& kind, const Vec3& v0, const Vec3& v1 = {}, double rounding = 0.0) {
  Core core;
  core.kind = &kind, core.v[0] = v0, core.v[1] = v1, core.rounding = rounding;
  return core;
}

struct NamedForm {
  const char* name;
  RigidForm form;
};

std::vector<NamedForm> all_forms() {
  Core simplex = form_core(core_simplex, {0.08, 0, 0}, {0, 0.07, 0});
  simplex.v[2] = {0, 0, 0.09}, simplex.v[3] = {-0.03, -0.03, -0.03}, simplex.count = 4;
  const auto round = [](const Core& core) { return make_form(make_round(core)); };
  const auto solid = [](const Core& core) { return make_form(make_solid(core, false)); };
  return {{"cylinder", round(form_core(core_cylinder, {0.05, 0.03, 0}))},
          {"disc", round(form_core(core_cylinder, {0.01, 0.06, 0}))},
          {"rounded cylinder", round(form_core(core_cylinder, {0.04, 0.03, 0}, {}, 0.01))},
          {"cone", round(form_core(core_frustum, {0, 0.05, 0}, {0.08, 0, 0}))},
          {"frustum", round(form_core(core_frustum, {0, 0.02, 0}, {0.06, 0.05, 0}))},
          {"beam", round(form_core(core_stadium, {0.05, 0.02, 0.015}))},
          {"box", solid(form_core(core_box, {0.05, 0.04, 0.03}))},
          {"rounded box", solid(form_core(core_box, {0.05, 0.04, 0.03}, {}, 0.008))},
          {"tetrahedron", solid(simplex)},
          {"capsule", solid(form_core(core_segment, {}, {0.04, 0, 0}, 0.03))}};
}

/// Two bodies of which the second moves.
struct Stage {
  ContactPair pair{};
  Collider A{}, B{};
  ShapePiece PA{}, PB{};
  LinkState LA{}, LB{};
  PairLaw law{};

  Stage() { A.link = 0, B.link = 1; }

  PairState at(const Pose& X_WA, const Pose& X_WB, const Vec3& v, const Vec3& w) {
    LB.p_WL = X_WB.p, LB.V.v = v, LB.V.w = w;
    return {pair, A, B, PA, PB, LA, LB, law, X_WA, X_WB, nullptr, nullptr};
  }
};

class FormDice {
 public:
  explicit FormDice(unsigned seed) : engine_(seed) {}
  double uniform(double low, double high) {
    return std::uniform_real_distribution<>(low, high)(engine_);
  }
  Vec3 vector(double most) {
    return {uniform(-most, most), uniform(-most, most), uniform(-most, most)};
  }
  Mat3 rotation() {
    return to_matrix(
        normalized(Quat{uniform(-1, 1), uniform(-1, 1), uniform(-1, 1), uniform(-1, 1)}));
  }

 private:
  std::mt19937 engine_;
};

/// Brings B towards A along `way` until they touch.
Pose brought_together(Stage& stage, const RigidForm& A, const Pose& X_WA, const RigidForm& B,
                      const Pose& X_WB, const Vec3& way) {
  double in = 0.0, out = 1.0;
  Pose X = X_WB;
  for (int k = 0; k < 100; ++k) {
    const double middle = 0.5 * (in + out);
    X.p = X_WB.p + middle * way;
    (form_distance(stage.at(X_WA, X, {}, {}), A, B).phi < 0.0 ? in : out) = middle;
  }
  X.p = X_WB.p + out * way;
  return X;
}

constexpr double kFormSize = 0.05;

TEST(RigidForms, SomethingIsFoundWhereverRandomBodiesTouch) {
  FormDice dice(7);
  const std::vector<NamedForm> forms = all_forms();
  for (int trial = 0; trial < 4000; ++trial) {
    const NamedForm& a = forms[static_cast<std::size_t>(dice.uniform(0, 9.999))];
    const NamedForm& b = forms[static_cast<std::size_t>(dice.uniform(0, 9.999))];
    if (!a.form.is_round && !b.form.is_round) continue;
    SCOPED_TRACE(std::to_string(trial) + ": " + a.name + " and " + b.name);
    Stage stage;
    const Pose X_WA{dice.rotation(), {}}, X_WB{dice.rotation(), dice.vector(0.02)};
    if (!(form_distance(stage.at(X_WA, X_WB, {}, {}), a.form, b.form).phi < 0.0)) continue;
    const Pose X = brought_together(stage, a.form, X_WA, b.form, X_WB, normalized(dice.vector(1)));
    const PairState s = stage.at(X_WA, X, {}, {});
    std::vector<RigidSite> sites;
    find_form_sites(s, a.form, b.form, kFormSize, sites);
    const Contact c = form_distance(s, a.form, b.form);
    EXPECT_EQ(sites.size(), 1u);
    for (const RigidSite& site : sites) {
      EXPECT_NEAR(site.phi, 0.0, 1e-12);
      EXPECT_GT(dot(site.n, c.n_AB_W), 1.0 - 1e-9)
          << "kind " << static_cast<int>(form_feature(site.feature).kind);
    }
  }
}

TEST(RigidForms, RatesAndAccelerationsAreThoseOfDifferenceQuotients) {
  constexpr double kStep = 2e-5;
  FormDice dice(11);
  const std::vector<NamedForm> forms = all_forms();
  for (int trial = 0; trial < 2000; ++trial) {
    const NamedForm& a = forms[static_cast<std::size_t>(dice.uniform(0, 9.999))];
    const NamedForm& b = forms[static_cast<std::size_t>(dice.uniform(0, 9.999))];
    if (!a.form.is_round && !b.form.is_round) continue;
    Stage stage;
    const Pose X_WA{dice.rotation(), {}}, X_WB{dice.rotation(), dice.vector(0.02)};
    if (!(form_distance(stage.at(X_WA, X_WB, {}, {}), a.form, b.form).phi < 0.0)) continue;
    const Pose X = brought_together(stage, a.form, X_WA, b.form, X_WB, normalized(dice.vector(1)));
    const Vec3 v = dice.vector(0.3), w = dice.vector(5);
    std::vector<RigidSite> sites;
    find_form_sites(stage.at(X_WA, X, v, w), a.form, b.form, kFormSize, sites);
    if (sites.empty()) continue;
    const RigidSite& site = sites[0];
    SCOPED_TRACE(std::to_string(trial) + ": " + a.name + " and " + b.name + ", kind " +
                 std::to_string(static_cast<int>(form_feature(site.feature).kind)));
    const auto moved = [&](double t) {
      const Pose Y{to_matrix(quat_exp(t * w)) * X.R, X.p + t * v};
      const PairState s = stage.at(X_WA, Y, v, w);
      return FormSites(s, a.form, b.form).site(form_feature(site.feature), site.side);
    };
    // A sharp rim that is nearly flat, or curves that nearly run along each other, turn so fast
    // that quotients say nothing of them.
    if (norm(site.n_dot) > 30.0 || site.whirl > 300.0) continue;
    const RigidSite before = moved(-kStep), after = moved(kStep);
    EXPECT_NEAR((after.phi - before.phi) / (2.0 * kStep), site.rate(), 1e-6);
    // The gap was closed where its rate is taken: what is left is that of the quotient.
    const Vec3 r = site.p - X.p;
    const double fall = dot(site.n, cross(w, cross(w, r)) + site.bias) + site.turn;
    const double bends = (after.phi - 2.0 * site.phi + before.phi) / (kStep * kStep);
    EXPECT_NEAR(bends, fall, 1e-4 * (1.0 + std::abs(fall)) + 1e-3 * norm2(site.n_dot));
    const Vec3 turned = (after.n - before.n) / (2.0 * kStep);
    EXPECT_LT(norm(turned - site.n_dot), 1e-4 * (1.0 + norm2(site.n_dot)));
    const double margin_rate = (after.margin - before.margin) / (2.0 * kStep);
    const double corner = after.margin - 2.0 * site.margin + before.margin;  // of two borders
    if (std::isfinite(site.margin) && site.margin > 1e-3 && site.margin_rate != 0.0 &&
        std::abs(corner) < 1e-4 * kStep) {
      EXPECT_NEAR(margin_rate, site.margin_rate, 1e-3 * (1.0 + std::abs(site.margin_rate)));
    }
  }
}

}  // namespace
}  // namespace carom
