#include "carom/geometry/mesh_file.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <fstream>
#include <system_error>

#include "carom/base/text.h"
#include "carom/geometry/mesh_readers.h"
#include "carom/geometry/mesh_repair.h"

namespace carom {
namespace {

std::string lower_extension(const std::filesystem::path& path) {
  std::string text = path.extension().string();
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

/// The bytes of a regular file, or a message.
std::string load(const std::filesystem::path& path, std::size_t limit, std::string& bytes) {
  std::error_code error;
  if (!std::filesystem::exists(path, error)) return "there is no such file";
  if (!std::filesystem::is_regular_file(path, error)) return "it is not a regular file";
  const std::uintmax_t size = std::filesystem::file_size(path, error);
  if (error) return "it cannot be read";
  if (size == 0) return "it is empty";
  if (size > limit) {
    return "it has " + std::to_string(size) + " bytes, at most " + std::to_string(limit) +
           " are read";
  }
  bytes.resize(size);
  std::ifstream stream(path, std::ios::binary);
  stream.read(bytes.data(), static_cast<std::streamsize>(size));
  return stream ? std::string() : "it cannot be read";
}

/// What coordinates no mesh of bodies has: their squares and cubes are to be numbers.
std::string find_bad_coordinate(const TriangleMesh& mesh) {
  constexpr double kFarthest = 1e9;  // metres
  for (std::size_t i = 0; i < mesh.vertices.size(); ++i) {
    const Vec3& p = mesh.vertices[i];
    if (!is_finite(p)) {
      return "a coordinate of vertex " + std::to_string(i + 1) + " is not a finite number";
    }
    for (std::size_t k = 0; k < 3; ++k) {
      if (!(std::abs(p[k]) > kFarthest)) continue;
      return "a coordinate of vertex " + std::to_string(i + 1) + " is " + rounded_text(p[k]) +
             ", and none may be beyond " + number_text(kFarthest) +
             " m: the file is damaged, or in another unit";
    }
  }
  return {};
}

std::string parse(const std::filesystem::path& path, const MeshText& file, TriangleMesh& mesh,
                  MeshRemarks& remarks) {
  const std::string extension = lower_extension(path);
  if (extension == ".stl") return read_stl(file, mesh);
  if (extension == ".dxf") return read_dxf(file, mesh, remarks);
  if (extension == ".obj") return read_obj(file, mesh);
  if (extension == ".ply") return read_ply(file, mesh);
  if (extension == ".off") return read_off(file, mesh);
  for (const char* known : {".gltf", ".glb", ".3ds"}) {
    if (extension == known) return read_with_assimp(path, file, mesh);
  }
  return "its kind '" + extension +
         "' is not known; known: .stl, .dxf, .obj, .ply, .off, .gltf, .glb, .3ds";
}

/// What was done to a mesh, as a phrase; but for triangles that were turned.
std::string describe(const MeshRepair& done) {
  std::string text;
  const auto add = [&](const std::string& part) { text += (text.empty() ? "" : "; ") + part; };
  if (done.joined_within > 0.0) {
    add("vertices closer than " + number_text(done.joined_within) +
        " m were joined to close seams");
  }
  if (done.collapsed + done.slivers > 0) {
    add(std::to_string(done.collapsed + done.slivers) + " triangles without area were left out");
  }
  if (done.duplicates > 0) {
    add(std::to_string(done.duplicates) + " triangles that were there twice were left out");
  }
  return text;
}

/// What was read, joined and turned outward; `problem` tells why a file could not be read.
std::optional<TriangleMesh> finish(TriangleMesh mesh, std::string problem,
                                   const MeshRemarks& remarks, const std::string& name,
                                   Diagnostics& diagnostics, const SourcePos& where,
                                   OpenMesh holes) {
  if (problem.empty() && mesh.triangles.empty()) problem = "it has no triangles";
  if (problem.empty()) problem = find_bad_coordinate(mesh);
  MeshRepair done;
  if (problem.empty()) {
    done = repair(mesh);
    if (mesh.triangles.empty()) problem = "all its triangles are without area";
  }
  if (!problem.empty()) {
    diagnostics.error(where, name + ": " + problem);
    return {};
  }
  if (!remarks.ignored.empty()) {
    diagnostics.note(where, name + ": these entities are not read: " + remarks.ignored);
  }
  if (!remarks.unit.empty()) diagnostics.note(where, name + ": " + remarks.unit);
  const std::string remark = describe(done);
  if (!remark.empty()) diagnostics.note(where, name + ": " + remark);
  if (done.turned > 0) {
    diagnostics.note(where, name + ": " + std::to_string(done.turned) +
                                (done.turned == 1 ? " triangle was" : " triangles were") +
                                " turned so that all face outward");
  }
  const MeshReport report = inspect(mesh);
  const std::string finding = describe(report);
  const bool is_sheet = report.open_edges > 0 && report.misoriented_edges == 0;
  if (is_sheet && holes == OpenMesh::note) {
    diagnostics.note(where, name + " has " + finding + " and is touched from both sides");
  } else if (!finding.empty() && !(is_sheet && holes == OpenMesh::meant)) {
    diagnostics.warning(where, name + " has " + finding,
                        "close the mesh, or give mass and inertia of the body yourself");
  }
  return mesh;
}

std::string title(const std::filesystem::path& path) { return "mesh file '" + path.string() + "'"; }

}  // namespace

std::optional<TriangleMesh> read_mesh(const std::filesystem::path& path, Diagnostics& diagnostics,
                                      const SourcePos& where, const MeshLimits& limits) {
  std::string bytes;
  MeshRemarks remarks;
  TriangleMesh mesh;
  std::string problem = load(path, limits.file_bytes, bytes);
  if (problem.empty()) problem = parse(path, {bytes, limits.triangles}, mesh, remarks);
  return finish(std::move(mesh), std::move(problem), remarks, title(path), diagnostics, where,
                limits.holes);
}

std::optional<TriangleMesh> read_mesh_bytes(std::string_view bytes,
                                            const std::filesystem::path& name,
                                            Diagnostics& diagnostics, const SourcePos& where,
                                            const MeshLimits& limits) {
  MeshRemarks remarks;
  TriangleMesh mesh;
  std::string problem = parse(name, {bytes, limits.triangles}, mesh, remarks);
  return finish(std::move(mesh), std::move(problem), remarks, title(name), diagnostics, where,
                limits.holes);
}

}  // namespace carom
