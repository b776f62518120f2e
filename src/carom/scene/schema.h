// The grammar for editors and for readers: a JSON Schema (draft 2020-12) and tables in
// Markdown, both made from the tables of fields.h.
#pragma once

#include <string>

namespace carom {

/// For completion and checks while typing; what it refuses, the reader refuses too.
std::string json_schema();

/// One table per record, and the palette of materials.
std::string scene_reference_markdown();

}  // namespace carom
