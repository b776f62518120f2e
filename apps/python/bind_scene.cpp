// Scene: load, parse or build one; change it; run it.
#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include "bindings.h"
#include "carom/scene/expand/expand.h"
#include "carom/scene/values.h"
#include "yaml_value.h"

namespace carom::python {
namespace {

using Path = std::filesystem::path;

/// `set`: {"values.r": 0.04}, or texts "values.r=0.04" as the command takes them.
std::vector<std::string> override_texts(const py::object& set) {
  std::vector<std::string> texts;
  if (set.is_none()) return texts;
  if (!py::isinstance<py::dict>(set)) return set.cast<std::vector<std::string>>();
  for (const auto& [path, value] : set.cast<py::dict>()) {
    texts.push_back(path.cast<std::string>() + "=" + yaml_value(value));
  }
  return texts;
}

ReadOptions read_options(const std::optional<Path>& folder, const py::object& set,
                         bool allow_outside) {
  ReadOptions options;
  if (folder) options.folder = folder->string();
  options.overrides = override_texts(set);
  options.allow_outside = allow_outside;
  return options;
}

/// What was written, as Python would write it; formulas stay text.
py::object python_value(const Node& node) {
  switch (node.kind) {
    case Node::Kind::null: return py::none();
    case Node::Kind::list: {
      py::list out;
      for (const Node& item : node.items) out.append(python_value(item));
      return out;
    }
    case Node::Kind::map: {
      py::dict out;
      for (const NodeEntry& entry : node.entries)
        out[py::str(entry.key)] = python_value(entry.value);
      return out;
    }
    default: break;
  }
  if (!node.quoted) {
    if (node.text == "true" || node.text == "false") return py::bool_(node.text == "true");
    if (const auto number = parse_number(node.text)) return py::float_(*number);
  }
  return py::str(node.text);
}

py::object get(const SceneHandle& scene, const std::string& path) {
  const Node* node = scene.find(path);
  if (!node) throw py::key_error("the scene does not state '" + path + "'");
  return python_value(*node);
}

void set(SceneHandle& scene, const std::string& path, const py::object& value) {
  scene.set({path, yaml_value(value)});
}

/// The settings of a run that are not None.
std::vector<Assignment> settings(
    std::initializer_list<std::pair<const char*, const py::object&>> given) {
  std::vector<Assignment> changes;
  for (const auto& [path, value] : given) {
    if (!value.is_none()) changes.push_back({path, yaml_value(value)});
  }
  return changes;
}

py::object run(SceneHandle& scene, const py::object& until, const py::object& tolerance,
               const py::object& integrator, const py::object& step, const py::object& output_step,
               const py::object& channels, const std::optional<Path>& file) {
  return run_scene(scene,
                   settings({{"run.until", until},
                             {"run.tolerance", tolerance},
                             {"run.integrator", integrator},
                             {"run.step", step},
                             {"run.output.step", output_step},
                             {"run.output.channels", channels}}),
                   file ? file->string() : "");
}

py::object simulate(SceneHandle& scene, const py::object& tolerance, const py::object& integrator,
                    const py::object& step) {
  return start_simulation(
      scene,
      settings({{"run.tolerance", tolerance}, {"run.integrator", integrator}, {"run.step", step}}));
}

void bind_methods(py::class_<SceneHandle>& type) {
  const py::none none;
  type.def("run", run, py::arg("until") = none, py::kw_only(), py::arg("tolerance") = none,
           py::arg("integrator") = none, py::arg("step") = none, py::arg("output_step") = none,
           py::arg("channels") = none, py::arg("file") = none,
           "Runs to the end. Failure is a Result with status 'failed'. Ctrl-C raises "
           "KeyboardInterrupt, whose `result` holds what was recorded.")
      .def("simulate", simulate, py::kw_only(), py::arg("tolerance") = none,
           py::arg("integrator") = none, py::arg("step") = none, "Starts a simulation to advance.")
      .def("equilibrium", find_scene_equilibrium, "Rolls downhill to a state of rest.")
      .def("linearize", linearize_scene, py::arg("outputs") = std::vector<std::string>{"joints"},
           py::arg("at_equilibrium") = false, "A, B, C, D and eigenmodes at the start.")
      .def("check", check_scene, "Compiles; masses, freedoms and warnings. Raises SceneError.")
      .def(
          "expand", [](SceneHandle& s) { return expand(s.scene()); },
          "The scene as YAML with every default filled in.");
}

}  // namespace

void bind_scene(py::module_& m) {
  py::class_<SceneHandle> type(m, "Scene",
                               "What is to be simulated; made by load, parse or scene.");
  type.def_property_readonly("name", [](SceneHandle& s) { return s.scene().name; })
      .def_property_readonly(
          "source", [](SceneHandle& s) { return s.scene().source; },
          "its YAML text; with assigned values: all of it, spelt out")
      .def("get", get, py::arg("path"), "What is written at a path. Raises KeyError.")
      .def("set", set, py::arg("path"), py::arg("value"), "Changes or adds a value.")
      .def("__getitem__", get, py::arg("path"))
      .def("__setitem__", set, py::arg("path"), py::arg("value"))
      .def(
          "copy", [](const SceneHandle& s) { return s; }, "Another scene, to be changed by itself.")
      .def("__repr__", [](SceneHandle& s) { return "<carom.Scene '" + s.scene().name + "'>"; });
  bind_methods(type);

  m.def(
      "load",
      [](const Path& path, const py::object& set, bool allow_outside) {
        return SceneHandle::from_file(path.string(), read_options({}, set, allow_outside));
      },
      py::arg("path"), py::arg("set") = py::none(), py::arg("allow_outside") = false,
      "Reads a scene file. `set` overrides values: {'values.r': 0.04}.");
  m.def(
      "parse",
      [](const std::string& text, const py::object& set, const std::optional<Path>& folder,
         bool allow_outside) {
        return SceneHandle::from_text(text, "scene", read_options(folder, set, allow_outside));
      },
      py::arg("text"), py::arg("set") = py::none(), py::arg("folder") = py::none(),
      py::arg("allow_outside") = false,
      "Reads a scene from YAML text. Files it names lie below `folder`.");
  m.def(
      "scene",
      [](const py::dict& content, const std::optional<Path>& folder, bool allow_outside) {
        return SceneHandle::from_program(yaml_scene(content),
                                         read_options(folder, py::none(), allow_outside));
      },
      py::arg("content"), py::arg("folder") = py::none(), py::arg("allow_outside") = false,
      "Builds a scene from a dict with the structure of a scene file.");
}

}  // namespace carom::python
