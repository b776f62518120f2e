// States of a simulation: saved, restored, sent to other processes, set in part, read at once.
#include <pybind11/stl.h>

#include "simulation_handle.h"

namespace carom::python {
namespace {

using Numbers = py::array_t<double, py::array::c_style | py::array::forcecast>;

py::bytes state_bytes(const RunState& state) { return py::bytes(to_bytes(state)); }

RunState state_of(const py::bytes& bytes) {
  try {
    return run_state_from_bytes(static_cast<std::string>(bytes));
  } catch (const std::runtime_error& error) {
    throw py::value_error("these bytes are no state: " + std::string(error.what()));
  }
}

/// A number or a list of them; None: empty.
std::vector<double> numbers_of(const py::object& given, const char* what) {
  if (given.is_none()) return {};
  const auto list = Numbers::ensure(given);
  if (!list || list.ndim() > 1) {
    PyErr_Clear();
    throw py::value_error(std::string(what) + " is a number or a list of numbers");
  }
  return {list.data(), list.data() + list.size()};
}

template <std::size_t N>
std::optional<std::array<double, N>> array_of(const py::object& given, const char* what) {
  if (given.is_none()) return {};
  const std::vector<double> list = numbers_of(given, what);
  if (list.size() != N) {
    throw py::value_error(std::string(what) + " is a list of " + std::to_string(N) + " numbers");
  }
  std::array<double, N> values{};
  std::copy(list.begin(), list.end(), values.begin());
  return values;
}

std::optional<Vec3> vector_of(const py::object& given, const char* what) {
  const auto a = array_of<3>(given, what);
  if (!a) return {};
  return Vec3{(*a)[0], (*a)[1], (*a)[2]};
}

void set_state(SimulationHandle& s, double t, const py::object& x) {
  s.use().set_state(t, numbers_of(x, "the state"));
}

void set_joint(SimulationHandle& s, const std::string& name, const py::object& q,
               const py::object& v) {
  s.use().set_joint(name, numbers_of(q, "q"), numbers_of(v, "v"));
}

void set_body(SimulationHandle& s, const std::string& name, const py::object& position,
              const py::object& orientation, const py::object& velocity,
              const py::object& angular_velocity) {
  BodyPlacement p;
  p.position = vector_of(position, "position");
  if (const auto o = array_of<4>(orientation, "orientation")) {
    p.orientation = Quat{(*o)[0], (*o)[1], (*o)[2], (*o)[3]};
  }
  p.velocity = vector_of(velocity, "velocity");
  p.angular_velocity = vector_of(angular_velocity, "angular_velocity");
  s.use().set_body(name, p);
}

py::array_t<double> read(SimulationHandle& s, const std::vector<std::string>& channels) {
  try {
    const std::vector<double> values = s.use().read(channels);
    return copy_array(values.data(), values.size());
  } catch (const InputError& error) {
    throw py::key_error(error.what());
  }
}

py::object linearize_now(SimulationHandle& s, const std::vector<std::string>& outputs) {
  Simulation& simulation = s.use();
  Diagnostics findings;
  const auto channels = select_channels(simulation.model(), outputs, {}, findings);
  if (findings.has_errors()) throw InputError(std::move(findings));
  return make_linearization(simulation.linearize(channels));
}

}  // namespace

void bind_state(py::module_& m, py::class_<SimulationHandle>& simulation) {
  using Handle = SimulationHandle;
  py::class_<RunState>(m, "State",
                       "All that decides how a simulation goes on; bytes(state) and State(bytes) "
                       "take it to another process, as pickling does.")
      .def(py::init(&state_of), py::arg("bytes"))
      .def_readonly("time", &RunState::time, "[s]")
      .def("__bytes__", state_bytes)
      .def("__reduce__",
           [](const py::object& self) {
             return py::make_tuple(py::type::of(self),
                                   py::make_tuple(state_bytes(self.cast<const RunState&>())));
           })
      .def("__repr__", [](const RunState& s) {
        return "<carom.State at t = " + py::repr(py::float_(s.time)).cast<std::string>() + ">";
      });
  const py::none none;
  simulation
      .def("save", &Handle::save,
           "The state as a value. The method starts anew here too: going on equals restore(), to "
           "the last bit.")
      .def("restore", &Handle::restore, py::arg("state"),
           "Goes on from a state that this or another simulation of the scene has saved.")
      .def("reset", &Handle::reset, "Back to the start of the scene, parameters included.")
      .def_property_readonly(
          "state",
          [](Handle& s) { return copy_array(s.use().state().data(), s.use().model().size()); },
          "a copy of coordinates, velocities and inner states, without those of contacts")
      .def_property_readonly(
          "state_names", [](Handle& s) { return state_names(s.use().model()); },
          "what the entries of `state` are")
      .def_property_readonly(
          "event_names", [](Handle& s) { return event_names(s.use().workspace()); },
          "the functions whose zeros are events at present, such as `phi(ball,table)`")
      .def("set_state", set_state, py::arg("t"), py::arg("x"),
           "Sets `time` and `state`; contacts of what is moved are found anew.")
      .def("set_joint", set_joint, py::arg("name"), py::kw_only(), py::arg("q") = none,
           py::arg("v") = none, "Sets coordinates and velocities of a joint; loops follow.")
      .def("set_body", set_body, py::arg("name"), py::kw_only(), py::arg("position") = none,
           py::arg("orientation") = none, py::arg("velocity") = none,
           py::arg("angular_velocity") = none,
           "Puts a body into a pose of the world; loops follow.")
      .def("read", read, py::arg("channels"), "Values of several channels, as one array.")
      .def("linearize", linearize_now, py::arg("outputs") = std::vector<std::string>{"joints"},
           "Linearization at the present state.");
}

}  // namespace carom::python
