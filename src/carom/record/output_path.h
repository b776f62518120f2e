// Says early and plainly why a file cannot be written.
#pragma once

#include <string>

namespace carom {

/// Throws std::runtime_error if `path` is empty, is a folder, or lies in a
/// folder that does not exist or cannot be written to.
void check_output_path(const std::string& path);

}  // namespace carom
