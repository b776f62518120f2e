// Writers of small mesh files in every format, for tests of the readers.
#pragma once

#include <algorithm>
#include <cstring>
#include <sstream>
#include <string>

#include "carom/geometry/mesh.h"

namespace carom {

inline TriangleMesh tetrahedron_mesh() {
  // Coordinates that are exact as floats: every format must give the same bits.
  return {{{0.25, 0, 0}, {1.25, 0, 0}, {0.25, 2, 0}, {0.5, 0.5, 3}},
          {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}}};
}

inline TriangleMesh box_mesh(const Vec3& lower, const Vec3& upper) {
  TriangleMesh m;
  for (int i = 0; i < 8; ++i) {
    m.vertices.push_back(
        {i & 1 ? upper.x : lower.x, i & 2 ? upper.y : lower.y, i & 4 ? upper.z : lower.z});
  }
  m.triangles = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6}, {0, 1, 4}, {1, 5, 4},
                 {2, 6, 3}, {3, 6, 7}, {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};
  return m;
}

inline std::string text_of(const Vec3& p) {
  std::ostringstream out;
  out.precision(17);
  out << p.x << ' ' << p.y << ' ' << p.z;
  return out.str();
}

template <class T>
void append_bytes(std::string& out, T value) {
  char bytes[sizeof(T)];
  std::memcpy(bytes, &value, sizeof(T));
  out.append(bytes, sizeof(T));
}
inline void append_floats(std::string& out, const Vec3& p) {
  for (std::size_t i = 0; i < 3; ++i) append_bytes(out, static_cast<float>(p[i]));
}

inline std::string ascii_stl(const TriangleMesh& m) {
  std::string out = "solid test\n";
  for (const Triangle& t : m.triangles) {
    out += "facet normal 0 0 0\n outer loop\n";
    for (const std::uint32_t v : t) out += "  vertex " + text_of(m.vertices[v]) + "\n";
    out += " endloop\nendfacet\n";
  }
  return out + "endsolid test\n";
}

inline std::string binary_stl(const TriangleMesh& m) {
  std::string out = "solid, says the header of a binary file";
  out.resize(80, ' ');
  append_bytes(out, static_cast<std::uint32_t>(m.triangles.size()));
  for (const Triangle& t : m.triangles) {
    append_floats(out, {});
    for (const std::uint32_t v : t) append_floats(out, m.vertices[v]);
    append_bytes(out, std::uint16_t{0});
  }
  return out;
}

inline std::string obj(const TriangleMesh& m) {
  std::string out = "# test\n";
  for (const Vec3& p : m.vertices) out += "v " + text_of(p) + "\n";
  for (const Triangle& t : m.triangles) {
    out += "f";
    for (const std::uint32_t v : t) out += " " + std::to_string(v + 1);
    out += "\n";
  }
  return out;
}

/// PLY and OFF share their body.
inline std::string vertex_and_face_lines(const TriangleMesh& m) {
  std::string out;
  for (const Vec3& p : m.vertices) out += text_of(p) + "\n";
  for (const Triangle& t : m.triangles) {
    out += "3";
    for (const std::uint32_t v : t) out += " " + std::to_string(v);
    out += "\n";
  }
  return out;
}
inline std::string ply(const TriangleMesh& m) {
  return "ply\nformat ascii 1.0\nelement vertex " + std::to_string(m.vertices.size()) +
         "\nproperty float x\nproperty float y\nproperty float z\nelement face " +
         std::to_string(m.triangles.size()) +
         "\nproperty list uchar int vertex_indices\nend_header\n" + vertex_and_face_lines(m);
}
/// With doubles, 16-bit indices and a property and an element that are to be read over.
inline std::string binary_ply(const TriangleMesh& m, bool big_endian) {
  std::string out = std::string("ply\nformat ") +
                    (big_endian ? "binary_big_endian" : "binary_little_endian") +
                    " 1.0\ncomment a remark\nelement note 1\nproperty list uchar uchar text\n"
                    "element vertex " +
                    std::to_string(m.vertices.size()) +
                    "\nproperty double x\nproperty uchar red\nproperty double y\n"
                    "property double z\nelement face " +
                    std::to_string(m.triangles.size()) +
                    "\nproperty list uint8 ushort vertex_index\nend_header\n";
  const auto put = [&](auto value) {
    std::string bytes;
    append_bytes(bytes, value);
    if (big_endian) std::reverse(bytes.begin(), bytes.end());
    out += bytes;
  };
  out += std::string("\x02") + "hi";
  for (const Vec3& p : m.vertices) put(p.x), put(std::uint8_t{200}), put(p.y), put(p.z);
  for (const Triangle& t : m.triangles) {
    put(std::uint8_t{3});
    for (const std::uint32_t v : t) put(static_cast<std::uint16_t>(v));
  }
  return out;
}
inline std::string off(const TriangleMesh& m) {
  return "OFF\n" + std::to_string(m.vertices.size()) + " " + std::to_string(m.triangles.size()) +
         " 0\n" + vertex_and_face_lines(m);
}

