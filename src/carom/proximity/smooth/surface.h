// Idealised contact surfaces (Oestersoetebier, Wang and Traechtler 2014): the faces of a
// mechanism that touch, given apart from the shapes of its bodies.
//
//   sphere      round, about the origin of its frame
//   cylinder    the lateral surface, along x, without its end faces
//   rectangle   flat, length along x, width along y, facing z
//   circle      flat, facing z
//   (shape)     any convex shape of a body, by its support mapping
//
// Surfaces are one-sided: round ones face outwards, flat ones along z. A row of the catalogue
// proximity/surfaces/ describes one kind.
#pragma once

#include <span>
#include <string_view>

#include "carom/base/param.h"
#include "carom/geometry/core.h"
#include "carom/math/pose.h"

namespace carom {

enum class SurfaceForm { sphere, cylinder, rectangle, circle, convex };

struct IdealSurface {
  SurfaceForm form = SurfaceForm::sphere;
  double radius = 0.0;       ///< of spheres, cylinders and circles [m]
  double half_length = 0.0;  ///< of cylinders and rectangles, along x [m]
  double half_width = 0.0;   ///< of rectangles, along y [m]
  Core core;                 ///< of convex shapes

  bool is_flat() const { return form == SurfaceForm::rectangle || form == SurfaceForm::circle; }
};

struct SurfaceKind {
  const char* name;
  const char* doc;
  std::span<const ParamField> fields;
  IdealSurface (*make)(std::span<const double> params);
};

std::span<const SurfaceKind* const> surface_catalogue();
const SurfaceKind* find_surface_kind(std::string_view name);

/// A surface that is a convex core.
IdealSurface convex_surface(const Core& core);

/// Name of a kind as messages and the pair matrix use it.
const char* surface_form_name(SurfaceForm form);

/// Largest distance of its points from the origin of its frame [m].
double surface_radius(const IdealSurface& surface);
/// Of a flat surface [m²].
double surface_area(const IdealSurface& surface);

}  // namespace carom
