// A folder with a page of every demo, and an index of them.
#pragma once

#include <string>

namespace carom::cli {

/// Gives back the exit code.
int write_gallery(const std::string& folder);

}  // namespace carom::cli
