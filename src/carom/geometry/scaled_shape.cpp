// A length of a shape lies along one axis, or along several: the radius of a cylinder along y
// and z. It can be scaled where the factors of its axes are equal. Where they are not, the body is
// no longer one of its kind. An ellipsoid is there for the sphere; other convex bodies become the
// hull of points on their surface, whose curved parts lie inside the true ones by at most
//
//   1 - cos(sqrt(2) pi / n) = 2.8e-3 of the radius,   n = 60 segments per turn       (1)
//
// where they are curved both ways, and half of it where one way.
#include "carom/geometry/scaled_shape.h"

#include <algorithm>
#include <cstring>

namespace carom {
namespace {

/// Faces of more than 64 corners are thinned out where they touch (proximity/manifold/manifold.h).
constexpr int kSegments = 60;
constexpr unsigned kAllAxes = kAlongX | kAlongY | kAlongZ;

/// The factor common to these axes; NaN if they have different ones.
double common_factor(unsigned axes, const Vec3& s) {
  double factor = 0.0;
  for (std::size_t i = 0; i < 3; ++i) {
    if (!(axes >> i & 1u)) continue;
    if (factor != 0.0 && factor != s[i]) return kRequired;
    factor = s[i];
  }
  return factor;
}

/// Whether every length could be multiplied; `params` is changed only then.
bool scale_lengths(const ShapeKind& kind, const Vec3& s, std::vector<double>& params) {
  std::vector<double> scaled = params;
  std::size_t at = 0, order = 0;
  for (const ParamField& f : kind.fields) {
    const unsigned axes = order < kind.axes.size() ? kind.axes[order] : kAllAxes;
    ++order;
    const bool is_length = std::strcmp(f.unit, "m") == 0;
    const double factor = is_length && f.type != ParamType::vector3 ? common_factor(axes, s) : 1.0;
    if (std::isnan(factor)) return false;
    for (std::size_t i = 0; i < width(f); ++i, ++at) {
      if (is_length) scaled[at] *= f.type == ParamType::vector3 ? s[i] : factor;
    }
  }
  params = std::move(scaled);
  return true;
}

/// The hull of the surface points of a convex body that is not one of its kind any more.
bool become_hull(ShapeInput& input, Diagnostics& out, const SourcePos& where) {
  const std::string name = input.kind->name;
  if (input.edge_radius > 0.0) {
    out.error(where,
              "the edges of a " + name + " cannot be rounded where it is scaled differently " +
                  "across its axis",
              "leave edge_radius out, or scale it alike across its axis");
    return false;
  }
  ShapeInput round = std::move(input);
  const Vec3 factors = round.scale;
  round.scale = {1.0, 1.0, 1.0};
  const std::optional<Shape> shape = make_shape(std::move(round), out, where);
  if (!shape) return false;
  input = {.kind = find_shape_kind("hull")};
  input.mesh.vertices = tessellate(*shape, kSegments).vertices;
  scale(input.mesh, factors);
  out.note(where, "a " + name + " that is scaled differently along its axes is the hull of " +
                      std::to_string(input.mesh.vertices.size()) +
                      " points on its surface: curved parts lie up to 0.28 % of their radius "
                      "further in");
  return true;
}

}  // namespace

bool scale_input(ShapeInput& input, Diagnostics& out, const SourcePos& where) {
  const ShapeKind& kind = *input.kind;
  const std::string name = kind.name;
  const Vec3 s = input.scale;
  if (!(is_finite(s) && s.x > 0.0 && s.y > 0.0 && s.z > 0.0)) {
    out.error(where, "the scale of a " + name + " must be three positive numbers");
    return false;
  }
  if (kind.source == ShapeSource::support_function && s != Vec3{1.0, 1.0, 1.0}) {
    out.error(where, "a support function cannot be scaled", "let the function do it");
    return false;
  }
  if (scale_lengths(kind, s, input.params)) return true;
  if (name == "sphere") {
    const double r = input.params.front();
    input.kind = find_shape_kind("ellipsoid");
    input.params = {r * s.x, r * s.y, r * s.z};
    return true;
  }
  if (kind.convex && kind.source == ShapeSource::fields && !kind.surface) {
    return become_hull(input, out, where);
  }
  out.error(where, "a " + name + " cannot be scaled differently along its axes",
            "use one number, or an ellipsoid, box, hull or mesh");
  return false;
}

}  // namespace carom
