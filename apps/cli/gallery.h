// A folder with a page of every demo, or of some, and an index of them.
#pragma once

#include <span>
#include <string>

namespace carom::cli {

/// All demos where none is named. Gives back the exit code.
int write_gallery(const std::string& folder, std::span<const std::string> names);

}  // namespace carom::cli
