#include "carom/scene/derived_faces.h"

#include <string_view>

namespace carom {
namespace {

SurfaceSpec part_of(const SurfaceSpec& like, const ShapeSpec& shape, const char* part,
                    const char* kind, std::vector<double> params, const Pose& X_SF) {
  SurfaceSpec face = like;
  face.name = like.name + "_" + part;
  face.kind = kind;
  face.shape.clear();
  face.params = std::move(params);
  face.X_BS = shape.X_BS * X_SF;
  if (face.material.empty()) face.material = shape.material;
  return face;
}

constexpr const char* kSides[2][3] = {{"minus_x", "minus_y", "minus_z"},
                                      {"plus_x", "plus_y", "plus_z"}};

/// The frame of the face that looks along axis k, or against it.
Mat3 facing(std::size_t k, bool plus) {
  const Vec3 e[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  const Vec3 &u = e[(k + 1) % 3], &v = e[(k + 2) % 3];
  return plus ? Mat3::from_columns(u, v, e[k]) : Mat3::from_columns(v, u, -e[k]);
}

std::vector<SurfaceSpec> faces_of_box(const SurfaceSpec& like, const ShapeSpec& shape) {
  const Vec3 size{shape.shape.params[0], shape.shape.params[1], shape.shape.params[2]};
  std::vector<SurfaceSpec> faces;
  for (std::size_t k = 0; k < 3; ++k) {
    for (const bool plus : {false, true}) {
      const double u = size[(k + 1) % 3], v = size[(k + 2) % 3];
      Vec3 centre;
      centre[k] = (plus ? 0.5 : -0.5) * size[k];
      faces.push_back(part_of(like, shape, kSides[plus][k], "rectangle",
                              plus ? std::vector{u, v} : std::vector{v, u},
                              {facing(k, plus), centre}));
    }
  }
  return faces;
}

std::vector<SurfaceSpec> faces_of_cylinder(const SurfaceSpec& like, const ShapeSpec& shape) {
  const double radius = shape.shape.params[0], length = shape.shape.params[1];
  std::vector<SurfaceSpec> faces{part_of(like, shape, "side", "cylinder", {radius, length}, {})};
  for (const bool plus : {false, true}) {
    const Vec3 centre{(plus ? 0.5 : -0.5) * length, 0, 0};
    faces.push_back(
        part_of(like, shape, kSides[plus][0], "circle", {radius}, {facing(0, plus), centre}));
  }
  return faces;
}

}  // namespace

std::vector<SurfaceSpec> derive_faces(const SurfaceSpec& like, const ShapeSpec& shape) {
  if (!shape.shape.kind) return {};
  const std::string_view kind = shape.shape.kind->name;
  if (kind == "box") return faces_of_box(like, shape);
  if (kind == "cylinder") return faces_of_cylinder(like, shape);
  if (kind == "sphere") {
    return {part_of(like, shape, "side", "sphere", {shape.shape.params[0]}, {})};
  }
  return {};
}

}  // namespace carom
