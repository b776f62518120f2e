#include "carom/contact/materials.h"

namespace carom {
namespace {

constexpr double GPa = 1e9;
constexpr double MPa = 1e6;
constexpr double kUnknown = -1.0;

constexpr const char* kModia = "Modia3D palette, solidMaterials.json (v0.12.3)";
constexpr const char* kCallister =
    "typical value as tabulated in Callister, Materials Science and Engineering, appendix B";
constexpr const char* kAshby =
    "typical value, middle of the range in Ashby, Materials Selection in Mechanical Design, "
    "appendix A";
constexpr const char* kIce =
    "polycrystalline ice near -10 degC: Schulson and Duval, Creep and Fracture of Ice, chapter 4";
constexpr const char* kWood = "along the grain, at 12 % moisture: USDA Wood Handbook, chapter 5";
constexpr const char* kPla = "typical data sheet of printed or moulded polylactide";

constexpr Material kPalette[] = {
    // Figures that published contact results were computed with.
    {"steel", 8000.0, 200 * GPa, 0.30, kUnknown, kModia},
    {"aluminium", 2700.0, 69 * GPa, 0.32, kUnknown, kModia},
    {"dry_wood", 700.0, 11 * GPa, 0.40, kUnknown, kModia},
    {"billiard_ball", 1768.0, 5.4 * GPa, 0.34, kUnknown, kModia},
    {"billiard_cushion", 700.0, 11 * GPa, 0.40, kUnknown, kModia},
    {"billiard_table", 700.0, 11 * GPa, 0.40, kUnknown, kModia},
    {"billiard_cue", 700.0, 11 * GPa, 0.40, kUnknown, kModia},

    // Metals.
    {"carbon_steel", 7850.0, 207 * GPa, 0.30, 210 * MPa, kCallister},
    {"stainless_steel", 8000.0, 193 * GPa, 0.30, 205 * MPa, kCallister},
    {"iron", 7870.0, 208 * GPa, 0.29, 130 * MPa, kCallister},
    {"cast_iron", 7300.0, 100 * GPa, 0.26, kUnknown, kCallister},
    {"copper", 8890.0, 115 * GPa, 0.33, 69 * MPa, kCallister},
    {"brass", 8530.0, 110 * GPa, 0.35, 75 * MPa, kCallister},
    {"bronze", 8800.0, 110 * GPa, 0.35, 130 * MPa, kCallister},
    {"titanium", 4510.0, 103 * GPa, 0.34, 170 * MPa, kCallister},
    {"titanium_alloy", 4430.0, 114 * GPa, 0.34, 830 * MPa, kCallister},
    {"aluminium_alloy", 2700.0, 69 * GPa, 0.33, 276 * MPa, kCallister},
    {"magnesium", 1770.0, 45 * GPa, 0.35, 220 * MPa, kCallister},
    {"tungsten", 19300.0, 400 * GPa, 0.28, 760 * MPa, kCallister},
    {"lead", 11340.0, 15 * GPa, 0.44, 9 * MPa, kCallister},
    {"gold", 19320.0, 77 * GPa, 0.42, kUnknown, kCallister},
    {"silver", 10490.0, 74 * GPa, 0.37, 55 * MPa, kCallister},

    // Ceramics, glass and stone.
    {"glass", 2500.0, 69 * GPa, 0.23, kUnknown, kCallister},
    {"alumina", 3980.0, 380 * GPa, 0.22, kUnknown, kCallister},
    {"silicon_nitride", 3300.0, 304 * GPa, 0.30, kUnknown, kCallister},
    {"silicon_carbide", 3300.0, 410 * GPa, 0.17, kUnknown, kCallister},
    {"concrete", 2400.0, 30 * GPa, 0.20, kUnknown, kCallister},
    {"granite", 2650.0, 60 * GPa, 0.25, kUnknown, kAshby},
    {"ice", 917.0, 9.3 * GPa, 0.33, kUnknown, kIce},

    // Polymers.
    {"abs", 1050.0, 2.3 * GPa, 0.40, 35 * MPa, kAshby},
    {"pla", 1240.0, 3.5 * GPa, 0.36, 60 * MPa, kPla},
    {"nylon", 1140.0, 2.7 * GPa, 0.39, 65 * MPa, kCallister},
    {"acetal", 1410.0, 2.9 * GPa, 0.39, 65 * MPa, kAshby},
    {"polyethylene", 960.0, 1.08 * GPa, 0.46, 30 * MPa, kCallister},
    {"polypropylene", 905.0, 1.3 * GPa, 0.42, 34 * MPa, kCallister},
    {"polycarbonate", 1200.0, 2.38 * GPa, 0.36, 62 * MPa, kCallister},
    {"acrylic", 1190.0, 2.7 * GPa, 0.40, 63 * MPa, kCallister},
    {"ptfe", 2170.0, 0.48 * GPa, 0.46, 14 * MPa, kCallister},
    {"rubber", 930.0, 2 * MPa, 0.4995, kUnknown, kAshby},
    {"polyurethane", 1150.0, 20 * MPa, 0.495, kUnknown, kAshby},

    // Woods and cork.
    {"oak", 680.0, 12.3 * GPa, 0.37, kUnknown, kWood},
    {"beech", 640.0, 11.9 * GPa, 0.37, kUnknown, kWood},
    {"pine", 500.0, 10 * GPa, 0.35, kUnknown, kWood},
    {"cork", 180.0, 30 * MPa, 0.05, kUnknown, kAshby},
};

}  // namespace

std::span<const Material> material_palette() { return kPalette; }

const Material* find_material(std::string_view name) {
  for (const Material& material : kPalette) {
    if (name == material.name) return &material;
  }
  return nullptr;
}

}  // namespace carom
