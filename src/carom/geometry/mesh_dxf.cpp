// DXF (ASCII): 3DFACE, polyface and polygon mesh POLYLINE entities, in blocks or not.
//
// The format is pairs of lines, a group code and a value. A 3DFACE has its corners in
// groups 10..13 (x), 20..23 (y), 30..33 (z); the fourth repeats the third for a triangle.
// A polyface (POLYLINE whose flag 70 has bit 64) is followed by VERTEX entities: with bits
// 64 and 128 in their flag 70 corners, with 128 alone faces that name corners in 71..74,
// from 1, negative for invisible edges. SEQEND closes it. A polygon mesh (bit 16) is a grid of
// 71 × 72 vertices, row after row, closed along the first (bit 1) or the second (bit 32)
// direction; of a smoothed one (bit 4) the frame (vertex flag 16) is passed over, and 73 × 74
// count the rest. BLOCKS hold entities that INSERT places (dxf_blocks.h). Where the header
// variable $INSUNITS names a unit, coordinates are converted to metres.
#include <algorithm>
#include <cmath>
#include <map>

#include "carom/geometry/dxf_blocks.h"

namespace carom {
namespace {

struct DxfEntity {
  std::string_view type, name;
  std::size_t line = 0;
  Vec3 corner[4];
  bool has_fourth = false;
  int flag = 0;
  int index[4] = {0, 0, 0, 0};  ///< groups 71..74
  DxfInsert insert;
};

enum class DxfSection { other, header, blocks, entities };

class DxfReader {
 public:
  DxfReader(const MeshText& file, DxfDrawing& out) : file_(file), out_(out), rest_(file.bytes) {}

  std::string read() {
    std::string_view code, value;
    while (next_line(code) && next_line(value)) {
      double number = 0.0;
      if (!parse_number(code, number) || number != std::floor(number) || std::abs(number) > 1100) {
        return wrong("a group code must stand here");
      }
      std::string problem = take(static_cast<int>(number), value);
      if (!problem.empty()) return problem;
      if (done_) break;
    }
    return finish_entity();
  }

  std::string ignored() const {
    std::string text;
    for (const auto& [type, count] : ignored_) {
      text += (text.empty() ? "" : ", ") + std::to_string(count) + " " + std::string(type);
    }
    return text;
  }
  int unit() const { return unit_; }

 private:
  static std::string_view trimmed(std::string_view s) {
    while (!s.empty() && static_cast<unsigned char>(s.front()) <= ' ') s.remove_prefix(1);
    while (!s.empty() && static_cast<unsigned char>(s.back()) <= ' ') s.remove_suffix(1);
    return s;
  }
  bool next_line(std::string_view& out) {
    if (rest_.empty()) return false;
    const std::size_t end = std::min(rest_.find('\n'), rest_.size());
    out = trimmed(rest_.substr(0, end));
    rest_.remove_prefix(std::min(end + 1, rest_.size()));
    ++line_;
    return true;
  }
  std::string wrong(const char* what) const { return at_line(line_, what); }
  bool has_entities() const {
    return section_ == DxfSection::entities || section_ == DxfSection::blocks;
  }

  std::string take(int code, std::string_view value) {
    if (code == 0) {
      std::string problem = finish_entity();
      entity_ = DxfEntity{};
      entity_.type = value, entity_.line = line_, entity_.insert.line = line_;
      if (value == "ENDSEC") {
        done_ = section_ == DxfSection::entities;
        section_ = DxfSection::other;
      }
      return problem;
    }
    if (entity_.type == "SECTION" && code == 2) {
      section_ = value == "ENTITIES" ? DxfSection::entities
                 : value == "BLOCKS" ? DxfSection::blocks
                 : value == "HEADER" ? DxfSection::header
                                     : DxfSection::other;
      target_ = &out_.model;
      return {};
    }
    if (section_ == DxfSection::header) return take_variable(code, value);
    if (code == 2) entity_.name = value;
    return has_entities() ? take_number(code, value) : std::string();
  }

