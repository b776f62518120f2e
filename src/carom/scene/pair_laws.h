// From what a scene says about contact to the laws of a pair of shapes.
#pragma once

#include <string>
#include <vector>

#include "carom/contact/pair_law.h"
#include "carom/scene/scene.h"

namespace carom {

/// One contact surface: a shape of a body.
struct ShapeRef {
  int body = 0, shape = 0;
};

/// Whether the scene lets the two touch at all: shapes with `contact: off`, pairs that are
/// excluded and shapes without a material do not. Neighbours and rigidly joined bodies are
/// the engine's to know.
bool may_touch(const Scene& scene, const ShapeRef& a, const ShapeRef& b);

/// Laws of the pair; where data is missing, `note` says what was taken instead ("" if nothing).
PairLaw resolve_pair_law(const Scene& scene, const ShapeRef& a, const ShapeRef& b,
                         std::string& note);

/// Whether a shape touches by the method 'triangles' where nothing else is said: a `triangle_mesh`
/// that is closed, or an open one that stays where it is.
bool is_usually_surface(const BodySpec& body, const ShapeSpec& shape);

/// Whether a shape touches by its area where nothing else is said: a superquadric of an exponent
/// above 4, whose contact point runs over a whole face under the smallest tilt.
bool is_blocky(const Shape& shape);

/// Laws of two connected surfaces; c, d, n and m of `law: auto` are the engine's to derive.
PairLaw resolve_surface_law(const Scene& scene, const SurfaceContactSpec& contact,
                            std::string& note);
/// Material of a surface, or of its body; "" if neither says.
std::string surface_material(const Scene& scene, const SurfaceSpec& surface);
/// Whether that material has a Young's modulus.
bool has_elasticity(const Scene& scene, const SurfaceSpec& surface);

/// A number that is the same for surfaces for which the above two give the same answers
/// with every partner, so that laws are resolved per pair of classes. By body, then shape.
std::vector<std::vector<int>> law_classes(const Scene& scene);

}  // namespace carom
