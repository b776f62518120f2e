// Implicit contact steps: closed forms, energy that never rises, and what they refuse.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "carom/engine/contact/contact_forces.h"
#include "contact_runs.h"

namespace carom {
namespace {

using namespace testing;

/// Largest rise of stored energy less work from outside in a step, and what was turned over.
struct StepEnergy {
  double rise = 0.0, turned = 0.0;
  IntegratorStatistics counts;
};

StepEnergy step_energy(Simulation& simulation, double until, double step) {
  StepEnergy out;
  const auto stored = [&] {
    const Ledger l = simulation.ledger();
    out.turned =
        std::max(out.turned, l.kinetic + l.elastic + l.dissipated_normal + l.dissipated_friction +
                                 l.dissipated_step + std::abs(l.drive_work));
    return l.stored() - l.drive_work;
  };
  double last = stored();
  for (int k = 1; k * step <= until * (1.0 + 1e-9); ++k) {
    EXPECT_EQ(simulation.advance(k * step), AdvanceStatus::reached) << simulation.failure();
    const double now = stored();
    out.rise = std::max(out.rise, now - last);
    last = now;
  }
  out.counts = simulation.statistics().counts;
  return out;
}

const std::string kHertz = R"(
carom: 1
name: Hertz bounces
bodies:
  floor: {fixed: true, material: steel, shapes: [{half_space: {}}]}
  ball: {material: steel, shapes: [{sphere: {radius: 0.05}}], position: [0, 0, 0.15]}
contact: {law: hertz, friction: lugre, k_red: 1e-4}
run: {until: 6, integrator: implicit_contact, step: 1e-3}
)";

TEST(ImplicitContact, TwentyHertzBouncesKeepTheirHeight) {
  for (const double step : {1e-3, 1e-4}) {
    const RunResult r = run_text(kHertz, {set("run.step", step)});
    EXPECT_GE(events_of(r, "contact_end").size(), 20u);
    // Nothing is lost but what Newton's iteration leaves: heights are energies.
    EXPECT_LT(r.energy.dissipated_normal + r.energy.dissipated_step, 1e-4 * r.energy_scale) << step;
  }
}

TEST(ImplicitContact, HertzImpactIsOfOrderTwo) {
  // The ball has left the floor for good at the end; its height depends on the whole impact.
  const auto height = [&](double step) {
    return body(run_text(kHertz, {"run.until=0.25", set("run.step", step)}), "ball").position.z;
  };
  const double exact =
      body(run_text(kHertz, {"run.until=0.25", "run.integrator=erk8", "run.tolerance=1e-12"}),
           "ball")
          .position.z;
  double last = 0.0;
  for (const double step : {2.5e-4, 1.25e-4, 6.25e-5, 3.125e-5}) {
    const double error = std::abs(height(step) - exact);
    if (last > 0.0) {
      EXPECT_NEAR(std::log2(last / error), 2.0, 0.2) << step;
    }
    last = error;
  }
  EXPECT_LT(last, 1e-7);
}

TEST(ImplicitContact, VibrationOnAHertzContactIsOfOrderTwo) {
  // Always in contact, so that no instant of a begin blurs the order.
  const std::vector<std::string> start = {"bodies.ball.position=[0, 0, 0.0498]",
                                          "bodies.ball.velocity=[0, 0, 0.03]", "run.until=0.04"};
  const auto height = [&](std::vector<std::string> more) {
    more.insert(more.end(), start.begin(), start.end());
    return body(run_text(kHertz, more), "ball").position.z;
  };
  const double exact = height({"run.integrator=erk8", "run.tolerance=1e-12"});
  double last = 0.0;
  for (const double step : {1e-3, 5e-4, 2.5e-4, 1.25e-4}) {
    const double error = std::abs(height({set("run.step", step)}) - exact);
    if (last > 0.0) {
      EXPECT_NEAR(std::log2(last / error), 2.0, 0.1) << step;
    }
    last = error;
  }
}

TEST(ImplicitContact, FreeTumblingKeepsEnergyAndMomentum) {
  const auto model = model_of(R"(
carom: 1
name: tumbling
gravity: [0, 0, 0]
bodies:
  body: {mass: 1, inertia: [1, 10, 10.5], position: [0, 0, 0], angular_velocity: [100, 30, 5]}
run: {until: 2, integrator: implicit_contact, step: 0.01}
)");
  Simulation simulation(model);
  const double start = simulation.ledger().kinetic;
  ASSERT_EQ(simulation.advance(2.0), AdvanceStatus::reached);
  EXPECT_NEAR(simulation.ledger().kinetic, start, 1e-12 * start);
  Workspace& w = simulation.workspace();
  evaluate(w, simulation.time(), simulation.state());
  const LinkState& L = w.tree.links[1];
  const Vec3 momentum = L.I * L.V.w, before{100.0, 300.0, 52.5};
  EXPECT_LT(norm(momentum - before), 1e-10 * norm(before));
}

/// k = 1e7 N/m, 0.1 kg, 2 m/s, 1 mm before the floor: explicit steps of 1 ms see an overlap of 1 mm
/// and make 10 to 30 J (Moisio, 4.2.4).
TEST(ImplicitContact, StiffImpactInOneStepGainsNothing) {
  for (const double damping : {0.0, 10.0, 1e3}) {
    for (const double step : {1e-4, 1e-3, 1e-2}) {
      const auto model = model_of(R"(
carom: 1
name: stiff
gravity: [0, 0, 0]
bodies:
  floor: {fixed: true, material: steel, shapes: [{half_space: {}}]}
  ball: {material: steel, mass: 0.1, shapes: [{sphere: {radius: 0.05}}], position: [0, 0, 0.051],
         velocity: [0, 0, -2]}
values: {c: 0}
contact: {law: {kelvin_voigt: {stiffness: 1e7, damping: $c}}, friction: none}
run: {until: 0.05, integrator: implicit_contact, step: 1e-3}
)",
                                  {set("values.c", damping), set("run.step", step)});
      Simulation simulation(model);
      const StepEnergy seen = step_energy(simulation, 0.05, step);
      EXPECT_LE(simulation.ledger().kinetic, 0.2 + 1e-12);
      EXPECT_LE(seen.rise, 1e-12) << damping << " " << step;
      EXPECT_EQ(seen.counts.unconverged_steps, 0);
      EXPECT_GT(simulation.value("ball.position")[2], 0.0499);
    }
  }
}

