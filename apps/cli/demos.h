// The scenes that the command carries inside, with their pictures.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "carom/scene/read/document.h"

namespace carom::cli {

struct Demo {
  const char* name;
  const char* text;
  std::string_view picture;  ///< a JPEG of its page, from docs/pictures; empty if there is none
};

std::span<const Demo> demos();

/// The mesh files that they name.
const std::vector<CarriedFile>& demo_files();

/// Null if there is none of this name.
const Demo* find_demo(std::string_view name);

}  // namespace carom::cli
