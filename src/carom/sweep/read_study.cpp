#include "carom/sweep/read_study.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>
#include <set>

#include "carom/base/text.h"
#include "carom/scene/read/document.h"
#include "carom/scene/read/yaml_loader.h"
#include "carom/scene/values.h"
#include "carom/sweep/point_list.h"
#include "carom/sweep/study_keys.h"

namespace carom::sweep {
namespace {

/// A node as YAML in one line, as it is handed to the scene's overrides.
std::string flow_text(const Node& node) {
  std::string out;
  switch (node.kind) {
    case Node::Kind::null: return "null";
    case Node::Kind::scalar: return node.quoted ? json_quote(node.text) : node.text;
    case Node::Kind::list:
      for (const Node& item : node.items) out += (out.empty() ? "" : ", ") + flow_text(item);
      return "[" + out + "]";
    default: break;
  }
  for (const NodeEntry& entry : node.entries) {
    out += (out.empty() ? "" : ", ") + json_quote(entry.key) + ": " + flow_text(entry.value);
  }
  return "{" + out + "}";
}

class StudyReader {
 public:
  StudyReader(const Document& document, Diagnostics& out) : document_(document), out_(out) {}

  std::optional<Study> read(std::string folder) {
    const int errors = out_.error_count();
    study_.file = document_.files[0].name;
    study_.folder = std::move(folder);
    study_.text = document_.text;
    const Node& root = document_.root;
    check_keys(root, study_keys(), "the study");
    read_head(root);
    read_factors(root.find("vary"));
    read_design(root);
    read_records(root);
    read_per_run(root.find("per_run"));
    if (out_.error_count() > errors) return {};
    return std::move(study_);
  }

 private:
  SourcePos at(const Mark& mark) const { return document_.position(mark); }
  void error(const Mark& where, std::string message, std::string remedy = {}) {
    out_.error(at(where), std::move(message), std::move(remedy));
  }

  void check_keys(const Node& map, std::span<const StudyKey> keys, const std::string& what) {
    const std::vector<std::string> known = names_of(keys);
    for (const NodeEntry& entry : map.entries) {
      if (std::find(known.begin(), known.end(), entry.key) != known.end()) continue;
      error(entry.where, "'" + entry.key + "' is not known in " + what, suggest(entry.key, known));
    }
  }

  std::optional<double> number(const Node& node, const std::string& what) {
    const std::optional<double> value =
        node.is_scalar() && !node.quoted ? parse_number(node.text) : std::nullopt;
    if (value && std::isfinite(*value)) return value;
    error(node.where, what + " is " + describe(node) + ", it must be a number");
    return {};
  }

  /// A whole number from `least` on; nothing (reported) otherwise.
  std::optional<std::uint64_t> count(const Node& node, const std::string& what, double least,
                                     const std::string& remedy = {}) {
    const std::optional<double> value = number(node, what);
    if (!value) return {};
    if (*value >= least && *value <= 9007199254740992.0 && std::floor(*value) == *value) {
      return static_cast<std::uint64_t>(*value);
    }
    error(
        node.where,
        what + " is " + node.text + ", it must be a whole number of at least " + number_text(least),
        remedy);
    return {};
  }

  std::vector<double> numbers(const Node& node, std::size_t wanted, const std::string& what) {
    std::vector<double> out;
    if (!node.is_list() || node.items.size() != wanted) {
      error(node.where, what + " is " + describe(node) + ", it must be a list of " +
                            std::to_string(wanted) + " numbers");
      return {};
    }
    for (const Node& item : node.items) {
      if (const auto value = number(item, what)) out.push_back(*value);
    }
    return out.size() == wanted ? out : std::vector<double>{};
  }

  void read_head(const Node& root) {
    const Node* format = root.find("carom_study");
    if (!format) {
      error(root.where, "the study does not state its format", "begin it with 'carom_study: 1'");
    } else if (format->text != "1") {
      error(format->where, "carom_study is " + describe(*format) + ", known is 1");
    }
    if (const Node* name = root.find("name")) study_.name = name->text;
    const Node* scene = root.find("scene");
    if (!scene || !scene->is_scalar() || scene->text.empty()) {
      error(scene ? scene->where : root.where, "the study names no scene",
            "write 'scene: FILE.yaml'");
      return;
    }
    study_.scene = scene->text;
    study_.scene_where = at(scene->where);
  }