  std::string take_variable(int code, std::string_view value) {
    if (code == 9) variable_ = value;
    double number = 0.0;
    if (variable_ != "$INSUNITS" || code != 70) return {};
    if (!parse_number(value, number) || !(std::abs(number) < 1e9))
      return wrong("a whole number must stand here");
    unit_ = static_cast<int>(number);
    return {};
  }

  std::string take_number(int code, std::string_view value) {
    const int axis = code / 10 - 1, which = code % 10;
    const bool coordinate = code >= 10 && code < 40 && which < 4;
    const bool whole = code >= 70 && code <= 74;
    double* real = insert_field(code);
    if (!coordinate && !whole && !real) return {};
    double number = 0.0;
    if (!parse_number(value, number)) return wrong("a number must stand here");
    if (real) *real = number;
    if (coordinate) {
      entity_.corner[which][static_cast<std::size_t>(axis)] = number;
      if (which == 3) entity_.has_fourth = true;
    }
    if (!whole) return {};
    if (!(std::abs(number) < 1e9)) return wrong("a whole number must stand here");
    (code == 70 ? entity_.flag : entity_.index[code - 71]) = static_cast<int>(number);
    return {};
  }

  double* insert_field(int code) {
    DxfInsert& i = entity_.insert;
    if (entity_.type != "INSERT") return nullptr;
    switch (code) {
      case 41: return &i.scale.x;
      case 42: return &i.scale.y;
      case 43: return &i.scale.z;
      case 44: return &i.column_spacing;
      case 45: return &i.row_spacing;
      case 50: return &i.turn;
      case 210: return &i.extrusion.x;
      case 220: return &i.extrusion.y;
      case 230: return &i.extrusion.z;
      default: return nullptr;
    }
  }

  std::string finish_entity() {
    const std::string_view type = entity_.type;
    std::string problem;
    if (!has_entities() || type.empty() || type == "SECTION" || type == "ENDSEC" || type == "EOF") {
    } else if (type == "3DFACE") {
      problem = add_3dface();
    } else if (type == "POLYLINE") {
      polyline_ = entity_;
      first_corner_ = mesh().vertices.size();
      if ((entity_.flag & (64 | 16)) == 0) ++ignored_[type];
    } else if (type == "VERTEX") {
      if (polyline_.flag & 64) problem = add_polyface_record();
      if (polyline_.flag & 16) add_grid_vertex();
    } else if (type == "SEQEND") {
      if (polyline_.flag & 16) problem = add_grid();
      polyline_ = DxfEntity{};
    } else if (type == "INSERT") {
      add_insert();
    } else if (type == "BLOCK") {
      target_ = &out_.blocks[entity_.name];
      target_->base = entity_.corner[0];
    } else if (type == "ENDBLK") {
      target_ = &out_.model;
    } else if (type != "ATTRIB" && section_ == DxfSection::entities) {
      ++ignored_[type];
    }
    entity_ = DxfEntity{};
    return problem;
  }

  TriangleMesh& mesh() { return target_->mesh; }

  void add_insert() {
    DxfInsert insert = entity_.insert;
    insert.block = entity_.name;
    insert.at = entity_.corner[0];
    insert.columns = std::max(entity_.flag, 1);
    insert.rows = std::max(entity_.index[0], 1);
    target_->inserts.push_back(insert);
  }

  std::string add_3dface() {
    const std::size_t n = mesh().vertices.size();
    const bool quad = entity_.has_fourth && !(entity_.corner[3] == entity_.corner[2]);
    for (std::size_t i = 0; i < (quad ? 4u : 3u); ++i) mesh().vertices.push_back(entity_.corner[i]);
    return add_fan(n, n + 1, n + 2, quad ? n + 3 : n);
  }

