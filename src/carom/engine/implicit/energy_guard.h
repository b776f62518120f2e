// Velocities scaled so that a step does not make energy, of the bodies and trees of an island.
// Shared by implicit steps and time steps, which differ in how they know that energy.
#pragma once

#include <functional>

#include "carom/engine/implicit/free_bodies.h"
#include "carom/engine/implicit/tree_blocks.h"

namespace carom {

/// What a guard may slow down: places among trees and among free bodies.
struct Guarded {
  std::vector<int> trees, bodies;
  void clear() { trees.clear(), bodies.clear(); }
};

/// Energies of this share are rounding.
inline constexpr double kGuardRounding = 1e-14;

class EnergyGuard {
 public:
  /// `kinetic_of_body`: of a free body, with the velocities of the answer [J].
  EnergyGuard(Workspace& w, const TreeBlocks& trees, std::span<const FreeBody> bodies,
              std::function<double(int)> kinetic_of_body)
      : w_(w), trees_(trees), bodies_(bodies), kinetic_of_body_(std::move(kinetic_of_body)) {}

  /// What velocities gave, and what they could not.
  struct Taken {
    double sum = 0.0;
    bool is_short = false;
  };
  /// Takes `excess` of the energy from the velocities in x_new (gives, where it is negative), as
  /// far as they hold it.
  Taken slow_down(const Guarded& guarded, double excess, std::span<double> x_new);

  /// Leaves what is guarded where it was.
  void put_back(const Guarded& guarded, std::span<const double> x, std::span<double> x_new) const;

 private:
  double kinetic(const Guarded& guarded, double scale, std::span<const double> x_new);

  Workspace& w_;
  const TreeBlocks& trees_;
  std::span<const FreeBody> bodies_;
  std::function<double(int)> kinetic_of_body_;
};

}  // namespace carom
