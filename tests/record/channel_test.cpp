#include "carom/record/channel.h"

#include <gtest/gtest.h>

#include "record/run_fixture.h"

namespace carom {
namespace {

using namespace test;

TEST(Channel, NamesItsColumnsByComponent) {
  const std::vector<Channel> channels = {vector_channel("ball.position", "m"),
                                         quaternion_channel("ball.orientation"),
                                         scalar_channel("energy.kinetic", "J")};
  const std::vector<std::string> expected = {
      "ball.position.x",    "ball.position.y",    "ball.position.z",    "ball.orientation.w",
      "ball.orientation.x", "ball.orientation.y", "ball.orientation.z", "energy.kinetic"};
  EXPECT_EQ(column_names(channels), expected);
  EXPECT_EQ(total_width(channels), expected.size());
  EXPECT_EQ(column_header("ball.position.z", "m"), "ball.position.z [m]");
  EXPECT_EQ(column_header("count", ""), "count");
  // Looking each name up gives back its place.
  const ColumnIndex index(channels);
  for (std::size_t i = 0; i < expected.size(); ++i) EXPECT_EQ(index.column(expected[i]), i);
  EXPECT_EQ(index.channel("ball.orientation").first, 3u);
  EXPECT_EQ(index.channel("ball.orientation").width, 4u);
  EXPECT_EQ(index.channel("ball.orientation.y").first, 5u);
  EXPECT_EQ(index.channel("ball.orientation.y").width, 1u);
}

TEST(Channel, SuggestsTheColumnThatWasMeant) {
  const ColumnIndex index(std::vector<Channel>{vector_channel("ball.position", "m")});
  EXPECT_EQ(error_of([&] { index.column("bal.position.z"); }),
            "no column 'bal.position.z' was recorded; did you mean 'ball.position.z'?");
  EXPECT_EQ(error_of([&] { index.channel("ball.positoin"); }),
            "no channel 'ball.positoin' was recorded; did you mean 'ball.position'?");
}

TEST(Channel, RefusesWhatCouldNotBeAddressed) {
  const auto refused = [](std::vector<Channel> channels) {
    return error_of([&] { check_channels(channels); });
  };
  EXPECT_EQ(refused(sample_channels()), "");
  EXPECT_NE(refused({{"", "m", "", 1, {}}}), "");
  EXPECT_NE(refused({{"a", "m", "", 0, {}}}), "");
  EXPECT_NE(refused({{"a", "m", "", 3, {}}}), "");
  EXPECT_NE(refused({{"a", "m", "", 2, {"x", "y,z"}}}), "");
  EXPECT_NE(refused({{"a", "m", "", 2, {"x", "x"}}}), "");
  EXPECT_NE(refused({scalar_channel("a", "m"), scalar_channel("a", "m")}), "");
  EXPECT_NE(refused({vector_channel("a", "m"), scalar_channel("a.x", "m")}), "");
}

}  // namespace
}  // namespace carom
