// Shapes: the catalogue in geometry/shapes, and instances of its rows.
//
// A shape is made once, at compile time of a scene, by make_shape(); after that it
// is an immutable value. Axes: cylinder-like shapes lie along x about the origin;
// cones stand with the centre of their base on the origin and their top at +x; a
// half space is z <= 0.
//
// Edge radius q. `inward`: edges are rounded and faces stay (the core is the shape
// moved in by q on all faces, the ball of radius q moves it out again). `layer`: the
// surface is covered by a layer of thickness q. `none`: there is no edge to round.
// The default is min(1 mm, 1 % of the smallest extent) for `inward` and 0 for
// `layer`, so that by default no face is elsewhere than it was drawn. Mass
// properties are those of the shape with sharp edges.
#pragma once

#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "carom/base/diagnostic.h"
#include "carom/base/param.h"
#include "carom/geometry/core_kinds.h"
#include "carom/geometry/mass_properties.h"
#include "carom/geometry/mesh.h"
#include "carom/geometry/piece_set.h"
#include "carom/geometry/smooth_surface.h"

namespace carom {

struct ShapeKind;

/// What a kind needs besides its fields.
enum class ShapeSource {
  fields,            ///< nothing
  points,            ///< a list of points: ShapeInput::mesh.vertices
  mesh,              ///< triangles, usually from a file: ShapeInput::mesh
  support_function,  ///< ShapeInput::custom; from C++ only
  formulas,          ///< texts and ranges of variables: ShapeInput::formulas
};

enum class Rounding { none, inward, layer };

/// Axes along which a length of a shape lies, as bits.
enum AxisBits : unsigned { kAlongX = 1, kAlongY = 2, kAlongZ = 4 };

/// As an edge radius: the default of the kind.
inline constexpr double kDefaultEdgeRadius = std::numeric_limits<double>::quiet_NaN();

/// Formulas of a surface, ranges of its variables, and numbers that formulas may name.
struct SurfaceFormulas {
  struct Text {
    std::string name, text;
  };
  struct Range {
    std::string name;
    double lower = 0.0, upper = 0.0;
  };
  struct Constant {
    std::string name;
    double value = 0.0;
  };
  std::vector<Text> texts;
  std::vector<Range> ranges;
  std::vector<Constant> with;
};

/// A formula of a kind, or the range of one of its variables.
struct FormulaField {
  const char* name;
  const char* unit;
  const char* doc;
};

/// What the user wrote about one shape.
struct ShapeInput {
  const ShapeKind* kind = nullptr;
  std::vector<double> params{};  ///< flat, after kind->fields
  Vec3 scale{1.0, 1.0, 1.0};     ///< of fields with unit m and of points; not of the edge radius
  double edge_radius = kDefaultEdgeRadius;  ///< [m]
  TriangleMesh mesh{};
  CustomSupport custom{};
  SurfaceFormulas formulas{};
};

/// Vertices and triangles of a shape, and their convex hull.
struct MeshData {
  TriangleMesh mesh;
  MeshReport report;
  Polytope hull;
};

struct Shape {
  const ShapeKind* kind = nullptr;
  std::vector<double> params;      ///< scale is applied
  double edge_radius = 0.0;        ///< [m]
  bool has_default_edges = false;  ///< nobody has set their radius
  std::shared_ptr<const MeshData> mesh;
  std::shared_ptr<const CustomSupport> custom;
  Core core;  ///< what contact sees; of a set of pieces: the hull around it
  std::shared_ptr<const PieceSet> pieces;  ///< null: contact sees the one core
  SurfaceFormulas formulas;
  /// A surface that need not be convex; contact sees it in place of the core, which is its box.
  std::shared_ptr<const SmoothSurface> surface;
};

/// What contact sees of a shape: each of these is a convex body of its own.
inline std::span<const Core> contact_cores(const Shape& shape) {
  if (shape.pieces) return shape.pieces->cores;
  return {&shape.core, 1};
}

/// A row of the catalogue. Functions may be null where the comment says so.
struct ShapeKind {
  const char* name;
  const char* doc;  ///< one sentence
  std::span<const ParamField> fields{};
  /// Axes of each field, with which it is scaled; those beyond the list lie along all three.
  std::span<const unsigned> axes{};
  std::span<const FormulaField> formulas{};  ///< their variables are those that have ranges
  std::span<const FormulaField> ranges{};
  ShapeSource source = ShapeSource::fields;
  Rounding rounding = Rounding::none;
  bool convex = true;           ///< the drawn shape itself is convex
  const char* contact_as = "";  ///< what contact sees instead of the drawn shape
  const char* mass_as = "";     ///< what the mass is computed of instead of the drawn shape

  /// A rule between fields that is broken, or nothing. Null: there is none.
  std::string (*validate)(std::span<const double> params) = nullptr;
  /// Points and triangles made into MeshData; a message if they cannot be used. Null: no points.
  std::string (*build)(const ShapeInput&, MeshData&) = nullptr;
  /// A smooth surface; what is wrong where it cannot be made. Null: the shape is made of cores.
  std::shared_ptr<const SmoothSurface> (*surface)(const ShapeInput&,
                                                  std::string& problem) = nullptr;
  /// At density 1. Null: there is no volume.
  MassProperties (*unit_properties)(const Shape&) = nullptr;
  /// The core moved in by (or covered with) shape.edge_radius.
  Core (*core)(const Shape&) = nullptr;
  /// The pieces of a shape that is not one convex body. Null: it is.
  PieceSet (*pieces)(const Shape&) = nullptr;
  /// The largest edge radius, for Rounding::inward [m].
  double (*max_edge_radius)(std::span<const double> params) = nullptr;
  /// Triangles of the drawn shape with `segments` per full turn; outward.
  TriangleMesh (*tessellate)(const Shape&, int segments) = nullptr;
  /// Instances for tests and documentation, without `kind`.
  std::vector<ShapeInput> (*examples)() = nullptr;
};

std::span<const ShapeKind* const> shape_catalogue();
/// Null if there is none of this name.
const ShapeKind* find_shape_kind(std::string_view name);

/// Checks everything and computes the core; every finding goes to `diagnostics`.
std::optional<Shape> make_shape(ShapeInput input, Diagnostics& diagnostics,
                                const SourcePos& where = {});
/// The same for inputs that are known to be right; throws InputError.
Shape make_shape(ShapeInput input);

/// Defaults of all fields (NaN where a field must be given).
std::vector<double> default_params(const ShapeKind& kind);
std::vector<ShapeInput> examples(const ShapeKind& kind);

MassProperties mass_properties(const Shape& shape, double density);
/// Why the mass properties of this shape cannot be used ("the mesh has 3 open
/// edges (holes)"); empty if they can.
std::string mass_problem(const Shape& shape);

BoundingBox bounding_box(const Shape& shape);
double bounding_radius(const Shape& shape);

inline Vec3 support(const Shape& shape, const Vec3& direction) {
  return support(shape.core, direction);
}
inline SupportDerivatives support_derivatives(const Shape& shape, const Vec3& unit_direction) {
  return support_derivatives(shape.core, unit_direction);
}

/// Triangles of the drawn shape (sharp edges, with holes and teeth).
TriangleMesh tessellate(const Shape& shape, int segments = 48);

}  // namespace carom
