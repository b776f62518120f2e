// A ball of 1 kg and radius 0.2 m falls from 1 m on a fixed ball of the same kind or on a
// plane (Moisio 2013, section 6.1 and figure 5.8), under every normal law.
//
// References: integrations by another program at rtol 1e-12 with located events, for the
// laws of Moisio's study; closed forms for those with linear springs.
#include <cmath>

#include "carom/contact/normal_law.h"
#include "contact_runs.h"

namespace carom {
namespace {

using testing::Impact;
using testing::impact;
using testing::joint;
using testing::only_contact;
using testing::run_text;
using testing::set;
using testing::unexplained;

std::string scene_on(bool plane) {
  const std::string anvil = plane ? "half_space: {}" : "sphere: {radius: 0.2}";
  return R"yaml(
carom: 1
gravity: [0, 0, -9.81]
values: {end: 0.7}
materials: {soft: {density: 1000, youngs_modulus: 2.1e5, poissons_ratio: 0.3}}
bodies:
  anvil: {fixed: true, material: soft, shapes: [{)yaml" +
         anvil + R"yaml(}]}
  ball: {mass: 1, inertia: [0.016, 0.016, 0.016], material: soft, shapes: [{sphere: {radius: 0.2}}], joint: {prismatic: {axis: z}, name: drop, q: 1}}
contact: {law: hertz, friction: none, resistance: none, restitution: 1}
run: {until: $end, tolerance: 1e-9}
)yaml";
}

struct Drop {
  const char* law;
  double restitution;
  bool plane;
  double viscous;  ///< constant of hertz_viscous [N.s/m]
  double duration, v_out, t_depth, depth, force_at_depth;
};

constexpr Drop kDrops[] = {
    {"hertz", 1.0, false, 0, 0.0339513016171577, 3.4310348293186, 0.0169756508085788,
     0.0401344607433066, 391.167524341011},
    {"hunt_crossley", 0.5, false, 0, 0.036255983111536, 2.18971608750188, 0.0154493892841826,
     0.0341569358749319, 307.117808377464},
    {"lankarani_nikravesh", 0.5, false, 0, 0.0356282484884713, 2.41774013298449, 0.015754396889936,
     0.0353245378870429, 322.99914823929},
    {"flores", 0.5, false, 0, 0.0394104691842889, 1.48647709136364, 0.0144015218235095,
     0.0302595914318273, 256.083285514875},
    {"exact", 0.5, false, 0, 0.0387538983463324, 1.5944216542476, 0.014575502983533,
     0.0308939292581609, 264.177827866574},
    {"hertz_viscous", 0.5, false, 39.9445307816633, 0.037616989109511, 1.71551741465932,
     0.0158688236801266, 0.0305368077719627, 259.610405899965},
    {"hunt_crossley", 0.05, false, 0, 0.038723871867483, 1.59970551832797, 0.0145838739055726,
     0.0309245815098977, 264.571092193267},
    {"lankarani_nikravesh", 0.05, false, 0, 0.0362495677335456, 2.19181742243048,
     0.0154522643080137, 0.0341678746707676, 307.265352406534},
    {"hertz_viscous", 0.05, false, 133.333807448537, 0.0644784832666088, 0.171551741466278,
     0.0137272254636288, 0.0186491908735408, 123.901520012698},
    {"hertz", 1.0, true, 0, 0.0286282884248177, 3.9618177646122, 0.0143141442124088,
     0.0389308070641194, 528.496057360145},
    {"hunt_crossley", 0.5, true, 0, 0.0304945550261837, 2.555447786873, 0.0130309930111557,
     0.0331785810162132, 415.803703697931},
    {"lankarani_nikravesh", 0.5, true, 0, 0.0299873017273986, 2.81416499398258, 0.0132878898041133,
     0.0343043783105603, 437.145458512149},
    {"flores", 0.5, true, 0, 0.0330278156061641, 1.75732404576125, 0.01214699069422,
     0.0294144964922015, 347.091332912292},
    {"exact", 0.5, true, 0, 0.0325028704143856, 1.87979558727216, 0.0122939029048905,
     0.0300277454362484, 358.002227899982},
    {"hertz_viscous", 0.5, true, 48.2436157408385, 0.0316864378691523, 1.98090888230704,
     0.0133446374223838, 0.029456849599026, 347.841253281008},
    {"hertz_viscous", 0.05, true, 176.173130866407, 0.0564451380864307, 0.198090888230666,
     0.0112615863136457, 0.016905315612348, 151.229517309852},
    {"{circumference: {Lr: 1}}", 0.5, false, 0, 0.031925670745429416, 1.5110347806716489,
     0.011718580856535718, 0.024589823164547053, 312.54739962641656},
    {"{circumference: {Lr: 0.5}}", 0.5, true, 0, 0.03559947733671327, 1.7489285210327223,
     0.013075569061763034, 0.031675664995341246, 323.1144611720272},
    {"{circumference: {Lr: 1}}", 1.0, true, 0, 0.02330352200484103, 3.961817764612022,
     0.01165176100242049, 0.031629804886779196, 644.8260126119187},
};

TEST(DropLaws, FollowTheirReferences) {
  for (const Drop& drop : kDrops) {
    SCOPED_TRACE(::testing::Message()
                 << drop.law << " e " << drop.restitution << " plane " << drop.plane);
    std::string law = drop.law;
    if (law == "hertz_viscous") {
      law = "{hertz_viscous: {" + set("damping", drop.viscous).replace(7, 1, ": ") + "}}";
    }
    std::vector<std::string> overrides{"contact.law=" + law,
                                       set("contact.restitution", drop.restitution)};
    const RunResult r = run_text(scene_on(drop.plane), overrides);
    const Impact hit = impact(r);
    const double fall = drop.plane ? 0.8 : 0.6;
    EXPECT_NEAR(hit.begin, std::sqrt(2.0 * fall / 9.81), 1e-10);
    EXPECT_NEAR(hit.v_in, std::sqrt(2.0 * 9.81 * fall), 1e-9);
    EXPECT_NEAR(hit.duration, drop.duration, 1e-7);  // at tolerance 1e-9
    EXPECT_NEAR(hit.v_out, drop.v_out, 1e-6);
    // Impulse of the contact: change of momentum and weight over its time.
    EXPECT_NEAR(hit.impulse, hit.v_in + hit.v_out + 9.81 * hit.duration, 1e-6);
    EXPECT_LE(unexplained(r), 1e-6);
    // No law here changes its stiffness. The balance follows the steps that motion asks for,
    // so where a force lets go early it is less accurate than the motion.
    EXPECT_NEAR(r.energy.model_work, 0.0, drop.viscous > 0.0 ? 2e-4 : 1e-5);  // of 6 or 8 J
    overrides.push_back(set("values.end", hit.begin + drop.t_depth));
    const RunResult deepest = run_text(scene_on(drop.plane), overrides);
    EXPECT_NEAR(-only_contact(deepest).phi, drop.depth, 1e-8);
    EXPECT_NEAR(only_contact(deepest).normal_force, drop.force_at_depth, 1e-3);
    EXPECT_NEAR(joint(deepest, "drop").v[0], 0.0, 1e-5);
  }
}

/// Spring and damper in parallel from impact at v0 on, gravity included:
///   d'' = g - 2 D d' - w² d  until the force w² d + 2 D d' is zero, then a free flight.
struct LinearImpact {
  double t_zero, d_zero, v_zero;  ///< where the force has become zero

  LinearImpact(double c, double k, double v0) {
    const double D = 0.5 * k, w = std::sqrt(c - D * D), rest = 9.81 / c;
    const auto depth = [&](double t) {
      const double b = (v0 - D * rest) / w;
      return rest + std::exp(-D * t) * (b * std::sin(w * t) - rest * std::cos(w * t));
    };
    const auto rate = [&](double t) {
      const double b = (v0 - D * rest) / w;
      return std::exp(-D * t) *
             ((w * b + D * rest) * std::cos(w * t) + (w * rest - D * b) * std::sin(w * t));
    };
    double low = 0.5 * M_PI / w, high = M_PI / w * 1.2;
    for (int i = 0; i < 100; ++i) {
      const double t = 0.5 * (low + high);
      (c * depth(t) + k * rate(t) > 0.0 ? low : high) = t;
    }
    t_zero = low, d_zero = depth(low), v_zero = rate(low);
  }
  double flight() const {  // d + v t + g t²/2 = 0
    return (-v_zero - std::sqrt(v_zero * v_zero - 2.0 * 9.81 * d_zero)) / 9.81;
  }
  double duration() const { return t_zero + flight(); }
  double v_out() const { return -(v_zero + 9.81 * flight()); }
};

TEST(DropLaws, SpringAndDamperLetGoBeforeTheSurfacesPart) {
  const double v0 = std::sqrt(2.0 * 9.81 * 0.8);
  const LinearImpact exact(1e5, 20.0, v0);
  // Surfaces in series: half the stiffness, and either the mean of the dampers or half of one.
  for (const char* law :
       {"{kelvin_voigt: {stiffness: 1e5, damping: 20}}", "{otter: {stiffness: 2e5, damping: 20}}",
        "{otter: {stiffness: 1.5e5, stiffness_2: 3e5, damping: 0, damping_2: 40}}",
        "{otter_series: {stiffness: 2e5, damping: 40}}",
        "{power: {stiffness: 1e5, damping: 20, exponent: 1, damping_exponent: 0}}",
        "{formula: {force: '1e5*d + 20*v'}}"}) {
    SCOPED_TRACE(law);
    const RunResult r = run_text(scene_on(true), {std::string("contact.law=") + law});
    const Impact hit = impact(r);
    EXPECT_NEAR(hit.duration, exact.duration(), 1e-8);
    EXPECT_NEAR(hit.v_out, exact.v_out(), 1e-6);
    const double lost = 0.5 * (hit.v_in * hit.v_in - hit.v_out * hit.v_out);
    EXPECT_NEAR(r.energy.dissipated_normal, lost, 1e-4 * lost);
    EXPECT_LE(unexplained(r), 1e-6);
  }
}

TEST(DropLaws, AFormulaCanBeHuntAndCrossley) {
  const char* formula = "contact.law={formula: {force: 'kh*d^1.5*(1 + 1.5*(1-e)*v/v0)'}}";
  const Impact ours = impact(run_text(scene_on(false), {formula, "contact.restitution=0.5"}));
  EXPECT_NEAR(ours.duration, 0.036255983111536, 1e-7);
  EXPECT_NEAR(ours.v_out, 2.18971608750188, 1e-6);
}

// Whatever the law: nothing gains energy, and what is lost is booked.
TEST(DropLaws, OfTheCatalogueGainNothing) {
  for (const NormalLaw* law : normal_law_catalogue()) {
    if (std::string(law->name) == "formula") continue;
    SCOPED_TRACE(law->name);
    const RunResult r = run_text(
        scene_on(true), {std::string("contact.law=") + law->name, "contact.restitution=0.8"});
    const Impact hit = impact(r);
    EXPECT_LE(hit.v_out, hit.v_in * (1.0 + 1e-6));
    EXPECT_GE(r.energy.dissipated_normal, -1e-6);
    EXPECT_LE(unexplained(r), 1e-6);
  }
}

}  // namespace
}  // namespace carom