inline std::string dxf_section(const std::string& entities) {
  return "  0\nSECTION\n  2\nHEADER\n  9\n$ACADVER\n  1\nAC1009\n  0\nENDSEC\n"
         "  0\nSECTION\n  2\nENTITIES\n" +
         entities + "  0\nENDSEC\n  0\nEOF\n";
}
inline std::string dxf_corner(int which, const Vec3& p) {
  std::ostringstream out;
  out.precision(17);
  for (int axis = 0; axis < 3; ++axis) {
    out << 10 * (axis + 1) + which << '\n' << p[static_cast<std::size_t>(axis)] << '\n';
  }
  return out.str();
}
inline std::string dxf_faces(const TriangleMesh& m) {
  std::string out;
  for (const Triangle& t : m.triangles) {
    out += "  0\n3DFACE\n  8\nlayer\n";
    for (int i = 0; i < 4; ++i) {
      out += dxf_corner(i, m.vertices[t[static_cast<std::size_t>(std::min(i, 2))]]);
    }
  }
  return dxf_section(out);
}
inline std::string dxf_polyface(const TriangleMesh& m) {
  std::string out = "  0\nPOLYLINE\n 70\n64\n" + dxf_corner(0, {});
  for (const Vec3& p : m.vertices) out += "  0\nVERTEX\n" + dxf_corner(0, p) + " 70\n192\n";
  for (const Triangle& t : m.triangles) {
    out += "  0\nVERTEX\n" + dxf_corner(0, {}) + " 70\n128\n";
    for (std::size_t i = 0; i < 3; ++i) {
      // Negative: an edge that is not drawn.
      const int index = static_cast<int>(t[i]) + 1;
      out += std::to_string(71 + i) + "\n" + std::to_string(i == 1 ? -index : index) + "\n";
    }
  }
  return dxf_section(out + "  0\nSEQEND\n");
}

/// A drawing with one block, placed by `insert` (groups of an INSERT beside its name).
inline std::string dxf_block(const std::string& header, const std::string& entities,
                             const std::string& insert) {
  return "  0\nSECTION\n  2\nHEADER\n" + header +
         "  0\nENDSEC\n  0\nSECTION\n  2\nBLOCKS\n  0\nBLOCK\n  2\nPART\n" + dxf_corner(0, {}) +
         entities + "  0\nENDBLK\n  0\nENDSEC\n  0\nSECTION\n  2\nENTITIES\n" +
         "  0\nINSERT\n  2\nPART\n" + insert + "  0\nENDSEC\n  0\nEOF\n";
}
inline std::string dxf_face_entities(const TriangleMesh& m) {
  std::string out;
  for (const Triangle& t : m.triangles) {
    out += "  0\n3DFACE\n";
    for (int i = 0; i < 4; ++i) {
      out += dxf_corner(i, m.vertices[t[static_cast<std::size_t>(std::min(i, 2))]]);
    }
  }
  return out;
}
inline std::string dxf_in_block(const TriangleMesh& m) {
  return dxf_block("", dxf_face_entities(m), dxf_corner(0, {}));
}

/// glTF 2 with its numbers in the file `buffer` beside it.
inline std::string gltf_buffer(const TriangleMesh& m) {
  std::string out;
  for (const Vec3& p : m.vertices) append_floats(out, p);
  for (const Triangle& t : m.triangles) {
    for (const std::uint32_t v : t) append_bytes(out, v);
  }
  return out;
}
inline std::string gltf(const TriangleMesh& m, const std::string& buffer) {
  const std::size_t points = 12 * m.vertices.size(), faces = 12 * m.triangles.size();
  std::ostringstream out;
  out << R"({"asset":{"version":"2.0"},"scene":0,"scenes":[{"nodes":[0]}],"nodes":[{"mesh":0}],)"
      << R"("meshes":[{"primitives":[{"attributes":{"POSITION":0},"indices":1}]}],)"
      << R"("buffers":[{"uri":")" << buffer << R"(","byteLength":)" << points + faces << "}],"
      << R"("bufferViews":[{"buffer":0,"byteLength":)" << points << R"(},{"buffer":0,"byteOffset":)"
      << points << R"(,"byteLength":)" << faces << "}],"
      << R"("accessors":[{"bufferView":0,"componentType":5126,"count":)" << m.vertices.size()
      << R"(,"type":"VEC3","min":[-9,-9,-9],"max":[9,9,9]},{"bufferView":1,"componentType":5125,)"
      << R"("count":)" << 3 * m.triangles.size() << R"(,"type":"SCALAR"}]})";
  return out.str();
}

inline std::string chunk_3ds(std::uint16_t id, const std::string& body) {
  std::string out;
  append_bytes(out, id);
  append_bytes(out, static_cast<std::uint32_t>(body.size() + 6));
  return out + body;
}
inline std::string max_3ds(const TriangleMesh& m) {
  std::string points, faces;
  append_bytes(points, static_cast<std::uint16_t>(m.vertices.size()));
  for (const Vec3& p : m.vertices) append_floats(points, p);
  append_bytes(faces, static_cast<std::uint16_t>(m.triangles.size()));
  for (const Triangle& t : m.triangles) {
    for (const std::uint32_t v : t) append_bytes(faces, static_cast<std::uint16_t>(v));
    append_bytes(faces, std::uint16_t{7});
  }
  const std::string mesh = chunk_3ds(0x4100, chunk_3ds(0x4110, points) + chunk_3ds(0x4120, faces));
  const std::string object = chunk_3ds(0x4000, std::string("part") + '\0' + mesh);
  return chunk_3ds(0x4D4D, chunk_3ds(0x3D3D, object));
}

}  // namespace carom
