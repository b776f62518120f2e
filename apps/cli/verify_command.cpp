// carom verify: every case with a known answer, run and compared.

#include <algorithm>
#include <filesystem>
#include <thread>

#include "carom/base/text.h"
#include "carom/scene/read/yaml_loader.h"
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
  std::vector<std::string> names, files, groups, documents;
  std::string page;
  unsigned threads = 0;
  bool json = false, list = false, print = false, coverage = false;

  bool is_choice() const {
    return !(names.empty() && files.empty() && groups.empty() && documents.empty());
  }
};

using Names = std::vector<std::string>;
bool has(const Names& names, const std::string& name) {
  return std::ranges::find(names, name) != names.end();
}

/// Whether a case of the library was asked for: by its name, its group or its document.
bool is_wanted(const VerifyOptions& o, const verify::Case& c) {
  return !o.is_choice() || has(o.names, c.name) || has(o.groups, c.group) ||
         std::ranges::any_of(c.documents, [&](const auto& d) { return has(o.documents, d); });
}

std::vector<verify::Case> chosen_cases(const VerifyOptions& o) {
  std::vector<verify::Case> cases;
  for (const verify::CarriedCase& carried : verify::carried_cases()) {
    verify::Case c = verify::read_case(carried.name, carried.text);
    if (is_wanted(o, c)) cases.push_back(std::move(c));
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

/// Says which of the names that were asked for no case has; false if there is one.
bool know(const char* what, const Names& asked, const Names& known) {
  for (const std::string& name : asked) {
    if (has(known, name)) continue;
    tell("carom: there is no {} '{}'\n  {}\n", what, name, suggest(name, known));
    return false;
  }
  return true;
}

bool know_all_names(const VerifyOptions& o) {
  Names cases, groups;
  for (const verify::CarriedCase& carried : verify::carried_cases()) {
    cases.emplace_back(carried.name);
    if (o.groups.empty()) continue;
    const std::string group = verify::read_case(carried.name, carried.text).group;
    if (!group.empty() && !has(groups, group)) groups.push_back(group);
  }
  const Names documents(std::begin(verify::kDocuments), std::end(verify::kDocuments));
  return know("case", o.names, cases) && know("group of cases", o.groups, groups) &&
         know("source", o.documents, documents);
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
  if (!know_all_names(o)) return kWrongUsage;
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
  const unsigned threads =
      o.threads ? o.threads : std::max(1u, std::thread::hardware_concurrency());
  const std::vector<verify::CaseResult> results = verify::run_cases(cases, threads);
  std::size_t failed = 0;
  double cpu = 0.0;
  for (const verify::CaseResult& r : results) failed += !r.passed, cpu += r.cpu_seconds;
  o.json ? say("{}", verify::results_json(results)) : print_table(results, o.is_choice());
  std::fflush(stdout);
  if (!o.page.empty()) {
    std::vector<verify::WorkDiagram> work;
    if (!o.is_choice()) {
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
  command->add_option("--group", options->groups, "only the cases of this group, such as rigid")
      ->take_all()
      ->allow_extra_args(false);
  command
      ->add_option("--source", options->documents,
                   "only what shows a founding document: otter, modia3d, moisio, "
                   "oestersoetebier or kossenko")
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
