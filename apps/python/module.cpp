// The Python module `carom`: scenes in, numpy arrays out, control in the loop.
//
//   import carom
//   result = carom.load("pendulum.yaml").run(until=10)
//   plot(result.time, result["pivot.q"])
//
// carom.pyi states the types; docs/python.md is the guide.
#include "bindings.h"
#include "carom/base/version.h"

namespace {

/// Scene.__new__(Scene) would be an object without a scene behind it, and its first use a crash:
/// pybind11 gives such objects raw memory. Objects are made by functions of the module, which go
/// another way.
PyObject* refuse_new(PyTypeObject* type, PyObject*, PyObject*) {
  PyErr_Format(PyExc_TypeError, "objects of %s are made by functions of the module", type->tp_name);
  return nullptr;
}

/// Of classes with a constructor: it runs at once, so that no object is without content. pybind11
/// passes over the second call, which Python makes.
PyObject* make_whole(PyTypeObject* type, PyObject* args, PyObject* kwargs) {
  const auto* info = pybind11::detail::get_type_info(type);
  PyObject* self = pybind11::detail::make_new_instance(type);
  if (self && info->type->tp_init(self, args, kwargs) != 0) Py_CLEAR(self);
  return self;
}

void refuse_empty_objects(pybind11::module_& m) {
  for (const auto& [name, value] : m.attr("__dict__").cast<pybind11::dict>()) {
    auto* type = reinterpret_cast<PyTypeObject*>(value.ptr());
    if (!PyType_Check(value.ptr()) || !pybind11::detail::get_type_info(type)) continue;
    const auto own = pybind11::reinterpret_borrow<pybind11::object>(value).attr("__dict__");
    // Without a constructor `__init__` is only the wrapper of the slot, which refuses.
    const bool has_constructor =
        !Py_IS_TYPE(pybind11::object(own["__init__"]).ptr(), &PyWrapperDescr_Type);
    type->tp_new = has_constructor ? make_whole : refuse_new;
  }
}

}  // namespace

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
  bind_cones(m);
  bind_sweep(m);
  refuse_empty_objects(m);
}
