#include "carom/engine/workspace.h"

#include <algorithm>
#include <stdexcept>
#include <unordered_map>
#include <unordered_set>

namespace carom {

Workspace::Workspace(std::shared_ptr<const Model> m, const ModelStart* start)
    : model(std::move(m)),
      parameters(start ? start->parameters : model->parameters),
      q(model->nq()),
      v(model->nv()),
      zdot(model->nz),
      tree(model->tree),
      constraints(model->tree, model->constraints) {
  signals.measured.resize(model->measures.size());
  signals.all.resize(model->signals.size());
  signals.values.resize(model->signals.size());
  signals.is_timed.assign(model->signals.size(), 1);
  forces.laws.resize(model->forces.size());
  forces.outputs.resize(model->forces.size());
  forces.of_drives.resize(model->parameters.drives.size());
  forces.holding.resize(static_cast<std::size_t>(model->friction_count));
  forces.of_motions.resize(model->nv());
  forces.rnea_tau.resize(model->nv());
  events.ahead.resize(model->size());
  modes.friction.assign(static_cast<std::size_t>(model->friction_count), 1);
  modes.stop.assign(static_cast<std::size_t>(model->stop_count), 0);
  const double t0 = model->scene.run.start;
  for (const LoopInfo& loop : model->loops) {
    modes.loop_active.push_back(t0 >= loop.active_from && t0 < loop.active_until);
  }
  for (const auto& [name, value] : model->scene.values) signals.constants.push_back(value);
  if (start) signals.constants = start->values;
  compile_signals();
}

void Workspace::forget() {
  has_kinematics = false;
  tree = TreeData(model->tree);
  constraints = ConstraintData(model->tree, model->constraints);
  contacts.search = {};
  contacts.touching.clear();
  contacts.known = {};
  contacts.islands_are_current = false;
  contacts.readings.clear();
  contacts.surface_points.clear();
  events.kinks.clear();
  for (std::vector<double>* numbers :
       {&q, &v, &signals.measured, &signals.values, &forces.of_drives, &forces.holding,
        &forces.of_motions, &forces.rnea_tau, &zdot, &events.ahead}) {
    std::fill(numbers->begin(), numbers->end(), 0.0);
  }
}

void Workspace::compile_signals() {
  std::unordered_map<std::string_view, const double*> variables;
  std::unordered_set<std::string_view> measures;
  for (std::size_t i = 0; i < signals.constants.size(); ++i) {
    variables.emplace(model->scene.values[i].first, &signals.constants[i]);
  }
  for (std::size_t i = 0; i < model->measures.size(); ++i) {
    const Measure& m = model->measures[i];
    const double* slot = m.what == Measure::What::signal
                             ? &signals.values[static_cast<std::size_t>(m.index)]
                             : &signals.measured[i];
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
  for (std::size_t i = 0; i < signals.all.size(); ++i) {
    const SignalSpec& spec = model->signals[i].spec;
    require(signals.all[i].compile(spec, &t, find));
    signals.is_timed[i] = !any_measured(model->signals[i].reads);
  }
  for (std::size_t f = 0; f < forces.laws.size(); ++f) {
    for (const SignalSpec& spec : model->forces[f].laws) {
      LawSlot slot;
      slot.given = spec.kind != SignalSpec::Kind::constant;
      const double* xv = slot.xv.get();
      const auto local = [&](const std::string& name) {
        return name == "x" ? xv : name == "v" ? xv + 1 : find(name);
      };
      if (slot.given) require(slot.signal.compile(spec, &t, local));
      if (spec.kind == SignalSpec::Kind::formula) {
        FormulaError error;
        for (const FormulaUse& use : find_formula_names(spec.formula, error)) {
          slot.driven |= use.name == "t" || measures.contains(use.name);
        }
      }
      forces.laws[f].push_back(std::move(slot));
    }
  }
}

}  // namespace carom
