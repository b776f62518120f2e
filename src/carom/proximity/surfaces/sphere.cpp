// A spherical surface about the origin of its frame.
#include "carom/proximity/smooth/surface.h"

namespace carom {
namespace {

constexpr ParamField kFields[] = {
    {"radius", "m", "of the sphere", kRequired, 0.0, kInf, ParamType::number, true},
};

IdealSurface make(std::span<const double> p) {
  IdealSurface s;
  s.form = SurfaceForm::sphere;
  s.radius = p[0];
  return s;
}

}  // namespace

extern const SurfaceKind surface_sphere{.name = "sphere",
                                        .doc = "spherical, about the origin of its frame",
                                        .fields = kFields,
                                        .make = make};

}  // namespace carom
