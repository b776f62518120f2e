#include "carom/simulation/sweep_limit.h"

#include <algorithm>
#include <cmath>

#include "carom/base/index.h"

namespace carom {
namespace {

constexpr int kManyPieces = 100;
constexpr double kSizes = 2.0;

}  // namespace

SweepLimit::SweepLimit(const Model& model) {
  const std::vector<Collider>& colliders = model.contact.colliders;
  for (std::size_t first = 0, end = 0; first < colliders.size(); first = end) {
    const Collider& c = colliders[first];
    Mesh mesh{c.link};
    for (end = first; end < colliders.size(); ++end) {
      const Collider& piece = colliders[end];
      if (end > first && piece.piece == 0) break;  // the next shape
      mesh.radius = std::max(mesh.radius, norm(c.X_LS.p) + piece.radius);
      mesh.reach += piece.reach;
    }
    const auto count = static_cast<double>(end - first);
    mesh.reach /= count;
    if (mesh.link > 0 && count >= kManyPieces) meshes_.push_back(mesh);
  }
}

double SweepLimit::longest_step(const Workspace& w) const {
  double longest = kInf;
  const double gravity = norm(w.parameters.gravity.uniform);
  for (const Mesh& mesh : meshes_) {
    const LinkState& L = w.tree.links[at(mesh.link)];
    const double speed = norm(L.V.v) + norm(L.V.w) * mesh.radius, way = kSizes * mesh.reach;
    // The root of (1), without cancellation.
    const double h = 2.0 * way / (speed + std::sqrt(speed * speed + 2.0 * gravity * way));
    longest = std::min(longest, std::isfinite(h) ? h : kInf);
  }
  return longest;
}

}  // namespace carom
