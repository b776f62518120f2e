// Elements between bodies in an implicit step. Each has a row per deflection, and two that only
// measure: the power of its force where the step begins, and of the elastic part of that.
#include "carom/base/index.h"
#include "carom/engine/implicit/implicit_step.h"

namespace carom {

/// The force where the step begins acts on trees from here on; on free bodies it does already.
void ImplicitStep::read_elements() {
  const std::vector<ForceElement>& forces = w_.model->forces;
  std::size_t count = 0;
  for (std::size_t i = 0; i < forces.size(); ++i) {
    if (forces[i].kind->is_load) continue;
    if (force_groups_.size() == count) force_groups_.emplace_back();
    ForceGroup& group = force_groups_[count++];
    find_force_rows(w_, i, group.rows);
    group.a = mover_of(forces[i].from.link), group.b = mover_of(forces[i].to.link);
    const Wrench& w = group.rows.on_to;
    const auto push = [&](const Mover& m, double sign) {
      if (m.body >= 0) {
        FreeBody& b = bodies_[at(m.body)];
        b.element += sign * w.f;
        b.twist += sign * (w.t + cross(group.rows.p - b.p, w.f));
      } else if (m.tree >= 0) {
        trees_.push(trees_.list[at(m.tree)], m.link, group.rows.p, sign * w);
      }
    };
    push(group.a, -1.0);
    push(group.b, 1.0);
  }
}

void ImplicitStep::add_force_groups() {
  for (const ForceGroup& element : force_groups_) {
    RowGroup group;
    group.a = block_of(element.a);
    const bool is_one_tree = element.a.tree >= 0 && element.a.tree == element.b.tree;
    group.b = is_one_tree ? -1 : block_of(element.b);
    group.jacobian = problem_.jacobian.size();
    group.first_normal = static_cast<int>(problem_.normals.size());
    group.first_rub = static_cast<int>(problem_.rubs.size());
    const auto add = [&](const Vec3& angular, const Vec3& linear) {
      RubRow& rub = problem_.rubs.emplace_back();
      rub.size = 1;
      rub.drift[0] = write_jacobian(element.a, element.b, element.rows.p, angular, linear);
    };
    for (const ForceRow& row : element.rows.rows) add(row.angular, row.linear);
    add(element.rows.on_to.t, element.rows.on_to.f);
    add(element.rows.elastic.t, element.rows.elastic.f);
    group.rows = group.rubs = static_cast<int>(element.rows.rows.size()) + 2;
    problem_.groups.push_back(group);
  }
}

void ImplicitStep::put_force_rubs(int g, double theta) {
  const std::vector<ForceRow>& rows = element_of(g).rows.rows;
  for (std::size_t k = 0; k < rows.size(); ++k) {
    RubRow& rub = problem_.rubs[at(problem_.groups[at(g)].first_rub) + k];
    const double drift = rub.drift[0];
    rub = force_rub(rows[k], h_, theta);
    rub.drift[0] = drift;
  }
}

/// Of the answer, with what the bodies' own terms have taken for work from outside given back.
double ImplicitStep::force_change(int g, double s) const {
  const RowGroup& group = problem_.groups[at(g)];
  const ForceRows& element = element_of(g).rows;
  std::vector<double>&u = u_, &u_free = u_free_;
  u.resize(at(group.rows)), u_free.resize(at(group.rows));
  row_velocities(problem_, group, problem_.v, u);
  row_velocities(problem_, group, problem_.free, u_free);
  for (std::size_t k = 0; k < u.size(); ++k) u[k] = u_free[k] + s * (u[k] - u_free[k]);
  const std::size_t n = element.rows.size();
  double sum = element.is_driven ? 0.0 : h_ * (u[n] - u[n + 1]);
  for (std::size_t k = 0; k < n; ++k) {
    sum += element.is_driven ? -s * h_ * element.forces[k] * u[k]
                             : 0.5 * h_ * h_ * element.rows[k].stiffness * u[k] * u[k];
  }
  return sum;
}

/// Books what the element does; returns what it takes.
double ImplicitStep::close_force(int g, double share) {
  const RowGroup& group = problem_.groups[at(g)];
  const ForceRows& element = element_of(g).rows;
  std::vector<double>& u = u_;
  u.resize(at(group.rows));
  row_velocities(problem_, group, problem_.v, u);
  const std::size_t n = element.rows.size();
  double work = h_ * u[n], stored = -h_ * u[n + 1];  // (2) of force_rows.h
  for (std::size_t k = 0; k < n; ++k) {
    work += share * h_ * element.forces[k] * u[k];
    stored += 0.5 * h_ * h_ * element.rows[k].stiffness * u[k] * u[k];
  }
  if (element.is_driven) {
    outside_work_ += work;
    return 0.0;
  }
  damped_ -= work + stored;
  return -(work + stored);
}

/// By how much it stores more than was counted; where the step ends.
double ImplicitStep::force_gain(int g) {
  const RowGroup& group = problem_.groups[at(g)];
  const ForceRows& element = element_of(g).rows;
  if (element.is_driven) return 0.0;
  std::vector<double>& u = u_;
  u.resize(at(group.rows));
  row_velocities(problem_, group, problem_.v, u);
  const std::size_t n = element.rows.size();
  double stored = -h_ * u[n + 1];
  for (std::size_t k = 0; k < n; ++k) {
    stored += 0.5 * h_ * h_ * element.rows[k].stiffness * u[k] * u[k];
  }
  const ForceElement& e = w_.model->forces[element.element];
  const double now = evaluate_force_between(w_, element.element, attachment_state(w_.tree, e.from),
                                            attachment_state(w_.tree, e.to), true)
                         .elastic;
  model_work_ += h_ * element.model_power;
  return now - element.energy - stored - h_ * element.model_power;
}

}  // namespace carom
