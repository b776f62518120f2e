#include "carom/integrate/integrator.h"

namespace carom {

const Method* find_method(std::string_view name) {
  for (const Method* method : method_catalogue()) {
    if (name == method->name) return method;
  }
  return nullptr;
}

}  // namespace carom
