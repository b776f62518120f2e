// carom list: the catalogues with fields, units, defaults and ranges.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "carom/base/json.h"
#include "carom/base/text.h"
#include "carom/contact/friction_law.h"
#include "carom/contact/materials.h"
#include "carom/contact/normal_law.h"
#include "carom/contact/resistance_law.h"
#include "carom/geometry/shape.h"
#include "carom/integrate/integrator.h"
#include "carom/multibody/force_kind.h"
#include "carom/multibody/joint_kind.h"
#include "carom/proximity/smooth/surface.h"
#include "commands.h"
#include "exit_code.h"
#include "talk.h"

namespace carom::cli {
namespace {

std::string range_text(const ParamField& f) {
  const bool low = std::isfinite(f.min), high = std::isfinite(f.max);
  if (f.type == ParamType::boolean) return "true or false";
  const char* more = f.open ? ">" : ">=";
  const char* less = f.open ? "<" : "<=";
  if (low && high) return fmt::format("{} {}, {} {}", more, f.min, less, f.max);
  if (low) return fmt::format("{} {}", more, f.min);
  if (high) return fmt::format("{} {}", less, f.max);
  return "any";
}

std::string default_text(const ParamField& f) {
  if (std::isnan(f.default_value)) return "required";
  if (f.type == ParamType::boolean) return f.default_value != 0.0 ? "true" : "false";
  return number_text(f.default_value);
}

void print_fields(std::span<const ParamField> fields, bool completed) {
  for (const ParamField& f : fields) {
    const bool from_pair = completed && std::isnan(f.default_value);
    say("    {:<22} {:<10} default {:<10} {:<16} {}\n", f.name, f.unit,
        from_pair ? "of pair" : default_text(f), range_text(f), f.doc);
  }
}

std::string json_fields(std::span<const ParamField> fields) {
  return json_list(fields, [](const ParamField& f) {
    JsonObject out;
    out.text("name", f.name).text("unit", f.unit).text("doc", f.doc);
    return out.number("default", f.default_value).number("min", f.min).number("max", f.max).str();
  });
}

struct Row {
  std::string name, doc;
  std::span<const ParamField> fields;
};

std::vector<Row> rows_of(const std::string& catalogue) {
  std::vector<Row> rows;
  if (catalogue == "joints") {
    for (const JointKind* k : joint_catalogue()) rows.push_back({k->name, k->doc, k->fields});
  } else if (catalogue == "shapes") {
    for (const ShapeKind* k : shape_catalogue()) rows.push_back({k->name, k->doc, k->fields});
  } else if (catalogue == "forces") {
    for (const ForceKind* k : force_catalogue()) rows.push_back({k->name, k->doc, k->fields});
  } else if (catalogue == "normal") {
    for (const NormalLaw* k : normal_law_catalogue()) rows.push_back({k->name, k->doc, k->fields});
  } else if (catalogue == "friction") {
    for (const FrictionLaw* k : friction_law_catalogue()) {
      rows.push_back({k->name, k->doc, k->fields});
    }
  } else if (catalogue == "resistance") {
    for (const ResistanceLaw* k : resistance_law_catalogue()) {
      rows.push_back({k->name, k->doc, k->fields});
    }
  } else if (catalogue == "surfaces") {
    for (const SurfaceKind* k : surface_catalogue()) rows.push_back({k->name, k->doc, k->fields});
  } else if (catalogue == "integrators") {
    for (const Method* m : method_catalogue()) {
      rows.push_back({m->name,
                      fmt::format("{} (order {}, {}, {}{})", m->doc, m->order,
                                  m->error_controlled ? "error-controlled" : "fixed step",
                                  m->implicit ? "implicit" : "explicit",
                                  m->handles_projection ? ", loops" : ""),
                      {}});
    }
  }
  return rows;
}

int list_materials(bool json) {
  std::vector<std::string> out;
  for (const Material& m : material_palette()) {
    if (json) {
      JsonObject row;
      row.text("name", m.name).number("density", m.density);
      row.number("youngs_modulus", m.youngs_modulus).number("poissons_ratio", m.poissons_ratio);
      out.push_back(row.text("source", m.source).str());
    } else {
      say("{:<18} density {:>8.6g} kg/m3   E {:>10.4g} Pa   nu {:<6.4g} {}\n", m.name, m.density,
          m.youngs_modulus, m.poissons_ratio, m.source);
    }
  }
  if (json) say("{}\n", json_rows(out));
  return kDone;
}

int list_catalogue(const std::string& catalogue, bool json) {
  const std::vector<std::string> names{"joints",   "shapes",      "forces",
                                       "normal",   "friction",    "resistance",
                                       "surfaces", "integrators", "materials"};
  if (std::ranges::find(names, catalogue) == names.end()) {
    tell("carom: '{}' is not a catalogue\n  {}\n", catalogue, suggest(catalogue, names));
    return kWrongUsage;
  }
  if (catalogue == "materials") return list_materials(json);
  // Laws complete what is not given from the pair of materials.
  const bool completed =
      catalogue == "normal" || catalogue == "friction" || catalogue == "resistance";
  std::vector<std::string> out;
  for (const Row& row : rows_of(catalogue)) {
    if (json) {
      JsonObject described;
      described.text("name", row.name).text("doc", row.doc);
      out.push_back(described.put("fields", json_fields(row.fields)).str());
    } else {
      say("{:<20} {}\n", row.name, row.doc);
      print_fields(row.fields, completed);
    }
  }
  if (json) say("{}\n", json_rows(out));
  return kDone;
}

}  // namespace

void add_list(Program& program) {
  struct Options {
    std::string catalogue;
    bool json = false;
  };
  auto options = std::make_shared<Options>();
  CLI::App* command =
      program.add("list", "print a catalogue: fields, units, defaults, ranges",
                  [options] { return list_catalogue(options->catalogue, options->json); });
  command
      ->add_option("catalogue", options->catalogue,
                   "joints, shapes, forces, normal, friction, resistance, surfaces, integrators or "
                   "materials")
      ->required();
  command->add_flag("--json", options->json, "print one JSON document");
}

}  // namespace carom::cli
