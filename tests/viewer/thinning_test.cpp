// Which rows and channels a page keeps.
#include "viewer/thinning.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace carom::viewer {
namespace {

Recording long_run(std::size_t rows, int bodies) {
  Recording r;
  for (int b = 0; b < bodies; ++b) {
    const std::string name = "b" + std::to_string(b);
    r.channels.push_back(vector_channel(name + ".velocity", "m/s"));
    r.channels.push_back(vector_channel(name + ".position", "m"));
  }
  const std::size_t width = total_width(r.channels);
  for (std::size_t i = 0; i < rows; ++i) {
    r.time.push_back(0.001 * static_cast<double>(i));
    for (std::size_t c = 0; c < width; ++c) r.values.push_back(i == 777 && c == 1 ? 100.0 : 1.0);
  }
  r.events.push_back({0.4321, "contact_begin", "a|b", {}});
  return r;
}

TEST(Thinning, LeavesAShortRunAsItIs) {
  const Recording run = long_run(500, 2);
  const Thinned thinned = thin(run);
  EXPECT_EQ(run.time, thinned.recording.time);
  EXPECT_EQ(run.values, thinned.recording.values);
  EXPECT_TRUE(thinned.left_out.empty());
}

TEST(Thinning, KeepsPeaksEventsAndBothEnds) {
  const Thinned thinned = thin(long_run(20000, 2), {.values = 12 * 1000, .least_rows = 100});
  const std::vector<double>& time = thinned.recording.time;
  EXPECT_EQ(20000u, thinned.rows_before);
  EXPECT_LT(time.size(), 1100u);
  EXPECT_EQ(0.0, time.front());
  EXPECT_EQ(19.999, time.back());
  EXPECT_TRUE(std::is_sorted(time.begin(), time.end()));
  const std::vector<double> peak = thinned.recording.column("b0.velocity.y");
  EXPECT_EQ(100.0, *std::max_element(peak.begin(), peak.end()));
  for (const double t : {0.432, 0.433}) {
    EXPECT_EQ(1, std::count(time.begin(), time.end(), t)) << "rows around the event";
  }
}

TEST(Thinning, GivesUpVelocitiesBeforePoses) {
  const Thinned thinned = thin(long_run(600, 10), {.values = 600 * 33, .least_rows = 600});
  EXPECT_EQ(600u, thinned.recording.time.size());
  EXPECT_EQ(9u, thinned.left_out.size());
  for (int b = 0; b < 10; ++b) {
    EXPECT_NO_THROW(thinned.recording.column("b" + std::to_string(b) + ".position.x"));
  }
}

TEST(Thinning, KeepsMapsOfItsRowsAndOfTooManyThoseOfEveryNthRow) {
  Recording run = long_run(500, 1);
  for (std::size_t row = 0; row < 500; ++row) {
    run.maps.push_back({row, "contact(a,b)", "pressure", "Pa", {}, std::vector<double>(50, 1.0)});
  }
  const Thinned all = thin(run);
  EXPECT_EQ(1u, all.map_stride);
  EXPECT_EQ(500u, all.recording.maps.size());

  const Thinned some = thin(run, {.map_points = 1100});  // 10 points per row
  EXPECT_EQ(5u, some.map_stride);
  ASSERT_EQ(100u, some.recording.maps.size());
  EXPECT_EQ(495u, some.recording.maps.back().row);

  // Rows that go take their maps along, and those that stay have other numbers.
  const Thinned fewer = thin(run, {.values = 6 * 100, .least_rows = 50});
  const std::vector<double>& time = fewer.recording.time;
  EXPECT_LT(time.size(), 150u);
  ASSERT_EQ(time.size(), fewer.recording.maps.size());
  EXPECT_EQ(time.size() - 1, fewer.recording.maps.back().row);
}

}  // namespace
}  // namespace carom::viewer
