// The velocity problem of a step, for methods that are not right-hand sides.
#include "carom/engine/tangent.h"
#include "carom/engine/velocity_rows.h"
#include "carom/simulation/scene_system.h"

namespace carom {

const VelocityProblem* SceneSystem::velocity_problem(double t, std::span<const double> x,
                                                     double h) {
  if (!rows_) rows_ = std::make_unique<RowBuffer>();
  const Status status = assemble_velocity_problem(w_, t, x, h, *rows_);
  return status == Status::ok ? &rows_->problem : nullptr;
}

void SceneSystem::apply_mass(std::span<const double> v, std::span<double> p) {
  mass_times(w_, v, p);
}

void SceneSystem::apply_inverse_mass(std::span<const double> p, std::span<double> v) {
  inverse_mass_times(w_, p, v);
}

ContactPotential SceneSystem::potential(std::size_t contact, double depth) {
  return potential_of(rows_->laws[contact], depth);
}

void SceneSystem::move(std::span<const double> x, std::span<const double> v, double h,
                       std::span<double> moved) {
  std::vector<double> way(v.begin(), v.end());
  for (double& delta : way) delta *= h;
  std::copy(x.begin(), x.end(), moved.begin());
  std::copy(v.begin(), v.end(), moved.begin() + static_cast<std::ptrdiff_t>(model_.nq()));
  move_positions(model_.tree, way, moved.first(model_.nq()));
}

}  // namespace carom
