// Implicit contact steps where detection finds more than a step has left: bodies that meet at their
// edges, and bodies that have lost what they held.
#include <gtest/gtest.h>

#include <cmath>

#include "carom/engine/contact/contact_forces.h"
#include "contact_runs.h"

namespace carom {
namespace {

using namespace testing;

/// Largest overlap of two bodies in a run, over the size of the smaller one.
double deepest_share(const std::string& text, double until, double step) {
  Simulation simulation(model_of(text, {set("run.step", step)}));
  double share = 0.0;
  for (int k = 1; k * step <= until * (1.0 + 1e-9); ++k) {
    EXPECT_EQ(simulation.advance(k * step), AdvanceStatus::reached) << simulation.failure();
    Workspace& w = simulation.workspace();
    evaluate_kinematics(w, simulation.time(), simulation.state());
    for (const ContactPair& pair : w.modes.contacts.pairs) {
      const double size = 2.0 * smaller_reach(w.model->contact, pair);
      share = std::max(share, -find_contact(w, pair).phi / size);
    }
  }
  return share;
}

const std::string kSpace = "carom: 1\nname: two\ngravity: [0, 0, 0]\nbodies:\n";
const std::string kSteps = "run: {until: 0.05, integrator: implicit_contact, step: 5e-3}\n";

/// The edge of a tetrahedron crosses one of a hull, beyond every face that looks along their normal
/// (a pair of a random heap). Rows of faces let it in by 5 % of its size.
TEST(ImplicitDepths, EdgesThatCrossHoldEachOther) {
  const std::string text = kSpace + R"(
  hull: {material: rubber, shapes: [{hull: {points: [[0.027315, 0.027766, -0.046553], [-0.035807, -0.043207, -0.03447], [-0.012904, 0.024081, -0.044101], [0.017086, 0.043581, -0.037691], [-0.035452, -0.047421, -0.013618], [0.011956, -0.00071512, -0.050582], [-0.035384, 0.023008, 0.0077843], [-0.059865, 0.021909, 0.051939], [-0.046658, -0.044989, -0.0026881], [-0.03963, 0.040003, 0.035247], [0.019947, -0.0030462, 0.0284], [0.037797, -0.0049835, 0.03639], [-0.023311, -0.053667, -0.022273], [0.018326, 0.051619, -0.033525], [-0.026147, -0.056276, 0.039524], [-0.046049, 0.043631, -0.044785], [0.00026785, -0.056681, -0.049674], [0.014987, -0.01397, 0.015532], [0.021387, 0.055821, -0.013974], [0.052315, -0.02621, -0.051433], [-0.032207, 0.035061, 0.014549], [0.055054, -0.054837, 0.0018162], [-0.00044018, -0.023328, -0.011319], [-0.05423, -0.042229, 0.0098844], [-0.022535, 0.042659, 0.029049], [0.041459, -0.057903, -0.050855]]}}], mass: 0.040782, position: [-0.22398, -0.38241, 0.055339], orientation: [0.52205, 0.078787, 0.012558, 0.84917], velocity: [-0.48403, 0.55626, -0.14385], angular_velocity: [-10.426, -11.349, 0.25954]}
  tetra: {material: steel, shapes: [{tetrahedron: {a: [0.067487, 0, 0], b: [0, 0.030203, 0], c: [0, 0, 0.096461], d: [-0.03, -0.03, -0.03]}}], mass: 0.015942, position: [-0.28032, -0.31969, 0.018036], orientation: [0.06522, -0.12807, 0.72803, 0.67031], velocity: [0.052214, 0.24688, -0.2833], angular_velocity: [-14.2, 3.0236, -0.10477]}
contact: {restitution: 0.0206}
)" + kSteps;
  EXPECT_LT(deepest_share(text, 0.05, 5e-3), 0.02);
}

/// A prism falls past the edge of a tetrahedron's face: it was beyond the plane of that face before
/// the step began, and rows along its normal do not stop it. It went in by 9.5 % of its size.
TEST(ImplicitDepths, WhatComesRoundTheEdgeOfAFaceIsStopped) {
  const std::string text = kSpace + R"(
  tetra: {material: steel, shapes: [{tetrahedron: {a: [0.066837, 0, 0], b: [0, 0.11631, 0], c: [0, 0, 0.072468], d: [-0.03, -0.03, -0.03]}}], mass: 0.051942, position: [-0.01639, -0.32861, 0.01682], orientation: [0.49912, 0.07294, 0.1273, -0.85402], velocity: [-0.021757, -0.038872, 0], angular_velocity: [0, 0, 0.26136]}
  prism: {material: steel, shapes: [{hull: {points: [[0.031022, 0, -0.012729], [0.031022, 0, 0.012729], [-0.015511, 0.026866, -0.012729], [-0.015511, 0.026866, 0.012729], [-0.015511, -0.026866, -0.012729], [-0.015511, -0.026866, 0.012729]]}}], mass: 0.081939, position: [-0.0035482, -0.33452, 0.11848], orientation: [0.031387, -0.11494, 0.64767, 0.75255], velocity: [0.13218, -0.38861, -4.0665], angular_velocity: [11.805, 27.085, -3.7664]}
contact: {restitution: 0.165}
)" + kSteps;
  for (const double step : {5e-3, 2.5e-3, 1e-3}) {
    EXPECT_LT(deepest_share(text, 0.03, step), 0.02) << step;
  }
}

