// Columns as the page carries them.
#include "viewer/packing.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

namespace carom::viewer {
namespace {

TEST(Packing, KeepsValuesToHalfAStepOfTheirRange) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> value(-3.0, 5.0);
  for (const int bits : {16, 24}) {
    std::vector<double> column(1000);
    for (double& v : column) v = value(random);
    const PackedColumn packed = pack_column(column, bits);
    const std::vector<double> back = unpack_column(packed, column.size(), bits);
    // Rounding to the nearest of 2^bits - 2 steps, and the rounding of doubles.
    const double half = 0.5 * (packed.high - packed.low) / (std::pow(2.0, bits) - 2.0);
    for (std::size_t i = 0; i < column.size(); ++i) EXPECT_NEAR(column[i], back[i], half * 1.0001);
  }
}

TEST(Packing, KeepsEndsGapsAndConstants) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const std::vector<double> gaps{nan, 2.0, nan, nan, 7.0, 2.0};
  const std::vector<double> back = unpack_column(pack_column(gaps, 16), gaps.size(), 16);
  for (std::size_t i = 0; i < gaps.size(); ++i) {
    EXPECT_EQ(std::isnan(gaps[i]), std::isnan(back[i]));
    if (!std::isnan(gaps[i])) {
      EXPECT_DOUBLE_EQ(gaps[i], back[i]);
    }
  }
  const PackedColumn constant = pack_column(std::vector<double>(50, 3.25), 16);
  EXPECT_TRUE(constant.bytes.empty());
  EXPECT_EQ(3.25, unpack_column(constant, 50, 16)[49]);
}

TEST(Packing, MakesSmoothColumnsSmall) {
  std::vector<double> wave(4000);
  for (std::size_t i = 0; i < wave.size(); ++i) wave[i] = std::sin(0.002 * static_cast<double>(i));
  const PackedColumn packed = pack_column(wave, 16);
  // Second differences of a slow wave fit a few bits: far less than two bytes a row.
  EXPECT_LT(deflate_bytes(packed.bytes).size(), wave.size() / 2);
}

TEST(Packing, WritesBase64AsRfc4648Says) {
  const auto encode = [](std::string_view text) {
    return base64({reinterpret_cast<const std::uint8_t*>(text.data()), text.size()});
  };
  EXPECT_EQ("", encode(""));
  EXPECT_EQ("Zg==", encode("f"));
  EXPECT_EQ("Zm8=", encode("fo"));
  EXPECT_EQ("Zm9vYmFy", encode("foobar"));
}

}  // namespace
}  // namespace carom::viewer
