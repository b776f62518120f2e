// YAML text to a tree of nodes, with everything bounded.
//
// yaml-cpp is used by its events, not by its nodes: events carry the place of every
// key and value, aliases show as aliases (so a cycle is seen before it is walked),
// and the bounds act while the text is being read.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "carom/base/diagnostic.h"
#include "carom/scene/read/document.h"

namespace carom {

struct LoadLimits {
  std::size_t bytes = 64'000'000;  ///< of all files together, and of texts with aliases filled in
  std::size_t nodes = 1'000'000;   ///< after aliases are filled in
  std::size_t files = 1000;        ///< included, counted as often as they are named
  int depth = 64;
};

/// Reads one YAML document. `file` indexes document.files (for messages); `first` is the
/// place of the first character. Nothing is returned if the text cannot be read at all;
/// a repeated key is an error, but the rest of the tree is still given.
std::optional<Node> load_yaml(std::string_view text, int file, const Document& document,
                              Diagnostics& diagnostics, const LoadLimits& limits = {},
                              Mark first = {0, 1, 1});

/// Reads a file into `text`; false (with an error at `where`) if that is not possible.
bool read_text_file(const std::string& path, std::string& text, Diagnostics& diagnostics,
                    const SourcePos& where, const LoadLimits& limits = {});

}  // namespace carom
