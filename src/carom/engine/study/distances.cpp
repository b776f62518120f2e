#include "carom/engine/study/distances.h"

#include <algorithm>

#include "carom/engine/evaluate.h"
#include "carom/proximity/piece_contacts.h"

namespace carom {

std::vector<Pose> body_poses(const std::shared_ptr<const Model>& model, double t,
                             std::span<const double> x) {
  Workspace w(model);
  evaluate_kinematics(w, t, x);
  std::vector<Pose> poses;
  for (const BodyInfo& body : model->bodies) {
    const LinkState& L = w.tree.links[static_cast<std::size_t>(body.link)];
    poses.push_back(Pose{L.R_WL, L.p_WL} * body.X_LB);
  }
  return poses;
}

std::vector<ShapeDistance> distances_between(const Model& model, std::span<const Pose> X_WB, int a,
                                             int b) {
  if (a > b) std::swap(a, b);
  const auto ia = static_cast<std::size_t>(a), ib = static_cast<std::size_t>(b);
  const std::vector<ShapeSpec>& shapes_a = model.scene.bodies[ia].shapes;
  const std::vector<ShapeSpec>& shapes_b = model.scene.bodies[ib].shapes;
  std::vector<ShapeDistance> found;
  for (std::size_t i = 0; i < shapes_a.size(); ++i) {
    for (std::size_t j = 0; j < shapes_b.size(); ++j) {
      const Contact contact = nearest_contact(shapes_a[i].shape, X_WB[ia] * shapes_a[i].X_BS,
                                              shapes_b[j].shape, X_WB[ib] * shapes_b[j].X_BS)
                                  .contact;
      if (contact.status != Status::ok) continue;  // two half spaces have no distance
      found.push_back({a, b, static_cast<int>(i), static_cast<int>(j), contact});
    }
  }
  std::stable_sort(found.begin(), found.end(), [](const ShapeDistance& x, const ShapeDistance& y) {
    return x.contact.phi < y.contact.phi;
  });
  return found;
}

std::vector<ShapeDistance> nearest_distances(const Model& model, std::span<const Pose> X_WB) {
  std::vector<ShapeDistance> nearest;
  for (std::size_t a = 0; a < model.bodies.size(); ++a) {
    for (std::size_t b = a + 1; b < model.bodies.size(); ++b) {
      // Rigidly joined bodies stay as they are drawn; fixed ones are worth a look all the same.
      const int link = model.bodies[a].link;
      if (link != 0 && link == model.bodies[b].link) continue;
      const std::vector<ShapeDistance> all =
          distances_between(model, X_WB, static_cast<int>(a), static_cast<int>(b));
      if (!all.empty()) nearest.push_back(all.front());
    }
  }
  return nearest;
}

}  // namespace carom
