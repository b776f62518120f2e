#include "carom/engine/workspace.h"

#include <algorithm>
#include <stdexcept>
#include <unordered_map>
#include <unordered_set>

namespace carom {

Workspace::Workspace(std::shared_ptr<const Model> m, const ModelStart* start)
    : model(std::move(m)),
      parameters(start ? start->parameters : model->parameters),
      tree(model->tree),
      constraints(model->tree, model->constraints),
      q(model->nq()),
      v(model->nv()),
      measured(model->measures.size()),
      signals(model->signals.size()),
      signal_values(model->signals.size()),
      signal_timed(model->signals.size(), 1),
      laws(model->forces.size()),
      force_outputs(model->forces.size()),
      drive_forces(model->parameters.drives.size()),
      holding(static_cast<std::size_t>(model->friction_count)),
      joint_forces(model->nv()),
      rnea_tau(model->nv()),
      zdot(model->nz),
      ahead(model->size()) {
  modes.friction.assign(static_cast<std::size_t>(model->friction_count), 1);
  modes.stop.assign(static_cast<std::size_t>(model->stop_count), 0);
  const double t0 = model->scene.run.start;
  for (const LoopInfo& loop : model->loops) {
    modes.loop_active.push_back(t0 >= loop.active_from && t0 < loop.active_until);
  }
  for (const auto& [name, value] : model->scene.values) values.push_back(value);
  if (start) values = start->values;
  compile_signals();
}

void Workspace::forget() {
  has_kinematics = false;
  tree = TreeData(model->tree);
  constraints = ConstraintData(model->tree, model->constraints);
  search = {};
  touching.clear();
  known_contacts = {};
  readings.clear();
  surface_points.clear();
  kinks.clear();
  for (std::vector<double>* numbers : {&q, &v, &measured, &signal_values, &drive_forces, &holding,
                                       &joint_forces, &rnea_tau, &zdot, &ahead}) {
    std::fill(numbers->begin(), numbers->end(), 0.0);
  }
}

void Workspace::compile_signals() {
  std::unordered_map<std::string_view, const double*> variables;
  std::unordered_set<std::string_view> measures;
  for (std::size_t i = 0; i < values.size(); ++i) {
    variables.emplace(model->scene.values[i].first, &values[i]);
  }
  for (std::size_t i = 0; i < model->measures.size(); ++i) {
    const Measure& m = model->measures[i];
    const double* slot = m.what == Measure::What::signal
                             ? &signal_values[static_cast<std::size_t>(m.index)]
                             : &measured[i];
    variables.emplace(m.name, slot);
    measures.insert(m.name);
  }
  const auto find = [&](const std::string& name) -> const double* {
    const auto found = variables.find(name);
    return found == variables.end() ? nullptr : found->second;
  };
  // The compiler has checked every formula, so a failure here is a defect of Carom.
  const auto require = [](const std::string& error) {
    if (!error.empty()) throw std::logic_error("a checked formula does not compile: " + error);
  };
  const auto any_measured = [&](const std::vector<std::string>& names) {
    return std::any_of(names.begin(), names.end(),
                       [&](const std::string& name) { return measures.contains(name); });
  };
  std::vector<std::uint8_t> only_watched(signals.size(), 0);
  for (const EventInfo& event : model->events)
    only_watched[static_cast<std::size_t>(event.signal)] = 1;
  for (std::size_t i = 0; i < signals.size(); ++i) {
    const SignalSpec& spec = model->signals[i].spec;
    require(signals[i].compile(spec, &t, find, !only_watched[i]));
    signal_timed[i] = !any_measured(model->signals[i].reads);
  }
  for (std::size_t f = 0; f < laws.size(); ++f) {
    for (const SignalSpec& spec : model->forces[f].laws) {
      LawSlot slot;
      slot.given = spec.kind != SignalSpec::Kind::constant;
      const double* xv = slot.xv.get();
      const auto local = [&](const std::string& name) {
        return name == "x" ? xv : name == "v" ? xv + 1 : find(name);
      };
      if (slot.given) require(slot.signal.compile(spec, &t, local));
      if (spec.kind == SignalSpec::Kind::formula) {
        std::string error;
        const std::vector<std::string> names = formula_names(spec.formula, error);
        for (const std::string& name : names) slot.driven |= name == "t";
        slot.driven |= any_measured(names);
      }
      laws[f].push_back(std::move(slot));
    }
  }
}

}  // namespace carom
