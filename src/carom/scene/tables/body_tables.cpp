// Bodies, their shapes (from the catalogue of shapes) and their markers.
#include "carom/geometry/shape.h"
#include "carom/scene/tables/tables.h"

namespace carom {
namespace {

using enum FieldKind;

Record body_record() {
  return {.name = "body",
          .doc = "a rigid body; without a joint it is free, unless it is fixed",
          .fields = {
              {.name = "fixed", .kind = boolean, .doc = "does not move", .default_value = 0.0},
              {.name = "material", .kind = reference, .doc = "of the shapes that state none"},
              {.name = "mass",
               .kind = number,
               .unit = "kg",
               .doc = "overrides the shapes', whose distribution is kept",
               .min = 0.0,
               .open = true},
              {.name = "com",
               .kind = vector3,
               .unit = "m",
               .doc = "centre of mass in the body frame; needs mass"},
              {.name = "inertia",
               .kind = inertia,
               .unit = "kg.m²",
               .doc = "about the centre of mass, body axes: [Ixx, Iyy, Izz] or with the tensor "
                      "elements Ixy, Ixz, Iyz; needs mass"},
              {.name = "shapes",
               .kind = record_list,
               .doc = "what the body is made of",
               .record = "shape"},
              {.name = "markers",
               .kind = marker_map,
               .doc = "named frames: [x, y, z], or with a rotation",
               .record = "marker"},
              {.name = "joint",
               .kind = record,
               .doc = "the joint that carries the body, as in `joints`",
               .record = "joint"},
              {.name = "position",
               .kind = vector3,
               .unit = "m",
               .doc = "of the body's origin in the world"},
              {.name = "orientation",
               .kind = quaternion,
               .doc = "of the body's axes in the world, as a quaternion w, x, y, z"},
              {.name = "rotation",
               .kind = rotation,
               .unit = "rad",
               .doc = "the same by Cardan angles about x, y, z"},
              {.name = "velocity",
               .kind = vector3,
               .unit = "m/s",
               .doc = "of the body's origin, world axes"},
              {.name = "angular_velocity", .kind = vector3, .unit = "rad/s", .doc = "world axes"},
          }};
}

Record marker_record() {
  return {.name = "marker",
          .doc = "a frame fixed to a body",
          .fields = {
              {.name = "at",
               .kind = vector3,
               .unit = "m",
               .doc = "its origin in the body frame",
               .default_text = "[0, 0, 0]"},
              {.name = "rotation",
               .kind = rotation,
               .unit = "rad",
               .doc = "of its axes in the body's",
               .default_text = "[0, 0, 0]"},
          }};
}

Record shape_record() {
  Record shape{.name = "shape",
               .doc = "one shape of a body: its kind, and where it sits",
               .fields = {
                   {.name = "name", .kind = reference, .doc = "unique within the body"},
                   {.name = "at",
                    .kind = vector3,
                    .unit = "m",
                    .doc = "origin of the shape in the body frame",
                    .default_text = "[0, 0, 0]"},
                   {.name = "rotation",
                    .kind = rotation,
                    .unit = "rad",
                    .doc = "of the shape's axes in the body's",
                    .default_text = "[0, 0, 0]"},
                   {.name = "axis",
                    .kind = axis,
                    .doc = "direction of the shape's x axis, in place of a rotation",
                    .default_text = "x"},
                   {.name = "scale",
                    .kind = vector3,
                    .doc = "factors along the shape's axes",
                    .default_value = 1.0,
                    .min = 0.0,
                    .open = true},
                   {.name = "edge_radius",
                    .kind = number,
                    .unit = "m",
                    .doc = "rounding of edges that contact sees; default: of the kind",
                    .min = 0.0},
                   {.name = "material", .kind = reference, .doc = "default: the body's"},
                   {.name = "density",
                    .kind = number,
                    .unit = "kg/m³",
                    .doc = "default: the material's",
                    .min = 0.0},
                   {.name = "mass",
                    .kind = boolean,
                    .doc = "counts towards the body's mass",
                    .default_value = 1.0},
                   {.name = "contact",
                    .kind = boolean,
                    .doc = "may touch other bodies",
                    .default_value = 1.0},
               }};
  for (const ShapeKind* kind : shape_catalogue()) {
    if (kind->source == ShapeSource::support_function) continue;  // made from C++ only
    shape.choices.push_back({.name = kind->name,
                             .kind = record,
                             .doc = kind->doc,
                             .record = std::string("shape.") + kind->name});
  }
  return shape;
}

Record shape_kind_record(const ShapeKind& kind) {
  Record row{.name = std::string("shape.") + kind.name, .doc = kind.doc, .fields = {}};
  if (kind.source == ShapeSource::points) {
    row.fields.push_back({.name = "points",
                          .kind = points,
                          .unit = "m",
                          .doc = "points of the shape",
                          .required = true});
  }
  if (kind.source == ShapeSource::mesh) {
    row.fields.push_back({.name = "file",
                          .kind = text,
                          .doc = "mesh file, below the scene's folder",
                          .required = true});
    row.fields.push_back({.name = "scale",
                          .kind = vector3,
                          .doc = "factors from the file's unit to metres",
                          .default_value = 1.0,
                          .min = 0.0,
                          .open = true});
  }
  for (const FormulaField& f : kind.formulas) {
    row.fields.push_back(
        {.name = f.name, .kind = text, .unit = f.unit, .doc = f.doc, .required = true});
  }
  // Three ranges are a box.
  const bool is_in_box = kind.ranges.size() == 3;
  if (is_in_box) {
    row.fields.push_back({.name = "within",
                          .kind = points,
                          .unit = "m",
                          .doc = "the box in which the surface lies, by two opposite corners",
                          .required = true});
  }
  for (const FormulaField& f : kind.ranges) {
    if (is_in_box) break;
    row.fields.push_back(
        {.name = f.name, .kind = range, .unit = f.unit, .doc = f.doc, .required = true});
  }
  if (kind.source == ShapeSource::formulas) {
    row.fields.push_back(
        {.name = "with", .kind = number_map, .doc = "numbers that the formulas call by name"});
  }
  for (const ParamField& param : kind.fields) row.fields.push_back(to_field(param));
  return row;
}

}  // namespace

std::vector<Record> body_tables() {
  std::vector<Record> tables{body_record(), marker_record(), shape_record()};
  for (const ShapeKind* kind : shape_catalogue()) {
    if (kind->source == ShapeSource::support_function) continue;
    tables.push_back(shape_kind_record(*kind));
  }
  return tables;
}

}  // namespace carom
