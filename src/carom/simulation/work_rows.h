// Rows of the ledger that are integrals: work of drives and loads, losses in joints and force
// elements. They are no states of the integrator. After every step, or its part before an event,
// they are taken from the method's own stages where it is explicit and its estimate of their error
// is small, and otherwise by quadrature on the dense output.
//
//   rows.take(integrator, observer, t1, allowed);   // before the step is truncated
//   … rows.at(t) …                                  // samples
//   modes.rows = rows.end();
#pragma once

#include <limits>

#include "carom/engine/workspace.h"
#include "carom/integrate/integrator.h"
#include "carom/integrate/power_quadrature.h"

namespace carom {

class WorkRows {
 public:
  explicit WorkRows(const Model& model)
      : does_work_(model.does_work), quadrature_(Powers::kCount) {}

  /// The motion begins anew: powers may have jumped.
  void restart() { quadrature_.restart(); }
  /// The integrator's last step up to t1. `observer` has the modes of the step and the rows where
  /// it begins; each row may err by about `allowed` [J]. After `last` a signal jumps: at t1 the
  /// powers are those before it.
  void take(Integrator& integrator, Workspace& observer, double t1, double allowed,
            double last = std::numeric_limits<double>::infinity());
  /// The rows at t, in the step taken last.
  Powers at(double t) const;
  Powers end() const { return end_; }
  /// The same where locating the event has moved it by dt.
  Powers end(double dt, const Powers& powers) const;

  /// Where the observer was evaluated last, with the state that the integrator interpolates there;
  /// NaN where it was not, or has been used since.
  double evaluated_at() const { return evaluated_at_; }
  void forget_evaluation() { evaluated_at_ = kNowhere; }

 private:
  static constexpr double kNowhere = std::numeric_limits<double>::quiet_NaN();
  Powers add(std::span<const double> work) const;

  bool does_work_;
  bool by_stages_ = false;
  Integrator* integrator_ = nullptr;
  PowerQuadrature quadrature_;
  Powers begin_, end_;
  double evaluated_at_ = kNowhere;  ///< [s]
  std::vector<double> state_;
};

}  // namespace carom
