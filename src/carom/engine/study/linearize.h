// Linearisation of a model at a state:
//
//   y' = A y + B u,   o = C y + D u                                             (1)
//
// y are small deviations in the free directions of position and velocity and of the
// user's and drives' states; u the constants of named signals; o selected channels.
#pragma once

#include <complex>
#include <span>
#include <string>
#include <vector>

#include "carom/engine/results/channels.h"

namespace carom {

struct Eigenmode {
  std::complex<double> eigenvalue;          ///< [1/s]
  double frequency = 0.0;                   ///< undamped, |λ| / 2π [Hz]
  double damping_ratio = 0.0;               ///< −Re λ / |λ|
  std::vector<std::complex<double>> shape;  ///< eigenvector in y, largest entry 1
};

struct Linearization {
  std::vector<std::string> states, inputs, outputs;
  std::vector<double> A, B, C, D;  ///< row-major
  std::vector<Eigenmode> modes;    ///< by rising frequency
};

/// By central differences of the right-hand side: relative error about 1e-9.
Linearization linearize(Workspace& w, double t, std::span<const double> x,
                        std::span<const OutputChannel> outputs);

}  // namespace carom
