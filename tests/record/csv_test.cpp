#include <gtest/gtest.h>

#include "carom/record/csv_writer.h"
#include "record/csv_table.h"
#include "record/run_fixture.h"

namespace carom {
namespace {

using namespace test;

TEST(CsvWriter, WritesHeaderAndShortestNumbersAndNothingElse) {
  const TemporaryFolder folder;
  CsvWriter writer(folder.file("run.csv"));
  writer.open({}, {vector_channel("ball.position", "m"), scalar_channel("n", "")});
  writer.append(0.1, std::vector<double>{0.1 + 0.2, -0.0, 1e300, 3.0});
  writer.append(0.2, std::vector<double>{-std::nan(""), INFINITY, -INFINITY, 1.0 / 3.0});
  writer.finish(RunStatus::failed, "a reason that has no place here");
  EXPECT_EQ(file_text(folder.file("run.csv")),
            "time [s],ball.position.x [m],ball.position.y [m],ball.position.z [m],n\n"
            "0.1,0.30000000000000004,-0,1e+300,3\n"
            "0.2,nan,inf,-inf,0.3333333333333333\n");
}

TEST(CsvWriter, QuotesFieldsSoThatAStandardReaderGetsThemBack) {
  EXPECT_EQ(csv_field("plain [m]"), "plain [m]");
  EXPECT_EQ(csv_field("a,b"), "\"a,b\"");
  EXPECT_EQ(csv_field("say \"a\""), "\"say \"\"a\"\"\"");
  const TemporaryFolder folder;
  CsvWriter writer(folder.file("run.csv"));
  write_sample(writer, 1);
  const CsvTable rows = parse_csv(file_text(folder.file("run.csv")));
  EXPECT_EQ(rows[0].back(), "Größe, \"α/β\" [N·m]");
  const CsvTable events = parse_csv(file_text(folder.file("run.events.csv")));
  ASSERT_EQ(events.size(), 4u);
  EXPECT_EQ(events[0], (std::vector<std::string>{"time [s]", "kind", "subject", "partner",
                                                 "approach_speed [m/s]",
                                                 "impulse/area, \"p\" [N s]", "other"}));
  EXPECT_EQ(events[2],
            (std::vector<std::string>{"0.005", "user", "Höhe > 1, \"oben\"", "", "", "", ""}));
  EXPECT_EQ(events[3], (std::vector<std::string>{"0.00612", "impact", "ball|wand\nzwei", "",
                                                 "0.125", "-inf", "spin=0.001"}));
}

TEST(CsvWriter, MarksRowsOfPeaksAmongThoseOfTheGrid) {
  const TemporaryFolder folder;
  CsvWriter writer(folder.file("run.csv"));
  RunMeta meta;
  meta.peaks = true;
  writer.open(meta, {scalar_channel("n", "-"), scalar_channel("m", "-"), scalar_channel("k", "-")});
  writer.append(0.0, std::vector<double>{1.0, 1.0, 1.0});
  // Two objects that peak at one instant share its row; the third column is of neither.
  writer.append_peak({0.25, "a", "force", "N", 7.0, 1, 0, {7.0}});
  writer.append_peak({0.25, "b", "force", "N", 8.0, 1, 1, {8.0}});
  writer.append_peak({0.375, "b", "force", "N", 9.0, 1, 1, {9.0}});
  writer.append(0.5, std::vector<double>{2.0, 2.0, 2.0});
  writer.finish(RunStatus::completed);
  EXPECT_EQ(file_text(folder.file("run.csv")),
            "time [s],n [-],m [-],k "
            "[-],on_grid\n0,1,1,1,1\n0.25,7,8,nan,0\n0.375,nan,9,nan,0\n0.5,2,2,2,1\n");
}

TEST(CsvWriter, KeepsItsRowsWhenTheRunNeverFinishes) {
  const TemporaryFolder folder;
  {
    CsvWriter writer(folder.file("run.csv"), 1e9);
    writer.open({}, {scalar_channel("n", "-")});
    writer.append(0.0, std::vector<double>{1.0});
  }
  EXPECT_EQ(file_text(folder.file("run.csv")), "time [s],n [-]\n0,1\n");
}

}  // namespace
}  // namespace carom
