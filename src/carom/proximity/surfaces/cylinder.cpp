// The lateral surface of a cylinder along x; its end faces are circles of their own.
#include "carom/proximity/smooth/surface.h"

namespace carom {
namespace {

constexpr ParamField kFields[] = {
    {"radius", "m", "of the cylinder", kRequired, 0.0, kInf, ParamType::number, true},
    {"length", "m", "along its axis", kRequired, 0.0, kInf, ParamType::number, true},
};

IdealSurface make(std::span<const double> p) {
  IdealSurface s;
  s.form = SurfaceForm::cylinder;
  s.radius = p[0];
  s.half_length = 0.5 * p[1];
  return s;
}

}  // namespace

extern const SurfaceKind surface_cylinder{
    .name = "cylinder",
    .doc = "lateral surface of a cylinder, without its end faces",
    .fields = kFields,
    .make = make};

}  // namespace carom
