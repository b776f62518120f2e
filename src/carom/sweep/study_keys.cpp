#include "carom/sweep/study_keys.h"

#include "carom/base/json.h"
#include "carom/sweep/read_study.h"

namespace carom::sweep {
namespace {

constexpr const char* kTwo =
    R"({"type": "array", "items": {"type": "number"}, "minItems": 2, "maxItems": 2})";
constexpr const char* kMeanSd =
    R"({"type": "object", "properties": {"mean": {"type": "number"}, "sd": {"type": "number", "exclusiveMinimum": 0}}, "required": ["mean", "sd"], "additionalProperties": false})";
constexpr const char* kCount = R"({"type": "integer", "minimum": 1})";
constexpr const char* kPositive = R"({"type": "number", "exclusiveMinimum": 0})";

constexpr StudyKey kStudy[] = {
    {"carom_study", R"({"const": 1})", "version of the format"},
    {"name", R"({"type": "string"})", "what the study is called"},
    {"scene", R"({"type": "string"})", "the scene file, from the folder of the study"},
    {"vary", R"({"$ref": "#/$defs/vary"})", "places of the scene and what they may be"},
    {"design", R"({"$ref": "#/$defs/design"})", "which points"},
    {"record", R"({"type": "object", "additionalProperties": {"type": "string"}})",
     "columns of the table: a quantity of a run each"},
    {"per_run", R"({"$ref": "#/$defs/per_run"})", "settings of every run"},
};

constexpr StudyKey kDistributions[] = {
    {"uniform", kTwo, "between two bounds"},
    {"loguniform", kTwo, "its logarithm between two bounds"},
    {"normal", kMeanSd, "by mean and standard deviation"},
    {"lognormal", kMeanSd, "mean and standard deviation of its logarithm"},
    {"triangular",
     R"({"type": "array", "items": {"type": "number"}, "minItems": 3, "maxItems": 3})",
     "lower bound, mode, upper bound"},
    {"choice", R"({"type": "array", "minItems": 1})", "one of several values"},
};

constexpr StudyKey kDesigns[] = {
    {"grid",
     R"({"anyOf": [{"type": "integer", "minimum": 1}, {"type": "object", "additionalProperties": {"type": "integer", "minimum": 1}}]})",
     "every combination; the number of values of each range, or a map of them by path"},
    {"list", R"({"type": "string"})", "a CSV file whose header names the places"},
    {"random", kCount, "independent points"},
    {"lhs", kCount, "Latin hypercube: each range in as many parts as there are points"},
    {"sobol", kCount, "Sobol' points"},
    {"morris", kCount, "trajectories of one-at-a-time steps, for screening"},
};

constexpr StudyKey kDesignOptions[] = {
    {"seed", R"({"type": "integer", "minimum": 0})", "of all that is random"},
    {"scramble", R"({"type": "boolean"})", "sobol: shift by random bits of the seed"},
    {"indices", R"({"type": "boolean"})",
     "random, sobol: blocks for Sobol' indices, count·(places + 2) runs"},
    {"levels", R"({"type": "integer", "minimum": 2})", "morris: levels of the grid, even"},
};

constexpr StudyKey kPerRun[] = {
    {"max_cpu", kPositive, "CPU seconds after which a run is stopped"},
    {"max_steps", kCount, "run.max_steps: a limit that every machine keeps alike"},
    {"tolerance", kPositive, "run.tolerance"},
    {"until", R"({"type": "number"})", "run.until"},
    {"integrator", R"({"type": "string"})", "run.integrator"},
    {"step", kPositive, "run.step"},
    {"output_step", kPositive, "run.output.step: extremes and means are over these rows"},
};

std::string properties(std::span<const StudyKey> keys) {
  JsonObject out;
  for (const StudyKey& key : keys) {
    // The schema is an object; the text comes before its keys.
    const std::string text = JsonObject().text("description", key.doc).str();
    out.line(4).put(key.name, text.substr(0, text.size() - 1) + ", " + (key.schema + 1));
  }
  return out.str();
}

JsonObject object_of(std::span<const StudyKey> keys) {
  JsonObject out;
  out.text("type", "object").flag("additionalProperties", false);
  return out.put("properties", properties(keys));
}

std::string one_of(std::span<const StudyKey> keys) {
  return json_list(keys, [](const StudyKey& key) {
    const std::string name = key.name;
    return JsonObject().put("required", json_texts({&name, 1})).str();
  });
}

}  // namespace

std::span<const StudyKey> study_keys() { return kStudy; }
std::span<const StudyKey> distribution_keys() { return kDistributions; }
std::span<const StudyKey> design_kinds() { return kDesigns; }
std::span<const StudyKey> design_options() { return kDesignOptions; }
std::span<const StudyKey> per_run_keys() { return kPerRun; }

std::vector<std::string> names_of(std::span<const StudyKey> keys) {
  std::vector<std::string> names;
  for (const StudyKey& key : keys) names.emplace_back(key.name);
  return names;
}

std::string study_schema() {
  std::vector<StudyKey> design(std::begin(kDesigns), std::end(kDesigns));
  design.insert(design.end(), std::begin(kDesignOptions), std::end(kDesignOptions));
  const std::string values = JsonObject().text("type", "array").count("minItems", 1).str(),
                    distribution =
                        object_of(kDistributions).put("oneOf", one_of(kDistributions)).str();
  const std::string one_of_these =
      JsonObject().put("anyOf", "[" + values + ", " + distribution + "]").str();
  JsonObject defs;
  defs.line(0).put(
      "vary", JsonObject().text("type", "object").put("additionalProperties", one_of_these).str());
  defs.line(0).put("design", object_of(design).put("oneOf", one_of(kDesigns)).str());
  defs.line(0).put("per_run", object_of(kPerRun).str());
  const std::vector<std::string> required{"carom_study", "scene", "design", "record"};
  JsonObject out;
  out.line(0).text("$schema", "https://json-schema.org/draft/2020-12/schema");
  out.line(0).text("title", "Carom study");
  out.line(0).text("type", "object").line(0).flag("additionalProperties", false);
  out.line(0).put("required", json_texts(required));
  out.line(0).put("properties", properties(kStudy));
  out.line(0).put("$defs", defs.str());
  return out.str() + "\n";
}

}  // namespace carom::sweep
