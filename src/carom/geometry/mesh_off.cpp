// OFF: the word OFF, numbers of vertices, faces and edges, then the vertices and the
// faces, each with its number of corners in front. Colours after the corners are left out.
#include "carom/geometry/mesh_readers.h"

namespace carom {
namespace {

/// A whole number from 0 to the size of the file, which bounds every count in it.
bool parse_count(std::string_view word, const MeshText& file, std::size_t& count) {
  double number = -1.0;
  if (!parse_number(word, number) || number != std::floor(number)) return false;
  if (!(number >= 0.0 && number <= static_cast<double>(file.bytes.size()))) return false;
  count = static_cast<std::size_t>(number);
  return true;
}

}  // namespace

std::string read_off(const MeshText& file, TriangleMesh& mesh) {
  Words words{file.bytes};
  const auto next = [&] {
    std::string_view word = words.next();
    while (word.starts_with('#')) words.rest_of_line(), word = words.next();
    return word;
  };
  const auto wrong = [&](const char* what) { return at_line(words.line, what); };
  std::size_t vertices = 0, faces = 0, edges = 0;
  if (next() != "OFF") return "it is not an OFF file";
  if (!parse_count(next(), file, vertices) || !parse_count(next(), file, faces) ||
      !parse_count(next(), file, edges)) {
    return wrong("the numbers of vertices, faces and edges must stand here");
  }
  for (std::size_t k = 0; k < vertices; ++k) {
    Vec3 p;
    for (std::size_t i = 0; i < 3; ++i) {
      if (!parse_number(next(), p[i])) return wrong("a coordinate must stand here");
    }
    mesh.vertices.push_back(p);
  }
  std::vector<std::uint32_t> corners;
  for (std::size_t k = 0; k < faces; ++k) {
    std::size_t count = 0, corner = 0;
    if (!parse_count(next(), file, count)) return wrong("a number of corners must stand here");
    corners.clear();
    for (std::size_t i = 0; i < count; ++i) {
      if (!parse_count(next(), file, corner)) return wrong("a corner must stand here");
      corners.push_back(static_cast<std::uint32_t>(corner));
    }
    words.rest_of_line();
    const std::string problem = add_polygon(file, corners, mesh);
    if (!problem.empty()) return at_line(words.line, problem);
  }
  return {};
}

}  // namespace carom
