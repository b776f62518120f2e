#include "carom/contact/pair_palette.h"

namespace carom {
namespace {

constexpr const char* kModiaPairs = "Modia3D palette, contactPairMaterials.json (v0.12.3)";
constexpr const char* kMarks =
    "friction: dry surfaces as tabulated in Marks' Standard Handbook for Mechanical Engineers, "
    "section 3.2; restitution and rolling resistance: estimates, to be replaced by measured ones";
constexpr const char* kIcePairs =
    "friction: Bowden and Tabor, The Friction and Lubrication of Solids, chapter 4, near 0 degC; "
    "restitution and rolling resistance: estimates";
constexpr const char* kRubber = "estimates for dry tyre rubber on a clean road";

constexpr MaterialPair kPairs[] = {
    // Figures that published contact results were computed with.
    {"steel", "steel", 0.7, 0.5, 0.5, 0.001, kModiaPairs},
    {"dry_wood", "dry_wood", 0.6, 0.3, 0.3, 0.001, kModiaPairs},
    {"billiard_ball", "billiard_ball", 1.0, 0.0, 0.0, 0.0, kModiaPairs},
    {"billiard_ball", "billiard_table", 0.0, 0.8, 0.8, 0.01, kModiaPairs},
    {"billiard_ball", "billiard_cushion", 0.98, 0.0, 0.0, 0.0, kModiaPairs},
    {"billiard_ball", "billiard_cue", 0.98, 0.0, 0.0, 0.0, kModiaPairs},
    {"billiard_table", "billiard_cue", 0.0, 0.8, 0.8, 0.01, kModiaPairs},
    {"billiard_cue", "billiard_cue", 0.98, 0.0, 0.0, 0.0, kModiaPairs},

    // Dry, clean solids.
    {"carbon_steel", "carbon_steel", 0.6, 0.57, 0.74, 0.001, kMarks},
    {"carbon_steel", "aluminium", 0.6, 0.47, 0.61, 0.001, kMarks},
    {"carbon_steel", "aluminium_alloy", 0.6, 0.47, 0.61, 0.001, kMarks},
    {"carbon_steel", "copper", 0.5, 0.36, 0.53, 0.001, kMarks},
    {"carbon_steel", "brass", 0.5, 0.44, 0.51, 0.001, kMarks},
    {"carbon_steel", "lead", 0.2, 0.95, 0.95, 0.005, kMarks},
    {"carbon_steel", "ptfe", 0.5, 0.04, 0.04, 0.002, kMarks},
    {"steel", "aluminium", 0.6, 0.47, 0.61, 0.001, kMarks},
    {"steel", "ptfe", 0.5, 0.04, 0.04, 0.002, kMarks},
    {"cast_iron", "cast_iron", 0.65, 0.15, 1.1, 0.001, kMarks},
    {"cast_iron", "bronze", 0.5, 0.22, 0.22, 0.001, kMarks},
    {"cast_iron", "oak", 0.5, 0.49, 0.49, 0.002, kMarks},
    {"glass", "glass", 0.95, 0.4, 0.94, 0.001, kMarks},
    {"glass", "copper", 0.6, 0.53, 0.68, 0.001, kMarks},
    {"oak", "oak", 0.5, 0.48, 0.62, 0.002, kMarks},
    {"ptfe", "ptfe", 0.5, 0.04, 0.04, 0.002, kMarks},
    {"rubber", "concrete", 0.7, 0.8, 1.0, 0.015, kRubber},
    {"ice", "ice", 0.5, 0.03, 0.1, 0.001, kIcePairs},
};

}  // namespace

std::span<const MaterialPair> pair_palette() { return kPairs; }

const MaterialPair* find_material_pair(std::string_view a, std::string_view b) {
  for (const MaterialPair& pair : kPairs) {
    if ((a == pair.first && b == pair.second) || (a == pair.second && b == pair.first)) {
      return &pair;
    }
  }
  return nullptr;
}

}  // namespace carom
