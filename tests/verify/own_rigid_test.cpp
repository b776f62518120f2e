// What is recomputed of rigid contacts agrees with honest records, and falsified ones are caught.
#include <algorithm>
#include <cmath>

#include "carom/verify/own_flight.h"
#include "rigid_run.h"

namespace carom::verify {
namespace {

// An egg and a ball are thrown on a plane; they bounce, meet, slide and stick.
const std::string kThrown = R"(
carom: 1
bodies:
  floor: {fixed: true, shapes: [{half_space: {}}]}
  egg: {mass: 2, inertia: [0.02, 0.03, 0.04], shapes: [{ellipsoid: {radii: [0.2, 0.15, 0.1]}}],
        position: [0, 0, 0.4], velocity: [0.5, 0.2, 0], angular_velocity: [3, -2, 4]}
  ball: {mass: 1, shapes: [{sphere: {radius: 0.1}}], position: [0.6, 0.1, 0.1], velocity: [-1, 0, 0]}
contact: {method: rigid, restitution: 0.4, mu_k: 0.3}
run: {until: 1.5, tolerance: 1e-11, output: {step: 2e-3}}
)";

const std::string kStepped = R"(
carom: 1
bodies:
  floor: {fixed: true, shapes: [{half_space: {}}]}
  box: {mass: 2, shapes: [{box: {size: [0.3, 0.2, 0.1]}}], position: [0, 0, 0.3],
        velocity: [1, 0, 0], angular_velocity: [1, 2, 0]}
  ball: {mass: 1, shapes: [{sphere: {radius: 0.1}}], position: [0.6, 0, 0.1], velocity: [-1, 0, 0]}
contact: {method: rigid, restitution: 0.4, mu_k: 0.3}
run: {until: 1, integrator: time_stepping, step: 1e-3, output: {step: 1e-3}}
)";

const RigidRun& thrown() {
  static const RigidRun made = make_run(kThrown);
  return made;
}
const RigidRun& stepped() {
  static const RigidRun made = make_run(kStepped);
  return made;
}

TEST(OwnRigid, AgreesWithHonestRecords) {
  const Judged events = judge(thrown()), steps = judge(stepped());
  EXPECT_TRUE(events.wrong.empty()) << events.wrong.front();
  EXPECT_TRUE(steps.wrong.empty()) << steps.wrong.front();
  // Balls and eggs have met, slid and stuck: there is something to judge.
  const auto impacts = std::ranges::count(thrown().events, "impact", &EngineEvent::kind);
  EXPECT_GE(impacts, 8);
  EXPECT_GE(events.values.at("impacts"), 5u * static_cast<std::size_t>(impacts));
  EXPECT_GT(events.values.at("states"), 1000u);
  EXPECT_GT(steps.values.at("forces"), 1000u);
}

TEST(OwnRigid, CatchesAForceThatIsOffByAPerCent) {
  RigidRun r = thrown();
  change_column(r.rows, "contact(floor,ball).force.x", [](double f) { return 1.01 * f; });
  EXPECT_TRUE(judge(r).blames("friction"));
  RigidRun s = stepped();
  change_column(s.rows, "ball.contact_force.z", [](double f) { return 1.01 * f; });
  EXPECT_TRUE(judge(s).blames("momentum of time steps"));
}

TEST(OwnRigid, CatchesAPullAndAForceOfNothing) {
  RigidRun r = thrown();
  change_column(r.rows, "contact(floor,ball).force.z", [](double f) { return -f; });
  EXPECT_TRUE(judge(r).blames("pull"));
  r = thrown();
  change_column(r.rows, "contact(floor,egg).force.z", [](double f) { return f + 1e-6; });
  EXPECT_TRUE(judge(r).blames("force of open contacts"));
}

TEST(OwnRigid, CatchesAStateThatIsAnother) {
  RigidRun r = thrown();
  change_column(r.rows, "contact(floor,egg).state", [](double) { return 2.0; });
  EXPECT_TRUE(judge(r).blames("gap of rows"));
  r = thrown();
  change_column(r.rows, "contact(floor,ball).state", [](double s) { return s == 1.0 ? 2.0 : s; });
  EXPECT_TRUE(judge(r).blames("sticking"));
}

TEST(OwnRigid, CatchesAGapThatIsOffByANanometre) {
  for (const double shift : {1e-9, -1e-9}) {
    RigidRun r = thrown();
    change_column(r.rows, "ball.position.z", [&](double z) { return z + shift; });
    EXPECT_TRUE(judge(r).blames("gap of rows")) << shift;
  }
}

TEST(OwnRigid, CatchesEveryFalseNumberOfTheImpactTable) {
  const auto first = std::ranges::find(thrown().events, "impact", &EngineEvent::kind);
  const auto at = first - thrown().events.begin();
  const std::pair<double EngineEvent::*, const char*> columns[] = {
      {&EngineEvent::impulse, "impulses of the table"},
      {&EngineEvent::value, "speeds of approach"},
      {&EngineEvent::separation, "speeds of approach"},
      {&EngineEvent::energy_lost, "energy lost"}};
  for (const auto& [column, blame] : columns) {
    RigidRun r = thrown();
    r.events[static_cast<std::size_t>(at)].*column *= 1.001;
    EXPECT_TRUE(judge(r).blames(blame)) << blame;
  }
}

TEST(OwnRigid, CatchesAnImpulseThatDoesNotChangeTheMotion) {
  for (const char* axis : {"x", "z"}) {
    RigidRun r = thrown();
    for (Recording* rows : {&r.rows, &r.at_events.before, &r.at_events.after}) {
      change_column(*rows, std::string("contact(floor,egg).impulse.") + axis,
                    [](double P) { return 1.01 * P; });
    }
    const Judged judged = judge(r);
    EXPECT_TRUE(judged.blames("momentum beside")) << axis;
    EXPECT_TRUE(judged.blames("spin beside")) << axis;
  }
}

TEST(OwnRigid, CatchesEnergyThatIsNotBooked) {
  RigidRun r = thrown();
  change_column(r.rows, "energy.dissipated_friction", [](double e) { return 0.999 * e; });
  EXPECT_TRUE(judge(r).blames("booked as lost"));
}

// A symmetric top precesses about its momentum at L / I1, and turns about itself.
TEST(OwnFlight, TurnsASymmetricTopAsEulerSays) {
  MassProperties top;
  top.mass = 2.0, top.inertia = Sym3::diagonal({0.1, 0.1, 0.3});
  Flight s;
  s.q = {1.0, 0.0, 0.0, 0.0}, s.spin = {0.2, 0.0, 1.2};
  const double t = 3.0, L = norm(s.spin);
  const Flight end = fly(top, s, {0.0, 0.0, -2.0}, {}, t);
  EXPECT_NEAR(end.v.z, -t, 1e-14);
  EXPECT_NEAR(end.p.z, -0.5 * t * t, 1e-14);
  // The axis of the figure turns about the momentum by L t / I1.
  const Vec3 e = s.spin / L, axis{0.0, 0.0, 1.0};
  const double angle = L * t / 0.1;
  const Vec3 turned = std::cos(angle) * axis + std::sin(angle) * cross(e, axis) +
                      ((1.0 - std::cos(angle)) * dot(e, axis)) * e;
  EXPECT_LT(norm(to_matrix(end.q).col(2) - turned), 1e-9);
  const Vec3 w = turning(top, end.q, end.spin);
  EXPECT_NEAR(dot(w, end.spin), dot(turning(top, s.q, s.spin), s.spin), 1e-9);
}

}  // namespace
}  // namespace carom::verify
