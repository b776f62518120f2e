// The readers of single formats. Internal to geometry.
//
// Each fills `mesh` with unwelded triangles and returns a message about the file that
// keeps it from being read ("line 7: 'vertex' needs three numbers"), or nothing. None
// throws on bad input, and none reads more triangles than the limit.
#pragma once

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>

#include "carom/geometry/mesh_file.h"

namespace carom {

struct MeshText {
  std::string_view bytes;  ///< the whole file
  std::size_t max_triangles = 0;
};

/// Words of a text, with the line they stand in.
struct Words {
  std::string_view rest;
  std::size_t line = 1;

  /// The next word; empty at the end.
  std::string_view next();
  /// The rest of this line, without what follows '#'.
  std::string_view rest_of_line();
};

std::string read_stl(const MeshText& file, TriangleMesh& mesh);
std::string read_obj(const MeshText& file, TriangleMesh& mesh);
std::string read_off(const MeshText& file, TriangleMesh& mesh);
std::string read_ply(const MeshText& file, TriangleMesh& mesh);
/// What a reader has to say of a file that it could read.
struct MeshRemarks {
  std::string ignored;  ///< what was left out ("2 LINE, 1 CIRCLE")
  std::string unit;     ///< that coordinates were converted
};
std::string read_dxf(const MeshText& file, TriangleMesh& mesh, MeshRemarks& remarks);
std::string read_with_assimp(const std::filesystem::path& path, const MeshText& file,
                             TriangleMesh& mesh);

/// "it has more than 10000000 triangles".
std::string too_many_triangles(const MeshText& file);
/// "line 7: 'vertex' needs three numbers".
std::string at_line(std::size_t line, const std::string& what);

/// Cuts a polygon into triangles (polygon_cut.h); corners are checked against the vertices read
/// so far. A message if something is wrong.
std::string add_polygon(const MeshText& file, std::span<const std::uint32_t> corners,
                        TriangleMesh& mesh);

/// The number that fills `word` entirely; false if there is none.
inline bool parse_number(std::string_view word, double& value) {
  if (!word.empty() && word.front() == '+') word.remove_prefix(1);
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  return error == std::errc() && end == word.data() + word.size();
}

}  // namespace carom
