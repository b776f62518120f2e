// Exceptions: SceneError carries every finding, SimulationError the reason.
#include <utility>

#include "bindings.h"

namespace carom::python {
namespace {

const char* word(Severity severity) {
  switch (severity) {
    case Severity::warning: return "warning";
    case Severity::note: return "note";
    default: return "error";
  }
}

/// Looked up when needed: the module keeps no Python objects of its own.
py::object error_type(const char* name) { return py::module_::import("carom").attr(name); }

void translate(std::exception_ptr pointer) {
  try {
    std::rethrow_exception(std::move(pointer));
  } catch (const InputError& error) {
    py::list findings;
    for (const Diagnostic& d : error.diagnostics().all()) findings.append(diagnostic_dict(d));
    const py::object type = error_type("SceneError");
    const py::object value = type(error.what());
    value.attr("diagnostics") = findings;
    PyErr_SetObject(type.ptr(), value.ptr());
  }
}

}  // namespace

py::dict diagnostic_dict(const Diagnostic& d) {
  py::dict out;
  out["file"] = d.where.file;
  out["line"] = d.where.line > 0 ? py::object(py::int_(d.where.line)) : py::none();
  out["column"] = d.where.column > 0 ? py::object(py::int_(d.where.column)) : py::none();
  out["severity"] = word(d.severity);
  out["message"] = d.message;
  out["remedy"] = d.remedy;
  out["excerpt"] = d.excerpt;
  return out;
}

void raise_os_error(const std::string& message, const py::object& result) {
  const py::handle type(PyExc_OSError);
  const py::object error = type(message);
  if (!result.is_none()) error.attr("result") = result;
  PyErr_SetObject(type.ptr(), error.ptr());
  throw py::error_already_set();
}

void raise_simulation_error(const std::string& message) {
  const py::object type = error_type("SimulationError");
  PyErr_SetString(type.ptr(), message.c_str());
  throw py::error_already_set();
}

py::array_t<double> copy_array(const double* values, std::size_t count) {
  return py::array_t<double>(static_cast<py::ssize_t>(count), values);
}

void bind_errors(py::module_& m) {
  const auto add = [&m](const char* name, PyObject* base, const char* doc) {
    const std::string full = std::string("carom.") + name;
    m.attr(name) = py::reinterpret_steal<py::object>(
        PyErr_NewExceptionWithDoc(full.c_str(), doc, base, nullptr));
  };
  add("SceneError", PyExc_ValueError,
      "The scene cannot be used. `diagnostics` lists every finding: file, line, column, severity, "
      "message, remedy.");
  add("SimulationError", PyExc_RuntimeError, "The numerical method could not go on.");
  m.attr("SceneError").attr("diagnostics") = py::list();
  py::register_exception_translator(translate);
}

}  // namespace carom::python
