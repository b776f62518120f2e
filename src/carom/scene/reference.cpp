// The reference tables of the documentation.
#include <cmath>

#include "carom/base/text.h"
#include "carom/contact/materials.h"
#include "carom/scene/fields.h"
#include "carom/scene/schema.h"

namespace carom {
namespace {

/// Bars would end a cell.
std::string cell(std::string text) {
  for (std::size_t i = 0; (i = text.find('|', i)) != std::string::npos; i += 2) {
    text.replace(i, 1, "\\|");
  }
  return text;
}

std::string default_of(const Field& field) {
  if (field.required) return "required";
  if (!field.default_text.empty()) return "`" + field.default_text + "`";
  if (std::isnan(field.default_value)) return "";
  if (field.kind == FieldKind::boolean) return field.default_value == 1.0 ? "`true`" : "`false`";
  if (std::isinf(field.default_value)) return field.default_value > 0 ? "`.inf`" : "`-.inf`";
  return "`" + number_text(field.default_value) + "`";
}

std::string row(const Field& field) {
  std::string meaning = field.doc;
  const std::string bounds = bounds_text(field);
  if (!bounds.empty()) meaning += " (" + bounds + ")";
  for (std::size_t i = 0; i < field.words.size(); ++i) {
    meaning += (i == 0 ? ": `" : ", `") + field.words[i] + "`";
  }
  std::string type = kind_text(field.kind);
  if (!field.record.empty() && field.record != field.name) type += " (" + field.record + ")";
  return "| `" + field.name + "` | " + cell(type) + " | " + field.unit + " | " + default_of(field) +
         " | " + cell(meaning) + " |\n";
}

std::string table(const Record& record) {
  std::string out = "### " + record.name + "\n\n" + record.doc + ".\n\n";
  const char* head = "| key | value | unit | default | meaning |\n|---|---|---|---|---|\n";
  if (!record.choices.empty()) {
    out += std::string("Exactly one of\n\n") + head;
    for (const Field& choice : record.choices) out += row(choice);
    out += "\n";
  }
  if (!record.fields.empty()) {
    if (!record.choices.empty()) out += "and any of\n\n";
    out += head;
    for (const Field& field : record.fields) out += row(field);
    out += "\n";
  }
  return out;
}

}  // namespace

std::string scene_reference_markdown() {
  std::string out = "## Reference of the scene format\n\n";
  for (const Record& record : scene_records()) out += table(record);
  out += "### Materials of the palette\n\n";
  out +=
      "| name | density [kg/m³] | Young's modulus [Pa] | Poisson's ratio | yield strength [Pa] | "
      "source |\n|---|---|---|---|---|---|\n";
  for (const Material& m : material_palette()) {
    out += "| `" + std::string(m.name) + "` | " + number_text(m.density) + " | " +
           number_text(m.youngs_modulus) + " | " + number_text(m.poissons_ratio) + " | " +
           (m.yield_strength < 0.0 ? std::string() : number_text(m.yield_strength)) + " | " +
           m.source + " |\n";
  }
  return out;
}

}  // namespace carom
