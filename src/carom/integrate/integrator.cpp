#include "carom/integrate/integrator.h"

#include <vector>

namespace carom {

void Integrator::resume() {
  const std::vector<double> x(state().begin(), state().end());
  const double length = time() - previous_time();
  start(time(), x);
  if (length > 0.0) suggest_step(length);
}

const Method* find_method(std::string_view name) {
  for (const Method* method : method_catalogue()) {
    if (name == method->name) return method;
  }
  return nullptr;
}

}  // namespace carom
