// The Runge-Kutta method of order 8 by Dormand, Prince and Hairer, with error control and
// dense output.
//
// Written by hand beside ARKODE's methods because its dense output is as accurate as its
// steps: events restart from it and samples are taken from it without repeating a step.
//
//   error of a step = h |e5|^2 / sqrt(|e5|^2 + |e3|^2 / 100)                        (1)
//   h_next = h min(6, max(1/3, 0.9 error^(-1/8)))                                   (2)
//
// Hairer, Norsett & Wanner, "Solving Ordinary Differential Equations I" (1993), II.10.
#pragma once

#include <memory>

#include "carom/integrate/integrator.h"

namespace carom {

std::unique_ptr<Integrator> make_dop853_integrator(System& system,
                                                   const IntegratorSettings& settings);

}  // namespace carom
