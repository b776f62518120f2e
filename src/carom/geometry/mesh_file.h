// Mesh files: STL, DXF, OBJ, PLY and OFF are read here, in double precision and without
// trust in what they say; glTF and 3DS through assimp.
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string_view>

#include "carom/base/diagnostic.h"
#include "carom/geometry/mesh.h"

namespace carom {

/// What holes in a mesh are: a warning where mass is to follow from it, a note on a surface that
/// is only touched, nothing where the scene says that there is no mass.
enum class OpenMesh { warning, note, meant };

/// What is accepted.
struct MeshLimits {
  std::size_t file_bytes = 600'000'000;  ///< a binary STL of 10 million triangles has 500 MB
  std::size_t triangles = 10'000'000;
  OpenMesh holes = OpenMesh::warning;
};

/// Reads, welds and orients a mesh. Findings go to `diagnostics` at `where`, the
/// place in the scene that names the file: an error if there is nothing usable, a
/// warning for holes and the like. Whether the path may be read is the caller's affair.
std::optional<TriangleMesh> read_mesh(const std::filesystem::path& path, Diagnostics& diagnostics,
                                      const SourcePos& where, const MeshLimits& limits = {});

/// The same for a file that is in memory. Its name tells the format; files that need assimp
/// can only be read from the disk.
std::optional<TriangleMesh> read_mesh_bytes(std::string_view bytes,
                                            const std::filesystem::path& name,
                                            Diagnostics& diagnostics, const SourcePos& where,
                                            const MeshLimits& limits = {});

}  // namespace carom
