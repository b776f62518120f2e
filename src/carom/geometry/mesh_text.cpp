// What the readers of mesh files share.
#include "carom/geometry/mesh_readers.h"
#include "carom/geometry/polygon_cut.h"

namespace carom {

std::string_view Words::next() {
  std::size_t i = 0;
  while (i < rest.size() && static_cast<unsigned char>(rest[i]) <= ' ') {
    if (rest[i++] == '\n') ++line;
  }
  rest.remove_prefix(i);
  std::size_t n = 0;
  while (n < rest.size() && static_cast<unsigned char>(rest[n]) > ' ') ++n;
  const std::string_view word = rest.substr(0, n);
  rest.remove_prefix(n);
  return word;
}

std::string_view Words::rest_of_line() {
  const std::size_t end = std::min(rest.find('\n'), rest.size());
  const std::string_view text = rest.substr(0, end);
  rest.remove_prefix(end);  // the line break is counted by next()
  return text.substr(0, std::min(text.find('#'), text.size()));
}

std::string too_many_triangles(const MeshText& file) {
  return "it has more than " + std::to_string(file.max_triangles) + " triangles";
}

std::string at_line(std::size_t line, const std::string& what) {
  return "line " + std::to_string(line) + ": " + what;
}

std::string add_polygon(const MeshText& file, std::span<const std::uint32_t> corners,
                        TriangleMesh& mesh) {
  for (const std::uint32_t c : corners) {
    if (c >= mesh.vertices.size()) return "a face names a vertex that is not there";
  }
  const std::size_t more = corners.size() < 3 ? 0 : corners.size() - 2;
  if (more > file.max_triangles - mesh.triangles.size()) return too_many_triangles(file);
  return cut_polygon(mesh.vertices, corners, mesh.triangles);
}

}  // namespace carom
