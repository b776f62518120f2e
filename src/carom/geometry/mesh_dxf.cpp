// DXF (ASCII): 3DFACE and polyface POLYLINE entities of the ENTITIES section.
//
// The format is pairs of lines, a group code and a value. A 3DFACE has its corners in
// groups 10..13 (x), 20..23 (y), 30..33 (z); the fourth repeats the third for a triangle.
// A polyface (POLYLINE whose flag 70 has bit 64) is followed by VERTEX entities: with bits
// 64 and 128 in their flag 70 corners, with 128 alone faces that name corners in 71..74,
// from 1, negative for invisible edges. SEQEND closes it.
#include <algorithm>
#include <cmath>
#include <map>

#include "carom/geometry/mesh_readers.h"

namespace carom {
namespace {

struct Entity {
  std::string_view type;
  std::size_t line = 0;
  Vec3 corner[4];
  bool has_fourth = false;
  int flag = 0;
  int index[4] = {0, 0, 0, 0};
};

class Reader {
 public:
  Reader(const MeshText& file, TriangleMesh& mesh) : file_(file), mesh_(mesh), rest_(file.bytes) {}

  std::string read(std::string& remark) {
    std::string_view code, value;
    while (next_pair(code, value)) {
      double number = 0.0;
      if (!parse_number(code, number) || number != std::floor(number) || std::abs(number) > 1100) {
        return wrong("a group code must stand here");
      }
      const std::string problem = take(static_cast<int>(number), value);
      if (!problem.empty()) return problem;
      if (done_) break;
    }
    const std::string problem = finish_entity();
    for (const auto& [type, count] : ignored_) {
      remark += (remark.empty() ? "" : ", ") + std::to_string(count) + " " + std::string(type);
    }
    return problem;
  }

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
  bool next_pair(std::string_view& code, std::string_view& value) {
    return next_line(code) && next_line(value);
  }
  std::string wrong(const char* what) const { return at_line(line_, what); }

  std::string take(int code, std::string_view value) {
    if (code == 0) {
      const std::string problem = finish_entity();
      entity_ = Entity{value, line_, {}, false, 0, {}};
      if (value == "ENDSEC") done_ = in_entities_, in_entities_ = false;
      return problem;
    }
    if (entity_.type == "SECTION" && code == 2) in_entities_ = value == "ENTITIES";
    return in_entities_ ? take_number(code, value) : std::string();
  }

  std::string take_number(int code, std::string_view value) {
    const int axis = code / 10 - 1, which = code % 10;
    const bool coordinate = code >= 10 && code < 40 && which < 4;
    const bool index = code >= 71 && code <= 74, flag = code == 70;
    if (!coordinate && !index && !flag) return {};
    double number = 0.0;
    if (!parse_number(value, number)) return wrong("a number must stand here");
    if (coordinate) {
      entity_.corner[which][static_cast<std::size_t>(axis)] = number;
      if (which == 3) entity_.has_fourth = true;
      return {};
    }
    if (!(std::abs(number) < 1e9)) return wrong("a whole number must stand here");
    (flag ? entity_.flag : entity_.index[code - 71]) = static_cast<int>(number);
    return {};
  }

  std::string finish_entity() {
    const std::string_view type = entity_.type;
    std::string problem;
    if (!in_entities_ || type.empty() || type == "SECTION" || type == "ENDSEC" || type == "EOF") {
    } else if (type == "3DFACE") {
      problem = add_3dface();
    } else if (type == "POLYLINE") {
      in_polyface_ = (entity_.flag & 64) != 0;
      first_corner_ = mesh_.vertices.size();
      if (!in_polyface_) ++ignored_[type];
    } else if (type == "VERTEX") {
      if (in_polyface_) problem = add_polyface_record();
    } else if (type == "SEQEND") {
      in_polyface_ = false;
    } else {
      ++ignored_[type];
    }
    entity_ = Entity{};
    return problem;
  }

  std::string add_3dface() {
    const std::size_t n = mesh_.vertices.size();
    const bool quad = entity_.has_fourth && !(entity_.corner[3] == entity_.corner[2]);
    for (std::size_t i = 0; i < (quad ? 4u : 3u); ++i) mesh_.vertices.push_back(entity_.corner[i]);
    return add_fan(n, n + 1, n + 2, quad ? n + 3 : n);
  }

  std::string add_polyface_record() {
    if (entity_.flag & 64) {
      mesh_.vertices.push_back(entity_.corner[0]);
      return {};
    }
    std::size_t corner[4];
    std::size_t count = 0;
    for (const int index : entity_.index) {
      if (index == 0) continue;
      const auto k = static_cast<std::size_t>(std::abs(index));
      if (k > mesh_.vertices.size() - first_corner_)
        return wrong("a face names a vertex that is not there");
      corner[count++] = first_corner_ + k - 1;
    }
    if (count < 3) return {};  // an edge or a point of the polyface
    return add_fan(corner[0], corner[1], corner[2], count == 4 ? corner[3] : corner[0]);
  }

  /// Triangles a b c and, unless d repeats a, a c d.
  std::string add_fan(std::size_t a, std::size_t b, std::size_t c, std::size_t d) {
    if (mesh_.triangles.size() + 2 > file_.max_triangles) return too_many_triangles(file_);
    const auto at = [](std::size_t i) { return static_cast<std::uint32_t>(i); };
    mesh_.triangles.push_back({at(a), at(b), at(c)});
    if (d != a) mesh_.triangles.push_back({at(a), at(c), at(d)});
    return {};
  }

  const MeshText& file_;
  TriangleMesh& mesh_;
  std::string_view rest_;
  std::size_t line_ = 0;
  Entity entity_;
  bool in_entities_ = false, done_ = false, in_polyface_ = false;
  std::size_t first_corner_ = 0;
  std::map<std::string_view, std::size_t> ignored_;
};

}  // namespace

std::string read_dxf(const MeshText& file, TriangleMesh& mesh, std::string& remark) {
  if (file.bytes.starts_with("AutoCAD Binary DXF"))
    return "binary DXF is not read; save it as text";
  return Reader(file, mesh).read(remark);
}

}  // namespace carom
