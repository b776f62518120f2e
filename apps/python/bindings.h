// The parts of the module, one file each, and what they share.
#pragma once

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include <memory>
#include <string>
#include <vector>

#include "carom/base/diagnostic.h"
#include "carom/engine/study/linearize.h"
#include "carom/record/recording.h"
#include "scene_handle.h"

namespace carom::python {

namespace py = pybind11;

void bind_errors(py::module_& m);
void bind_result(py::module_& m);
void bind_simulation(py::module_& m);
void bind_study(py::module_& m);
void bind_scene(py::module_& m);
void bind_catalogue(py::module_& m);
void bind_geometry(py::module_& m);
void bind_cones(py::module_& m);
void bind_view(py::module_& m);
void bind_sweep(py::module_& m);

/// {file, line, column, severity, message, remedy, excerpt}; unknown lines and columns are None.
py::dict diagnostic_dict(const Diagnostic& diagnostic);

/// An OSError; `result` is hung on it unless None.
[[noreturn]] void raise_os_error(const std::string& message, const py::object& result = py::none());
[[noreturn]] void raise_simulation_error(const std::string& message);

/// A Result that owns the recording.
py::object make_result(Recording recording);

/// The page of a recording, the same inside a frame for notebooks, and a figure of channels.
std::string result_page(const Recording& recording);
std::string result_frame(const Recording& recording);
py::object result_figure(const Recording& recording, const std::vector<std::string>& names);

/// scene.run, scene.simulate, scene.linearize and scene.equilibrium.
py::object run_scene(SceneHandle& scene, const std::vector<Assignment>& changes,
                     const std::string& file);
py::object start_simulation(SceneHandle& scene, const std::vector<Assignment>& changes);
py::object make_linearization(Linearization linearization);
py::object linearize_scene(SceneHandle& scene, const std::vector<std::string>& outputs,
                           bool at_equilibrium);
py::dict find_scene_equilibrium(SceneHandle& scene);
py::dict check_scene(SceneHandle& scene);

/// A new array with a copy of the values.
py::array_t<double> copy_array(const double* values, std::size_t count);

}  // namespace carom::python