std::string cubes(double light) {
  std::string text = "carom: 1\nname: cubes\nbodies:\n";
  text += "  floor: {fixed: true, material: steel, shapes: [{half_space: {}}]}\n";
  for (int i = 0; i < 10; ++i) {
    char line[200];
    std::snprintf(line, sizeof line,
                  "  b%d: {material: steel, mass: %.17g, shapes: [{box: {size: 0.1}}], "
                  "position: [0, 0, %.17g]}\n",
                  i, i == 5 ? light : 7.8, 0.1 * i + 0.05);
    text += line;
  }
  return text +
         "contact: {law: exact, restitution: 0.3, friction: lugre}\n"
         "run: {until: 2, integrator: implicit_contact, step: 1e-3}\n";
}

TEST(ImplicitContact, TenCubesOfSteelStandAtAnyStep) {
  for (const double light : {7.8, 7.8e-3}) {
    for (const double step : {1e-3, 5e-3, 1e-2}) {
      const auto model = model_of(cubes(light), {set("run.step", step)});
      Simulation simulation(model);
      const StepEnergy settling = step_energy(simulation, 0.5, step);
      const std::vector<double> before = simulation.value("b9.position");
      ASSERT_EQ(simulation.advance(2.0), AdvanceStatus::reached);
      const std::vector<double> after = simulation.value("b9.position");
      for (std::size_t k = 0; k < 3; ++k) EXPECT_NEAR(after[k], before[k], 1e-8) << step;
      EXPECT_NEAR(after[2], 0.95, 1e-6);
      // Potential energies of 400 J leave this much rounding.
      EXPECT_LT(settling.rise, 1e-12 * 400.0) << light << " " << step;
      const IntegratorStatistics counts = simulation.statistics().counts;
      EXPECT_EQ(counts.unconverged_steps, 0) << light << " " << step;
      EXPECT_LE(counts.newton_iterations, 2 * counts.steps) << light << " " << step;
    }
  }
}

