// carom demo: the built-in scenes, listed, run, printed or saved with their files.

#include <filesystem>
#include <fstream>
#include <iterator>

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

/// The mesh files that a demo reads.
std::vector<const CarriedFile*> files_of(const Demo& demo) {
  std::vector<const CarriedFile*> files;
  for (const CarriedFile& file : demo_files()) {
    if (std::string_view(demo.text).find(file.name) != std::string_view::npos) {
      files.push_back(&file);
    }
  }
  return files;
}

void print_demo(const Demo& demo) {
  say("{}", demo.text);
  for (const CarriedFile* file : files_of(demo)) {
    tell("note: the scene reads {}; 'carom demo {} --save FOLDER' writes it with its files\n",
         file->name, demo.name);
  }
}

/// Writes a file that is not there yet; one that is there with the same bytes will do.
bool save_file(const std::filesystem::path& path, std::string_view bytes) {
  std::error_code failure;
  if (std::filesystem::exists(path, failure)) {
    std::ifstream file(path, std::ios::binary);
    const std::string there{std::istreambuf_iterator<char>(file), {}};
    if (there == bytes) return true;
    tell("carom: {} is there already\n  name another folder, or move the file away\n",
         path.string());
    return false;
  }
  std::filesystem::create_directories(path.parent_path(), failure);
  std::ofstream file(path, std::ios::binary);
  file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  file.close();
  if (!file) tell("carom: {} cannot be written\n", path.string());
  return static_cast<bool>(file);
}

int save_demo(const Demo& demo, const std::filesystem::path& folder) {
  for (const CarriedFile* file : files_of(demo)) {
    if (!save_file(folder / file->name, file->bytes)) return kWrongUsage;
  }
  const std::filesystem::path scene = folder / (std::string(demo.name) + ".yaml");
  if (!save_file(scene, demo.text)) return kWrongUsage;
  tell("  scene: {}\n", scene.string());
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
  auto folder = std::make_shared<std::string>();
  CLI::App* command =
      program.add("demo", "list the built-in scenes, or run one", [options, print, folder] {
        const std::string& name = options->scene.demo;
        if (name.empty()) return list_demos(options->json);
        const Demo* demo = find_demo(name);
        if (!demo) {
          std::vector<std::string> names;
          for (const Demo& d : demos()) names.push_back(d.name);
          tell("carom: there is no demo '{}'\n  {}\n", name, suggest(name, names));
          return static_cast<int>(kWrongUsage);
        }
        if (!folder->empty()) return save_demo(*demo, *folder);
        if (*print) {
          print_demo(*demo);
          return static_cast<int>(kDone);
        }
        return run_and_report(*options, name + ".h5");
      });
  command->add_option("name", options->scene.demo, "which demo; without it they are listed");
  command->add_flag("--print", *print, "print the scene file instead of running it");
  command->add_option("--save", *folder,
                      "write the scene file and the meshes it reads into this folder instead");
  add_run_options(*command, *options);
}

}  // namespace carom::cli
