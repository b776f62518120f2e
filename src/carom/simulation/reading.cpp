// Channels of a simulation in progress, and its linearisation.
#include "carom/base/text.h"
#include "carom/simulation/simulation.h"

namespace carom {
namespace {

/// The channel that is `name` or has it as a column; `column` is -1 for the whole channel.
const OutputChannel* find_channel(std::span<const OutputChannel> channels, const std::string& name,
                                  int& column) {
  for (const OutputChannel& c : channels) {
    if (!name.starts_with(c.name)) continue;
    column = -1;
    if (c.name.size() == name.size()) return &c;
    for (std::size_t k = 0; k < c.components.size(); ++k) {
      if (name.size() != c.name.size() + 1 + c.components[k].size()) continue;
      column = static_cast<int>(k);
      if (name == c.name + "." + c.components[k]) return &c;
    }
  }
  return nullptr;
}

}  // namespace

void Simulation::plan_reading(std::span<const std::string> names) {
  if (!names.empty() && std::ranges::equal(names, reading_.names)) return;
  Reading plan;
  for (const std::string& name : names) {
    int column = -1;
    const OutputChannel* c = find_channel(channels_, name, column);
    if (!c) {
      std::vector<std::string> known;
      for (const OutputChannel& other : channels_) known.push_back(other.name);
      Diagnostics diagnostics;
      diagnostics.error({}, "'" + name + "' is not a channel", suggest(name, known));
      throw InputError(std::move(diagnostics));
    }
    const std::size_t first = plan.row.size(), width = static_cast<std::size_t>(c->width);
    plan.channels.push_back(*c);
    plan.row.resize(first + width);
    for (std::size_t k = 0; k < width; ++k) {
      if (column < 0 || k == static_cast<std::size_t>(column)) plan.picks.push_back(first + k);
    }
  }
  plan.names.assign(names.begin(), names.end());
  reading_ = std::move(plan);
}

std::vector<double> Simulation::read(std::span<const std::string> names) {
  plan_reading(names);
  refresh_observer();
  calc_outputs(observer_, t_, x_, reading_.channels, energy_reference_, reading_.row);
  std::vector<double> values;
  values.reserve(reading_.picks.size());
  for (const std::size_t pick : reading_.picks) values.push_back(reading_.row[pick]);
  return values;
}

std::vector<double> Simulation::value(const std::string& name) { return read({&name, 1}); }

Linearization Simulation::linearize(std::span<const OutputChannel> outputs) {
  refresh_observer();
  return carom::linearize(observer_, t_, x_, outputs);
}

}  // namespace carom
