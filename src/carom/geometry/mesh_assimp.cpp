// glTF and 3DS through assimp, with vertices as floats. Its readers of PLY and OFF hang or
// abort on damaged files (version 5.2.5), which is why those formats have readers here.
//
// A mesh file may name further files (materials, buffers). Only those in its own folder
// are opened: a scene from a stranger must not read elsewhere.
#include <assimp/DefaultIOSystem.h>
#include <assimp/config.h>
#include <assimp/postprocess.h>
#include <assimp/scene.h>

#include <assimp/Importer.hpp>
#include <system_error>

#include "carom/geometry/mesh_readers.h"

namespace carom {
namespace {

class OneFolder : public Assimp::DefaultIOSystem {
 public:
  OneFolder(const std::filesystem::path& folder, std::size_t max_bytes)
      : folder_(folder), max_bytes_(max_bytes) {}

  bool Exists(const char* file) const override {
    return inside(file) && DefaultIOSystem::Exists(file);
  }
  Assimp::IOStream* Open(const char* file, const char* mode) override {
    return mode[0] == 'r' && inside(file) ? DefaultIOSystem::Open(file, mode) : nullptr;
  }

 private:
  bool inside(const char* file) const {
    std::error_code error;
    const std::filesystem::path path = std::filesystem::weakly_canonical(file, error);
    if (error || path.parent_path() != folder_) return false;
    const auto size = std::filesystem::file_size(path, error);
    return !error && size <= max_bytes_;
  }

  std::filesystem::path folder_;
  std::size_t max_bytes_;
};

}  // namespace

std::string read_with_assimp(const std::filesystem::path& path, const MeshText& file,
                             TriangleMesh& mesh) {
  std::error_code error;
  const std::filesystem::path whole = std::filesystem::canonical(path, error);
  if (error) return "it cannot be opened";
  Assimp::Importer importer;
  importer.SetIOHandler(new OneFolder(whole.parent_path(), 4 * file.bytes.size() + 100'000'000));
  importer.SetPropertyInteger(AI_CONFIG_PP_SBP_REMOVE,
                              aiPrimitiveType_POINT | aiPrimitiveType_LINE);
  // No aiProcess_Triangulate: it aborts on empty meshes, and both formats are triangles.
  const aiScene* scene =
      importer.ReadFile(whole.string(), aiProcess_SortByPType | aiProcess_PreTransformVertices);
  if (!scene) return importer.GetErrorString();
  // assimp turns 3DS from z upward to y upward; the file's own axes are wanted.
  const std::string kind = whole.extension().string();
  const bool turned = kind.find('3') != std::string::npos;
  for (unsigned m = 0; m < scene->mNumMeshes; ++m) {
    const aiMesh& part = *scene->mMeshes[m];
    const auto first = static_cast<std::uint32_t>(mesh.vertices.size());
    for (unsigned i = 0; i < part.mNumVertices; ++i) {
      const aiVector3D& v = part.mVertices[i];
      const Vec3 p{static_cast<double>(v.x), static_cast<double>(v.y), static_cast<double>(v.z)};
      mesh.vertices.push_back(turned ? Vec3{p.x, -p.z, p.y} : p);
    }
    for (unsigned i = 0; i < part.mNumFaces; ++i) {
      const aiFace& f = part.mFaces[i];
      if (f.mNumIndices != 3) continue;
      if (mesh.triangles.size() == file.max_triangles) return too_many_triangles(file);
      if (std::max({f.mIndices[0], f.mIndices[1], f.mIndices[2]}) >= part.mNumVertices) {
        return "a face names a vertex that is not there";
      }
      mesh.triangles.push_back(
          {first + f.mIndices[0], first + f.mIndices[1], first + f.mIndices[2]});
    }
  }
  return {};
}

}  // namespace carom
