// Springs, dampers and bushings between bodies as rows of the velocity problem.
//
// The force where the step begins, w, acts as it is; its change over the step is implicit, along
// each deflection x_i whose rate is u_i:
//
//   f_i = -k_i e u_i - c_i (u_i - u_i0)                                              (1)
//
// with k and c the slopes of the force there, where they hold back, and e the time as in
// joint_rows.h. What the element stores is counted as
//
//   dU = -h w_e.u + h²/2 sum k_i u_i²,                                               (2)
//
// w_e the elastic part of w; what it truly stores where the step ends is the business of
// tree_guard.cpp.
#pragma once

#include "carom/engine/force_elements.h"
#include "carom/math/step_problem.h"

namespace carom {

struct ForceRow {
  Vec3 angular, linear;                   ///< u = angular.w + linear.v of `to` in `from`, at p
  double stiffness = 0.0, damping = 0.0;  ///< k, c >= 0
  double rate = 0.0;                      ///< u0
};

struct ForceRows {
  std::size_t element = 0;
  Vec3 p;                    ///< the point of `to`
  Wrench on_to, elastic;     ///< w and w_e, about p
  double energy = 0.0;       ///< stored where the step begins [J]
  bool is_driven = false;    ///< by signals: what it does is work from outside
  double model_power = 0.0;  ///< [W]
  std::vector<ForceRow> rows;
  std::vector<double> forces;  ///< in the answer
};

/// The element where the workspace is.
void find_force_rows(Workspace& w, std::size_t element, ForceRows& out);

/// (1).
RubRow force_rub(const ForceRow& row, double h, double theta);

}  // namespace carom
