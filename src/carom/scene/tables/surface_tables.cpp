// Idealised surfaces and what connects them.
#include "carom/contact/friction_law.h"
#include "carom/contact/normal_law.h"
#include "carom/proximity/smooth/surface.h"
#include "carom/scene/surface_spec.h"
#include "carom/scene/tables/tables.h"

namespace carom {
namespace {

using enum FieldKind;

Record surface_record() {
  Record surface{.name = "surface",
                 .doc = "a face that touches, apart from the shapes of its body",
                 .fields = {
                     {.name = "body",
                      .kind = reference,
                      .doc = "that carries it, or world",
                      .default_text = "world"},
                     {.name = "at",
                      .kind = vector3,
                      .unit = "m",
                      .doc = "its centre in the body frame",
                      .default_text = "[0, 0, 0]"},
                     {.name = "normal",
                      .kind = axis,
                      .doc = "that a flat surface faces, in body axes",
                      .default_text = "z"},
                     {.name = "axis",
                      .kind = axis,
                      .doc = "of a cylinder, or along the length of a rectangle",
                      .default_text = "x"},
                     {.name = "rotation",
                      .kind = rotation,
                      .unit = "rad",
                      .doc = "of its axes in the body's, in place of normal and axis",
                      .default_text = "[0, 0, 0]"},
                     {.name = "material", .kind = reference, .doc = "default: the body's"},
                 }};
  for (const SurfaceKind* kind : surface_catalogue()) {
    surface.choices.push_back({.name = kind->name,
                               .kind = record,
                               .doc = kind->doc,
                               .record = std::string("surface.") + kind->name});
  }
  surface.choices.push_back(
      {.name = "shape", .kind = reference, .doc = "a convex shape of the body, by its name"});
  surface.choices.push_back(
      {.name = "faces",
       .kind = reference,
       .doc =
           "of a box, cylinder or sphere of the body, by its name: a surface for each, NAME_plus_x "
           "and so on, NAME_side; NAME itself stands for all of them"});
  return surface;
}

/// A choice among laws, or the fields of the usual one at once.
template <class Row>
Record short_record(const char* name, const char* doc, std::span<const Row* const> rows,
                    const std::string& prefix, std::vector<Field> fields) {
  Record out{.name = name, .doc = doc, .fields = std::move(fields)};
  out.choice_required = false;
  for (const Row* row : rows) {
    out.choices.push_back(
        {.name = row->name, .kind = record, .doc = row->doc, .record = prefix + row->name});
  }
  return out;
}

Record law_record() {
  const NormalLaw& row = *find_normal_law(kSurfaceNormalLaw);
  // The paper's letters for the fields of the row, in its order.
  const char* letters[] = {"c", "d", "n", "m"};
  std::vector<Field> fields;
  for (std::size_t i = 0; i < row.fields.size(); ++i) {
    Field field = to_field(row.fields[i]);
    field.name = letters[i];
    field.required = false;
    fields.push_back(std::move(field));
  }
  fields.push_back({.name = "t",
                    .unit = "m",
                    .doc = "thickness of the elastic layer",
                    .default_value = kSurfaceLayer,
                    .min = 0.0,
                    .open = true});
  return short_record(
      "surface_contact_law",
      "normal force of two surfaces: c p^n + d p^m p' per point, or a row of the catalogue",
      normal_law_catalogue(), "law.", std::move(fields));
}

Record friction_record() {
  std::vector<Field> fields;
  for (const ParamField& param : find_friction_law(kSurfaceFrictionLaw)->fields) {
    Field field = to_field(param);
    field.required = false;
    fields.push_back(std::move(field));
  }
  return short_record("surface_contact_friction",
                      "friction of two surfaces: Makkar's curve, or a row of the catalogue",
                      friction_law_catalogue(), "friction.", std::move(fields));
}

}  // namespace

std::vector<Field> surface_contact_fields() {
  return {{.name = "beyond",
           .kind = word,
           .doc = "where the layer is used up: push on, or release as in the paper",
           .default_text = "push",
           .words = {"push", "release"}},
          {.name = "speed",
           .unit = "m/s",
           .doc = "of the impacts whose restitution `law: auto` reproduces",
           .default_value = SurfaceContactSpec{}.speed,
           .min = 0.0,
           .open = true},
          {.name = "filter",
           .kind = boolean,
           .doc = "low-pass of second order (Bessel) for the movement of the points",
           .default_value = 0.0},
          {.name = "frequency",
           .unit = "Hz",
           .doc = "of the filter",
           .default_value = 1e4,
           .min = 0.0,
           .open = true}};
}

std::vector<Record> surface_tables() {
  std::vector<Record> tables{surface_record()};
  for (const SurfaceKind* kind : surface_catalogue()) {
    Record fields{.name = std::string("surface.") + kind->name, .doc = kind->doc, .fields = {}};
    for (const ParamField& param : kind->fields) fields.fields.push_back(to_field(param));
    tables.push_back(std::move(fields));
  }
  tables.push_back(law_record());
  tables.push_back(friction_record());
  return tables;
}

}  // namespace carom