const std::string kIncline = R"yaml(
carom: 1
name: incline
values: {mu: 0.5, share: 0.999}
gravity: ["=9.81*sin(atan(mu*share))", 0, "=-9.81*cos(atan(mu*share))"]
bodies:
  floor: {fixed: true, material: steel, shapes: [{half_space: {}}]}
  box: {material: steel, shapes: [{box: {size: 0.1}}], position: [0, 0, 0.05]}
contact: {law: exact, restitution: 0.3, friction: {lugre: {mu_k: $mu, mu_s: $mu}}}
run: {until: 1, integrator: implicit_contact, step: 1e-3}
)yaml";

TEST(ImplicitContact, BlockOnAnInclineHoldsBelowMuAndSlidesAbove) {
  // Bristles have to bend by 5 um first; nearer to mu the load of the first steps counts too.
  EXPECT_LT(body(run_text(kIncline, {"values.share=0.9"}), "box").position.x, 1e-5);
  const RunResult holds = run_text(kIncline);
  EXPECT_LT(body(holds, "box").position.x, 2e-4);
  EXPECT_LT(norm(body(holds, "box").velocity), 1e-7);
  const RunResult slides = run_text(kIncline, {"values.share=1.01"});
  const double a = 9.81 * (std::sin(std::atan(0.505)) - 0.5 * std::cos(std::atan(0.505)));
  EXPECT_NEAR(body(slides, "box").position.x, 0.5 * a, 0.05 * a);
  // A sliding block does not hover.
  EXPECT_LT(body(slides, "box").position.z, 0.05);
}

TEST(ImplicitContact, StiffBristlesTellTheSidesOfMuApart) {
  const std::string stiff = "contact.friction={mindlin: {mu: 0.5}}";
  EXPECT_LT(body(run_text(kIncline, {stiff}), "box").position.x, 1e-7);
  const auto gain = [&](double share) {  // of speed, in the second second
    const auto speed = [&](double until) {
      return body(run_text(kIncline, {stiff, set("values.share", share), set("run.until", until)}),
                  "box")
          .velocity.x;
    };
    return speed(2.0) - speed(1.0);
  };
  EXPECT_LE(gain(1.0 - 1e-6), 0.0);
  // g (sin a - mu cos a) of the angle a with tan a = mu (1 + 1e-6)
  const double a = 9.81 * 0.5e-6 / std::sqrt(1.25);
  EXPECT_NEAR(gain(1.0 + 1e-6), a, 0.02 * a);
}

TEST(ImplicitContact, BallThrownAtFortyFiveDegreesTakesTheImpulseRatioMu) {
  const RunResult r = run_text(R"(
carom: 1
name: throw
gravity: [0, 0, 0]
bodies:
  floor: {fixed: true, material: steel, shapes: [{half_space: {}}]}
  ball: {material: steel, mass: 1, shapes: [{sphere: {radius: 0.05}}], position: [0, 0, 0.0505],
         velocity: [1, 0, -1]}
contact: {law: exact, restitution: 0.5, friction: {coulomb: {mu: 0.1}}}
run: {until: 0.02, integrator: implicit_contact, step: 1e-3}
)");
  const Vec3 change = body(r, "ball").velocity - Vec3{1.0, 0.0, -1.0};
  EXPECT_NEAR(change.x / change.z, -0.1, 1e-4);
}

/// Deepest overlap of any pair over a run, by its distance and not by what rows say.
double deepest_overlap(Simulation& simulation, double until, double step) {
  double deepest = 0.0;
  for (int k = 1; k * step <= until * (1.0 + 1e-9); ++k) {
    EXPECT_EQ(simulation.advance(k * step), AdvanceStatus::reached) << simulation.failure();
    Workspace& w = simulation.workspace();
    evaluate_kinematics(w, simulation.time(), simulation.state());
    for (const ContactPair& pair : w.modes.contacts.pairs) {
      deepest = std::max(deepest, -find_contact(w, pair).phi);
    }
  }
  return deepest;
}

