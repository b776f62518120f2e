#include "carom/sweep/study_keys.h"

#include "carom/base/text.h"
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
  std::string out;
  for (const StudyKey& key : keys) {
    std::string schema = key.schema;
    schema.insert(1, "\"description\": " + json_quote(key.doc) + ", ");
    out += (out.empty() ? "" : ",\n    ") + json_quote(key.name) + ": " + schema;
  }
  return "{\n    " + out + "}";
}

std::string one_of(std::span<const StudyKey> keys) {
  std::string out;
  for (const StudyKey& key : keys) {
    out += (out.empty() ? "" : ", ") + ("{\"required\": [" + json_quote(key.name) + "]}");
  }
  return "[" + out + "]";
}

std::string object(const std::string& properties_text, const std::string& more) {
  return "{\"type\": \"object\", \"additionalProperties\": false, \"properties\": " +
         properties_text + more + "}";
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
  return "{\n\"$schema\": \"https://json-schema.org/draft/2020-12/schema\",\n"
         "\"title\": \"Carom study\",\n\"type\": \"object\",\n\"additionalProperties\": false,\n"
         "\"required\": [\"carom_study\", \"scene\", \"design\", \"record\"],\n\"properties\": " +
         properties(kStudy) + ",\n\"$defs\": {\n\"vary\": {\"type\": \"object\", " +
         "\"additionalProperties\": {\"anyOf\": [{\"type\": \"array\", \"minItems\": 1}, " +
         object(properties(kDistributions), ", \"oneOf\": " + one_of(kDistributions)) +
         "]}},\n\"design\": " + object(properties(design), ", \"oneOf\": " + one_of(kDesigns)) +
         ",\n\"per_run\": " + object(properties(kPerRun), "") + "}\n}\n";
}

}  // namespace carom::sweep
