#include "carom/simulation/fingerprint.h"

#include "carom/base/digest.h"
#include "carom/scene/expand/expand.h"

namespace carom {
namespace {

template <class T>
void add_list(Digest& digest, const std::vector<T>& list) {
  const std::size_t count = list.size();
  digest.add({reinterpret_cast<const char*>(&count), sizeof count});
  digest.add({reinterpret_cast<const char*>(list.data()), count * sizeof(T)});
}

}  // namespace

std::string scene_fingerprint(const Scene& scene) {
  Digest digest;
  Scene same = scene;
  same.run.max_cpu = kInf;  // decides when a run ends, not what it computes
  digest.add(expand(same));
  for (const BodySpec& body : scene.bodies) {
    for (const ShapeSpec& spec : body.shapes) {
      if (!spec.shape.mesh) continue;
      add_list(digest, spec.shape.mesh->mesh.vertices);
      add_list(digest, spec.shape.mesh->mesh.triangles);
    }
  }
  return digest.hex();
}

}  // namespace carom
