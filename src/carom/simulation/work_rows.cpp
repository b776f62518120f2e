#include "carom/simulation/work_rows.h"

#include <algorithm>

#include "carom/engine/evaluate.h"

namespace carom {

using Row = std::array<double, Powers::kCount>;

Powers WorkRows::add(std::span<const double> work) const {
  Row rows = begin_.values();
  for (std::size_t i = 0; i < rows.size(); ++i) rows[i] += work[i];
  return Powers::of(rows);
}

void WorkRows::take(Integrator& integrator, Workspace& observer, double t1, double allowed,
                    double last) {
  begin_ = end_ = observer.modes.rows;
  forget_evaluation();
  if (!does_work_) return;
  integrator_ = &integrator;
  Row work{}, error{};
  by_stages_ = integrator.integrate_powers(t1, work, error) &&
               std::ranges::all_of(error, [&](double e) { return e <= allowed; });
  if (!by_stages_) {
    const auto powers = [&](double t, std::span<double> p) {
      state_.resize(integrator.state().size());
      integrator.interpolate(t, state_);
      const Status status = evaluate(observer, std::min(t, last), state_);
      evaluated_at_ = status == Status::ok && t <= last ? t : kNowhere;
      std::ranges::copy(observer.ledger.powers.values(), p.begin());
    };
    quadrature_.take(integrator.previous_time(), t1, powers, allowed);
    quadrature_.integral(t1, work);
  }
  end_ = add(work);
}

Powers WorkRows::end(double dt, const Powers& powers) const {
  if (!does_work_) return end_;
  Row rows = end_.values();
  const Row p = powers.values();
  for (std::size_t i = 0; i < rows.size(); ++i) rows[i] += dt * p[i];
  return Powers::of(rows);
}

Powers WorkRows::at(double t) const {
  if (!does_work_) return begin_;
  Row work{}, error{};
  if (by_stages_) {
    integrator_->integrate_powers(t, work, error);
  } else {
    quadrature_.integral(t, work);
  }
  return add(work);
}

}  // namespace carom