  void read_factors(const Node* vary) {
    if (!vary || vary->is_null()) return;
    if (!vary->is_map()) {
      error(vary->where, "vary is " + describe(*vary) + ", it must be a map",
            "write 'vary: {values.mu: {uniform: [0.1, 0.3]}}'");
      return;
    }
    for (const NodeEntry& entry : vary->entries) {
      Factor factor{entry.key, {}, at(entry.where)};
      if (read_distribution(entry.value, "vary." + entry.key, factor.distribution)) {
        study_.factors.push_back(std::move(factor));
      }
    }
  }

  bool read_choices(const Node& list, const std::string& what, Distribution& d) {
    d.kind = Distribution::Kind::choice;
    if (!list.is_list() || list.items.empty()) {
      error(list.where, what + " is " + describe(list) + " without a value",
            "name at least one value");
      return false;
    }
    bool all_numbers = true;
    std::set<std::string> seen;
    for (const Node& item : list.items) {
      d.choices.push_back(flow_text(item));
      if (!seen.insert(d.choices.back()).second) {
        error(item.where, what + " names " + d.choices.back() + " twice", "remove one of them");
      }
      const auto value = item.is_scalar() && !item.quoted ? parse_number(item.text) : std::nullopt;
      all_numbers &= value.has_value();
      if (value) d.numbers.push_back(*value);
    }
    if (!all_numbers) d.numbers.clear();
    return true;
  }

  bool read_distribution(const Node& node, const std::string& what, Distribution& d) {
    if (node.is_list()) return read_choices(node, what, d);
    const std::vector<std::string> known = names_of(distribution_keys());
    if (!node.is_map() || node.entries.size() != 1) {
      error(node.where,
            what + " is " + describe(node) + ", it must be a list of values or one of " +
                "uniform, loguniform, normal, lognormal, triangular, choice",
            "write {uniform: [0.1, 0.3]}, {normal: {mean: 1, sd: 0.02}} or [a, b]");
      return false;
    }
    const NodeEntry& entry = node.entries[0];
    const auto found = std::find(known.begin(), known.end(), entry.key);
    if (found == known.end()) {
      error(entry.where, "'" + entry.key + "' is not a distribution", suggest(entry.key, known));
      return false;
    }
    d.kind = static_cast<Distribution::Kind>(found - known.begin());
    if (d.is_choice()) return read_choices(entry.value, what, d);
    if (d.is_unbounded()) return read_mean_sd(entry, what, d);
    return read_bounds(entry, what, d);
  }

  bool read_mean_sd(const NodeEntry& entry, const std::string& what, Distribution& d) {
    const Node *mean = entry.value.find("mean"), *sd = entry.value.find("sd");
    if (!mean || !sd || entry.value.entries.size() != 2) {
      error(entry.where, what + "." + entry.key + " needs mean and sd, and nothing else",
            "write {" + entry.key + ": {mean: 1, sd: 0.02}}");
      return false;
    }
    const auto m = number(*mean, what + ".mean"), s = number(*sd, what + ".sd");
    if (!m || !s) return false;
    d.a = *m;
    d.b = *s;
    if (d.b > 0.0) return true;
    error(sd->where, what + ".sd is " + sd->text + ", it must be greater than 0");
    return false;
  }

  bool read_bounds(const NodeEntry& entry, const std::string& what, Distribution& d) {
    const bool triangular = d.kind == Distribution::Kind::triangular;
    const std::vector<double> b = numbers(entry.value, triangular ? 3 : 2, what + "." + entry.key);
    if (b.empty()) return false;
    d.a = b.front();
    d.b = b.back();
    d.mode = b[1];
    if (!(d.a < d.b)) {
      error(entry.value.where,
            what + " goes from " + number_text(d.a) + " to " + number_text(d.b) +
                ": the lower bound comes first",
            "write [" + number_text(d.b) + ", " + number_text(d.a) + "]");
      return false;
    }
    if (triangular && (d.mode < d.a || d.mode > d.b)) {
      error(entry.value.where,
            what + ": the mode " + number_text(d.mode) + " must lie between the bounds");
      return false;
    }
    if (d.kind == Distribution::Kind::loguniform && d.a <= 0.0) {
      error(entry.value.where, what + ": both bounds of loguniform must be positive");
      return false;
    }
    return true;
  }

