#include "random_bodies.h"

#include <cmath>

#include "carom/math/rotation.h"

namespace carom::campaign {
namespace {

std::string points_text(Dice& dice, int count) {
  std::string text = "[";
  for (int i = 0; i < count; ++i) {
    text += (i ? ", " : "") + vector_text(dice.uniform(-0.06, 0.06), dice.uniform(-0.06, 0.06),
                                          dice.uniform(-0.06, 0.06));
  }
  return text + "]";
}

/// A prism over a regular polygon, as a hull.
std::string prism_text(Dice& dice) {
  const int n = 3 + dice.below(8);
  const double r = dice.uniform(0.02, 0.06), half = dice.uniform(0.01, 0.05);
  std::string text = "[";
  for (int i = 0; i < 2 * n; ++i) {
    const double angle = 2.0 * 3.14159265358979323846 * (i / 2) / n;
    text += (i ? ", " : "") +
            vector_text(r * std::cos(angle), r * std::sin(angle), i % 2 ? half : -half);
  }
  return text + "]";
}

}  // namespace

std::string shape_text(Dice& dice, std::string& kind) {
  constexpr const char* kKinds[] = {"box",     "cylinder",  "cone",       "frustum",
                                    "capsule", "ellipsoid", "sphere",     "beam",
                                    "hull",    "prism",     "tetrahedron"};
  kind = kKinds[dice.below(11)];
  const auto length = [&] { return exact_text(dice.uniform(0.03, 0.12)); };
  const auto radius = [&] { return exact_text(dice.uniform(0.015, 0.06)); };
  if (kind == "box") return "box: {size: [" + length() + ", " + length() + ", " + length() + "]}";
  if (kind == "cylinder") return "cylinder: {radius: " + radius() + ", length: " + length() + "}";
  if (kind == "cone") return "cone: {radius: " + radius() + ", length: " + length() + "}";
  if (kind == "frustum") {
    return "cone: {radius: " + radius() + ", length: " + length() + ", top_radius: " + radius() +
           "}";
  }
  if (kind == "capsule") return "capsule: {radius: " + radius() + ", length: " + length() + "}";
  if (kind == "ellipsoid") {
    return "ellipsoid: {radii: [" + radius() + ", " + radius() + ", " + radius() + "]}";
  }
  if (kind == "sphere") return "sphere: {radius: " + radius() + "}";
  if (kind == "beam") {
    return "beam: {length: " + length() + ", width: " + radius() + ", thickness: " + radius() + "}";
  }
  if (kind == "hull") return "hull: {points: " + points_text(dice, 5 + dice.below(25)) + "}";
  if (kind == "prism") return "hull: {points: " + prism_text(dice) + "}";
  return "tetrahedron: {a: [" + length() + ", 0, 0], b: [0, " + length() + ", 0], c: [0, 0, " +
         length() + "], d: [-0.03, -0.03, -0.03]}";
}

std::string orientation_text(Dice& dice, bool is_any, double tilt) {
  const double half = std::sqrt(0.5);
  const Quat axes[] = {{1, 0, 0, 0}, {half, half, 0, 0}, {half, 0, half, 0}, {half, 0, 0, half}};
  Quat q = axes[dice.below(4)];
  if (is_any) {
    q = normalized(
        Quat{dice.uniform(-1, 1), dice.uniform(-1, 1), dice.uniform(-1, 1), dice.uniform(0.01, 1)});
  }
  const double towards = dice.uniform(0.0, 6.28);
  q = quat_exp({tilt * std::cos(towards), tilt * std::sin(towards), 0.0}) * q;
  return "[" + exact_text(q.w) + ", " + exact_text(q.x) + ", " + exact_text(q.y) + ", " +
         exact_text(q.z) + "]";
}

}  // namespace carom::campaign
