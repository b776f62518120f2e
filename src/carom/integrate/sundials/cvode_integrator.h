// CVODE's multistep methods (BDF orders 1-5, Adams-Moulton orders 1-12) as an Integrator.
//
// Cohen & Hindmarsh, "CVODE, a stiff/nonstiff ODE solver in C", Computers in Physics
// 10 (1996) 138-143. The Nordsieck polynomial that the method itself predicts with is
// the dense output, so it is as accurate as the steps.
#pragma once

#include <memory>

#include "carom/integrate/integrator.h"

namespace carom {

/// bdf_2: BDF of orders 1 and 2 only, which damp every vibration (they are A-stable). From order 3
/// on, steps of about the period of a hardly damped one keep it alive, and never grow.
enum class Multistep { bdf, bdf_2, adams };

std::unique_ptr<Integrator> make_cvode_integrator(System& system,
                                                  const IntegratorSettings& settings,
                                                  Multistep family);

}  // namespace carom