/// The edge of a light box slides over the rim of a prism's end while the box turns (a pair of a
/// random heap). The normal of the two edges turns away from the face that lent the springs: rows
/// along that face's normal let the box in by 5 % of its size, at 1 ms and at 0.1 ms alike.
TEST(ImplicitDepths, EdgesThatSlideOffAFaceDoNotSink) {
  const std::string text = kSpace + R"(
  prism: {material: steel, shapes: [{hull: {points: [[0.0513, 0, -0.0333], [0.0513, 0, 0.0333], [0.0415, 0.0301, -0.0333], [0.0415, 0.0301, 0.0333], [0.0158, 0.0488, -0.0333], [0.0158, 0.0488, 0.0333], [-0.0158, 0.0488, -0.0333], [-0.0158, 0.0488, 0.0333], [-0.0415, 0.0301, -0.0333], [-0.0415, 0.0301, 0.0333], [-0.0513, 0, -0.0333], [-0.0513, 0, 0.0333], [-0.0415, -0.0301, -0.0333], [-0.0415, -0.0301, 0.0333], [-0.0158, -0.0488, -0.0333], [-0.0158, -0.0488, 0.0333], [0.0158, -0.0488, -0.0333], [0.0158, -0.0488, 0.0333], [0.0415, -0.0301, -0.0333], [0.0415, -0.0301, 0.0333]]}}], mass: 0.0761, position: [0.4311, 0.1171, 0.054], orientation: [0.3257, -0.0024, 0.6699, -0.6672], velocity: [0.2745, 0.2352, -0.0326], angular_velocity: [0.2169, 4.4356, 0.3972]}
  box: {material: steel, shapes: [{box: {size: [0.0987, 0.0775, 0.0763]}}], mass: 0.0074, position: [0.4341, 0.0923, 0.1677], orientation: [0.2769, 0.9139, 0.0977, 0.2802], velocity: [-0.0663, -0.2323, -1.6516], angular_velocity: [-0.2674, 26.0848, 3.7778]}
contact: {restitution: 0}
)" + kSteps;
  for (const double step : {1e-3, 1e-4}) EXPECT_LT(deepest_share(text, 0.02, step), 0.008) << step;
}

/// A light cone of rubber that falls on its side rests with an empty bank: each of the last fifty
/// steps was cut by some parts in 10⁵, while nothing moved.
const std::string kCone = R"(
carom: 1
name: cone
bodies:
  floor: {fixed: true, material: steel, shapes: [{box: {size: [3, 3, 1]}, at: [0, 0, -0.5]}]}
  east: {fixed: true, material: steel, shapes: [{box: {size: [1, 3, 4]}, at: [1, 0, 1]}]}
  north: {fixed: true, material: steel, shapes: [{box: {size: [3, 1, 4]}, at: [0, 1, 1]}]}
  cone: {material: rubber, shapes: [{cone: {radius: 0.035419547989772968, length: 0.035359787583311264, top_radius: 0.046506457681449703}}], mass: 0.020991011696818704, position: [0.19528885477143618, 0.2040491431882987, 0.58999999999999997], orientation: [-0.76835886113591378, 0.55530846083956198, -0.26802713403611839, 0.17151859740069864], velocity: [0.69903506926160675, 0.05720361249140038, -0.79383594533036772], angular_velocity: [-4.0746337296673607, 1.4351251321080527, 4.279895492332809]}
