// A simulation as Python holds it: with its events, and guarded against two threads.
#pragma once

#include <cmath>

#include "bindings.h"
#include "carom/simulation/simulation.h"
#include "signal_watch.h"

namespace carom::python {

inline const char* word(AdvanceStatus status) {
  switch (status) {
    case AdvanceStatus::stopped: return "stopped";
    case AdvanceStatus::failed: return "failed";
    case AdvanceStatus::interrupted: return "interrupted";
    default: return "reached";
  }
}

class SimulationHandle {
 public:
  explicit SimulationHandle(std::shared_ptr<const Model> model) : simulation_(std::move(model)) {
    simulation_.on_event([this](const EngineEvent& event) { events_.push_back(event); });
  }

  /// For every use: another thread may be inside advance, which runs without the lock.
  Simulation& use() {
    if (busy_) throw std::runtime_error("the simulation is advancing in another thread");
    return simulation_;
  }

  const char* advance_to(double t) {
    Simulation& s = use();
    if (!std::isfinite(t) || t < s.time()) {
      throw py::value_error("the time to advance to must not lie before " +
                            std::to_string(s.time()));
    }
    SignalWatch watch;
    s.interrupt_with(watch.flag());
    s.on_progress([&watch](double) { watch.poll(); });
    const AdvanceStatus status = advance_unlocked(t);
    s.interrupt_with(nullptr);
    s.on_progress({});
    status_ = word(status);
    if (watch.raised()) watch.raise();
    if (status == AdvanceStatus::failed) raise_simulation_error(s.failure());
    return status_;
  }

  py::object value(const std::string& name) {
    std::vector<double> values;
    try {
      values = use().value(name);
    } catch (const InputError& error) {
      throw py::key_error(error.what());
    }
    if (values.size() == 1) return py::float_(values[0]);
    return copy_array(values.data(), values.size());
  }

  RunState save() { return use().save(); }
  /// What happened after the state's time has not happened yet.
  void restore(const RunState& state) {
    use().restore(state);
    std::erase_if(events_, [&](const EngineEvent& e) { return e.time > state.time; });
    status_ = "ready";
  }
  void reset() {
    use().reset();
    events_.clear();
    status_ = "ready";
  }

  py::list events() const {
    py::list out;
    for (const EngineEvent& e : events_) {
      py::dict row;
      row["time"] = e.time;
      row["kind"] = e.kind;
      row["subject"] = e.subject;
      row["value"] = e.value;
      if (!e.other.empty()) row["partner"] = e.other;
      if (has_impact_columns(e)) {
        row["impulse"] = e.impulse, row["energy_lost"] = e.energy_lost;
        for (const EndColumn& c : impact_columns()) row[c.name] = e.*c.value;
      }
      if (has_end_columns(e)) {
        for (const EndColumn& c : contact_end_columns()) row[c.name] = e.*c.value;
      }
      out.append(row);
    }
    return out;
  }

  const char* status() const { return status_; }

 private:
  AdvanceStatus advance_unlocked(double t) {
    struct Busy {
      bool& flag;
      explicit Busy(bool& f) : flag(f) { flag = true; }
      ~Busy() { flag = false; }
    } const busy(busy_);
    const py::gil_scoped_release unlock;
    return simulation_.advance(t);
  }

  Simulation simulation_;
  std::vector<EngineEvent> events_;
  const char* status_ = "ready";
  bool busy_ = false;  ///< read and written under Python's lock
};

/// Saved states, and what is set and read at once: the part of the class in bind_state.cpp.
void bind_state(py::module_& m, py::class_<SimulationHandle>& simulation);

}  // namespace carom::python
