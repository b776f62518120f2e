// STL, binary and ASCII.
//
// Binary: 80 bytes of anything, the number n of triangles as 32 bits little-endian, then
// 50 bytes each: normal and three corners as 12 floats, 2 bytes of attributes. A file is
// binary if its size fits n, whatever it begins with: many binary files begin with the
// word "solid". Normals are ignored; the order of the corners tells the outside.
#include <cstring>

#include "carom/geometry/mesh_readers.h"

namespace carom {
namespace {

constexpr std::size_t kHeader = 84, kRecord = 50;

std::uint32_t little_endian(const char* p) {
  std::uint32_t value = 0;
  for (int i = 3; i >= 0; --i) value = value << 8 | static_cast<unsigned char>(p[i]);
  return value;
}

double little_endian_float(const char* p) {
  const std::uint32_t bits = little_endian(p);
  float value;
  std::memcpy(&value, &bits, sizeof value);
  return static_cast<double>(value);
}

void add_triangle(TriangleMesh& mesh) {
  const auto n = static_cast<std::uint32_t>(mesh.vertices.size());
  mesh.triangles.push_back({n - 3, n - 2, n - 1});
}

std::string read_binary(const MeshText& file, TriangleMesh& mesh) {
  const std::size_t count = little_endian(file.bytes.data() + 80);
  if (count > file.max_triangles) return too_many_triangles(file);
  mesh.vertices.reserve(3 * count);
  mesh.triangles.reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    const char* corner = file.bytes.data() + kHeader + kRecord * i + 12;
    for (int k = 0; k < 3; ++k, corner += 12) {
      mesh.vertices.push_back({little_endian_float(corner), little_endian_float(corner + 4),
                               little_endian_float(corner + 8)});
    }
    add_triangle(mesh);
  }
  return {};
}

std::string read_ascii(const MeshText& file, TriangleMesh& mesh) {
  Words words{file.bytes};
  const auto wrong = [&](const char* what) { return at_line(words.line, what); };
  std::size_t corners = 0;
  for (std::string_view word = words.next(); !word.empty(); word = words.next()) {
    if (word == "vertex") {
      Vec3 p;
      for (std::size_t i = 0; i < 3; ++i) {
        if (!parse_number(words.next(), p[i])) return wrong("'vertex' needs three numbers");
      }
      mesh.vertices.push_back(p);
      ++corners;
    } else if (word == "endfacet") {
      if (corners != 3) return wrong("a facet must have three vertices");
      if (mesh.triangles.size() == file.max_triangles) return too_many_triangles(file);
      add_triangle(mesh);
      corners = 0;
    }
  }
  return corners == 0 ? std::string() : wrong("the file ends within a facet");
}

}  // namespace

std::string read_stl(const MeshText& file, TriangleMesh& mesh) {
  const std::size_t size = file.bytes.size();
  if (size >= kHeader && size == kHeader + kRecord * little_endian(file.bytes.data() + 80)) {
    return read_binary(file, mesh);
  }
  const bool text = file.bytes.substr(0, 1024).find("facet") != std::string_view::npos;
  if (file.bytes.starts_with("solid") && text) return read_ascii(file, mesh);
  if (size < kHeader) return "it is neither a binary nor an ASCII STL file";
  return "its size does not fit the " + std::to_string(little_endian(file.bytes.data() + 80)) +
         " triangles it announces; it may be cut off, or no STL file";
}

}  // namespace carom
