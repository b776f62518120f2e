#include "carom/engine/contact/elastic/sweep_limit.h"

#include <algorithm>
#include <cmath>

#include "carom/base/index.h"
#include "carom/engine/workspace.h"

namespace carom {
namespace {

/// A mesh of fewer pieces sweeps at most its own number times that of its neighbours: thousands of
/// pairs, which are found faster than a shorter step is taken.
constexpr std::uint32_t kManyPieces = 100;
/// Then a piece sweeps some 3³ places of its own size, and not all that lie along its way.
constexpr double kSizes = 2.0;

}  // namespace

std::vector<MovingMesh> find_moving_meshes(const ContactModel& contact) {
  std::vector<MovingMesh> meshes;
  for (const Collider& c : contact.colliders) {
    if (c.link == 0 || c.count < kManyPieces) continue;
    MovingMesh mesh{c.link};
    for (std::uint32_t i = c.first; i < c.first + c.count; ++i) {
      mesh.radius = std::max(mesh.radius, norm(c.X_LS.p) + contact.pieces[i].radius);
      mesh.reach += contact.pieces[i].reach;
    }
    mesh.reach /= c.count;
    meshes.push_back(mesh);
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
