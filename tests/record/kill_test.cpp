// A run that is killed leaves a file that opens, whose rows are the first rows
// of what was written, and whose status still says "running".
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <random>
#include <thread>

#include <gtest/gtest.h>

#include "carom/record/csv_writer.h"
#include "carom/record/hdf5_writer.h"
#include "carom/record/result_file.h"
#include "record/csv_table.h"
#include "record/run_fixture.h"

namespace carom {
namespace {

using namespace test;

// Appends rows and events until it is killed. Says "open" by one byte in `ready`.
[[noreturn]] void write_until_killed(Recorder& recorder, std::size_t width, int ready) {
  std::vector<Channel> channels;
  for (std::size_t i = 0; i < width; ++i) {
    channels.push_back(scalar_channel("c" + std::to_string(i), "m"));
  }
  recorder.open(sample_meta(), channels, {{"n", "-"}});
  if (write(ready, "o", 1) != 1) _exit(1);
  for (std::size_t i = 0;; ++i) {
    recorder.append(sample_time(i), sample_row(i, width));
    if (i % 5 == 0) {
      const double n = static_cast<double>(i / 5);
      recorder.append_event({n, "kind" + std::to_string(i / 5), "a|b", {{"n", n}}});
    }
  }
}

// Starts a child that writes with `make()`, lets it run for `microseconds` after
// its file is open, and kills it.
template <class Make>
void run_and_kill(Make&& make, std::size_t width, std::uint_fast32_t microseconds) {
  int ready[2];
  ASSERT_EQ(pipe(ready), 0);
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    const auto recorder = make();
    write_until_killed(*recorder, width, ready[1]);
  }
  close(ready[1]);
  char byte = 0;
  const ssize_t got = read(ready[0], &byte, 1);
  close(ready[0]);
  std::this_thread::sleep_for(std::chrono::microseconds(microseconds));
  kill(child, SIGKILL);
  int how = 0;
  waitpid(child, &how, 0);
  ASSERT_EQ(got, 1) << "the child could not open its file";
  ASSERT_TRUE(WIFSIGNALED(how)) << "the child ended before it was killed";
}

void expect_prefix(const Recording& run, std::size_t width) {
  EXPECT_EQ(run.status, RunStatus::running);
  ASSERT_EQ(run.values.size(), run.rows() * width);
  for (std::size_t i = 0; i < run.rows(); ++i) {
    ASSERT_EQ(run.time[i], sample_time(i));
    const std::vector<double> row = sample_row(i, width);
    for (std::size_t k = 0; k < width; ++k) {
      ASSERT_TRUE(same_double(run.values[i * width + k], row[k]))
          << "row " << i << " of " << run.rows();
    }
  }
  for (std::size_t i = 0; i < run.events.size(); ++i) {
    ASSERT_EQ(run.events[i].kind, "kind" + std::to_string(i));
    ASSERT_EQ(run.events[i].values.at(0).value, static_cast<double>(i));
  }
}

// Flushing after every row puts most kills inside a flush, the worst moment;
// 20 ms is the other extreme, whole blocks between flushes.
TEST(KilledRun, LeavesAReadableHdf5FileWithAPrefixOfItsRows) {
  const TemporaryFolder folder;
  const unsigned seed = std::random_device{}();
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937 random(seed);
  std::size_t rows_kept = 0;
  for (int trial = 0; trial < 24; ++trial) {
    const std::size_t width = trial % 2 == 0 ? 7 : 300;
    const Hdf5Options options{.compression = trial % 3 == 2 ? 1 : 0,
                              .flush_seconds = trial % 4 < 2 ? 0.0 : 0.02};
    const std::string path = folder.file("run.h5");
    run_and_kill([&] { return std::make_unique<Hdf5Writer>(path, options); }, width,
                 random() % 80000);
    if (HasFatalFailure()) return;
    const Recording run = ResultFile(path).load();
    expect_prefix(run, width);
    if (HasFatalFailure()) return;
    rows_kept += run.rows();
  }
  EXPECT_GT(rows_kept, 0u) << "no trial kept a row: the test has shown nothing";
}

TEST(KilledRun, IsReadableFromTheMomentItIsOpen) {
  const TemporaryFolder folder;
  const std::string path = folder.file("run.h5");
  run_and_kill([&] { return std::make_unique<Hdf5Writer>(path); }, 7, 0);
  if (HasFatalFailure()) return;
  const ResultFile file(path);
  EXPECT_EQ(file.status(), RunStatus::running);
  EXPECT_EQ(file.meta().scene, sample_meta().scene);
  EXPECT_EQ(file.width(), 7u);
}

// The last line may be cut; every line before it is whole and right.
TEST(KilledRun, LeavesWholeLinesOfCsv) {
  const TemporaryFolder folder;
  const std::string path = folder.file("run.csv");
  std::mt19937 random(7);
  for (int trial = 0; trial < 10; ++trial) {
    run_and_kill([&] { return std::make_unique<CsvWriter>(path, 0.002); }, 7, random() % 40000);
    if (HasFatalFailure()) return;
    const CsvTable table = parse_csv(file_text(path));
    for (std::size_t i = 0; i + 2 < table.size(); ++i) {
      ASSERT_EQ(table[i + 1].size(), 8u);
      EXPECT_EQ(std::strtod(table[i + 1][0].c_str(), nullptr), sample_time(i));
    }
  }
}

}  // namespace
}  // namespace carom
