#include "carom/geometry/shape.h"

#include <algorithm>

#include "carom/base/text.h"
#include "carom/geometry/scaled_shape.h"

namespace carom {
namespace {

std::string bounds_text(const ParamField& f) {
  const char* or_equal = f.open ? "" : "or equal to ";
  std::string text;
  if (f.min > -kInf) text = std::string("greater than ") + or_equal + number_text(f.min);
  if (f.max < kInf) {
    text += text.empty() ? "" : " and ";
    text += std::string("less than ") + or_equal + number_text(f.max);
  }
  return text;
}

bool within(const ParamField& f, double x) {
  return f.open ? x > f.min && x < f.max : x >= f.min && x <= f.max;
}

bool check_params(const ShapeKind& kind, std::span<const double> params, Diagnostics& out,
                  const SourcePos& where) {
  const std::string shape = kind.name;
  if (params.size() != width(kind.fields)) {
    out.error(where, shape + " has " + std::to_string(params.size()) + " numbers, it takes " +
                         std::to_string(width(kind.fields)));
    return false;
  }
  bool good = true;
  std::size_t at = 0;
  for (const ParamField& f : kind.fields) {
    for (std::size_t i = 0; i < width(f); ++i) {
      const double x = params[at++];
      std::string rule;
      if (!std::isfinite(x))
        rule = "a finite number";
      else if (f.type == ParamType::integer && x != std::floor(x))
        rule = "a whole number";
      else if (!within(f, x))
        rule = bounds_text(f);
      if (rule.empty()) continue;
      out.error(where,
                f.name + (" of a " + shape) + " is " + number_text(x) + ", it must be " + rule);
      good = false;
    }
  }
  return good;
}

bool build_data(ShapeInput& input, Shape& shape, Diagnostics& out, const SourcePos& where) {
  const ShapeKind& kind = *shape.kind;
  if (kind.source == ShapeSource::support_function) {
    if (!input.custom.support) {
      out.error(where, std::string("a ") + kind.name + " shape needs a support function",
                "such shapes are made from C++; in a scene use a hull or a mesh");
      return false;
    }
    shape.custom = std::make_shared<const CustomSupport>(input.custom);
  }
  if (!kind.build) return true;
  for (const Vec3& p : input.mesh.vertices) {
    if (is_finite(p)) continue;
    out.error(where, std::string("a point of the ") + kind.name + " is not finite");
    return false;
  }
  scale(input.mesh, input.scale);
  MeshData data;
  const std::string problem = kind.build(input, data);
  if (!problem.empty()) {
    out.error(where, problem);
    return false;
  }
  shape.mesh = std::make_shared<const MeshData>(std::move(data));
  return true;
}

/// The surface, and the box around it as the hull that stands for it where pieces are placed.
bool build_surface(const ShapeInput& input, Shape& shape, Diagnostics& out,
                   const SourcePos& where) {
  if (!shape.kind->surface) return true;
  const std::string name = shape.kind->name;
  if (input.scale != Vec3{1.0, 1.0, 1.0} && shape.kind->source == ShapeSource::formulas) {
    out.error(where, "a " + name + " cannot be scaled", "write the factors into its formulas");
    return false;
  }
  std::string problem;
  shape.surface = shape.kind->surface(input, problem);
  if (!shape.surface) {
    out.error(where, "the " + name + " cannot be made: " + problem);
    return false;
  }
  const BoundingBox& box = shape.surface->box();
  std::vector<Vec3> corners;
  for (int i = 0; i < 8; ++i) {
    corners.push_back({i & 1 ? box.upper.x : box.lower.x, i & 2 ? box.upper.y : box.lower.y,
                       i & 4 ? box.upper.z : box.lower.z});
  }
  MeshData data;
  data.hull = make_polytope(corners);
  shape.mesh = std::make_shared<const MeshData>(std::move(data));
  return true;
}

double smallest_extent(const Core& core) {
  const BoundingBox b = bounding_box(core);
  const Vec3 size = b.upper - b.lower;
  return std::min({size.x, size.y, size.z});
}

bool set_edge_radius(double wanted, Shape& shape, Diagnostics& out, const SourcePos& where) {
  const ShapeKind& kind = *shape.kind;
  if (kind.rounding == Rounding::none) {
    if (std::isnan(wanted) || wanted == 0.0) return true;
    out.error(where, "shape '" + std::string(kind.name) + "' has no edges to round",
              "leave edge_radius out; to make it larger, give it a larger size");
    return false;
  }
  const bool inward = kind.rounding == Rounding::inward;
  const double limit = inward ? kind.max_edge_radius(shape.params) : kInf;
  if (std::isnan(wanted)) {
    const double q = std::min({1e-3, 0.01 * smallest_extent(kind.core(shape)), limit});
    shape.edge_radius = inward ? q : 0.0;
    shape.has_default_edges = true;
    return true;
  }
  if (wanted >= 0.0 && wanted <= limit && wanted < kInf) {
    shape.edge_radius = wanted;
    return true;
  }
  out.error(where, "the edge radius of a " + std::string(kind.name) + " is " + number_text(wanted) +
                       ", it must be 0 or more" +
                       (inward ? " and at most " + number_text(limit) + " for this size" : ""));
  return false;
}

}  // namespace

const ShapeKind* find_shape_kind(std::string_view name) {
  for (const ShapeKind* kind : shape_catalogue()) {
    if (name == kind->name) return kind;
  }
  return nullptr;
}

std::optional<Shape> make_shape(ShapeInput input, Diagnostics& out, const SourcePos& where) {
  if (!check_params(*input.kind, input.params, out, where)) return {};
  if (!scale_input(input, out, where)) return {};
  const ShapeKind& kind = *input.kind;
  if (kind.validate) {
    const std::string problem = kind.validate(input.params);
    if (!problem.empty()) {
      out.error(where, problem);
      return {};
    }
  }
  Shape shape;
  shape.kind = &kind;
  shape.params = std::move(input.params);
  shape.formulas = input.formulas;
  if (!build_data(input, shape, out, where)) return {};
  input.params = shape.params;
  if (!build_surface(input, shape, out, where)) return {};
  if (!set_edge_radius(input.edge_radius, shape, out, where)) return {};
  shape.core = kind.core(shape);
  if (kind.pieces) shape.pieces = std::make_shared<const PieceSet>(kind.pieces(shape));
  return shape;
}

Shape make_shape(ShapeInput input) {
  Diagnostics diagnostics;
  std::optional<Shape> shape = make_shape(std::move(input), diagnostics);
  if (!shape) throw InputError(std::move(diagnostics));
  return *std::move(shape);
}

std::vector<double> default_params(const ShapeKind& kind) {
  std::vector<double> params;
  for (const ParamField& f : kind.fields) params.insert(params.end(), width(f), f.default_value);
  return params;
}

std::vector<ShapeInput> examples(const ShapeKind& kind) {
  std::vector<ShapeInput> inputs = kind.examples();
  for (ShapeInput& input : inputs) input.kind = &kind;
  return inputs;
}

MassProperties mass_properties(const Shape& shape, double density) {
  if (!shape.kind->unit_properties) return {};
  MassProperties p = shape.kind->unit_properties(shape);
  p.mass = density * p.volume;
  p.inertia = density * p.inertia;
  return p;
}

std::string mass_problem(const Shape& shape) {
  const std::string name = shape.kind->name;
  if (!shape.kind->unit_properties) return "a " + name + " has no volume";
  if (shape.surface && !shape.surface->is_closed()) {
    return "the surface of the " + name + " is open, so it has no volume";
  }
  if (shape.surface && shape.kind->unit_properties(shape).volume < 0.0) {
    return "the surface of the " + name +
           " closes, but its inside is all around it: change the sign of its formula";
  }
  if (shape.kind->source == ShapeSource::mesh && !shape.mesh->report.bounds_a_body()) {
    return "the mesh has " + describe(shape.mesh->report);
  }
  return {};
}

BoundingBox bounding_box(const Shape& shape) {
  return shape.surface ? shape.surface->box() : bounding_box(shape.core);
}
double bounding_radius(const Shape& shape) { return bounding_radius(shape.core); }

TriangleMesh tessellate(const Shape& shape, int segments) {
  return shape.kind->tessellate(shape, std::max(3, segments));
}

}  // namespace carom
