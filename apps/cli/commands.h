// The commands of `carom`, one file each. A command adds its options to the parser
// and says what to do when it is chosen.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <map>
#include <string>

namespace carom::cli {

/// The chosen command's action, which returns the exit code.
using Action = std::function<int()>;

struct Program {
  CLI::App app{"Carom: contact dynamics of rigid multibody systems", "carom"};
  std::map<CLI::App*, Action> actions;

  CLI::App* add(const std::string& name, const std::string& doc, Action action) {
    CLI::App* command = app.add_subcommand(name, doc);
    actions[command] = std::move(action);
    return command;
  }
};

void add_run(Program& program);
void add_demo(Program& program);
void add_check(Program& program);
void add_new(Program& program);
void add_list(Program& program);
void add_schema(Program& program);
void add_settle(Program& program);
void add_linearize(Program& program);
void add_inverse(Program& program);
void add_distance(Program& program);
void add_intersect(Program& program);
void add_page(Program& program);
void add_materials(Program& program);
void add_verify(Program& program);
void add_plot(Program& program);
void add_sweep(Program& program);
void add_view(Program& program);
void add_completion(Program& program);

}  // namespace carom::cli
