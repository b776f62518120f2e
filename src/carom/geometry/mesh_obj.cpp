// Wavefront OBJ: lines `v x y z` and `f a b c ...`, where a corner is an index from 1,
// negative to count from the last vertex, with texture and normal indices after slashes.
// Everything else (groups, materials, free-form surfaces) is passed over.
#include "carom/geometry/mesh_readers.h"

namespace carom {
namespace {

/// The vertex index at the front of "7/2/5"; false if there is none.
bool parse_corner(std::string_view word, std::size_t vertices, std::uint32_t& corner) {
  double index = 0.0;
  const std::string_view front = word.substr(0, std::min(word.find('/'), word.size()));
  if (!parse_number(front, index) || index != std::floor(index)) return false;
  const double at = index > 0.0 ? index - 1.0 : static_cast<double>(vertices) + index;
  if (!(at >= 0.0 && at < static_cast<double>(vertices))) return false;
  corner = static_cast<std::uint32_t>(at);
  return true;
}

}  // namespace

std::string read_obj(const MeshText& file, TriangleMesh& mesh) {
  Words words{file.bytes};
  std::vector<std::uint32_t> corners;
  for (std::string_view key = words.next(); !key.empty(); key = words.next()) {
    Words values{words.rest_of_line()};
    if (key == "v") {
      Vec3 p;
      for (std::size_t i = 0; i < 3; ++i) {
        if (!parse_number(values.next(), p[i])) {
          return at_line(words.line, "'v' needs three numbers");
        }
      }
      mesh.vertices.push_back(p);
    } else if (key == "f") {
      corners.clear();
      for (std::string_view word = values.next(); !word.empty(); word = values.next()) {
        corners.emplace_back();
        if (!parse_corner(word, mesh.vertices.size(), corners.back())) {
          return at_line(words.line, "a face names a vertex that is not there");
        }
      }
      if (corners.size() < 3) return at_line(words.line, "a face needs three corners");
      const std::string problem = add_polygon(file, corners, mesh);
      if (!problem.empty()) return at_line(words.line, problem);
    }
  }
  return {};
}

}  // namespace carom
