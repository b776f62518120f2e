// carom verify: every case with a known answer, run and compared.

#include <algorithm>
#include <filesystem>
#include <thread>

#include "carom/base/text.h"
#include "carom/scene/yaml_loader.h"
#include "carom/verify/coverage.h"
#include "carom/verify/verify.h"
#include "commands.h"
#include "exit_code.h"
#include "talk.h"
#include "verify_page.h"
#include "viewer/page.h"

namespace carom::cli {
namespace {

struct VerifyOptions {
  std::vector<std::string> names, files;
  std::string page;
  unsigned threads = 0;
  bool json = false, list = false, print = false, coverage = false;
};

std::vector<verify::Case> chosen_cases(const VerifyOptions& o) {
  std::vector<verify::Case> cases;
  for (const verify::CarriedCase& carried : verify::carried_cases()) {
    const bool wanted = (o.names.empty() && o.files.empty()) ||
                        std::find(o.names.begin(), o.names.end(), carried.name) != o.names.end();
    if (wanted) cases.push_back(verify::read_case(carried.name, carried.text));
  }
  for (const std::string& file : o.files) {
    std::string text;
    Diagnostics diagnostics;
    if (!read_text_file(file, text, diagnostics, {file, 0, 0})) {
      throw InputError(std::move(diagnostics));
    }
    cases.push_back(verify::read_case(std::filesystem::path(file).stem().string(), text));
  }
  return cases;
}

/// The first name that no case has; empty if all are known.
std::string unknown_name(const VerifyOptions& o, std::vector<std::string>& known) {
  for (const verify::CarriedCase& c : verify::carried_cases()) known.emplace_back(c.name);
  for (const std::string& name : o.names) {
    if (std::find(known.begin(), known.end(), name) == known.end()) return name;
  }
  return {};
}

void print_row(const verify::CaseResult& r, bool all_checks) {
  const char* mark = r.passed ? "pass" : "FAIL";
  if (!r.failure.empty()) {
    say("{} {:<32} {}\n", mark, r.name, r.failure);
    return;
  }
  const verify::CheckResult* worst = r.worst();
  for (const verify::CheckResult& c : r.checks) {
    if (!all_checks && &c != worst && c.passed) continue;
    say("{} {:<32} {:>16.9g} {:>16.9g} {:>9.1e} {:>9.1e}{} {}\n", c.passed ? "pass" : "FAIL",
        r.name, c.expected, c.computed, c.error, c.tolerance, c.relative ? "r" : " ", c.what);
  }
}

void print_table(std::span<const verify::CaseResult> results, bool all_checks) {
  say("     {:<32} {:>16} {:>16} {:>9} {:>9}  {}\n", "case", "expected", "computed", "error",
      "tolerance", all_checks ? "quantity" : "quantity nearest to its tolerance");
  for (const verify::CaseResult& r : results) print_row(r, all_checks);
  if (all_checks) {
    for (const verify::CaseResult& r : results) say("source: {}\n", r.source);
  }
}

int run_verification(const VerifyOptions& o) {
  std::vector<std::string> known;
  const std::string unknown = unknown_name(o, known);
  if (!unknown.empty()) {
    tell("carom: there is no case '{}'\n  {}\n", unknown, suggest(unknown, known));
    return kWrongUsage;
  }
  const std::vector<verify::Case> cases = chosen_cases(o);
  if (o.list) {
    for (const verify::Case& c : cases) say("{:<32} {}\n", c.name, c.title);
    return kDone;
  }
  if (o.coverage) {
    say("{}", verify::coverage_markdown(verify::coverage(cases)));
    return kDone;
  }
  if (o.print) {
    for (const verify::Case& c : cases) say("{}", c.scene);
    return kDone;
  }
  const bool is_choice = !o.names.empty() || !o.files.empty();
  const unsigned threads =
      o.threads ? o.threads : std::max(1u, std::thread::hardware_concurrency());
  const std::vector<verify::CaseResult> results = verify::run_cases(cases, threads);
  std::size_t failed = 0;
  double cpu = 0.0;
  for (const verify::CaseResult& r : results) failed += !r.passed, cpu += r.cpu_seconds;
  o.json ? say("{}", verify::results_json(results)) : print_table(results, is_choice);
  std::fflush(stdout);
  if (!o.page.empty()) {
    std::vector<verify::WorkDiagram> work;
    if (!is_choice) {
      work = verify::measure_work_precision(
          [](const std::string& what) { tell("  work and precision: {}\n", what); });
    }
    viewer::write_file(o.page, verification_page(results, work));
    tell("  page: {}; open it in a browser\n", o.page);
  }
  tell("{} cases passed, {} failed; {:.1f} s CPU\n", results.size() - failed, failed, cpu);
  return failed ? kNotVerified : kDone;
}

}  // namespace

void add_verify(Program& program) {
  auto options = std::make_shared<VerifyOptions>();
  CLI::App* command = program.add("verify", "run the cases with known answers and compare",
                                  [options] { return run_verification(*options); });
  command->add_option("--case", options->names, "only this case; may be repeated")
      ->take_all()
      ->allow_extra_args(false);
  command->add_option("--file", options->files, "a case of your own (.yaml); may be repeated")
      ->take_all()
      ->allow_extra_args(false);
  command->add_flag("--json", options->json, "print one JSON document on stdout");
  command->add_option("--page", options->page, "write a page with the table and plots (.html)");
  command->add_option("--threads", options->threads,
                      "cases that run at a time; default: all cores");
  command->add_flag("--list", options->list, "list the cases");
  command->add_flag("--coverage", options->coverage,
                    "print which row of which catalogue has a case, as Markdown");
  command->add_flag("--print", options->print, "print the scene of the chosen cases");
}

}  // namespace carom::cli
