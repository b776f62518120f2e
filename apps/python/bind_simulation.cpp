// Whole runs, and a simulation in progress: advance, read, change, advance again.
#include <pybind11/stl.h>

#include <cmath>

#include "bindings.h"
#include "carom/record/memory_writer.h"
#include "carom/record/output_file.h"
#include "carom/record/tee_writer.h"
#include "carom/simulation/run.h"
#include "signal_watch.h"
#include "simulation_handle.h"

namespace carom::python {
namespace {

/// Memory always, and a file if one is named. The first recorder is the memory.
std::unique_ptr<TeeWriter> make_recorder(const std::string& file) {
  std::vector<std::unique_ptr<Recorder>> recorders;
  recorders.push_back(std::make_unique<MemoryWriter>());
  if (!file.empty()) {
    try {
      recorders.push_back(make_file_recorder(file));
    } catch (const std::runtime_error& error) {
      throw py::value_error(error.what());
    }
  }
  return std::make_unique<TeeWriter>(std::move(recorders));
}

/// Why the file could not be written; empty if all is well.
std::string run_model(const std::shared_ptr<const Model>& model, Recorder& recorder,
                      SignalWatch& watch) {
  RunOptions options;
  options.recorder = &recorder;
  options.interrupt = watch.flag();
  options.progress = [&watch](double) { watch.poll(); };
  try {
    const py::gil_scoped_release unlock;
    run(model, options);
  } catch (const InputError&) {
    throw;
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  return {};
}

py::dict count_dict(const RunStatistics& s) {
  py::dict out;
  out["integrator"] = s.integrator;
  out["steps"] = s.counts.steps;
  out["rejected_steps"] = s.counts.rejected_steps;
  out["rhs_evaluations"] = s.counts.rhs_evaluations;
  out["jacobian_evaluations"] = s.counts.jacobian_evaluations;
  out["newton_iterations"] = s.counts.newton_iterations;
  out["linear_iterations"] = s.counts.linear_iterations;
  out["unconverged_steps"] = s.counts.unconverged_steps;
  out["bank_actions"] = s.counts.bank_actions;
  out["frozen_bodies"] = s.frozen.bodies;
  out["frozen_islands"] = s.frozen.islands;
  out["restarts"] = s.counts.restarts;
  out["events"] = s.events;
  out["cpu_seconds"] = s.cpu_seconds;
  return out;
}

py::dict ledger_dict(const Ledger& l) {
  py::dict out;
  for (const LedgerRow& row : ledger_rows()) {
    if (row.is_channel) out[row.name] = l.*row.value;
  }
  return out;
}

std::vector<std::string> simulation_channels(SimulationHandle& s) {
  std::vector<std::string> names;
  for (const OutputChannel& c : all_channels(s.use().model())) names.push_back(c.name);
  return names;
}

}  // namespace

py::object run_scene(SceneHandle& scene, const std::vector<Assignment>& changes,
                     const std::string& file) {
  SceneHandle changed = scene.with(changes);
  const std::shared_ptr<const Model> model = changed.model();
  if (!file.empty()) {
    try {
      check_outputs({&file, 1}, model->scene.files);
    } catch (const std::runtime_error& error) {
      throw py::value_error(error.what());
    }
  }
  const std::unique_ptr<TeeWriter> recorder = make_recorder(file);
  SignalWatch watch;
  std::string file_error;
  try {
    file_error = run_model(model, *recorder, watch);
  } catch (const InputError& error) {
    changed.refuse(error.diagnostics());
  }
  // Whatever ends a run, what was recorded so far is not lost.
  py::object result = make_result(static_cast<MemoryWriter&>(recorder->at(0)).take());
  if (watch.raised()) {
    watch.exception().attr("result") = result;
    watch.raise();
  }
  if (!file_error.empty()) raise_os_error(file_error, result);
  return result;
}

py::object start_simulation(SceneHandle& scene, const std::vector<Assignment>& changes) {
  SceneHandle changed = scene.with(changes);
  try {
    return py::cast(std::make_unique<SimulationHandle>(changed.model()));
  } catch (const InputError& error) {
    changed.refuse(error.diagnostics());
  }
}

void bind_simulation(py::module_& m) {
  using Handle = SimulationHandle;
  py::class_<Handle> simulation(m, "Simulation", "A simulation in progress.");
  simulation
      .def(
          "advance", [](Handle& s, double dt) { return s.advance_to(s.use().time() + dt); },
          py::arg("dt"), "Goes on for dt seconds; see advance_to.")
      .def("advance_to", &Handle::advance_to, py::arg("t"),
           "Goes on to time t: 'reached', or 'stopped' by an event. Raises SimulationError.")
      .def(
          "step",
          [](Handle& s) {
            const double h = s.use().step_length();
            if (h > 0.0) return s.advance_to(s.use().time() + h);
            throw py::value_error(
                "the method has no fixed step; give simulate(integrator='implicit_contact', "
                "step=...), or call advance(dt)");
          },
          "One step of a method with fixed steps, inputs held over it; see advance_to.")
      .def_property_readonly(
          "time", [](Handle& s) { return s.use().time(); }, "[s]")
      .def_property_readonly("status", &Handle::status,
                             "ready, reached, stopped, failed or interrupted")
      .def("__getitem__", &Handle::value, py::arg("name"))
      .def_property_readonly("channels", simulation_channels, "names that sim[...] takes")
      .def(
          "set",
          [](Handle& s, const std::string& path, double value) {
            if (std::isnan(value)) throw py::value_error("'" + path + "' must be a number");
            s.use().set_parameter(path, value);
          },
          py::arg("path"), py::arg("value"), "Changes a parameter such as signals.u.")
      .def_property_readonly(
          "parameters", [](Handle& s) { return parameter_paths(s.use().model()); },
          "paths that set takes")
      .def_property_readonly(
          "energy", [](Handle& s) { return ledger_dict(s.use().ledger()); },
          "the energy ledger [J]")
      .def_property_readonly(
          "statistics", [](Handle& s) { return count_dict(s.use().statistics()); },
          "steps, evaluations and the like so far")
      .def_property_readonly("events", &Handle::events, "what has happened so far")
      .def("__repr__", [](Handle& s) {
        return "<carom.Simulation of '" + s.use().model().scene.name +
               "' at t = " + py::repr(py::float_(s.use().time())).cast<std::string>() + ", " +
               s.status() + ">";
      });
  bind_state(m, simulation);
}

}  // namespace carom::python
