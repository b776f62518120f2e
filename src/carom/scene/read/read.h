// From YAML to a Scene.
//
// Every finding names its place, the value, the rule and a remedy, and all findings
// of a file come in one pass. A scene is only given back if there was no error.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "carom/scene/load.h"
#include "carom/scene/scene.h"

namespace carom {

std::optional<Scene> read_scene(const Document& document, Diagnostics& diagnostics);

std::optional<Scene> read_scene_file(const std::string& path, const ReadOptions& options,
                                     Diagnostics& diagnostics);
/// `name` stands for the file in messages.
std::optional<Scene> read_scene_text(std::string_view text, const std::string& name,
                                     const ReadOptions& options, Diagnostics& diagnostics);

/// The same for callers without a use for warnings; throws InputError.
Scene read_scene_file(const std::string& path, const ReadOptions& options = {});
Scene read_scene_text(std::string_view text, const std::string& name = "scene",
                      const ReadOptions& options = {});

}  // namespace carom
