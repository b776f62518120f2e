// From YAML to a Study, with all findings of the file in one pass.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "carom/sweep/study.h"

namespace carom::sweep {

std::optional<Study> read_study_file(const std::string& path, Diagnostics& diagnostics);
/// `name` stands for the file in messages; relative paths start from `folder`.
std::optional<Study> read_study_text(std::string_view text, const std::string& name,
                                     const std::string& folder, Diagnostics& diagnostics);

/// Whether a file is a study, by its first key (`carom_study`); false if it cannot be read.
bool is_study_file(const std::string& path);

/// The JSON Schema (draft 2020-12) of study files.
std::string study_schema();

}  // namespace carom::sweep
