#include "carom/proximity/smooth/surface.h"

#include <cmath>
#include <numbers>

namespace carom {

const SurfaceKind* find_surface_kind(std::string_view name) {
  for (const SurfaceKind* kind : surface_catalogue()) {
    if (name == kind->name) return kind;
  }
  return nullptr;
}

IdealSurface convex_surface(const Core& core) {
  IdealSurface s;
  s.form = SurfaceForm::convex;
  s.core = core;
  return s;
}

const char* surface_form_name(SurfaceForm form) {
  switch (form) {
    case SurfaceForm::sphere: return "sphere";
    case SurfaceForm::cylinder: return "cylinder";
    case SurfaceForm::rectangle: return "rectangle";
    case SurfaceForm::circle: return "circle";
    case SurfaceForm::convex: return "convex";
  }
  return "";
}

double surface_radius(const IdealSurface& s) {
  switch (s.form) {
    case SurfaceForm::cylinder:
      return std::sqrt(s.half_length * s.half_length + s.radius * s.radius);
    case SurfaceForm::rectangle:
      return std::sqrt(s.half_length * s.half_length + s.half_width * s.half_width);
    case SurfaceForm::convex: return bounding_radius(s.core);
    default: return s.radius;
  }
}

double surface_area(const IdealSurface& s) {
  if (s.form == SurfaceForm::rectangle) return 4.0 * s.half_length * s.half_width;
  return s.form == SurfaceForm::circle ? std::numbers::pi * s.radius * s.radius : 0.0;
}

}  // namespace carom
