// carom new and schema: files to start from.

#include <filesystem>
#include <fstream>

#include "carom/scene/schema.h"
#include "carom/scene/starter.h"
#include "carom/sweep/read_study.h"
#include "commands.h"
#include "exit_code.h"
#include "talk.h"

namespace carom::cli {
namespace {

int write_new(const std::string& path, bool force) {
  if (std::filesystem::exists(path) && !force) {
    tell("carom: '{}' exists already\n  choose another name, or --force\n", path);
    return kWrongUsage;
  }
  std::ofstream file(path);
  file << starter_scene();
  file.close();
  if (!file) {
    tell("carom: '{}' cannot be written\n", path);
    return kFailed;
  }
  tell("{} is a commented scene to start from\n  carom run {}\n", path, path);
  return kDone;
}

int print_schema(bool reference, bool study) {
  if (study) {
    say("{}", sweep::study_schema());
    return kDone;
  }
  say("{}", reference ? scene_reference_markdown() : json_schema());
  return kDone;
}

}  // namespace

void add_new(Program& program) {
  struct Options {
    std::string path;
    bool force = false;
  };
  auto options = std::make_shared<Options>();
  CLI::App* command = program.add("new", "write a commented scene to start from",
                                  [options] { return write_new(options->path, options->force); });
  command->add_option("file", options->path, "the file to write (.yaml)")->required();
  command->add_flag("--force", options->force, "overwrite");
}

void add_schema(Program& program) {
  auto reference = std::make_shared<bool>(false), study = std::make_shared<bool>(false);
  CLI::App* command = program.add("schema", "print the JSON Schema of scene files, for editors",
                                  [reference, study] { return print_schema(*reference, *study); });
  command->add_flag("--study", *study, "of study files");
  command->add_flag("--markdown", *reference, "print the reference of all fields instead");
}

}  // namespace carom::cli
