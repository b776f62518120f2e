// Round bodies that come down on their flat faces, by the area of contact: they come to rest within
// a bounded number of evaluations, however they stood, and press with their weight.
#include <algorithm>
#include <cmath>
#include <string>

#include "carom/simulation/simulation.h"
#include "contact_runs.h"

namespace carom {
namespace {

using testing::only_contact;
using testing::run_text;
using testing::unexplained;

struct Standing {
  const char* shape;
  double half_height, volume, area;
};
const Standing kStanding[] = {
    {"{cylinder: {radius: 0.05, length: 0.02}, axis: z}", 0.01, M_PI * 5e-5, M_PI * 2.5e-3},
    {"{pipe: {outer_radius: 0.05, inner_radius: 0.04, length: 0.1}, axis: z}", 0.05, M_PI * 9e-5,
     M_PI * 2.5e-3},  // an area takes a pipe for a cylinder
    {"{cone: {radius: 0.05, length: 0.08}, axis: z}", 0.0, M_PI * 2e-4 / 3.0, M_PI * 2.5e-3},
    {"{beam: {length: 0.1, width: 0.04, thickness: 0.02}}", 0.01, 0.02 * (4e-3 + M_PI * 4e-4),
     4e-3 + M_PI * 4e-4}};

std::string scene_of(const Standing& body, const std::string& table, double tilt, double drop) {
  return "carom: 1\nbodies:\n  floor: {fixed: true, material: steel, shapes: [" + table +
         "]}\n  body: {material: steel, shapes: [" + body.shape + "], position: [0, 0, " +
         std::to_string(body.half_height + drop + 0.08 * tilt) + "], rotation: [" +
         std::to_string(tilt) + ", " + std::to_string(0.4 * tilt) +
         ", 0]}\ncontact: {area: {layer: 2e-3}, restitution: 0.3}\n"
         "run: {until: 0.3, tolerance: 1e-7}\n";
}

TEST(StandingAreas, ComeToRestUnderErrorControl) {
  constexpr double kDensity = 8000.0, kMostEvaluations = 60000;
  const char* tables[] = {"{half_space: {}}", "{box: {size: [1, 1, 0.1]}, at: [0, 0, -0.05]}",
                          "{cylinder: {radius: 0.4, length: 0.1}, axis: z, at: [0, 0, -0.05]}"};
  int trial = 0;
  for (const Standing& body : kStanding) {
    for (const double tilt : {0.0, 1e-6, 1e-4, 3e-3}) {
      const double drop = trial % 3 == 0 ? 0.0 : trial % 3 == 1 ? 1e-4 : 2e-3;
      const RunResult result = run_text(scene_of(body, tables[trial++ % 3], tilt, drop));
      const std::string what = std::string(body.shape) + " tilt " + std::to_string(tilt);
      EXPECT_LT(static_cast<double>(result.statistics.counts.rhs_evaluations), kMostEvaluations)
          << what;
      const ContactReading& c = only_contact(result);
      const double weight = kDensity * body.volume * 9.81;
      // Put down without a drop, next to nothing is turned over: the weight times 10 µm then.
      const double scale = std::max(result.energy_scale, weight * 1e-5);
      EXPECT_LT(unexplained(result) * result.energy_scale, 1e-5 * scale) << what;
      EXPECT_NEAR(c.normal_force / weight, 1.0, 1e-2) << what;
      EXPECT_NEAR(c.contact_area / body.area, 1.0, 1e-6) << what;
    }
  }
}

}  // namespace
}  // namespace carom
