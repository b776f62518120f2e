// ARKODE's Runge-Kutta methods, explicit (ERKStep) and diagonally implicit (ARKStep).
//
// Reynolds et al., "ARKODE: a flexible IVP solver infrastructure for one-step methods",
// ACM TOMS 49 (2023) 19. Dense output is that of hermite.h: ARKODE's own has at most
// degree 5 and does not survive a reset.
#pragma once

#include <memory>

#include "carom/integrate/integrator.h"

namespace carom {

struct ArkodeTable {
  bool implicit;
  int table;  ///< an ARKODE_ERKTableID or ARKODE_DIRKTableID
  /// ARK_ADAPT_…: the step-size controller with which the error of a run came out most
  /// nearly proportional to the tolerance.
  int controller;
  int dense_degree;        ///< of the dense output, 3 … 7
  bool dense_is_accurate;  ///< whether the dense output is as accurate as the steps
};

std::unique_ptr<Integrator> make_arkode_integrator(System& system,
                                                   const IntegratorSettings& settings,
                                                   const ArkodeTable& table);

}  // namespace carom
