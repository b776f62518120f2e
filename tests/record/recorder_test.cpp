// The contract that all recorders share: errors are thrown at open and finish,
// and stick in between.
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include <filesystem>

#include <csignal>

#include <gtest/gtest.h>

#include "carom/record/csv_writer.h"
#include "carom/record/hdf5_writer.h"
#include "carom/record/memory_writer.h"
#include "carom/record/result_file.h"
#include "carom/record/tee_writer.h"
#include "record/run_fixture.h"

namespace carom {
namespace {

using namespace test;

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(Recorder, SaysWhyAFileCannotBeOpened) {
  const TemporaryFolder folder;
  const auto error = [&](const std::string& path) {
    return error_of([&] { make_file_recorder(path)->open({}, {}); });
  };
  std::filesystem::create_directory(folder.file("a.h5"));
  std::filesystem::create_directory(folder.file("a.csv"));
  write_file(folder.file("plain"), "");
  for (const std::string extension : {".h5", ".csv"}) {
    EXPECT_TRUE(contains(error(folder.file("a" + extension)), "it is a folder"));
    EXPECT_TRUE(contains(error(folder.file("none/run" + extension)), "does not exist"));
    EXPECT_TRUE(contains(error(folder.file("plain/run" + extension)), "is not a folder"));
    if (geteuid() == 0) continue;  // root may write anywhere
    EXPECT_TRUE(contains(error("/proc/run" + extension), "write"));
  }
  EXPECT_TRUE(contains(error(folder.file("run.xlsx")), ".h5, .hdf5 or .csv"));
}

TEST(Recorder, KeepsTheFirstErrorAndTheRowsBeforeIt) {
  const TemporaryFolder folder;
  Hdf5Writer writer(folder.file("run.h5"));
  writer.append(0.0, {});
  EXPECT_EQ(writer.error(), "the recorder is not open");

  Hdf5Writer other(folder.file("run.h5"));
  other.open({}, {scalar_channel("n", "-")});
  other.append(0.0, std::vector<double>{1.0});
  EXPECT_TRUE(other.ok());
  other.append(1.0, std::vector<double>{1.0, 2.0});
  EXPECT_EQ(other.error(), "a row of 2 values was given, 1 are recorded");
  other.append(2.0, std::vector<double>{3.0});
  other.append_event({0.0, "a", "b", {{"no=name", 1.0}}});
  EXPECT_EQ(error_of([&] { other.finish(RunStatus::failed, "why"); }), other.error());
  const ResultFile file(folder.file("run.h5"));
  EXPECT_EQ(file.column("n"), std::vector<double>{1.0});
  EXPECT_EQ(file.status(), RunStatus::failed);
  EXPECT_EQ(file.reason(), "why");
}

TEST(Recorder, OpensAndFinishesOnce) {
  MemoryWriter writer;
  EXPECT_NE(error_of([&] { writer.finish(RunStatus::completed); }), "");
  writer.open({}, {});
  EXPECT_NE(error_of([&] { writer.open({}, {}); }), "");
  writer.finish(RunStatus::completed);
  EXPECT_NE(error_of([&] { writer.finish(RunStatus::completed); }), "");
}

TEST(Recorder, RefusesEventColumnsItCouldNotTellApart) {
  const auto refused = [](std::vector<EventColumn> columns) {
    return error_of([&] { MemoryWriter().open({}, {}, columns); });
  };
  EXPECT_EQ(refused({{"speed", "m/s"}}), "");
  EXPECT_NE(refused({{"time", "s"}}), "");
  EXPECT_NE(refused({{"a", ""}, {"a", ""}}), "");
  EXPECT_NE(refused({{"a;b", ""}}), "");
}

TEST(TeeWriter, GoesOnWithTheOthersWhenOneFails) {
  const TemporaryFolder folder;
  std::vector<std::unique_ptr<Recorder>> recorders;
  recorders.push_back(std::make_unique<MemoryWriter>());
  recorders.push_back(std::make_unique<MemoryWriter>());
  TeeWriter tee(std::move(recorders));
  tee.open({}, {scalar_channel("n", "-")});
  tee.at(0).append(0.0, {});  // a row of the wrong width breaks the first one only
  EXPECT_FALSE(tee.ok());
  tee.append(1.0, std::vector<double>{5.0});
  EXPECT_NE(error_of([&] { tee.finish(RunStatus::completed); }), "");
  const auto& rest = dynamic_cast<MemoryWriter&>(tee.at(1)).recording();
  EXPECT_EQ(rest.time, std::vector<double>{1.0});
  EXPECT_EQ(rest.status, RunStatus::completed);
}

TEST(TeeWriter, ReplacesNothingWhenOneCannotBeOpened) {
  const TemporaryFolder folder;
  const std::string path = folder.file("run.h5");
  {
    const auto older = make_file_recorder(path);
    older->open({}, {});
    older->finish(RunStatus::completed, "the older one");
  }
  {
    std::vector<std::unique_ptr<Recorder>> recorders;
    recorders.push_back(make_file_recorder(path));
    recorders.push_back(make_file_recorder(folder.file("none/run.csv")));
    TeeWriter tee(std::move(recorders));
    EXPECT_TRUE(contains(error_of([&] { tee.open({}, {}); }), "does not exist"));
  }
  EXPECT_EQ(ResultFile(path).reason(), "the older one");
  EXPECT_FALSE(std::filesystem::exists(path + ".new"));
}

TEST(Recorder, HoldsBackUntilItIsToldToPublish) {
  const TemporaryFolder folder;
  for (const char* name : {"run.h5", "run.csv"}) {
    const std::string path = folder.file(name);
    const auto recorder = make_file_recorder(path);
    recorder->hold_back();
    recorder->open(sample_meta(), sample_channels());
    recorder->flush();
    EXPECT_FALSE(std::filesystem::exists(path));
    recorder->publish();
    EXPECT_TRUE(std::filesystem::exists(path));
    recorder->finish(RunStatus::completed);
  }
}

// A limit on the size of files stands for a full disk. It runs in a process of
// its own, which reports by its exit code.
int write_to_a_full_disk(const std::string& path) {
  std::signal(SIGXFSZ, SIG_IGN);
  const auto recorder = make_file_recorder(path);
  recorder->open(sample_meta(), sample_channels());
  const rlimit limit{200000, 200000};
  setrlimit(RLIMIT_FSIZE, &limit);
  const std::vector<double> row(total_width(sample_channels()), 1.0 / 3.0);
  for (int i = 0; i < 50000; ++i) recorder->append(i, row);
  try {
    recorder->finish(RunStatus::completed);
  } catch (const std::runtime_error& e) {
    return contains(e.what(), "cannot write") ? 0 : 1;
  }
  return 2;
}

TEST(Recorder, ReportsAFullDiskWithoutCrashing) {
  const TemporaryFolder folder;
  for (const std::string name : {"run.h5", "run.csv"}) {
    const pid_t child = fork();
    ASSERT_GE(child, 0);
    if (child == 0) _exit(write_to_a_full_disk(folder.file(name)));
    int how = 0;
    waitpid(child, &how, 0);
    ASSERT_TRUE(WIFEXITED(how)) << name << " crashed";
    EXPECT_EQ(WEXITSTATUS(how), 0) << name;
  }
}

}  // namespace
}  // namespace carom
