#include "carom/geometry/dxf_blocks.h"

#include <cmath>
#include <numbers>

#include "carom/math/rotation.h"

namespace carom {
namespace {

/// Copies of copies of … of an empty block cost time without adding a triangle.
constexpr std::size_t kMostCopies = 1'000'000;
constexpr int kDeepest = 32;

/// p = M x + t
struct BlockPlace {
  Mat3 M;
  Vec3 t;
};

class BlockExpansion {
 public:
  BlockExpansion(const MeshText& file, const DxfDrawing& drawing, TriangleMesh& mesh)
      : file_(file), drawing_(drawing), mesh_(mesh) {}

  std::string add(const DxfBlock& block, const BlockPlace& placed, int depth) {
    if (mesh_.triangles.size() + block.mesh.triangles.size() > file_.max_triangles)
      return too_many_triangles(file_);
    const auto first = static_cast<std::uint32_t>(mesh_.vertices.size());
    for (const Vec3& p : block.mesh.vertices) mesh_.vertices.push_back(placed.M * p + placed.t);
    // A mirrored copy would have its triangles inside out.
    const bool is_mirrored = determinant(placed.M) < 0.0;
    for (const Triangle& t : block.mesh.triangles) {
      mesh_.triangles.push_back(
          {t[0] + first, t[is_mirrored ? 2 : 1] + first, t[is_mirrored ? 1 : 2] + first});
    }
    for (const DxfInsert& insert : block.inserts) {
      std::string problem = add_copies(insert, placed, depth);
      if (!problem.empty()) return problem;
    }
    return {};
  }

 private:
  std::string add_copies(const DxfInsert& insert, const BlockPlace& outer, int depth) {
    const auto found = drawing_.blocks.find(insert.block);
    const std::string name = "block '" + std::string(insert.block) + "'";
    if (found == drawing_.blocks.end()) return at_line(insert.line, name + " is not there");
    if (depth >= kDeepest) {
      return at_line(insert.line, name + " contains itself, or blocks are nested deeper than " +
                                      std::to_string(kDeepest));
    }
    const Mat3 E = arbitrary_axes(insert.extrusion);
    const Mat3 R = E * rotation_z(insert.turn * std::numbers::pi / 180.0);
    const Mat3 M = R * Mat3::diagonal(insert.scale);
    for (int row = 0; row < insert.rows; ++row) {
      for (int column = 0; column < insert.columns; ++column) {
        if (++copies_ > kMostCopies)
          return "it places more than " + std::to_string(kMostCopies) + " blocks";
        const Vec3 step{column * insert.column_spacing, row * insert.row_spacing, 0.0};
        const Vec3 t = E * insert.at + R * step - M * found->second.base;  // (1)
        const BlockPlace placed{outer.M * M, outer.M * t + outer.t};
        std::string problem = add(found->second, placed, depth + 1);
        if (!problem.empty()) return problem;
      }
    }
    return {};
  }

  const MeshText& file_;
  const DxfDrawing& drawing_;
  TriangleMesh& mesh_;
  std::size_t copies_ = 0;
};

struct DxfUnit {
  int code;
  double metres;
  const char* name;
};
constexpr DxfUnit kDxfUnits[] = {
    {1, 0.0254, "inches"},      {2, 0.3048, "feet"},           {3, 1609.344, "miles"},
    {4, 1e-3, "millimetres"},   {5, 1e-2, "centimetres"},      {6, 1.0, "metres"},
    {7, 1e3, "kilometres"},     {8, 0.0254e-6, "microinches"}, {9, 0.0254e-3, "mils"},
    {10, 0.9144, "yards"},      {11, 1e-10, "angstroms"},      {12, 1e-9, "nanometres"},
    {13, 1e-6, "micrometres"},  {14, 0.1, "decimetres"},       {15, 10.0, "decametres"},
    {16, 100.0, "hectometres"}, {17, 1e9, "gigametres"}};

}  // namespace

Mat3 arbitrary_axes(const Vec3& along) {
  const double length = norm(along);
  if (!(length > 0.0) || !std::isfinite(length)) return {};
  const Vec3 z = along / length;
  const bool is_near_z = std::abs(z.x) < 1.0 / 64.0 && std::abs(z.y) < 1.0 / 64.0;
  const Vec3 x = normalized(cross(is_near_z ? Vec3{0, 1, 0} : Vec3{0, 0, 1}, z));
  return Mat3::from_columns(x, cross(z, x), z);
}

double dxf_unit(int code, std::string& name) {
  for (const DxfUnit& unit : kDxfUnits) {
    if (unit.code == code) return name = unit.name, unit.metres;
  }
  return 0.0;
}

std::string expand_blocks(const MeshText& file, const DxfDrawing& drawing, TriangleMesh& mesh) {
  return BlockExpansion(file, drawing, mesh).add(drawing.model, {}, 0);
}

}  // namespace carom
