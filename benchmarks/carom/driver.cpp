// Carom in the scenes S1 to S7: one function per scene, one row per setting.
//
//   bench_carom SCENE        (s1_hard_bounce, s5_gripper, …)
//
// The scenes are the files in benchmarks/scenes, the heap of spheres that bench_spheres_scene
// writes when it is built, and a demo; settings are what a user may choose with --set.
#include "../common/cradle.h"
#include "../common/ellipsoid.h"
#include "../common/gripper.h"
#include "../common/hard_bounce.h"
#include "../common/meshes.h"
#include "../common/spheres.h"
#include "../common/stacks.h"
#include "carom/base/text.h"
#include "carom/base/version.h"
#include "carom/contact/law_impact.h"
#include "carom/scene/pair_laws.h"
#include "carom/scene/read/read.h"
#include "scene_run.h"

namespace carom::bench {
namespace {

const std::string kEngine = std::string("Carom ") + kVersion;

std::string tolerance_text(double tolerance) { return "tolerance " + number_text(tolerance); }

std::vector<std::string> with(double tolerance, const std::string& integrator = "auto") {
  return {"run.tolerance=" + number_text(tolerance), "run.integrator=" + integrator};
}

/// Height of the first rebound from the speed at which the first contact ends.
void hard_bounce(const std::string& file, const std::string& integrator, double restitution,
                 double tolerance) {
  const Row row = median_of(9, [&] {
    SceneRun run = run_scene("s1_hard_bounce/" + file + ".yaml", tolerance_text(tolerance),
                             {with(tolerance, integrator)});
    BounceWatch watch;
    watch.feed(0.0, -1.0);
    for (const EngineEvent& event : run.events) {
      if (event.kind != "contact_end") continue;
      const double up = 0.03;  // seen 30 mm up, with the energy that it left the floor with
      watch.feed(up, std::sqrt(event.value * event.value - 2.0 * HardBounce::gravity * up));
      break;
    }
    watch.report(run.row, restitution);
    return run.row;
  });
  print_row("s1_hard_bounce/" + file, kEngine, row);
}

/// The same ball as a rigid body: the impact is an instant, its speeds are in the event.
void rigid_bounce(double restitution, double tolerance) {
  const Row row = median_of(9, [&] {
    std::vector<std::string> overrides = with(tolerance);
    overrides.push_back("contact.method=rigid");
    overrides.push_back("contact.restitution=" + number_text(restitution));
    SceneRun run = run_scene("s1_hard_bounce/restitution.yaml",
                             tolerance_text(tolerance) + ", rigid", {overrides});
    BounceWatch watch;
    watch.feed(0.0, -1.0);
    for (const EngineEvent& event : run.events) {
      if (event.kind != "impact") continue;
      const double up = 0.03;
      watch.feed(up,
                 std::sqrt(event.separation * event.separation - 2.0 * HardBounce::gravity * up));
      break;
    }
    watch.report(run.row, restitution);
    return run.row;
  });
  print_row(restitution < 1.0 ? "s1_hard_bounce/restitution" : "s1_hard_bounce/elastic", kEngine,
            row);
}

void s1() {
  for (const double tolerance : {1e-5, 1e-6, 1e-7, 1e-8, 1e-9, 1e-10, 1e-11}) {
    hard_bounce("elastic", "auto", 1.0, tolerance);
  }
  for (const double tolerance : {1e-7, 1e-8, 1e-9, 1e-10, 1e-11, 1e-12}) {
    hard_bounce("elastic", "cvode_adams", 1.0, tolerance);
  }
  for (const double tolerance : {1e-6, 1e-8}) hard_bounce("restitution", "auto", 0.7, tolerance);
  for (const double restitution : {1.0, 0.7}) rigid_bounce(restitution, 1e-8);
}

/// Bodies of a sample are the box and the spheres, in this order.
std::vector<Point> centres(const std::vector<BodyAt>& bodies) {
  std::vector<Point> points;
  for (std::size_t i = 1; i < bodies.size(); ++i) {
    points.push_back({bodies[i].position.x, bodies[i].position.y, bodies[i].position.z});
  }
  return points;
}

/// Kinetic and potential energy of the spheres; elastic energy is a millionth of it.
double energy_of(const std::vector<BodyAt>& bodies) {
  using S = Spheres;
  double energy = 0.0;
  for (std::size_t i = 1; i < bodies.size(); ++i) {
    const BodyAt& b = bodies[i];
    energy += 0.5 * S::mass() * dot(b.velocity, b.velocity) +
              0.5 * S::inertia() * dot(b.angular_velocity, b.angular_velocity) +
              S::mass() * S::gravity * b.position.z;
  }
  return energy;
}

/// Duration of the hardest impact of two spheres of the run, by their law at its approach speed:
/// the shortest contact, since the time falls with the speed and walls make it longer.
double shortest_contact(const std::string& file, const std::vector<EngineEvent>& events) {
  double fastest = 0.0;
  for (const EngineEvent& event : events) {
    if (event.kind == "contact_begin") fastest = std::max(fastest, event.value);
  }
  const Scene scene = read_scene_file(file, {});
  std::string note;
  const PairLaw law = resolve_pair_law(scene, {1, 0}, {2, 0}, note);
  return law_impact(law, 0.5 * Spheres::radius, 0.5 * Spheres::mass(), fastest).duration;
}

/// `step` is the one that has to resolve the contacts, 0 where none has to.
void heap(const std::string& scene, const std::string& file, const std::string& setting,
          double step, const std::vector<std::string>& overrides) {
  SceneRun run = run_scene(file, setting, {overrides, Spheres::sample, kHeapCpuLimit});
  HeapWatch watch;
  for (std::size_t i = 0; i < run.times.size(); ++i)
    watch.feed(run.times[i], centres(run.bodies[i]));
  watch.report(run.row);
  run.row.add("energy", energy_of(run.bodies.back()) / energy_of(run.bodies.front()));
  if (step > 0.0) {
    run.row.add("steps_per_contact", shortest_contact(file, run.events) / step);
  }
  print_row(scene, kEngine, run.row);
}

/// Steps of a twentieth of the shortest contact, and of half of that. The files are written by
/// bench_spheres_scene. The pair that compares fixed steps with error control is short: friction
/// regularised at 0.01 m/s is so stiff in impacts that an explicit method needs steps of 20 us.
void s2() {
  const std::string file = CAROM_BENCH_WRITTEN "/spheres_1000.yaml";
  for (const double step : {2.8e-4, 1.4e-4}) {
    heap("s2_spheres", file, "step " + number_text(step) + " s, k_red 0.00022", step,
         {"run.step=" + number_text(step)});
  }
  // Steps that need not resolve the contacts: elastic as above and with the modulus of steel, and
  // rigid.
  heap("s2_spheres", file, "step 0.004 s, k_red 0.00022, implicit", 0.0,
       {"run.integrator=implicit_contact", "run.step=0.004"});
  const std::vector<std::string> steel = {"contact.k_red=1", "contact.friction=lugre",
                                          "run.integrator=implicit_contact", "run.step=0.005"};
  heap("s2_spheres", file, "step 0.005 s, steel", 0.0, steel);
  for (const double step : {0.002, 0.005, 0.01}) {
    heap("s2_spheres", file, "step " + number_text(step) + " s, rigid", 0.0,
         {"contact.method=rigid", "contact.restitution=0", "run.integrator=time_stepping",
          "run.step=" + number_text(step)});
  }
  const std::string fewer = CAROM_BENCH_WRITTEN "/spheres_100.yaml";
  std::vector<std::string> settings = {"run.until=0.2"};
  heap("s2_spheres_100", fewer, "step 0.00028 s, k_red 0.00022", 2.8e-4, settings);
  for (const char* more : {"run.integrator=erk8", "run.step=0", "run.tolerance=1e-4"}) {
    settings.push_back(more);
  }
  heap("s2_spheres_100", fewer, "tolerance 1e-4, k_red 0.00022", 0.0, settings);
}

void s3() {
  for (const double lean : Stacks::leans) {
    const std::string scene = stack_scene(lean);
    for (const double tolerance : {1e-5, 1e-6, 1e-7}) {
      SceneRun run = run_scene(scene + ".yaml", tolerance_text(tolerance) + " LuGre",
                               {with(tolerance), Stacks::sample});
      StackWatch watch(lean);
      for (std::size_t i = 0; i < run.times.size(); ++i) {
        std::vector<CubeAt> cubes;
        for (std::size_t k = 1; k < run.bodies[i].size(); ++k) {  // the floor comes first
          const BodyAt& b = run.bodies[i][k];
          cubes.push_back({b.position.x, b.position.y, b.position.z, b.rotation(2, 2)});
        }
        watch.feed(run.times[i], cubes);
      }
      watch.report(run.row);
      print_row(scene, kEngine, run.row);
    }
  }
}

/// Both meshes as surfaces; benchmarks/scenes/s4_meshes/drop.yaml.
void s4() {
  for (const double step : {1e-3, 5e-3}) {
    SceneRun run = run_scene(
        CAROM_BENCH_WRITTEN "/s4_meshes/drop.yaml", "step " + number_text(step) + " s, steel",
        {{"run.step=" + number_text(step)}, Meshes::sample, Meshes::cpu_limit});
    MeshWatch watch(0.0);
    for (std::size_t i = 0; i < run.times.size(); ++i) {
      const BodyAt& torus = run.bodies[i][1];  // the ground comes first
      TorusAt at{{torus.position.x, torus.position.y, torus.position.z}, {}, norm(torus.velocity)};
      for (std::size_t r = 0; r < 3; ++r) {
        for (std::size_t c = 0; c < 3; ++c) at.R[r][c] = torus.rotation(r, c);
      }
      watch.feed(run.times[i], at);
    }
    watch.report(run.row);
    print_row("s4_meshes", kEngine, run.row);
  }
}

void s5() {
  for (const double tolerance : {1e-6, 1e-8}) {
    const Row row = median_of(3, [&] {
      SceneRun run = run_scene("s5_gripper/lugre.yaml", tolerance_text(tolerance) + " LuGre",
                               {with(tolerance), Gripper::sample});
      SlipWatch watch;
      for (std::size_t i = 0; i < run.times.size(); ++i) {
        const BodyAt& cube = run.bodies[i][0];
        watch.feed(run.times[i], cube.position.z, cube.rotation(2, 2));
      }
      watch.report(run.row);
      return run.row;
    });
    print_row("s5_gripper", kEngine, row);
  }
}

/// As rigid balls that meet one after the other: what 1 mm between them makes exact.
void rigid_cradle() {
  const double gap = Cradle::gaps[1];
  const Row row = median_of(5, [&] {
    SceneOptions options{with(1e-8), Cradle::duration};
    for (const char* more : {"contact.method=rigid", "contact.restitution=1"}) {
      options.overrides.push_back(more);
    }
    options.overrides.push_back("values.gap=" + number_text(gap));
    SceneRun run = run_scene("s6_cradle/cradle.yaml", tolerance_text(1e-8) + ", rigid", options);
    std::array<double, 5> v{};
    for (std::size_t i = 0; i < v.size(); ++i) v[i] = run.bodies.back()[i].velocity.x;
    report_cradle(run.row, gap, v);
    return run.row;
  });
  print_row(cradle_scene(gap), kEngine, row);
}

void s6() {
  for (const double gap : Cradle::gaps) {
    for (const double tolerance : {1e-6, 1e-8, 1e-10}) {
      const Row row = median_of(5, [&] {
        SceneOptions options{with(tolerance), Cradle::duration};
        options.overrides.push_back("values.gap=" + number_text(gap));
        SceneRun run = run_scene("s6_cradle/cradle.yaml", tolerance_text(tolerance), options);
        std::array<double, 5> v{};
        for (std::size_t i = 0; i < v.size(); ++i) v[i] = run.bodies.back()[i].velocity.x;
        report_cradle(run.row, gap, v);
        return run.row;
      });
      print_row(cradle_scene(gap), kEngine, row);
    }
  }
  rigid_cradle();
}

void s7() {
  for (const double tolerance : {1e-5, 1e-7, 1e-9}) {
    SceneRun run = run_scene("s7_ellipsoid/rise.yaml", tolerance_text(tolerance),
                             {with(tolerance), Egg::sample});
    RiseWatch watch;
    for (const std::vector<BodyAt>& bodies : run.bodies) {
      const BodyAt& egg = bodies[1];
      const Vec3 w = transpose_times(egg.rotation, egg.angular_velocity);
      watch.feed(egg.position.z, Egg::energy({w.x, w.y, w.z}, norm(egg.velocity), egg.position.z));
    }
    watch.report(run.row);
    print_row("s7_ellipsoid", kEngine, run.row);
  }
}

/// The break of sixteen balls, 5 s: the demo, as it is but for the tolerance.
void billiards() {
  for (const double tolerance : {1e-5, 1e-6, 1e-8}) {
    SceneRun run =
        run_scene("../../examples/billiards_16.yaml", tolerance_text(tolerance), {with(tolerance)});
    run.row.add("events", static_cast<double>(run.events.size()));
    run.row.add("completed", run.completed ? 1.0 : 0.0);
    print_row("billiards", kEngine, run.row);
  }
}

}  // namespace
}  // namespace carom::bench

int main(int count, char** words) {
  using namespace carom::bench;
  return run_named(count, words,
                   {{"s1_hard_bounce", s1},
                    {"s2_spheres", s2},
                    {"s3_stacks", s3},
                    {"s4_meshes", s4},
                    {"s5_gripper", s5},
                    {"s6_cradle", s6},
                    {"s7_ellipsoid", s7},
                    {"billiards", billiards}});
}
