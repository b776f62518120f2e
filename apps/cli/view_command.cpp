// carom view: a run in the browser while it goes.

#include <chrono>
#include <csignal>
#include <thread>

#include "carom/base/text.h"
#include "exit_code.h"
#include "scene_source.h"
#include "talk.h"
#include "viewer/live_run.h"
#include "viewer/live_server.h"

namespace carom::cli {
namespace {

struct ViewOptions {
  SceneOptions scene;
  double pace = 1.0;
  int port = 0;
};

volatile std::sig_atomic_t ended = 0;
void on_end(int) { ended = 1; }

int view(const ViewOptions& o) {
  const auto load = [&o](const viewer::LiveRun::Values& values) {
    SceneOptions scene = o.scene;
    for (const auto& [name, value] : values) {
      scene.set.push_back("values." + name + "=" + number_text(value));
    }
    return load_model(scene);
  };
  viewer::LiveRun run(load, o.pace);
  const viewer::LiveServer server(run, o.port);
  std::signal(SIGINT, on_end);
  std::signal(SIGTERM, on_end);
  say("{}\n", server.address());
  std::fflush(stdout);
  tell("  open this address in a browser; Ctrl-C ends\n");
  while (!ended) std::this_thread::sleep_for(std::chrono::milliseconds(100));
  return kDone;
}

}  // namespace

void add_view(Program& program) {
  auto options = std::make_shared<ViewOptions>();
  CLI::App* command = program.add("view", "show a run live in the browser, on this machine only",
                                  [options] { return view(*options); });
  command->add_option("scene", options->scene.file, "scene file (.yaml)")->required();
  command
      ->add_option("--pace", options->pace, "simulated seconds per second; 0: as fast as it goes")
      ->check(CLI::NonNegativeNumber);
  command->add_option("--port", options->port, "port of 127.0.0.1; default: any free one")
      ->check(CLI::Range(0, 65535));
  add_scene_options(*command, options->scene);
}

}  // namespace carom::cli
