// Where a character of a formula stands in the file of a scene.
#pragma once

#include <string>

#include "carom/math/formula_tape.h"
#include "carom/scene/read/document.h"

namespace carom {

/// The place of byte `at` of `formula_text(node.text)`: the character itself where the file has
/// the text as it was read, the beginning of the scalar where escapes or folding moved it.
Mark formula_mark(const Document& document, const Node& node, std::size_t at);

/// Reports `error` of the formula in `node`, with its line and a caret: "<message>: <reason>".
void report_formula(const Document& document, const Node& node, const std::string& message,
                    const FormulaError& error, const std::string& remedy, Diagnostics& out);

}  // namespace carom
