// A small made-up run, and a folder for the files of one test.
#pragma once

#include <unistd.h>

#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "carom/record/recorder.h"

namespace carom::test {

/// A fresh folder that vanishes with the test.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string pattern = (std::filesystem::temp_directory_path() / "carom-record-XXXXXX").string();
    if (mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("no temporary folder");
    path_ = pattern;
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  std::string file(const std::string& name) const { return (path_ / name).string(); }

 private:
  std::filesystem::path path_;
};

inline RunMeta sample_meta() {
  return {"0.1.0", "Kugel auf Tisch ⚽", "carom: 1\nname: \"Kugel, ⚽\"\n", "2024-05-01T12:00:00Z",
          "0123456789abcdef"};
}

inline std::vector<Channel> sample_channels() {
  Channel position = vector_channel("ball.position", "m", "centre of mass, world axes");
  position.group = "bodies", position.object = "ball", position.quantity = "position";
  return {position, quaternion_channel("ball.orientation", "body to world"),
          scalar_channel("energy.kinetic", "J", "kinetic energy"),
          scalar_channel("Größe, \"α/β\"", "N·m", "a name that needs quotes")};
}

inline std::vector<EventColumn> sample_event_columns() {
  return {{"approach_speed", "m/s"}, {"impulse/area, \"p\"", "N s"}};
}

/// Row i of the sample run: a value of its own in every place, some not finite.
inline std::vector<double> sample_row(std::size_t i, std::size_t width) {
  std::vector<double> row(width);
  for (std::size_t k = 0; k < width; ++k) {
    row[k] = std::sin(0.1 * static_cast<double>(i)) + 1000.0 * static_cast<double>(k) +
             1e-9 * static_cast<double>(i);
  }
  if (width > 2 && i % 7 == 3) row[2] = std::nan("");
  if (width > 1 && i % 7 == 4) row[1] = -INFINITY;
  if (width > 0 && i % 7 == 5) row[0] = 5e-324;  // the smallest subnormal
  return row;
}

inline double sample_time(std::size_t i) { return 1e-3 * static_cast<double>(i); }

inline std::vector<EventRecord> sample_events() {
  return {{0.0042, "contact_begin", "ball|table", {{"approach_speed", 4.2}}, "Tisch"},
          {0.005, "user", "Höhe > 1, \"oben\"", {}},
          {0.00612,
           "impact",
           "ball|wand\nzwei",
           {{"approach_speed", 0.125}, {"impulse/area, \"p\"", -INFINITY}, {"spin", 1e-3}}}};
}

inline std::vector<PeakRecord> sample_peaks() {
  return {{0.00042, "contact(a,b)", "force", "N", 12.5, 1, 3, {1.0, -2.0, std::nan(""), 4.0}},
          {0.00099, "Gelenk ⚙", "reaction_force", "N", 1e300, 1, 0, {}}};
}

inline std::vector<MapRecord> sample_maps() {
  return {
      {0, "contact(a,b)", "pressure", "Pa", {0.0, 0.6, -0.8}, {1, 2, 3, 4e6, 5, 6, 7, 8, 9, 10}},
      {0, "contact(ä,⚽)", "circumference", "N/m", {1.0, 0.0, 0.0}, {}}};
}

inline std::vector<ContactSummary> sample_contacts() {
  return {{"ball", "Tisch ⚽", 3, 0.5, 1.5, 2256.0, 0.0043, 1e-5, 0.02, 0.125}};
}

inline void write_sample(Recorder& recorder, std::size_t rows) {
  RunMeta meta = sample_meta();
  meta.maps = true;
  recorder.open(std::move(meta), sample_channels(), sample_event_columns());
  const std::size_t width = total_width(sample_channels());
  for (std::size_t i = 0; i < rows; ++i) {
    recorder.append(sample_time(i), sample_row(i, width));
    if (i > 0) continue;
    for (const MapRecord& map : sample_maps()) recorder.append_map(map);
  }
  for (const EventRecord& event : sample_events()) recorder.append_event(event);
  for (const PeakRecord& peak : sample_peaks()) recorder.append_peak(peak);
  recorder.finish(RunStatus::completed, "done, ja",
                  {R"({"time": 1, "ü": null})", R"({"grade": "sound"})", sample_contacts()});
}

/// Bitwise, so that NaN equals NaN; the sign and payload of a NaN do not count.
inline bool same_double(double a, double b) {
  if (std::isnan(a) || std::isnan(b)) return std::isnan(a) && std::isnan(b);
  return std::memcmp(&a, &b, sizeof a) == 0;
}

inline void expect_same(const std::vector<double>& a, const std::vector<double>& b) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    ASSERT_TRUE(same_double(a[i], b[i])) << "at " << i << ": " << a[i] << " and " << b[i];
  }
}

