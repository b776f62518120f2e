// The keys of a study file: one table for the reader's suggestions and for the schema.
#pragma once

#include <span>
#include <string>
#include <vector>

namespace carom::sweep {

struct StudyKey {
  const char* name;
  const char* schema;  ///< the JSON Schema of its value
  const char* doc;
};

std::span<const StudyKey> study_keys();
std::span<const StudyKey> distribution_keys();
std::span<const StudyKey> design_kinds();
std::span<const StudyKey> design_options();
/// Those but max_cpu stand for `run.<name>` of the scene, output_step for run.output.step.
std::span<const StudyKey> per_run_keys();

std::vector<std::string> names_of(std::span<const StudyKey> keys);

}  // namespace carom::sweep
