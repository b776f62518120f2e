// Carom in the scenes S1 to S7: one function per scene, one row per setting.
//
//   bench_carom SCENE        (s1_hard_bounce, s5_gripper, …)
//
// The scenes are the files in benchmarks/scenes; settings are what a user may choose with --set.
#include <cstring>

#include "../common/cradle.h"
#include "../common/gripper.h"
#include "../common/hard_bounce.h"
#include "carom/base/text.h"
#include "carom/base/version.h"
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

void s1() {
  for (const double tolerance : {1e-5, 1e-6, 1e-7, 1e-8, 1e-9, 1e-10, 1e-11}) {
    hard_bounce("elastic", "auto", 1.0, tolerance);
  }
  for (const double tolerance : {1e-7, 1e-8, 1e-9, 1e-10, 1e-11, 1e-12}) {
    hard_bounce("elastic", "cvode_adams", 1.0, tolerance);
  }
  for (const double tolerance : {1e-6, 1e-8}) hard_bounce("restitution", "auto", 0.7, tolerance);
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
}

}  // namespace
}  // namespace carom::bench

int main(int count, char** words) {
  using namespace carom::bench;
  const std::string scene = count > 1 ? words[1] : "";
  if (scene == "s1_hard_bounce") s1();
  if (scene == "s5_gripper") s5();
  if (scene == "s6_cradle") s6();
}
