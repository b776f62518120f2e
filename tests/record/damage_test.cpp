// Files that are not results, or no longer: a clear error, never a crash.
#include <sys/wait.h>
#include <unistd.h>

#include <random>

#include <gtest/gtest.h>

#include "carom/record/hdf5_writer.h"
#include "carom/record/result_file.h"
#include "record/run_fixture.h"

namespace carom {
namespace {

using namespace test;

std::string sample_file(const TemporaryFolder& folder) {
  Hdf5Writer writer(folder.file("sample.h5"));
  write_sample(writer, 50);
  return file_text(folder.file("sample.h5"));
}

// Reads all of `path` in a process of its own: 0 read, 1 refused with an error,
// anything else is a crash.
int read_apart(const std::string& path) {
  const pid_t child = fork();
  if (child == 0) {
    alarm(20);  // an endless loop counts as a crash
    try {
      ResultFile(path).load();
    } catch (const std::runtime_error&) {
      _exit(1);
    }
    _exit(0);
  }
  int how = 0;
  waitpid(child, &how, 0);
  return WIFEXITED(how) ? WEXITSTATUS(how) : 100 + WTERMSIG(how);
}

TEST(ResultFile, RefusesWhatIsNotAResult) {
  const TemporaryFolder folder;
  const auto error = [&](const std::string& name) {
    return error_of([&] { ResultFile(folder.file(name)); });
  };
  EXPECT_NE(error("none.h5").find("there is no such file"), std::string::npos);
  EXPECT_NE(error("none.h5").find("none.h5"), std::string::npos);
  EXPECT_NE(error("").find("it is a folder"), std::string::npos);
  write_file(folder.file("empty.h5"), "");
  write_file(folder.file("text.h5"), "time [s],x [m]\n0,1\n");
  std::mt19937 random(1);
  std::string noise(100000, '\0');
  for (char& c : noise) c = static_cast<char>(random());
  write_file(folder.file("noise.h5"), noise);
  for (const char* name : {"empty.h5", "text.h5", "noise.h5"}) {
    EXPECT_NE(error(name).find("not an HDF5 file"), std::string::npos) << name;
  }
}

TEST(ResultFile, RefusesATruncatedFileAtEveryLength) {
  const TemporaryFolder folder;
  const std::string whole = sample_file(folder);
  const std::string path = folder.file("cut.h5");
  // The last bytes may be padding, so only cuts of a tenth and more have to be noticed.
  const std::size_t step = whole.size() / 97;
  for (std::size_t size = 0; size < whole.size() - whole.size() / 10; size += step) {
    write_file(path, whole.substr(0, size));
    EXPECT_EQ(read_apart(path), 1) << "cut to " << size << " of " << whole.size();
  }
  write_file(path, whole);
  EXPECT_EQ(read_apart(path), 0);
}

}  // namespace
}  // namespace carom