inline void expect_same_events(const std::vector<EventRecord>& a,
                               const std::vector<EventRecord>& b) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    EXPECT_EQ(a[i].time, b[i].time);
    EXPECT_EQ(a[i].kind, b[i].kind);
    EXPECT_EQ(a[i].subject, b[i].subject);
    EXPECT_EQ(a[i].partner, b[i].partner);
    ASSERT_EQ(a[i].values.size(), b[i].values.size());
    for (std::size_t k = 0; k < a[i].values.size(); ++k) {
      EXPECT_EQ(a[i].values[k].name, b[i].values[k].name);
      EXPECT_TRUE(same_double(a[i].values[k].value, b[i].values[k].value));
    }
  }
}

inline void expect_same_channels(const std::vector<Channel>& a, const std::vector<Channel>& b) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    EXPECT_EQ(a[i].name, b[i].name);
    EXPECT_EQ(a[i].unit, b[i].unit);
    EXPECT_EQ(a[i].doc, b[i].doc);
    EXPECT_EQ(a[i].width, b[i].width);
    EXPECT_EQ(a[i].components, b[i].components);
    EXPECT_EQ(a[i].group, b[i].group);
    EXPECT_EQ(a[i].object, b[i].object);
    EXPECT_EQ(a[i].quantity, b[i].quantity);
  }
}

inline void expect_same_peaks(const std::vector<PeakRecord>& a, const std::vector<PeakRecord>& b) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    EXPECT_EQ(a[i].time, b[i].time);
    EXPECT_EQ(a[i].object, b[i].object);
    EXPECT_EQ(a[i].quantity, b[i].quantity);
    EXPECT_EQ(a[i].unit, b[i].unit);
    EXPECT_EQ(a[i].value, b[i].value);
    EXPECT_EQ(a[i].row, b[i].row);
    EXPECT_EQ(a[i].first_column, b[i].first_column);
    expect_same(a[i].columns, b[i].columns);
  }
}

inline void expect_same_maps(const std::vector<MapRecord>& a, const std::vector<MapRecord>& b) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    EXPECT_EQ(a[i].row, b[i].row);
    EXPECT_EQ(a[i].object + a[i].quantity + a[i].unit, b[i].object + b[i].quantity + b[i].unit);
    EXPECT_EQ(a[i].normal, b[i].normal);
    expect_same(a[i].points, b[i].points);
  }
}

inline void expect_same_contacts(const std::vector<ContactSummary>& a,
                                 const std::vector<ContactSummary>& b) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    EXPECT_EQ(a[i].first + "|" + a[i].second, b[i].first + "|" + b[i].second);
    EXPECT_EQ(a[i].count, b[i].count);
    expect_same({a[i].duration, a[i].impulse, a[i].peak_force, a[i].peak_time, a[i].peak_depth,
                 a[i].slip, a[i].energy_lost},
                {b[i].duration, b[i].impulse, b[i].peak_force, b[i].peak_time, b[i].peak_depth,
                 b[i].slip, b[i].energy_lost});
  }
}

inline std::string file_text(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

inline void write_file(const std::string& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary) << bytes;
}

/// The text of the error that `action` throws; empty if it throws none.
template <class Action>
std::string error_of(Action&& action) {
  try {
    action();
  } catch (const std::runtime_error& e) {
    return e.what();
  }
  return {};
}

}  // namespace carom::test
