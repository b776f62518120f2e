// Blocks of a DXF drawing: triangles and copies of other blocks. Internal to geometry.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "carom/geometry/mesh_readers.h"
#include "carom/math/mat3.h"

namespace carom {

/// An INSERT: a block placed, in rows and columns if they are more than one.
///
///   p = E (at + Rz (spacing (column, row) + scale (p_block - base)))                        (1)
///
/// E are the axes of the extrusion direction (arbitrary_axes).
struct DxfInsert {
  std::string_view block;
  std::size_t line = 0;
  Vec3 at, scale{1.0, 1.0, 1.0}, extrusion{0.0, 0.0, 1.0};
  double turn = 0.0;  ///< [deg] about z
  int columns = 1, rows = 1;
  double column_spacing = 0.0, row_spacing = 0.0;
};

struct DxfBlock {
  Vec3 base;
  TriangleMesh mesh;
  std::vector<DxfInsert> inserts;
};

struct DxfDrawing {
  DxfBlock model;  ///< of the ENTITIES section
  std::map<std::string_view, DxfBlock> blocks;
};

/// All triangles of the drawing. A message if a block is missing, contains itself, or there are
/// more triangles or copies than the limits.
std::string expand_blocks(const MeshText& file, const DxfDrawing& drawing, TriangleMesh& mesh);

/// The axes of an entity whose z is `z`: DXF's "arbitrary axis algorithm".
Mat3 arbitrary_axes(const Vec3& z);

/// Metres per unit of the header variable $INSUNITS; 0 if the code says nothing (0) or is unknown.
/// `name` is that of the unit.
double dxf_unit(int code, std::string& name);

}  // namespace carom
