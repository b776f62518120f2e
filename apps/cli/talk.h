// What the command prints. Names and texts come from scenes and result files, which may be a
// stranger's: controls in them become visible here, so that none reaches the terminal.
#pragma once

#include <fmt/core.h>

#include <cstdio>

#include "carom/base/text.h"

namespace carom::cli {

/// Talk, on stderr.
template <class... Args>
void tell(fmt::format_string<Args...> format, Args&&... args) {
  const std::string text = printable(fmt::format(format, std::forward<Args>(args)...));
  std::fwrite(text.data(), 1, text.size(), stderr);
}

/// Data, on stdout.
template <class... Args>
void say(fmt::format_string<Args...> format, Args&&... args) {
  const std::string text = printable(fmt::format(format, std::forward<Args>(args)...));
  std::fwrite(text.data(), 1, text.size(), stdout);
}

}  // namespace carom::cli
