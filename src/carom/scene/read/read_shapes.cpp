// Shapes of a body, made by the geometry module from what the scene says.
#include <filesystem>

#include "carom/geometry/mesh_file.h"
#include "carom/geometry/surface_tape.h"
#include "carom/scene/load.h"
#include "carom/scene/read/read_parts.h"
#include "carom/scene/values.h"

namespace carom {
namespace {

void read_points(MapReader& fields, ShapeInput& input) {
  const Node* points = fields.find("points");
  if (!points) return;
  if (!points->is_list()) {
    fields.reader.wrong(*points, fields.path("points"), "a list of points [x, y, z]");
    return;
  }
  const Field place;
  for (std::size_t i = 0; i < points->items.size(); ++i) {
    const auto p = fields.reader.vector3(points->items[i], place,
                                         fields.path("points") + "." + std::to_string(i));
    if (p) input.mesh.vertices.push_back(*p);
  }
}

/// The mesh that `name` stands for: a file that the scene carries, or one on the disk. `file` is
/// then its name relative to the scene's folder.
std::optional<TriangleMesh> find_mesh(Reader& reader, const std::string& name, const Mark& where,
                                      const MeshLimits& limits, std::string& file) {
  const Document& document = reader.document;
  for (const CarriedFile& carried : document.carried) {
    if (carried.name != name) continue;
    file = name;
    return read_mesh_bytes(carried.bytes, name, reader.out, reader.at(where), limits);
  }
  const auto path = resolve_path(document, name, where, reader.out);
  if (!path) return {};
  // A file named by an included scene is relative to that one; the Scene has one folder.
  const auto relative =
      std::filesystem::path(*path).lexically_relative(document.root_folder).generic_string();
  reader.files.push_back(*path);
  file = relative.empty() || document.root_folder.empty() ? *path : relative;
  return read_mesh(*path, reader.out, reader.at(where), limits);
}

void read_mesh_file(MapReader& fields, OpenMesh holes, ShapeInput& input, ShapeSpec& spec) {
  const Node* file = fields.find("file");
  if (!file) return;
  const auto text = fields.reader.text(*file, fields.path("file"));
  if (!text) return;
  auto mesh = find_mesh(fields.reader, *text, file->where, {.holes = holes}, spec.file);
  if (spec.file.empty()) return;
  if (mesh) input.mesh = *std::move(mesh);
  const Vec3 factors = fields.vector3("scale", {1, 1, 1});
  for (std::size_t i = 0; i < 3; ++i) input.scale[i] *= factors[i];
  spec.scale = input.scale;
}

/// From and to; ends may be formulas of numbers, as -pi.
void read_range(MapReader& fields, const char* name, SurfaceFormulas& out) {
  const Node* node = fields.find(name);
  if (!node) return;
  Node ends = *node;
  for (Node& end : ends.items) {
    const bool is_plain = end.is_scalar() && !end.text.empty() && !parse_number(end.text) &&
                          end.text[0] != '=' && end.text[0] != '$';
    if (is_plain) end.text = "=" + end.text;
  }
  const auto range = fields.reader.numbers(ends, fields.field(name), 2, fields.path(name));
  if (range) out.ranges.push_back({name, (*range)[0], (*range)[1]});
}

/// A formula of a surface, parsed so that what is wrong in it is shown where it stands.
void read_surface_formula(MapReader& fields, const ShapeKind& kind, const char* name,
                          SurfaceFormulas& out) {
  const Node* node = fields.find(name);
  if (!node) return;
  const auto text = fields.reader.text(*node, fields.path(name));
  if (!text) return;
  const std::string formula = formula_text(*text);
  FormulaError error;
  const FormulaTape tape = compile_surface_formula(out, kind.ranges, formula, error);
  if (!error.empty()) return fields.reader.formula_error(*node, fields.path(name), error);
  for (const FormulaKink& kink : tape.kinks) {
    fields.reader.warning(node->where,
                          fields.path(name) + " has a kink or jump: '" + kink.name +
                              "'; contact takes surfaces for smooth",
                          "round the edge, or make the surface of several shapes");
  }
  out.texts.push_back({name, formula});
}

/// Two opposite corners, as ranges of three variables.
void read_box(MapReader& fields, const ShapeKind& kind, SurfaceFormulas& out) {
  const Node& node = *fields.find("within");
  const Field place;
  std::vector<Vec3> corners;
  for (std::size_t i = 0; node.is_list() && i < node.items.size(); ++i) {
    const auto p = fields.reader.vector3(node.items[i], place,
                                         fields.path("within") + "." + std::to_string(i));
    if (p) corners.push_back(*p);
  }
  if (!node.is_list() || node.items.size() != 2) {
    fields.reader.wrong(node, fields.path("within"), "two corners of a box",
                        "write within: [[-1, -1, -1], [1, 1, 1]]");
    return;
  }
  if (corners.size() != 2) return;
  for (std::size_t k = 0; k < 3; ++k) {
    out.ranges.push_back({kind.ranges[k].name, corners[0][k], corners[1][k]});
  }
}

void read_formulas(MapReader& fields, const ShapeKind& kind, SurfaceFormulas& out) {
  const Field any_number;
  for_each_named(
      fields.reader, fields.find("with"), fields.path("with"), [&](const NodeEntry& entry) {
        const auto value =
            fields.reader.number(entry.value, any_number, fields.path("with") + "." + entry.key);
        if (value) out.with.push_back({entry.key, *value});
      });
  if (fields.find("within")) {
    read_box(fields, kind, out);
  } else {
    for (const FormulaField& f : kind.ranges) read_range(fields, f.name, out);
  }
  for (const FormulaField& f : kind.formulas) read_surface_formula(fields, kind, f.name, out);
}

/// Orientation of the shape: angles, or the direction of its x axis.
Mat3 read_orientation(MapReader& map) {
  const Node* axis = map.find("axis");
  if (!axis) return map.rotation("rotation");
  if (map.has("rotation")) {
    map.reader.error(axis->where, map.path() + " has both axis and rotation", "keep one of them");
  }
  const auto direction = map.reader.axis(*axis, map.field("axis"), map.path("axis"));
  if (!direction || *direction == Vec3{1, 0, 0}) return {};
  // frame_with_z in cyclic order: its first column is the direction.
  const Mat3 frame = frame_with_z(*direction);
  return Mat3::from_columns(frame.col(2), frame.col(0), frame.col(1));
}

/// True if everything the kind needs could be read.
bool read_kind(MapReader& map, OpenMesh holes, ShapeInput& input, ShapeSpec& spec) {
  const int errors_before = map.reader.out.error_count();
  const std::string name = map.kind()->name;
  input.kind = find_shape_kind(name);
  input.scale = map.vector3("scale", {1, 1, 1});
  if (map.has("edge_radius")) input.edge_radius = map.number("edge_radius");
  MapReader fields(map.reader, map.kind_value(), map.kind()->record, map.path(name));
  input.params = fields.params(input.kind->fields);
  if (input.kind->source == ShapeSource::points) read_points(fields, input);
  if (input.kind->source == ShapeSource::mesh) read_mesh_file(fields, holes, input, spec);
  if (input.kind->source == ShapeSource::formulas || !input.kind->ranges.empty()) {
    read_formulas(fields, *input.kind, input.formulas);
  }
  return map.reader.out.error_count() == errors_before;
}

/// A shape that cannot be had has no kind: that was told, and all that would follow from it is not.
void read_shape(Reader& reader, const Node& node, const std::string& path, BodySpec& body) {
  MapReader map(reader, node, "shape", path);
  ShapeSpec& spec = body.shapes.emplace_back();
  if (!map.is_map()) return;
  spec.where = reader.at(node.where);
  spec.name = map.text("name");
  spec.X_BS = {read_orientation(map), map.vector3("at")};
  spec.material = read_material_name(map);
  spec.density = map.optional_number("density").value_or(-1.0);
  spec.has_mass = map.boolean("mass");
  spec.contact = map.boolean("contact");
  if (!map.kind()) return;
  ShapeInput input;
  const OpenMesh holes = !spec.has_mass ? OpenMesh::meant
                         : body.fixed   ? OpenMesh::note
                                        : OpenMesh::warning;
  if (!read_kind(map, holes, input, spec)) return;
  auto shape = make_shape(std::move(input), reader.out, spec.where);
  if (!shape) return;
  spec.shape = *std::move(shape);
}

}  // namespace

void read_shapes(MapReader& body, BodySpec& spec) {
  const Node* list = body.find("shapes");
  if (!list || list->is_null()) return;
  if (!list->is_list()) {
    body.reader.wrong(*list, body.path("shapes"), "a list of shapes",
                      "write shapes: [{sphere: {radius: 0.1}}]");
    return;
  }
  for (std::size_t i = 0; i < list->items.size(); ++i) {
    read_shape(body.reader, list->items[i], body.path("shapes") + "." + std::to_string(i), spec);
  }
}

}  // namespace carom
