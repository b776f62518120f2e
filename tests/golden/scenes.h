// The runs whose bits are guarded: every demo, every verification case, and every method on three
// scenes with contact.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "carom/engine/model.h"

namespace carom::golden {

struct Guarded {
  std::string name;  ///< "demo/gripper", "verify/rocking", "tumbling/erk8"
  std::shared_ptr<const Model> model;
};

/// In the order of the table. Throws InputError where a scene cannot be compiled.
std::vector<Guarded> guarded_runs();

}  // namespace carom::golden
