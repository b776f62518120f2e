// carom demo: the built-in scenes, listed or run.

#include "carom/base/json.h"
#include "carom/base/text.h"
#include "demos.h"
#include "exit_code.h"
#include "run_command.h"
#include "talk.h"

namespace carom::cli {
namespace {

int list_demos(bool json) {
  std::vector<std::string> rows;
  for (const Demo& demo : demos()) {
    Diagnostics diagnostics;
    ReadOptions options;
    options.carried = demo_files();
    const std::optional<Scene> scene = read_scene_text(demo.text, demo.name, options, diagnostics);
    const std::string title = scene ? scene->name : "";
    if (json) {
      rows.push_back(JsonObject().text("name", demo.name).text("title", title).str());
    } else {
      say("{:<20} {}\n", demo.name, title);
    }
  }
  if (json) say("{}\n", json_rows(rows));
  return kDone;
}

}  // namespace

const Demo* find_demo(std::string_view name) {
  for (const Demo& demo : demos()) {
    if (name == demo.name) return &demo;
  }
  return nullptr;
}

void add_demo(Program& program) {
  auto options = std::make_shared<RunCommandOptions>();
  auto print = std::make_shared<bool>(false);
  CLI::App* command = program.add("demo", "list the built-in scenes, or run one", [options, print] {
    const std::string& name = options->scene.demo;
    if (name.empty()) return list_demos(options->json);
    const Demo* demo = find_demo(name);
    if (!demo) {
      std::vector<std::string> names;
      for (const Demo& d : demos()) names.push_back(d.name);
      tell("carom: there is no demo '{}'\n  {}\n", name, suggest(name, names));
      return static_cast<int>(kWrongUsage);
    }
    if (*print) {
      say("{}", demo->text);
      return static_cast<int>(kDone);
    }
    return run_and_report(*options, name + ".h5");
  });
  command->add_option("name", options->scene.demo, "which demo; without it they are listed");
  command->add_flag("--print", *print, "print the scene file instead of running it");
  add_run_options(*command, *options);
}

}  // namespace carom::cli
