// Reads inputs of one kind one after the other, as the command and Python would: whatever is in
// them, this program goes on. scripts/fuzz.py makes the inputs and watches over it.
//
//   fuzz_inputs scene|result|mesh FOLDER FILE…      files below FOLDER
//   fuzz_inputs checkpoint FOLDER SCENE FILE…
//   fuzz_inputs disk|pipe FOLDER SCENE NUMBER…      room on the disk, or bytes that are read [B]
//   fuzz_inputs craft FOLDER RESULT                 no input: leaves results altered by HDF5 calls
//
// Every input is named on stdout before it is read, so that the last name is the one that ended
// the program. An input may take ten seconds of the processor (five minutes by the clock, which
// other programs share) and a gigabyte.
#include <dlfcn.h>
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>

#include "carom/geometry/mass_properties.h"
#include "carom/geometry/mesh_file.h"
#include "carom/record/recorder.h"
#include "carom/record/result_file.h"
#include "carom/record/result_seal.h"
#include "carom/record/tee_writer.h"
#include "carom/scene/read/read.h"
#include "carom/simulation/run.h"
#include "support/alter_result.h"

namespace carom {
namespace {

constexpr int kMostSteps = 40;
constexpr int kMostProcessorSeconds = 10;
constexpr unsigned kMostSeconds = 300;

std::shared_ptr<const Model> load(const std::string& path) {
  Diagnostics findings;
  const std::optional<Scene> scene = read_scene_file(path, {}, findings);
  if (!scene) return nullptr;
  return compile(*scene, findings);
}

/// A run of a few steps.
void run_briefly(const std::shared_ptr<const Model>& model, RunOptions options) {
  std::atomic<bool> enough{false};
  int steps = 0;
  options.interrupt = &enough;
  options.progress = [&](double) { enough = ++steps >= kMostSteps; };
  run(model, options);
}

void read_scene_input(const std::string& path) {
  if (const auto model = load(path)) run_briefly(model, {});
}

void read_result_input(const std::string& path) {
  const Recording all = ResultFile(path).load();
  if (all.values.size() != all.rows() * all.width()) std::abort();
}

void read_mesh_input(const std::string& path) {
  Diagnostics findings;
  const auto mesh = read_mesh(path, findings, {path, 1, 1});
  if (!mesh) return;
  polyhedron_properties(*mesh);
}

void read_checkpoint_input(const std::string& path, const std::shared_ptr<const Model>& model) {
  const Checkpoint checkpoint = load_checkpoint(path);
  RunOptions options;
  options.resume = &checkpoint;
  run_briefly(model, options);
}

void record_to(const std::string& folder, const std::string& csv,
               const std::shared_ptr<const Model>& model) {
  std::vector<std::unique_ptr<Recorder>> recorders;
  recorders.push_back(make_file_recorder(folder + "/full.h5"));
  recorders.push_back(make_file_recorder(csv));
  TeeWriter tee(std::move(recorders));
  RunOptions options;
  options.recorder = &tee;
  run_briefly(model, options);
}

/// The disk is full after so many bytes.
void write_to_full_disk(const std::string& folder, long room,
                        const std::shared_ptr<const Model>& model, void (*set_room)(long)) {
  struct Endless {
    void (*set)(long);
    ~Endless() { set(-1); }
  } const afterwards{set_room};
  set_room(room);
  record_to(folder, folder + "/full.csv", model);
}

/// The reader of a pipe goes away after so many bytes.
void write_to_pipe(const std::string& folder, long bytes,
                   const std::shared_ptr<const Model>& model) {
  const std::string path = folder + "/pipe.csv";
  ::unlink(path.c_str());
  ::mkfifo(path.c_str(), 0600);
  std::thread reader([&] {
    std::ifstream in(path);
    std::string rest(static_cast<std::size_t>(bytes), '\0');
    in.read(rest.data(), bytes);
  });
  try {
    record_to(folder, path, model);
  } catch (const std::exception&) {
  }
  reader.join();
}

/// What takes longer ends the program by a signal; 0: no limit.
void limit_time(int processor_seconds, unsigned seconds) {
  const itimerval limit{{0, 0}, {processor_seconds, 0}};
  ::setitimer(ITIMER_PROF, &limit, nullptr);
  ::alarm(seconds);
}

/// Copies of a sound result file, each altered in one way in one place and sealed again.
void craft_results(const std::string& folder, const std::string& sound) {
  int number = 0;
  for (const char* name : {"time", "data", "events", "peaks", "channel_table", "scene", "contacts"})
    for (const test::Alteration alter : test::all_alterations()) {
      const std::string path = folder + "/crafted" + std::to_string(number++) + ".h5";
      std::filesystem::copy_file(sound, path);
      const hid_t file = H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
      alter(file, name);
      H5Fclose(file);
      write_whole_seal(path);
    }
}

int fuzz(int argc, char** argv) {
  const std::string kind = argv[1], folder = argv[2];
  const auto allow =
      reinterpret_cast<void (*)(const char*)>(::dlsym(RTLD_DEFAULT, "open_watch_allow"));
  const auto count =
      reinterpret_cast<int (*)(char*, int)>(::dlsym(RTLD_DEFAULT, "open_watch_count"));
  const auto room = reinterpret_cast<void (*)(long)>(::dlsym(RTLD_DEFAULT, "open_watch_room"));
  if (!allow || !count || !room) {
    std::puts("without the watch on open files this shows nothing");
    return 2;
  }
  allow(folder.c_str());
  const bool with_scene = kind == "checkpoint" || kind == "disk" || kind == "pipe";
  std::shared_ptr<const Model> model;
  if (with_scene) model = load(argv[3]);
  for (int i = with_scene ? 4 : 3; i < argc; ++i) {
    std::printf("%s\n", argv[i]);
    std::fflush(stdout);
    limit_time(kMostProcessorSeconds, kMostSeconds);
    try {
      if (kind == "scene") read_scene_input(argv[i]);
      if (kind == "result") read_result_input(argv[i]);
      if (kind == "mesh") read_mesh_input(argv[i]);
      if (kind == "checkpoint") read_checkpoint_input(argv[i], model);
      if (kind == "disk") write_to_full_disk(folder, std::atol(argv[i]), model, room);
      if (kind == "pipe") write_to_pipe(folder, std::atol(argv[i]), model);
    } catch (const std::exception&) {
      // Refused in words: that is what is wanted.
    }
    char first[4096] = {};
    if (count(first, sizeof first) > 0) {
      std::printf("opened another file: %s\n", first);
      return 3;
    }
  }
  limit_time(0, 0);
  rusage used{};
  ::getrusage(RUSAGE_SELF, &used);
  std::printf("ok %ld kB\n", used.ru_maxrss);
  return 0;
}

}  // namespace
}  // namespace carom

int main(int argc, char** argv) {
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);
#if !defined(__SANITIZE_ADDRESS__)
  const rlimit gigabyte{1'300'000'000, 1'300'000'000};  // addresses; libraries take some
  ::setrlimit(RLIMIT_AS, &gigabyte);
#endif
  if (argc == 4 && std::string(argv[1]) == "craft") {
    carom::craft_results(argv[2], argv[3]);
    return 0;
  }
  const int code = argc < 4 ? 2 : carom::fuzz(argc, argv);
  std::fflush(stdout);
  ::_exit(code);  // as the command does, see there
}
