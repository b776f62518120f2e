// The Python module `carom`: scenes in, numpy arrays out, control in the loop.
//
//   import carom
//   result = carom.load("pendulum.yaml").run(until=10)
//   plot(result.time, result["pivot.q"])
//
// carom.pyi states the types; docs/python.md is the guide.
#include "bindings.h"
#include "carom/base/version.h"

PYBIND11_MODULE(carom, m) {
  using namespace carom::python;
  m.doc() = "Contact dynamics of rigid multibody systems.";
  m.attr("__version__") = carom::kVersion;
  bind_errors(m);
  bind_view(m);
  bind_result(m);
  bind_simulation(m);
  bind_study(m);
  bind_scene(m);
  bind_catalogue(m);
  bind_geometry(m);
  bind_sweep(m);
}
