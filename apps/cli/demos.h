// The scenes that the command carries inside.
#pragma once

#include <span>
#include <string_view>

namespace carom::cli {

struct Demo {
  const char* name;
  const char* text;
};

std::span<const Demo> demos();

/// Null if there is none of this name.
const Demo* find_demo(std::string_view name);

}  // namespace carom::cli
