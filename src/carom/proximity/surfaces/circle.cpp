// A flat round surface that faces z.
#include "carom/proximity/smooth/surface.h"

namespace carom {
namespace {

constexpr ParamField kFields[] = {
    {"radius", "m", "of the outline", kRequired, 0.0, kInf, ParamType::number, true},
};

IdealSurface make(std::span<const double> p) {
  IdealSurface s;
  s.form = SurfaceForm::circle;
  s.radius = p[0];
  return s;
}

}  // namespace

extern const SurfaceKind surface_circle{
    .name = "circle", .doc = "flat and round, facing the normal", .fields = kFields, .make = make};

}  // namespace carom
