// Loading a Document: the file, what it includes, and what the command line overrides.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "carom/scene/read/document.h"
#include "carom/scene/read/yaml_loader.h"

namespace carom {

/// An option of a command that stands for an override; findings name it instead of a place.
struct NamedOverride {
  std::string option, path, value;  ///< "--until", "run.until", "20"
};

struct ReadOptions {
  /// Where files named in a scene may lie, and relative paths start. Empty: the folder
  /// of the scene file; a scene given as text may then name no files.
  std::string folder;
  bool allow_outside = false;                  ///< include and mesh files may lie anywhere
  std::vector<CarriedFile> carried;            ///< mesh files that come with the scene
  std::vector<std::string> overrides;          ///< "bodies.ball.velocity=[1, 0, 0]", in order
  std::vector<NamedOverride> named_overrides;  ///< after `overrides`
  LoadLimits limits;
};

std::optional<Document> load_document_file(const std::string& path, const ReadOptions& options,
                                           Diagnostics& diagnostics);
/// `name` stands for the file in messages.
std::optional<Document> load_document_text(std::string_view text, const std::string& name,
                                           const ReadOptions& options, Diagnostics& diagnostics);

/// The path that `text` (written in the file that `where` points into) stands for, or
/// nothing (with an error) if it may not be read.
std::optional<std::string> resolve_path(const Document& document, const std::string& text,
                                        const Mark& where, Diagnostics& diagnostics);

/// The layers on top of each other, the lowest first: maps merge, everything else is replaced.
/// At least one layer.
Node merge_layers(std::vector<Node> layers);

}  // namespace carom
