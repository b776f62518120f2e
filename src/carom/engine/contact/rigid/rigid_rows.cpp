#include "carom/engine/contact/rigid/rigid_rows.h"

#include <algorithm>

#include "carom/base/index.h"
#include "carom/multibody/delassus.h"

namespace carom {

double RigidRows::product(std::size_t i, std::span<const double> v) const {
  double sum = 0.0;
  for (std::size_t k = 0; k < width; ++k) sum += J[i * width + k] * v[k];
  return sum;
}

void RigidRows::push_along(std::size_t i, double r, std::span<double> v) const {
  for (std::size_t k = 0; k < width; ++k) v[k] += r * response[i * width + k];
}

void make_rows(Workspace& w, std::span<const RigidActor> points, RigidRows& rows) {
  const Model& model = *w.model;
  if (rows.links.empty()) rows.links = all_links(model.tree);
  rows.count = 3 * points.size(), rows.width = model.nv();
  rows.J.assign(rows.count * rows.width, 0.0);
  rows.response.resize(rows.J.size());
  rows.W.resize(rows.count * rows.count);
  rows.push.resize(rows.width), rows.moved.resize(rows.width);
  std::size_t i = 0;
  for (const RigidActor& point : points) {
    const ContactPair& pair = w.modes.contacts.pairs[point.pair];
    const int a = model.contact.colliders[pair.a].link, b = model.contact.colliders[pair.b].link;
    for (const Vec3& e : {point.site.n, point.site.t1, point.site.t2}) {
      const std::span<double> row(&rows.J[i * rows.width], rows.width);
      add_generalised_force(model.tree, w.tree, b, point.site.p, {{}, e}, row);
      add_generalised_force(model.tree, w.tree, a, point.site.p, {{}, -e}, row);
      std::copy(row.begin(), row.end(), rows.push.begin());
      apply_inverse_mass(model.tree, w.tree, rows.links, rows.push, w.constraints.scratch,
                         rows.moved);
      if (!model.constraints.empty()) {
        project_velocities(model.tree, model.constraints, rows.moved, w.tree, w.constraints);
      }
      std::copy(rows.moved.begin(), rows.moved.end(), &rows.response[i * rows.width]);
      ++i;
    }
  }
  for (i = 0; i < rows.count; ++i) {
    for (std::size_t j = 0; j <= i; ++j) {
      const std::span<const double> column(&rows.response[j * rows.width], rows.width);
      rows.W[i * rows.count + j] = rows.W[j * rows.count + i] = rows.product(i, column);
    }
  }
}

}  // namespace carom