TEST(ImplicitContact, WhatTurnsFarWithinAStepDoesNotSinkIn) {
  // By 0.3 rad per step: rows of the pose where it begins err by 3 mm.
  for (const char* shape : {"cone: {radius: 0.06, length: 0.05}", "box: {size: [0.1, 0.04, 0.16]}",
                            "cylinder: {radius: 0.05, length: 0.1}"}) {
    const auto model = model_of(std::string(R"(
carom: 1
name: spinning
bodies:
  floor: {fixed: true, material: steel, shapes: [{half_space: {}}]}
  top: {material: steel, shapes: [{)") +
                                shape + R"(}], position: [0, 0, 0.2], velocity: [0, 0.3, -1],
        angular_velocity: [30, 4, -6]}
contact: {law: exact, restitution: 0.3, friction: lugre}
run: {until: 1, integrator: implicit_contact, step: 0.01}
)");
    Simulation simulation(model);
    EXPECT_LT(deepest_overlap(simulation, 1.0, 0.01), 2e-3) << shape;
  }
}

TEST(ImplicitContact, LightBallThatIsShotAtAWallStaysOutOfIt) {
  // A ton at 3 m/s meets a gram at rest, which leaves with up to 6 m/s: nothing near the ball was
  // as fast when the step began, and the wall behind it is a step away.
  for (const double gap : {0.0, 0.01, 0.02, 0.04, 0.055}) {
    const auto model = model_of(R"(
carom: 1
name: shot
gravity: [0, 0, 0]
values: {gap: 0}
bodies:
  wall: {fixed: true, material: steel, shapes: [{box: {size: [0.02, 1, 1]}, at: ["=0.01+gap", 0, 0]}]}
  ball: {material: steel, mass: 1e-3, shapes: [{sphere: {radius: 0.005}}], position: [-0.005, 0, 0]}
  ram: {material: steel, mass: 1e3, shapes: [{box: {size: 0.2}}], position: [-0.1305, 0, 0],
        velocity: [3, 0, 0]}
contact: {law: exact, restitution: 1, friction: none}
run: {until: 0.01, integrator: implicit_contact, step: 0.01}
)",
                                {set("values.gap", gap)});
    Simulation simulation(model);
    ASSERT_EQ(simulation.advance(0.01), AdvanceStatus::reached);
    EXPECT_LT(simulation.value("ball.position")[0], gap) << gap;
  }
}

TEST(ImplicitContact, LedgerTellsWhatTheStepTakesAndCloses) {
  // Rows of the output fall between the steps, where there is nothing to judge.
  for (const double output : {0.005, 0.0037}) {
    const RunResult r = run_text(kIncline, {"values.share=0.2", "bodies.box.position=[0, 0, 0.15]",
                                            "run.step=0.005", set("run.output.step", output)});
    EXPECT_GT(r.energy.dissipated_step, 0.1 * r.energy_scale);
    EXPECT_GE(r.energy.dissipated_normal, 0.0);
    EXPECT_LT(r.largest_residual, 1e-12 * r.energy_scale) << output;
    for (const Finding& reason : r.verdict.reasons) EXPECT_NE(reason.name, "residual");
  }
}

// What friction takes is no energy that a contact holds. Curved bodies that turn are lifted out of
// depths that were only found: work of the model, of first order in the step.
TEST(ImplicitContact, FrictionFeedsNoContact) {
  const auto spin = [](double step) {
    return run_text(R"yaml(
carom: 1
bodies:
  floor: {fixed: true, material: dry_wood, shapes: [{half_space: {}}]}
  egg: {material: dry_wood, shapes: [{ellipsoid: {radii: [1.2, 1.3, 1.0]}}], position: [0, 0, 1.01], rotation: [0.1, 0, 0], angular_velocity: [0, 0, 10]}
contact: {law: exact, restitution: 0.3, friction: coulomb, mu_k: 0.1, resistance: none, k_red: 0.01, v_small: 0.01}
run: {until: 8, integrator: implicit_contact}
)yaml",
                    {"run.step=" + std::to_string(step)});
  };
  const RunResult coarse = spin(4e-3), fine = spin(1e-3);
  EXPECT_GT(coarse.energy.dissipated_friction, 1000.0);
  for (const RunResult* r : {&coarse, &fine}) {
    EXPECT_GE(r->energy.dissipated_step, -1e-9 * r->energy.dissipated_friction);
  }
  EXPECT_GT(coarse.energy.model_work, 0.0);
  EXPECT_NEAR(coarse.energy.model_work / fine.energy.model_work, 4.0, 1.5);
}

