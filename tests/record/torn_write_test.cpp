// Brute force over every moment a kill can hit: HDF5's writes are logged, then
// applied to an empty file one by one, and the file is read after each of them.
// (A kill between two writes leaves exactly such a prefix.)
#include <sys/syscall.h>
#include <unistd.h>

#include <gtest/gtest.h>

#include "carom/record/hdf5_writer.h"
#include "carom/record/result_file.h"
#include "record/run_fixture.h"

namespace {

struct Write {
  off_t offset;
  std::string bytes;
};
std::vector<Write>* write_log = nullptr;

}  // namespace

// Takes the place of the C library's function for this program.
extern "C" ssize_t pwrite(int fd, const void* bytes, size_t size, off_t offset) {
  if (write_log != nullptr) {
    write_log->push_back({offset, std::string(static_cast<const char*>(bytes), size)});
  }
  return syscall(SYS_pwrite64, fd, bytes, size, offset);
}

namespace carom {
namespace {

using namespace test;

constexpr std::size_t kRows = 50;

/// Two points, or none.
std::vector<double> torn_points(std::size_t row) {
  return std::vector<double>(row % 3 == 0 ? 0 : 2 * kMapNumbers, static_cast<double>(row));
}

// Flushes after every row and event. Returns the number of writes made by open().
std::size_t log_run(const std::string& path, int compression, std::vector<Write>& log) {
  write_log = &log;
  Hdf5Writer writer(path, {.compression = compression, .flush_seconds = 0.0});
  RunMeta meta = sample_meta();
  meta.maps = true;
  writer.open(std::move(meta), sample_channels(), {{"n", "-"}});
  const std::size_t opened = log.size();
  for (std::size_t i = 0; i < kRows; ++i) {
    writer.append(sample_time(i), sample_row(i, total_width(sample_channels())));
    writer.append_event({0.0, "kind" + std::to_string(i), "a|b", {{"n", static_cast<double>(i)}}});
    writer.append_peak({0.0, "contact(a,b)", "force", "N", 1.0, i, 0, {static_cast<double>(i)}});
    writer.append_map({i, "contact(a,b)", "pressure", "Pa", {}, torn_points(i)});
  }
  writer.finish(RunStatus::completed);
  write_log = nullptr;
  return opened;
}

void expect_prefix(const Recording& run) {
  for (std::size_t i = 0; i < run.rows(); ++i) {
    ASSERT_EQ(run.time[i], sample_time(i));
    const std::vector<double> row = sample_row(i, run.width());
    for (std::size_t k = 0; k < row.size(); ++k) {
      ASSERT_TRUE(same_double(run.values[i * row.size() + k], row[k])) << "row " << i;
    }
  }
  for (std::size_t i = 0; i < run.events.size(); ++i) {
    ASSERT_EQ(run.events[i].kind, "kind" + std::to_string(i));
    ASSERT_EQ(run.events[i].values.at(0).value, static_cast<double>(i));
  }
  for (std::size_t i = 0; i < run.peaks.size(); ++i) {
    ASSERT_EQ(run.peaks[i].row, i);
    ASSERT_EQ(run.peaks[i].columns, std::vector<double>{static_cast<double>(i)});
  }
  ASSERT_LE(run.maps.size(), run.rows());
  for (std::size_t i = 0; i < run.maps.size(); ++i) {
    ASSERT_EQ(run.maps[i].row, i);
    ASSERT_EQ(run.maps[i].points, torn_points(i));
  }
}

TEST(TornFile, IsAPrefixOfTheRunAfterEverySingleWrite) {
  const TemporaryFolder folder;
  for (const int compression : {0, 1}) {
    std::vector<Write> log;
    const std::size_t opened = log_run(folder.file("run.h5"), compression, log);
    ASSERT_GT(log.size(), opened + kRows) << "the log misses HDF5's writes";
    const std::string path = folder.file("replayed.h5");
    const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "wb"),
                                                               std::fclose);
    std::size_t rows_before = 0;
    for (std::size_t n = 0; n < log.size(); ++n) {
      const Write& w = log[n];
      ASSERT_EQ(pwrite(fileno(file.get()), w.bytes.data(), w.bytes.size(), w.offset),
                static_cast<ssize_t>(w.bytes.size()));
      if (n + 1 < opened) continue;
      const Recording run = ResultFile(path).load();
      expect_prefix(run);
      if (HasFatalFailure()) FAIL() << "after write " << n << " of " << log.size();
      ASSERT_GE(run.rows(), rows_before) << "rows that were safe are gone";
      rows_before = run.rows();
    }
    EXPECT_EQ(rows_before, kRows);
  }
}

}  // namespace
}  // namespace carom