  void read_design(const Node& root) {
    const Node* node = root.find("design");
    if (!node || !node->is_map() || node->entries.empty()) {
      error(node ? node->where : root.where, "the study has no design",
            "write 'design: {sobol: 1024}'; known: grid, list, random, lhs, sobol, morris");
      return;
    }
    std::vector<StudyKey> keys(design_kinds().begin(), design_kinds().end());
    keys.insert(keys.end(), design_options().begin(), design_options().end());
    check_keys(*node, keys, "design");
    DesignSpec& d = study_.design;
    d.where = at(root.find_entry("design")->where);
    const NodeEntry* kind = find_design_kind(*node);
    if (!kind) return;
    read_design_options(*node);
    if (d.kind == DesignSpec::Kind::list) {
      read_list(*kind);
    } else if (study_.factors.empty() && !out_.has_errors()) {
      error(node->where, "the study varies nothing", "add 'vary: {values.mu: {uniform: [0, 1]}}'");
    } else if (d.kind == DesignSpec::Kind::grid && kind->value.is_map()) {
      read_grid_counts(*kind);
    } else if (const auto n = count(kind->value, "design." + kind->key, 1,
                                    "a design has at least one point")) {
      d.count = *n;
    }
  }

  const NodeEntry* find_design_kind(const Node& node) {
    const std::vector<std::string> kinds = names_of(design_kinds());
    const NodeEntry* found = nullptr;
    for (const NodeEntry& entry : node.entries) {
      const auto kind = std::find(kinds.begin(), kinds.end(), entry.key);
      if (kind == kinds.end()) continue;
      if (found) {
        error(entry.where, "the design is both " + found->key + " and " + entry.key,
              "keep one of them");
        return nullptr;
      }
      found = &entry;
      study_.design.kind = static_cast<DesignSpec::Kind>(kind - kinds.begin());
    }
    if (!found) {
      error(node.where, "the design names no kind",
            "known: grid, list, random, lhs, sobol, morris");
    }
    return found;
  }

  bool flag(const Node& node, std::string_view key) {
    const Node* value = node.find(key);
    if (!value) return false;
    if (value->text == "true" || value->text == "false") return value->text == "true";
    error(value->where,
          "design." + std::string(key) + " is " + describe(*value) + ", it must be true or false");
    return false;
  }

  void read_design_options(const Node& node) {
    using Kind = DesignSpec::Kind;
    DesignSpec& d = study_.design;
    if (const Node* seed = node.find("seed")) d.seed = count(*seed, "design.seed", 0).value_or(0);
    d.scramble = flag(node, "scramble");
    d.indices = flag(node, "indices");
    if (d.scramble && d.kind != Kind::sobol) {
      error(node.find("scramble")->where, "only sobol is scrambled", "remove 'scramble'");
    }
    if (d.indices && d.kind != Kind::sobol && d.kind != Kind::random) {
      error(node.find("indices")->where, "blocks for Sobol' indices are made of sobol or random",
            "write {sobol: 1024, indices: true}");
    }
    const Node* levels = node.find("levels");
    if (!levels) return;
    if (d.kind != Kind::morris) error(levels->where, "only morris has levels", "remove 'levels'");
    d.levels = count(*levels, "design.levels", 2).value_or(4);
    if (d.levels % 2 != 0) {
      error(levels->where, "design.levels is " + levels->text + ", it must be even", "4 is usual");
    }
  }

