// What the benchmark asks of an engine: accelerations from prepared states.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "models.h"

namespace carom::bench {

class Engine {
 public:
  virtual ~Engine() = default;

  virtual std::string name() const = 0;
  /// What is timed, in a few words without commas.
  virtual std::string timed() const = 0;
  /// Converts the states to the engine's own coordinates, once.
  virtual void prepare(const std::vector<State>& states) = 0;
  /// The timed part: sets positions, velocities and forces of prepared state k and
  /// computes the accelerations.
  virtual void evaluate(std::size_t k) = 0;
  /// Accelerations of state k, which was evaluated last, in the convention of models.h.
  virtual void read(std::size_t k, std::vector<double>& vdot) const = 0;
};

using Engines = std::vector<std::unique_ptr<Engine>>;

// One file each; a peer that is not installed is not compiled in.
void add_carom(const ModelSpec& model, Engines& engines);
void add_mujoco(const ModelSpec& model, Engines& engines);
void add_simbody(const ModelSpec& model, Engines& engines);
void add_dart(const ModelSpec& model, Engines& engines);

/// Adds every engine that was built in; says on stderr which are missing.
Engines make_engines(const ModelSpec& model);

}  // namespace carom::bench
