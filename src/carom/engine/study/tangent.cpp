#include "carom/engine/study/tangent.h"

#include <algorithm>
#include <cmath>

#include "carom/engine/contact/rigid/rigid_hold.h"

namespace carom {

void move_positions(const TreeModel& tree, std::span<const double> delta, std::span<double> q) {
  for (std::size_t i = 1; i < tree.links.size(); ++i) {
    const Link& link = tree.links[i];
    link.joint->move(delta.data() + link.v0, q.data() + link.q0);
  }
}

std::vector<double> free_directions(Workspace& w, double t, std::span<const double> x) {
  const Model& model = *w.model;
  const std::size_t nv = model.nv();
  evaluate_kinematics(w, t, x);
  std::vector<double> basis;
  if (factor_mass(model.tree, w.tree) != Status::ok) return basis;
  std::vector<double> column(nv);
  for (std::size_t k = 0; k < nv; ++k) {
    if (w.tree.known[k]) continue;
    std::fill(column.begin(), column.end(), 0.0);
    column[k] = 1.0;
    if (!model.constraints.empty()) {
      project_velocities(model.tree, model.constraints, column, w.tree, w.constraints);
    }
    if (model.contact.has_rigid && holds_bodies(w)) keep_on_contacts(w, column);
    // Gram-Schmidt, twice; what is left below 1e-6 depends on the columns before.
    for (int twice = 0; twice < 2; ++twice) {
      for (std::size_t j = 0; j < basis.size(); j += nv) {
        double s = 0.0;
        for (std::size_t i = 0; i < nv; ++i) s += basis[j + i] * column[i];
        for (std::size_t i = 0; i < nv; ++i) column[i] -= s * basis[j + i];
      }
    }
    double length = 0.0;
    for (const double c : column) length += c * c;
    length = std::sqrt(length);
    if (length < 1e-6) continue;
    for (const double c : column) basis.push_back(c / length);
  }
  return basis;
}

double project(Workspace& w, double t, std::span<double> x, double tolerance, int max_iterations) {
  const Model& model = *w.model;
  const bool holds = model.contact.has_rigid && holds_bodies(w);
  if (model.constraints.empty() && !holds) return 0.0;
  const std::span<double> q = x.first(model.nq()), v = x.subspan(model.nq(), model.nv());
  if (model.has_motion) {
    evaluate_kinematics(w, t, x);
    std::copy(w.q.begin(), w.q.end(), q.begin());
    std::copy(w.v.begin(), w.v.end(), v.begin());
  }
  double error = 0.0;
  if (!model.constraints.empty()) {
    error = project_positions(model.tree, model.constraints, q, w.tree, w.constraints, tolerance,
                              max_iterations);
  }
  if (holds) error = std::max(error, project_on_contacts(w, t, x));
  if (model.constraints.empty()) return error;
  evaluate_kinematics(w, t, x);
  if (factor_mass(model.tree, w.tree) != Status::ok) return kInf;
  project_velocities(model.tree, model.constraints, v, w.tree, w.constraints);
  return error;
}

}  // namespace carom
