// A flat rectangular surface that faces z, its length along x.
#include "carom/proximity/smooth/surface.h"

namespace carom {
namespace {

constexpr ParamField kFields[] = {
    {"length", "m", "along the axis", kRequired, 0.0, kInf, ParamType::number, true},
    {"width", "m", "across the axis", kRequired, 0.0, kInf, ParamType::number, true},
};

IdealSurface make(std::span<const double> p) {
  IdealSurface s;
  s.form = SurfaceForm::rectangle;
  s.half_length = 0.5 * p[0];
  s.half_width = 0.5 * p[1];
  return s;
}

}  // namespace

extern const SurfaceKind surface_rectangle{.name = "rectangle",
                                           .doc = "flat and rectangular, facing the normal",
                                           .fields = kFields,
                                           .make = make};

}  // namespace carom
