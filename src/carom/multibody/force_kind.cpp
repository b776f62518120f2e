#include "carom/multibody/force_kind.h"

namespace carom {

const ForceKind* find_force_kind(std::string_view name) {
  for (const ForceKind* kind : force_catalogue()) {
    if (name == kind->name) return kind;
  }
  return nullptr;
}

}  // namespace carom
