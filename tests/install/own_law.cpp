// A contact law of the user's own, as a function, with the installed library alone.
//
//   F = k d³                                                                       (1)
//
// A ball of mass m that hits a wall with the speed v sinks in by D = (2 m v²/k)^(1/4) (its energy
// is k d⁴/4), turns and leaves with v after
//
//   T = 2 D/v ∫₀¹ du/sqrt(1 − u⁴) = 2.622057554292119 D/v                          (2)
#include <carom/contact/normal_law.h>
#include <carom/scene/read/read.h>
#include <carom/simulation/run.h>

#include <cmath>
#include <cstdio>

namespace {

constexpr double kStiffness = 1e9;  // k [N/m³]

void evaluate(std::span<const carom::NormalInput> in, const carom::PairMaterial&,
              std::span<const double>, std::span<const double, carom::kNormalConstants>,
              std::span<carom::NormalOutput> out) {
  for (std::size_t i = 0; i < in.size(); ++i) {
    const double d = in[i].depth;
    out[i] = {};
    out[i].force = out[i].elastic = in[i].weight * kStiffness * d * d * d;  // (1)
    out[i].energy = 0.25 * out[i].elastic * d;
  }
}

const carom::NormalLaw kCubic{.name = "cubic",
                              .doc = "a spring that stiffens with the square of its depth",
                              .fields = {},
                              .lets_go = false,
                              .own_stiffness = true,
                              .evaluate = evaluate};

constexpr const char* kScene = R"(
carom: 1
gravity: off
bodies:
  wall: {fixed: true, material: steel, shapes: [{half_space: {}}]}
  ball: {material: steel, mass: 2, inertia: [0.01, 0.01, 0.01], shapes: [{sphere: {radius: 0.1}}], position: [0, 0, 0.11], velocity: [0, 0, -0.5]}
contact: {friction: {coulomb: {mu: 0}}, resistance: none}
run: {until: 0.2, tolerance: 1e-10}
)";

bool near(const char* what, double value, double expected, double tolerance) {
  const bool good = std::abs(value - expected) <= tolerance;
  std::printf("%-20s %.12f, expected %.12f%s\n", what, value, expected, good ? "" : "  WRONG");
  return good;
}

}  // namespace

int main() {
  using namespace carom;
  Diagnostics diagnostics;
  std::optional<Scene> scene = read_scene_text(kScene, "own_law", {}, diagnostics);
  if (scene) {
    LawSpec law;
    law.kind = kCubic.name;
    law.normal = &kCubic;
    scene->contact.all.normal = law;
  }
  const std::shared_ptr<const Model> model = scene ? compile(*scene, diagnostics) : nullptr;
  if (!model) {
    for (const Diagnostic& d : diagnostics.all()) std::printf("%s\n", to_string(d).c_str());
    return 1;
  }
  const RunResult result = run(model);
  if (result.status != RunStatus::completed || result.events.size() != 2) return 1;
  const double depth = std::pow(2.0 * 2.0 * 0.25 / kStiffness, 0.25);
  bool good = near("duration", result.events[1].time - result.events[0].time,
                   2.622057554292119 * depth / 0.5, 1e-8);  // (2)
  good = near("speed afterwards", result.bodies.at(1).velocity.z, 0.5, 1e-8) && good;
  return good ? 0 : 1;
}