  std::string add_polyface_record() {
    if (entity_.flag & 64) {
      mesh().vertices.push_back(entity_.corner[0]);
      return {};
    }
    std::size_t corner[4];
    std::size_t count = 0;
    for (const int index : entity_.index) {
      if (index == 0) continue;
      const auto k = static_cast<std::size_t>(std::abs(index));
      if (k > mesh().vertices.size() - first_corner_)
        return wrong("a face names a vertex that is not there");
      corner[count++] = first_corner_ + k - 1;
    }
    if (count < 3) return {};  // an edge or a point of the polyface
    return add_fan(corner[0], corner[1], corner[2], count == 4 ? corner[3] : corner[0]);
  }

  void add_grid_vertex() {
    const bool is_frame = (polyline_.flag & 4) && (entity_.flag & 16);
    if (!is_frame) mesh().vertices.push_back(entity_.corner[0]);
  }

  std::string add_grid() {
    const std::size_t from = polyline_.flag & 4 ? 2 : 0;
    const auto count = [&](std::size_t k) {
      return static_cast<std::size_t>(std::max(polyline_.index[from + k], 0));
    };
    const std::size_t m = count(0), n = count(1), first = first_corner_;
    if (m * n != mesh().vertices.size() - first) {
      return at_line(polyline_.line, "the polygon mesh announces " + std::to_string(m) + " x " +
                                         std::to_string(n) + " vertices and has " +
                                         std::to_string(mesh().vertices.size() - first));
    }
    if (m < 2 || n < 2) return {};
    const std::size_t rows = polyline_.flag & 1 ? m : m - 1;
    const std::size_t columns = polyline_.flag & 32 ? n : n - 1;
    for (std::size_t i = 0; i < rows; ++i) {
      for (std::size_t j = 0; j < columns; ++j) {
        const std::size_t i1 = (i + 1) % m, j1 = (j + 1) % n;
        std::string problem =
            add_fan(first + i * n + j, first + i1 * n + j, first + i1 * n + j1, first + i * n + j1);
        if (!problem.empty()) return problem;
      }
    }
    return {};
  }

  /// Triangles a b c and, unless d repeats a, a c d.
  std::string add_fan(std::size_t a, std::size_t b, std::size_t c, std::size_t d) {
    if (mesh().triangles.size() + 2 > file_.max_triangles) return too_many_triangles(file_);
    const auto at = [](std::size_t i) { return static_cast<std::uint32_t>(i); };
    mesh().triangles.push_back({at(a), at(b), at(c)});
    if (d != a) mesh().triangles.push_back({at(a), at(c), at(d)});
    return {};
  }

  const MeshText& file_;
  DxfDrawing& out_;
  DxfBlock* target_ = &out_.model;
  std::string_view rest_, variable_;
  std::size_t line_ = 0;
  DxfEntity entity_, polyline_;
  DxfSection section_ = DxfSection::other;
  bool done_ = false;
  int unit_ = 0;
  std::size_t first_corner_ = 0;
  std::map<std::string_view, std::size_t> ignored_;
};

}  // namespace

std::string read_dxf(const MeshText& file, TriangleMesh& mesh, MeshRemarks& remarks) {
  if (file.bytes.starts_with("AutoCAD Binary DXF"))
    return "binary DXF is not read; save it as text";
  DxfDrawing drawing;
  DxfReader reader(file, drawing);
  std::string problem = reader.read();
  if (problem.empty()) problem = expand_blocks(file, drawing, mesh);
  remarks.ignored = reader.ignored();
  std::string name;
  const double metres = dxf_unit(reader.unit(), name);
  if (problem.empty() && metres > 0.0 && metres != 1.0) {
    scale(mesh, {metres, metres, metres});
    remarks.unit = "its coordinates are in " + name + " ($INSUNITS " +
                   std::to_string(reader.unit()) + ") and were converted to metres";
  }
  return problem;
}

}  // namespace carom
