#include "carom/engine/contact/elastic/sweep_limit.h"

#include <algorithm>
#include <cmath>

#include "carom/base/index.h"
#include "carom/engine/workspace.h"

namespace carom {
namespace {

constexpr int kManyPieces = 100;
constexpr double kSizes = 2.0;

}  // namespace

std::vector<MovingMesh> find_moving_meshes(const std::vector<Collider>& colliders) {
  std::vector<MovingMesh> meshes;
  for (std::size_t first = 0, end = 0; first < colliders.size(); first = end) {
    const Collider& c = colliders[first];
    MovingMesh mesh{c.link};
    for (end = first; end < colliders.size(); ++end) {
      const Collider& piece = colliders[end];
      if (end > first && piece.piece == 0) break;  // the next shape
      mesh.radius = std::max(mesh.radius, norm(c.X_LS.p) + piece.radius);
      mesh.reach += piece.reach;
    }
    const auto count = static_cast<double>(end - first);
    mesh.reach /= count;
    if (mesh.link > 0 && count >= kManyPieces) meshes.push_back(mesh);
  }
  return meshes;
}

double longest_sweep(const Workspace& w) {
  double longest = kInf;
  const double gravity = norm(w.parameters.gravity.uniform);
  for (const MovingMesh& mesh : w.model->contact.meshes) {
    const LinkState& L = w.tree.links[at(mesh.link)];
    const double speed = norm(L.V.v) + norm(L.V.w) * mesh.radius, way = kSizes * mesh.reach;
    // The root of (1), without cancellation.
    const double h = 2.0 * way / (speed + std::sqrt(speed * speed + 2.0 * gravity * way));
    longest = std::min(longest, std::isfinite(h) ? h : kInf);
  }
  return longest;
}

}  // namespace carom