TEST(ImplicitContact, AMovingWallPushesAndItsWorkIsBooked) {
  const auto model = model_of(R"(
carom: 1
name: pushed
gravity: [0, 0, 0]
bodies:
  wall: {mass: 1, inertia: [1, 1, 1], shapes: [{box: {size: [0.1, 1, 1]}}], material: steel,
         joint: {prismatic: {axis: x}, name: slide, motion: {formula: "0.5*t"}}}
  ball: {material: steel, mass: 1, shapes: [{sphere: {radius: 0.05}}], position: [0.2, 0, 0]}
contact: {law: exact, restitution: 0.0, friction: none}
run: {until: 0.6, integrator: implicit_contact, step: 1e-3}
)");
  Simulation simulation(model);
  const StepEnergy seen = step_energy(simulation, 0.6, 1e-3);
  EXPECT_NEAR(simulation.value("ball.velocity")[0], 0.5, 0.02);
  EXPECT_LE(seen.rise, 1e-12);
  const Ledger l = simulation.ledger();
  // A wall that moves on gives twice the energy that a ball at rest takes up.
  EXPECT_NEAR(l.drive_work, 0.25, 0.02);
}

TEST(ImplicitContact, AStepAloneChoosesItWhereShapesMayTouch) {
  const auto method = [](const std::string& text, std::vector<std::string> words) {
    return Simulation(model_of(text, std::move(words))).statistics().integrator;
  };
  EXPECT_EQ(method(kHertz, {"run.integrator=auto"}), "implicit_contact");
  EXPECT_EQ(method(kHertz, {"run.integrator=rk4"}), "rk4");
  EXPECT_EQ(method(kHertz, {"run.integrator=auto",
                            "contact.law={otter_series: {stiffness: 1e6, "
                            "damping: 10}}"}),
            "rk4");
  EXPECT_EQ(method("carom: 1\nname: alone\nbodies: {ball: {mass: 1, inertia: [1, 1, 1]}}\n"
                   "run: {until: 1, step: 1e-3}\n",
                   {}),
            "rk4");
}

TEST(ImplicitContact, RefusesWhatItCannotTakeWithARemedy) {
  const std::string head =
      "carom: 1\nname: refused\nbodies:\n"
      "  floor: {fixed: true, material: steel, shapes: [{half_space: {}}]}\n";
  const std::string run = "run: {until: 0.1, integrator: implicit_contact, step: 1e-3}\n";
  const std::string ball =
      "  ball: {material: steel, shapes: [{sphere: {radius: 0.05}}], position: [0, 0, 0.1]";
  const struct {
    std::string text, says;
  } cases[] = {
      {head + ball + "}\ncontact: {law: {formula: {force: \"1e6*d\"}}}\n" + run, "formula"},
      {head + ball + "}\ncontact: {law: {otter_series: {stiffness: 1e6, damping: 10}}}\n" + run,
       "state"},
  };
  for (const auto& c : cases) {
    try {
      Simulation simulation(model_of(c.text));
      ADD_FAILURE() << c.says;
    } catch (const InputError& error) {
      const Diagnostic& finding = error.diagnostics().all().front();
      EXPECT_NE(finding.message.find(c.says), std::string::npos) << finding.message;
      EXPECT_FALSE(finding.remedy.empty());
    }
  }
}

}  // namespace
}  // namespace carom
