// The scenes that the command carries inside.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "carom/scene/document.h"

namespace carom::cli {

struct Demo {
  const char* name;
  const char* text;
};

std::span<const Demo> demos();

/// The mesh files that they name.
const std::vector<CarriedFile>& demo_files();

/// Null if there is none of this name.
const Demo* find_demo(std::string_view name);

}  // namespace carom::cli