contact: {restitution: 0.21650928398642241}
run: {until: 2, integrator: implicit_contact, step: 5e-3}
)";

TEST(ImplicitDepths, WhatRestsWithoutEnergyIsNotCutForGood) {
  const auto model = model_of(kCone);
  Simulation simulation(model);
  double last = simulation.ledger().stored();
  const double start = last;
  for (int k = 1; k <= 400; ++k) {
    ASSERT_EQ(simulation.advance(5e-3 * k), AdvanceStatus::reached);
    const double now = simulation.ledger().stored();
    EXPECT_LE(now, last + 1e-12 * start) << k;
    last = now;
  }
  EXPECT_LE(simulation.statistics().counts.bank_actions, 1);
  EXPECT_LT(simulation.ledger().kinetic, 1e-9 * start);
}

/// What a pair lacks is part of what is saved: a run that is restored goes on with the same bits.
/// The end of the cone lies on the border of a face, by the facets that stand for its rim; such
/// states were refused.
TEST(ImplicitDepths, AreSavedWithARun) {
  const auto model = model_of(kCone);
  Simulation one(model);
  ASSERT_EQ(one.advance(0.4), AdvanceStatus::reached);
  Simulation other(model);
  other.restore(one.save());
  ASSERT_EQ(one.advance(0.6), AdvanceStatus::reached);
  ASSERT_EQ(other.advance(0.6), AdvanceStatus::reached);
  EXPECT_EQ(one.value("cone.position"), other.value("cone.position"));
}

/// A beam of rubber of 28 kg is pressed in by its own third, tilted, so that its rims press. Their
/// points are those of a quadrature, the deepest of them four per cent less deep than the beam: for
/// that difference its springs gave way to one point, and rows were laid again and again, until
/// five times as much force acted. Error control, which knows of no rows, says how deep it goes.
TEST(ImplicitDepths, PressesABeamOfRubberInAsFarAsErrorControl) {
  const std::string text = R"(
carom: 1
name: beam
bodies:
  floor: {fixed: true, material: steel, shapes: [{box: {size: [3, 3, 1]}, at: [0, 0, -0.5]}]}
  beam: {material: rubber, shapes: [{beam: {length: 0.044788, width: 0.027728, thickness: 0.057576}}], mass: 28.095, position: [-0.059093, 0.193616, 0.047552], orientation: [0.7086018, -0.1837667, 0.4488678, 0.5124753], velocity: [0.753122, -0.058387, -1.484075], angular_velocity: [-2.451681, -1.892730, 5.037134]}
contact: {restitution: 1, friction: none}
run: {until: 0.06, integrator: implicit_contact, step: 1e-3}
)";
  struct Course {
    double lowest = 1.0, energy = 0.0;
  };
  const auto course_of = [&](const std::vector<std::string>& settings) {
    Simulation simulation(model_of(text, settings));
    const double start = simulation.ledger().stored();
    Course out;
    for (int k = 1; k <= 60; ++k) {
      EXPECT_EQ(simulation.advance(1e-3 * k), AdvanceStatus::reached) << simulation.failure();
      out.lowest = std::min(out.lowest, simulation.value("beam.position")[2]);
    }
    out.energy = simulation.ledger().stored() / start;
    return out;
  };
  const Course known = course_of({"run.integrator=erk8", "run.step=0", set("run.tolerance", 1e-8)});
  const Course coarse = course_of({}), fine = course_of({set("run.step", 1e-4)});
  const double way = 0.036;  // from where it touches
  EXPECT_NEAR(coarse.lowest, known.lowest, 0.01 * way);
  EXPECT_NEAR(fine.lowest, known.lowest, 0.002 * way);
  EXPECT_GT(fine.energy, 0.98 * known.energy);
}

}  // namespace
}  // namespace carom
