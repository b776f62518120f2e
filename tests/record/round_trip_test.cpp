// All writers record the same run; each must give back what it was given.
#include <cstdlib>

#include <gtest/gtest.h>

#include "carom/record/csv_writer.h"
#include "carom/record/hdf5_writer.h"
#include "carom/record/memory_writer.h"
#include "carom/record/result_file.h"
#include "carom/record/tee_writer.h"
#include "record/csv_table.h"
#include "record/run_fixture.h"

namespace carom {
namespace {

using namespace test;

// The rows as they were generated, independent of every writer.
std::vector<double> expected_values(std::size_t rows, std::size_t width) {
  std::vector<double> values;
  for (std::size_t i = 0; i < rows; ++i) {
    const std::vector<double> row = sample_row(i, width);
    values.insert(values.end(), row.begin(), row.end());
  }
  return values;
}

void expect_sample(const Recording& run, std::size_t rows) {
  EXPECT_EQ(run.meta.carom_version, sample_meta().carom_version);
  EXPECT_EQ(run.meta.scene_name, sample_meta().scene_name);
  EXPECT_EQ(run.meta.scene, sample_meta().scene);
  EXPECT_EQ(run.meta.created, sample_meta().created);
  EXPECT_EQ(run.status, RunStatus::completed);
  EXPECT_EQ(run.reason, "done, ja");
  EXPECT_EQ(run.summary, R"({"time": 1, "ü": null})");
  expect_same_channels(run.channels, sample_channels());
  ASSERT_EQ(run.rows(), rows);
  for (std::size_t i = 0; i < rows; ++i) ASSERT_EQ(run.time[i], sample_time(i));
  expect_same(run.values, expected_values(rows, run.width()));
  expect_same_events(run.events, sample_events());
  EXPECT_EQ(run.verdict, R"({"grade": "sound"})");
  expect_same_peaks(run.peaks, sample_peaks());
  expect_same_contacts(run.contacts, sample_contacts());
  expect_same_maps(run.maps, rows > 0 ? sample_maps() : std::vector<MapRecord>());
  EXPECT_EQ(run.meta.fingerprint, sample_meta().fingerprint);
}

class RoundTrip : public testing::TestWithParam<std::size_t> {};

TEST_P(RoundTrip, MemoryGivesBackWhatWasAppended) {
  MemoryWriter writer;
  write_sample(writer, GetParam());
  expect_sample(writer.recording(), GetParam());
}

TEST_P(RoundTrip, Hdf5GivesBackWhatWasAppended) {
  const TemporaryFolder folder;
  for (const int compression : {0, 4}) {
    for (const double flush_seconds : {0.0, 1e9}) {
      Hdf5Writer writer(folder.file("run.h5"), {compression, flush_seconds});
      write_sample(writer, GetParam());
      expect_sample(ResultFile(folder.file("run.h5")).load(), GetParam());
    }
  }
}

TEST_P(RoundTrip, CsvReadsBackAsTheSameDoubles) {
  const TemporaryFolder folder;
  CsvWriter writer(folder.file("run.csv"));
  write_sample(writer, GetParam());
  const CsvTable table = parse_csv(file_text(folder.file("run.csv")));
  const std::size_t width = total_width(sample_channels());
  ASSERT_EQ(table.size(), GetParam() + 1);
  std::vector<double> values;
  for (std::size_t i = 0; i < GetParam(); ++i) {
    ASSERT_EQ(table[i + 1].size(), width + 1);
    EXPECT_EQ(std::strtod(table[i + 1][0].c_str(), nullptr), sample_time(i));
    for (std::size_t k = 1; k <= width; ++k) {
      values.push_back(std::strtod(table[i + 1][k].c_str(), nullptr));
    }
  }
  expect_same(values, expected_values(GetParam(), width));
}

// 0: an empty run; 1023 to 1025: the edge of a block of rows; 5000: several blocks.
INSTANTIATE_TEST_SUITE_P(Rows, RoundTrip, testing::Values(0, 1, 2, 1023, 1024, 1025, 5000));

TEST(TeeWriter, WritesTheSameRunEverywhere) {
  const TemporaryFolder folder;
  std::vector<std::unique_ptr<Recorder>> recorders;
  recorders.push_back(std::make_unique<MemoryWriter>());
  recorders.push_back(make_file_recorder(folder.file("run.h5")));
  recorders.push_back(make_file_recorder(folder.file("run.csv")));
  TeeWriter tee(std::move(recorders));
  write_sample(tee, 100);
  const Recording& memory = dynamic_cast<MemoryWriter&>(tee.at(0)).recording();
  expect_sample(memory, 100);
  const ResultFile file(folder.file("run.h5"));
  const CsvTable table = parse_csv(file_text(folder.file("run.csv")));
  const std::vector<std::string> names = column_names(memory.channels);
  for (std::size_t k = 0; k < names.size(); ++k) {
    const std::vector<double> column = file.column(names[k]);
    expect_same(column, memory.column(names[k]));
    for (std::size_t i = 0; i < column.size(); ++i) {
      ASSERT_TRUE(same_double(column[i], std::strtod(table[i + 1][k + 1].c_str(), nullptr)));
    }
  }
}

TEST(ResultFile, GivesColumnsChannelsAndBlocksOfTheSameRows) {
  const TemporaryFolder folder;
  Hdf5Writer writer(folder.file("run.h5"));
  write_sample(writer, 2000);
  const ResultFile file(folder.file("run.h5"));
  ASSERT_EQ(file.width(), 9u);
  const std::vector<double> whole = file.block(0, 2000, 0, 9);
  const std::vector<double> orientation = file.channel("ball.orientation");
  const std::vector<double> x = file.column("ball.orientation.x");
  const std::vector<double> corner = file.block(1500, 500, 3, 4);
  ASSERT_EQ(orientation.size(), 2000u * 4);
  for (std::size_t i = 0; i < 2000; ++i) {
    ASSERT_TRUE(same_double(x[i], whole[i * 9 + 4]));
    ASSERT_TRUE(same_double(x[i], orientation[i * 4 + 1]));
    if (i < 1500) continue;
    ASSERT_TRUE(same_double(x[i], corner[(i - 1500) * 4 + 1]));
  }
  expect_same(file.channel("energy.kinetic"), file.column("energy.kinetic"));
  EXPECT_NE(error_of([&] { file.block(1999, 2, 0, 9); }).find("beyond"), std::string::npos);
  EXPECT_NE(error_of([&] { file.block(0, 1, 9, 1); }).find("beyond"), std::string::npos);
}

TEST(Recorder, RecordsTimeAloneWhenThereAreNoChannels) {
  const TemporaryFolder folder;
  std::vector<std::unique_ptr<Recorder>> recorders;
  recorders.push_back(std::make_unique<MemoryWriter>());
  recorders.push_back(make_file_recorder(folder.file("run.h5")));
  recorders.push_back(make_file_recorder(folder.file("run.csv")));
  TeeWriter tee(std::move(recorders));
  tee.open({}, {});
  tee.append(0.5, {});
  tee.append(1.5, {});
  tee.finish(RunStatus::completed);
  const Recording run = ResultFile(folder.file("run.h5")).load();
  EXPECT_EQ(run.time, (std::vector<double>{0.5, 1.5}));
  EXPECT_TRUE(run.values.empty());
  EXPECT_TRUE(run.channels.empty());
  EXPECT_EQ(run.meta.created.size(), 20u) << run.meta.created;
  EXPECT_EQ(dynamic_cast<MemoryWriter&>(tee.at(0)).recording().time, run.time);
  EXPECT_EQ(file_text(folder.file("run.csv")), "time [s]\n0.5\n1.5\n");
  EXPECT_EQ(file_text(folder.file("run.events.csv")), "time [s],kind,subject,partner,other\n");
}

TEST(Hdf5Writer, KeepsAHundredThousandRows) {
  const TemporaryFolder folder;
  const std::size_t rows = 100000;
  Hdf5Writer writer(folder.file("run.h5"));
  writer.open(sample_meta(), {vector_channel("p", "m"), scalar_channel("n", "-")});
  for (std::size_t i = 0; i < rows; ++i) {
    const double n = static_cast<double>(i);
    writer.append(1e-4 * n, std::vector<double>{n, 2 * n, 3 * n, -n});
  }
  writer.finish(RunStatus::completed);
  const ResultFile file(folder.file("run.h5"));
  ASSERT_EQ(file.rows(), rows);
  const std::vector<double> z = file.column("p.z"), n = file.column("n"), t = file.time();
  for (std::size_t i = 0; i < rows; ++i) {
    ASSERT_EQ(z[i], 3.0 * static_cast<double>(i));
    ASSERT_EQ(n[i], -static_cast<double>(i));
    ASSERT_EQ(t[i], 1e-4 * static_cast<double>(i));
  }
}

// More channels than views, more columns than a block is wide.
TEST(Hdf5Writer, KeepsThousandsOfChannels) {
  const TemporaryFolder folder;
  std::vector<Channel> channels;
  for (int i = 0; i < 3000; ++i) channels.push_back(vector_channel("b" + std::to_string(i), "m"));
  const std::size_t width = total_width(channels), rows = 40;
  Hdf5Writer writer(folder.file("run.h5"), {.flush_seconds = 0.0});
  writer.open(sample_meta(), channels);
  for (std::size_t i = 0; i < rows; ++i) writer.append(sample_time(i), sample_row(i, width));
  writer.finish(RunStatus::completed);
  const ResultFile file(folder.file("run.h5"));
  expect_same_channels(file.channels(), channels);
  expect_same(file.block(0, rows, 0, width), expected_values(rows, width));
  const std::vector<double> y = file.column("b2999.y");
  for (std::size_t i = 0; i < rows; ++i) ASSERT_EQ(y[i], sample_row(i, width)[2999 * 3 + 1]);
}

}  // namespace
}  // namespace carom
