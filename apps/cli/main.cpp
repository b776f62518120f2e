// `carom`: data on stdout, talk on stderr; exit codes in exit_code.h.
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <iostream>

#include "carom/base/diagnostic.h"
#include "carom/base/text.h"
#include "carom/base/version.h"
#include "commands.h"
#include "exit_code.h"
#include "talk.h"

namespace carom::cli {
namespace {

/// CLI11 names the unknown word but offers no remedy: add one.
void explain_usage(const CLI::App& app, const CLI::ParseError& error, int argc, char** argv) {
  std::vector<std::string> words;
  for (const CLI::App* command : app.get_subcommands({})) words.push_back(command->get_name());
  const CLI::App* chosen = &app;
  for (const CLI::App* command : app.get_subcommands()) chosen = command;
  if (chosen == &app && argv[1][0] != '-') {
    tell("carom: '{}' is not a command\n  {}\n", argv[1], suggest(argv[1], words));
  } else {
    tell("carom: {}\n", error.what());
    std::vector<std::string> options;
    for (const CLI::Option* option : chosen->get_options()) {
      for (const std::string& name : option->get_lnames()) options.push_back("--" + name);
    }
    for (int i = 2; i < argc; ++i) {
      const std::string word = std::string(argv[i]).substr(0, std::string(argv[i]).find('='));
      if (word.rfind("--", 0) != 0 ||
          std::find(options.begin(), options.end(), word) != options.end()) {
        continue;
      }
      tell("  {}: {}\n", word, suggest(word, options));
    }
  }
  tell("  carom {}--help shows what there is\n", chosen == &app ? "" : chosen->get_name() + " ");
}

int run_program(int argc, char** argv) {
  Program program;
  program.app.require_subcommand(1);
  program.app.set_version_flag("--version", std::string("carom ") + kVersion);
  program.app.failure_message(CLI::FailureMessage::simple);
  for (const auto add : {add_run, add_demo, add_check, add_new, add_list, add_schema, add_settle,
                         add_linearize, add_inverse, add_distance, add_intersect, add_materials,
                         add_page, add_plot, add_view, add_verify, add_sweep, add_completion}) {
    add(program);
  }
  if (argc == 1) {
    say("{}", program.app.help());
    return kDone;
  }
  try {
    program.app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return program.app.exit(error);  // --help, --version
    explain_usage(program.app, error, argc, argv);
    return kWrongUsage;
  }
  return program.actions.at(program.app.get_subcommands().front())();
}

int run_guarded(int argc, char** argv) {
  try {
    return run_program(argc, argv);
  } catch (const InputError& error) {
    tell("{}\n", error.what());
    return kInvalidScene;
  } catch (const std::invalid_argument& error) {
    tell("carom: {}\n", error.what());
    return kWrongUsage;
  } catch (const std::exception& error) {
    tell("carom: {}\n", error.what());
    return kFailed;
  }
}

}  // namespace
}  // namespace carom::cli

int main(int argc, char** argv) {
  using namespace carom::cli;
  // A file that grows beyond a limit of the user is an error like a full disk, not a death.
  std::signal(SIGXFSZ, SIG_IGN);
  int code = run_guarded(argc, argv);
  if (std::fflush(stdout) != 0 || std::ferror(stdout)) {
    tell("carom: the output cannot be written: {}\n", std::strerror(errno));
    if (code == kDone) code = kFailed;
  }
  // Not by exit(): where a disk is full, HDF5 tries there to close once more what could not be
  // closed, and crashes.
  ::_exit(code);
}
