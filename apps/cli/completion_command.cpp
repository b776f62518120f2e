// carom completion and man: what the shell and `man` can know about the command, made
// from the parser itself so that it is never out of date.

#include "carom/base/version.h"
#include "commands.h"
#include "demos.h"
#include "exit_code.h"
#include "talk.h"

namespace carom::cli {
namespace {

std::string option_words(const CLI::App& app) {
  std::string out;
  for (const CLI::Option* option : app.get_options()) {
    for (const std::string& name : option->get_lnames()) out += " --" + name;
    for (const std::string& name : option->get_snames()) out += " -" + name;
  }
  return out;
}

/// One function that bash calls; zsh runs it through bashcompinit.
void print_completion(const CLI::App& app) {
  std::string commands, cases;
  for (const CLI::App* command : app.get_subcommands({})) {
    commands += " " + command->get_name();
    cases += "    " + command->get_name() + ") words='" + option_words(*command) + "' ;;\n";
  }
  std::string names;
  for (const Demo& demo : demos()) names += std::string(" ") + demo.name;
  say("# carom: completion for bash, and for zsh after `autoload bashcompinit && bashcompinit`.\n"
      "#   source <(carom completion)\n"
      "_carom() {{\n"
      "  local current=${{COMP_WORDS[COMP_CWORD]}} words=''\n"
      "  if [ \"$COMP_CWORD\" -eq 1 ]; then\n"
      "    COMPREPLY=($(compgen -W '{} --help --version' -- \"$current\"))\n"
      "    return\n"
      "  fi\n"
      "  case ${{COMP_WORDS[1]}} in\n{}  esac\n"
      "  if [ \"${{COMP_WORDS[1]}}\" = demo ]; then words=\"$words{}\"; fi\n"
      "  COMPREPLY=($(compgen -W \"$words\" -- \"$current\"))\n"
      "}}\n"
      "complete -o default -F _carom carom\n",
      commands, cases, names);
}

/// Text for roff: a leading dot or quote, and hyphens, would be read as commands.
std::string roff(const std::string& text) {
  std::string out;
  for (const char c : text) {
    c == '-' ? out += "\\-" : c == '\\' ? out += "\\e" : out += c;
  }
  return !out.empty() && (out[0] == '.' || out[0] == '\'') ? "\\&" + out : out;
}

void print_man(const CLI::App& app) {
  say(".TH CAROM 1 \"\" \"carom {}\"\n.SH NAME\ncarom \\- {}\n", kVersion,
      roff(app.get_description()));
  say(".SH SYNOPSIS\n.B carom\n.I command\n[options]\n.SH COMMANDS\n");
  for (const CLI::App* command : app.get_subcommands({})) {
    say(".SS {}\n{}\n", roff(command->get_name()), roff(command->get_description()));
    for (const CLI::Option* option : command->get_options()) {
      say(".TP\n.B {}\n{}\n", roff(option->get_name(false, true)), roff(option->get_description()));
    }
  }
  say(".SH EXIT STATUS\n0 done; 1 the simulation failed; 2 wrong usage; 3 the scene is invalid; "
      "4 a verification failed; 130 interrupted.\n");
}

}  // namespace

void add_completion(Program& program) {
  program.add("completion", "print completion for bash and zsh", [&program] {
    print_completion(program.app);
    return static_cast<int>(kDone);
  });
  program.add("man", "print the manual page: carom man | man -l -", [&program] {
    print_man(program.app);
    return static_cast<int>(kDone);
  });
}

}  // namespace carom::cli