  void read_grid_counts(const NodeEntry& grid) {
    std::vector<std::string> paths;
    for (const Factor& f : study_.factors) paths.push_back(f.path);
    for (const NodeEntry& entry : grid.value.entries) {
      if (std::find(paths.begin(), paths.end(), entry.key) == paths.end()) {
        error(entry.where, "'" + entry.key + "' is not varied", suggest(entry.key, paths));
      }
    }
    for (const Factor& f : study_.factors) {
      const Node* n = grid.value.find(f.path);
      if (!n && !f.distribution.is_choice()) {
        error(grid.where, "the grid does not say how many values " + f.path + " takes",
              "add '" + f.path + ": 5'");
        continue;
      }
      study_.design.grid_counts.push_back(n ? count(*n, "design.grid." + f.path, 1).value_or(1)
                                            : 0);
    }
  }

  void read_list(const NodeEntry& list) {
    if (!study_.factors.empty()) {
      error(list.where, "a list names its own places, so 'vary' must be left out",
            "remove 'vary', or choose another design");
      return;
    }
    if (!list.value.is_scalar() || list.value.text.empty()) {
      error(list.value.where,
            "design.list is " + describe(list.value) + ", it must name a CSV file");
      return;
    }
    const std::string path = (std::filesystem::path(study_.folder) / list.value.text).string();
    read_point_list(path, at(list.value.where), study_.factors, study_.design.rows, out_);
    study_.design.count = study_.design.rows.size();
  }

  void read_records(const Node& root) {
    const Node* node = root.find("record");
    if (!node || !node->is_map() || node->entries.empty()) {
      error(node ? node->where : root.where, "the study records nothing",
            "write 'record: {rest: \"cube.position@end\"}'");
      return;
    }
    for (const NodeEntry& entry : node->entries) {
      if (!entry.value.is_scalar() || entry.value.text.empty()) {
        error(entry.value.where,
              "record." + entry.key + " is " + describe(entry.value) + ", it must be a quantity",
              "such as \"cube.position@end\" or \"max(pivot.v)\"");
        continue;
      }
      study_.records.push_back({entry.key, entry.value.text, at(entry.value.where)});
    }
  }

  void read_per_run(const Node* node) {
    if (!node || node->is_null()) return;
    check_keys(*node, per_run_keys(), "per_run");
    for (const NodeEntry& entry : node->entries) {
      if (entry.key == "max_cpu") {
        study_.max_cpu = number(entry.value, "per_run.max_cpu").value_or(1.0);
        if (study_.max_cpu <= 0.0) {
          error(entry.value.where,
                "per_run.max_cpu is " + entry.value.text + ", it must be greater than 0");
        }
        continue;
      }
      const std::string path = entry.key == "output_step" ? "run.output.step" : "run." + entry.key;
      study_.settings.push_back({path, flow_text(entry.value), at(entry.value.where)});
    }
  }

  const Document& document_;
  Diagnostics& out_;
  Study study_;
};

}  // namespace

std::string_view to_string(DesignSpec::Kind kind) {
  return design_kinds()[static_cast<std::size_t>(kind)].name;
}

std::optional<Study> read_study_text(std::string_view text, const std::string& name,
                                     const std::string& folder, Diagnostics& out) {
  Document document;
  document.files.push_back({name, folder});
  document.text = text;
  std::optional<Node> root = load_yaml(document.text, 0, document, out);
  if (!root) return {};
  if (!root->is_map()) {
    out.error({name, 1, 1}, "the study is " + describe(*root),
              "a study is a map that begins with 'carom_study: 1'");
    return {};
  }
  document.root = *std::move(root);
  return StudyReader(document, out).read(folder);
}

std::optional<Study> read_study_file(const std::string& path, Diagnostics& out) {
  std::string text;
  if (!read_text_file(path, text, out, {path, 0, 0})) return {};
  return read_study_text(text, path, std::filesystem::path(path).parent_path().string(), out);
}

bool is_study_file(const std::string& path) {
  Diagnostics ignored;
  std::string text;
  if (!read_text_file(path, text, ignored, {path, 0, 0})) return false;
  Document document;
  document.files.push_back({path, ""});
  const std::optional<Node> root = load_yaml(text, 0, document, ignored);
  return root && root->is_map() && root->find("carom_study");
}

}  // namespace carom::sweep
