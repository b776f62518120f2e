#include "carom/geometry/mesh_file.h"

#include <algorithm>
#include <cctype>
#include <fstream>
#include <system_error>

#include "carom/base/text.h"
#include "carom/geometry/mesh_readers.h"

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

std::string parse(const std::filesystem::path& path, const MeshText& file, TriangleMesh& mesh,
                  std::string& remark) {
  const std::string extension = lower_extension(path);
  if (extension == ".stl") return read_stl(file, mesh);
  if (extension == ".dxf") return read_dxf(file, mesh, remark);
  if (extension == ".obj") return read_obj(file, mesh);
  if (extension == ".ply") return read_ply(file, mesh);
  if (extension == ".off") return read_off(file, mesh);
  for (const char* known : {".gltf", ".glb", ".3ds"}) {
    if (extension == known) return read_with_assimp(path, file, mesh);
  }
  return "its kind '" + extension +
         "' is not known; known: .stl, .dxf, .obj, .ply, .off, .gltf, .glb, .3ds";
}

/// Joins what belongs together. Files written with few digits leave seams: if equal
/// vertices do not close the mesh, nearly equal ones are tried.
void join(TriangleMesh& mesh, std::string& remark) {
  std::size_t dropped = weld(mesh);
  if (inspect(mesh).open_edges > 0) {
    TriangleMesh joined = mesh;
    const double tolerance = 1e-6 * extent(mesh).diagonal();
    const std::size_t lost = weld(joined, tolerance);
    if (inspect(joined).open_edges == 0) {
      mesh = std::move(joined);
      dropped += lost;
      remark += "vertices closer than " + number_text(tolerance) + " m were joined to close seams";
    }
  }
  if (dropped == 0) return;
  remark += (remark.empty() ? "" : "; ") + std::to_string(dropped) +
            " triangles without area were left out";
}

/// What was read, joined and turned outward; `problem` tells why a file could not be read.
std::optional<TriangleMesh> finish(TriangleMesh mesh, std::string problem,
                                   const std::string& ignored, const std::string& name,
                                   Diagnostics& diagnostics, const SourcePos& where) {
  if (problem.empty() && mesh.triangles.empty()) problem = "it has no triangles";
  if (problem.empty() && !std::all_of(mesh.vertices.begin(), mesh.vertices.end(), is_finite)) {
    problem = "a coordinate is not a finite number";
  }
  std::string remark;
  if (problem.empty()) {
    join(mesh, remark);
    if (mesh.triangles.empty()) problem = "all its triangles are without area";
  }
  if (!problem.empty()) {
    diagnostics.error(where, name + ": " + problem);
    return {};
  }
  if (!ignored.empty()) diagnostics.note(where, name + ": these entities are not read: " + ignored);
  if (!remark.empty()) diagnostics.note(where, name + ": " + remark);
  const std::size_t turned = orient(mesh);
  if (turned > 0) {
    diagnostics.note(where, name + ": " + std::to_string(turned) +
                                " triangles were turned so that all face outward");
  }
  const std::string finding = describe(inspect(mesh));
  if (!finding.empty()) {
    diagnostics.warning(where, name + " has " + finding,
                        "close the mesh, or give mass and inertia of the body yourself");
  }
  return mesh;
}

std::string title(const std::filesystem::path& path) { return "mesh file '" + path.string() + "'"; }

}  // namespace

std::optional<TriangleMesh> read_mesh(const std::filesystem::path& path, Diagnostics& diagnostics,
                                      const SourcePos& where, const MeshLimits& limits) {
  std::string bytes, ignored;
  TriangleMesh mesh;
  std::string problem = load(path, limits.file_bytes, bytes);
  if (problem.empty()) problem = parse(path, {bytes, limits.triangles}, mesh, ignored);
  return finish(std::move(mesh), std::move(problem), ignored, title(path), diagnostics, where);
}

std::optional<TriangleMesh> read_mesh_bytes(std::string_view bytes,
                                            const std::filesystem::path& name,
                                            Diagnostics& diagnostics, const SourcePos& where,
                                            const MeshLimits& limits) {
  std::string ignored;
  TriangleMesh mesh;
  std::string problem = parse(name, {bytes, limits.triangles}, mesh, ignored);
  return finish(std::move(mesh), std::move(problem), ignored, title(name), diagnostics, where);
}

}  // namespace carom
