#include "carom/contact/materials.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

namespace carom {
namespace {

TEST(MaterialPalette, HasPhysicallyPossibleRowsWithSourcesAndUniqueNames) {
  std::set<std::string> names;
  for (const Material& m : material_palette()) {
    EXPECT_TRUE(names.insert(m.name).second) << m.name;
    EXPECT_GT(m.density, 0.0) << m.name;
    EXPECT_GT(m.youngs_modulus, 0.0) << m.name;
    // Positive shear and bulk moduli.
    EXPECT_GT(m.poissons_ratio, -1.0) << m.name;
    EXPECT_LT(m.poissons_ratio, 0.5) << m.name;
    EXPECT_LT(m.yield_strength, 0.05 * m.youngs_modulus) << m.name;
    EXPECT_FALSE(std::string(m.source).empty()) << m.name;
    EXPECT_EQ(find_material(m.name), &m);
  }
  EXPECT_EQ(find_material("unobtainium"), nullptr);
}

TEST(MaterialPalette, SoundInASteelRodTravelsAtFiveKilometresPerSecond) {
  // c = sqrt(E / rho) of a thin rod; handbooks give 5.0 to 5.2 km/s for steels.
  for (const char* name : {"steel", "carbon_steel", "iron"}) {
    const Material* m = find_material(name);
    ASSERT_NE(m, nullptr);
    EXPECT_NEAR(m->youngs_modulus / m->density, 5.1e3 * 5.1e3, 2e6) << name;
  }
}

}  // namespace
}  // namespace carom
