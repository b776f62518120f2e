// `--set path=value`: changes to a Document from the command line.
//
// The path follows the file: bodies.ball.velocity, values.r,
// bodies.arm.shapes.0.box.size; joints.pivot also reaches a joint that is written
// inside a body. What the file does not state yet is added where the tables of
// fields.h know it.
#pragma once

#include <string>

#include "carom/scene/read/document.h"
#include "carom/scene/read/yaml_loader.h"

namespace carom {

/// Applies "path=value". Findings are placed at "--set:<line>:<column>", with the
/// number of the override as the line.
void apply_override(Document& document, const std::string& text, int line, Diagnostics& diagnostics,
                    const LoadLimits& limits = {});

/// The same with path and value apart. Findings are placed at `source`, without a line.
void apply_override(Document& document, const std::string& path, const std::string& value,
                    const std::string& source, Diagnostics& diagnostics, const LoadLimits& limits);

}  // namespace carom
