// Signals and formulas.
#include <algorithm>

#include "carom/base/text.h"
#include "carom/math/formula.h"
#include "carom/scene/read/read_parts.h"
#include "carom/scene/validate/rules.h"

namespace carom {
namespace {

bool among(const std::vector<std::string>& sorted, const std::string& name) {
  return std::binary_search(sorted.begin(), sorted.end(), name);
}

/// Why a name in a formula means nothing; empty if it does. What follows the first
/// dot is the engine's affair: it knows the channels.
std::string name_problem(const Reader& reader, const std::string& name, FormulaScope scope) {
  const SceneNames& names = reader.names;
  const std::size_t dot = name.find('.');
  const std::string root = name.substr(0, dot);
  const bool owns_channels = among(names.bodies, root) || among(names.joints, root) ||
                             among(names.forces, root) || among(names.couplings, root);
  if (dot == std::string::npos) {
    if (name == "t" || reader.values.find(name)) return {};
    if (among(names.signals, name) || among(names.states, name)) return {};
    if (scope == FormulaScope::deflection && (name == "x" || name == "v")) return {};
    if (owns_channels) {
      return "'" + name + "' has channels; name one of them, such as " + name +
             (among(names.joints, root) ? ".q" : ".position.z");
    }
  } else if (owns_channels) {
    return {};
  }
  std::vector<std::string> known{"t"};
  for (const auto& [value, number] : reader.values.all()) known.push_back(value);
  for (const auto* list : {&names.signals, &names.states, &names.joints, &names.bodies,
                           &names.forces, &names.couplings}) {
    known.insert(known.end(), list->begin(), list->end());
  }
  return "there is no '" + root + "'; " + suggest(root, known);
}

/// A formula without t and channels is a number.
bool is_constant(const Reader& reader, const std::string& formula) {
  FormulaError error;
  const std::vector<FormulaUse> used = find_formula_names(formula, error);
  return error.empty() && std::all_of(used.begin(), used.end(), [&](const FormulaUse& use) {
           return reader.values.find(use.name) != nullptr;
         });
}

SignalSpec formula_signal(Reader& reader, const Node& node, const std::string& path,
                          FormulaScope scope) {
  SignalSpec signal;
  signal.formula = read_formula(reader, node, path, scope);
  signal.kind = SignalSpec::Kind::formula;
  if (signal.formula.empty()) return SignalSpec::constant(0.0);
  if (!is_constant(reader, signal.formula)) return signal;
  FormulaError error;
  const std::optional<double> value = reader.values.evaluate(signal.formula, error);
  if (!value) reader.formula_error(node, path, error);
  return SignalSpec::constant(value.value_or(0.0));
}

SignalSpec text_signal(Reader& reader, const Node& node, const std::string& path,
                       FormulaScope scope) {
  if (is_formula_text(node)) return formula_signal(reader, node, path, scope);
  if (among(reader.names.signals, node.text) || among(reader.names.states, node.text)) {
    SignalSpec signal;
    signal.kind = SignalSpec::Kind::formula;
    signal.formula = node.text;
    return signal;
  }
  if (reader.lacks_sign_of_formula(node, path)) return {};
  std::vector<std::string> known = reader.names.signals;
  known.insert(known.end(), reader.names.states.begin(), reader.names.states.end());
  reader.wrong(node, path, "a number, a \"=formula\" or the name of a signal",
               known.empty() ? "a formula begins with =" : suggest(node.text, known));
  return {};
}

/// [[t, value], …]
void read_pairs(Reader& reader, const Node& node, const std::string& path, SignalSpec& signal) {
  const Field number;
  if (!node.is_list() || node.items.empty()) reader.wrong(node, path, "a list of [time, value]");
  for (std::size_t i = 0; i < node.items.size(); ++i) {
    const std::string here = path + "." + std::to_string(i);
    if (!node.items[i].is_list() || node.items[i].items.size() != 2) {
      reader.wrong(node.items[i], here, "a pair [time, value]");
      continue;
    }
    const auto pair = reader.numbers(node.items[i], number, 2, here);
    if (!pair) continue;
    signal.times.push_back((*pair)[0]);
    signal.values.push_back((*pair)[1]);
  }
}

void check_times(Reader& reader, const Node& node, const std::string& path, SignalSpec& signal) {
  const std::string problem = table_problem(signal);
  if (problem.empty()) return;
  const bool jumps = signal.times.size() == signal.values.size();
  reader.error(node.where, path + problem,
               jumps ? "a jump is two times a little apart, or interpolation: hold" : "");
}

void read_table(Reader& reader, const Node& node, const std::string& path, SignalSpec& signal) {
  if (node.is_list()) {
    read_pairs(reader, node, path, signal);
  } else {
    MapReader table(reader, node, "signal.table", path);
    const Field number;
    const Node* points = table.find("points");
    if (!points && !table.has("times")) {
      reader.error(node.where, path + " has no points", "add points: [[time, value], …]");
    }
    if (points) read_pairs(reader, *points, table.path("points"), signal);
    for (const char* key : {"times", "values"}) {
      const Node* list = table.find(key);
      if (!list) continue;
      if (points) reader.error(list->where, path + " has points and " + key, "keep one of them");
      const auto numbers = reader.numbers(*list, number, 0, table.path(key));
      if (numbers) (key[0] == 't' ? signal.times : signal.values) = *numbers;
    }
    const std::string word = table.word("interpolation");
    using Interpolation = SignalSpec::Interpolation;
    signal.interpolation = word == "hold"    ? Interpolation::hold
                           : word == "cubic" ? Interpolation::cubic
                                             : Interpolation::linear;
    signal.periodic = table.boolean("periodic");
  }
  check_times(reader, node, path, signal);
}

void read_formula_map(Reader& reader, const Node& node, const std::string& path, FormulaScope scope,
                      SignalSpec& signal) {
  if (!node.is_map()) {
    signal.formula = read_formula(reader, node, path, scope);
    return;
  }
  MapReader map(reader, node, "signal.formula", path);
  const auto part = [&](const char* key) {
    const Node* text = map.find(key);
    return text ? read_formula(reader, *text, map.path(key), scope) : std::string();
  };
  signal.formula = part("formula");
  signal.rate = part("rate");
  signal.acceleration = part("acceleration");
}

SignalSpec map_signal(Reader& reader, const Node& node, const std::string& path,
                      FormulaScope scope) {
  SignalSpec signal;
  MapReader map(reader, node, "signal", path);
  if (!map.kind()) return signal;
  const std::string& kind = map.kind()->name;
  using Kind = SignalSpec::Kind;
  if (kind == "constant") {
    signal.value = map.number("constant");
  } else if (kind == "table") {
    signal.kind = Kind::table;
    read_table(reader, map.kind_value(), map.path("table"), signal);
  } else if (kind == "formula") {
    signal.kind = Kind::formula;
    read_formula_map(reader, map.kind_value(), map.path("formula"), scope, signal);
  } else {
    MapReader fields(reader, map.kind_value(), map.kind()->record, map.path(kind));
    signal.kind = kind == "step" ? Kind::step : kind == "ramp" ? Kind::ramp : Kind::sine;
    signal.start = fields.number("start");
    if (signal.kind != Kind::sine) {
      signal.before = fields.number("before");
      signal.after = fields.number("after");
      if (signal.kind == Kind::ramp) signal.duration = fields.number("duration");
    } else {
      signal.offset = fields.number("offset");
      signal.amplitude = fields.number("amplitude");
      signal.frequency = fields.number("frequency");
      signal.phase = fields.number("phase");
    }
  }
  return signal;
}

}  // namespace

std::string read_formula(Reader& reader, const Node& node, const std::string& path,
                         FormulaScope scope) {
  if (!node.is_scalar()) {
    reader.wrong(node, path, "a formula");
    return {};
  }
  const std::string formula = formula_text(node.text);
  FormulaError problem;
  const std::vector<FormulaUse> used = find_formula_names(formula, problem);
  for (const FormulaUse& use : used) {
    if (problem.empty()) problem = {name_problem(reader, use.name, scope), use.at};
  }
  if (problem.empty()) return formula;
  reader.formula_error(node, path, problem,
                       "formulas use numbers, t, values, signals and channels such as pivot.q");
  return {};
}

SignalSpec read_signal(Reader& reader, const Node& node, const std::string& path,
                       FormulaScope scope) {
  SignalSpec signal;
  const bool number = node.is_scalar() && !node.quoted && parse_number(node.text);
  if (number) {
    const Field any;
    signal.value = reader.number(node, any, path).value_or(0.0);
  } else if (node.is_scalar()) {
    signal = text_signal(reader, node, path, scope);
  } else if (node.is_map()) {
    signal = map_signal(reader, node, path, scope);
  } else {
    reader.wrong(node, path, kind_text(FieldKind::signal),
                 "write a number, a \"=formula\", the name of a signal or {sine: {…}}");
  }
  signal.where = reader.at(node.where);
  return signal;
}

void read_signals(Reader& reader, Scene& scene) {
  for_each_named(reader, reader.document.root.find("signals"), "signals",
                 [&](const NodeEntry& entry) {
                   SignalSpec signal = read_signal(reader, entry.value, "signals." + entry.key);
                   signal.where = reader.at(entry.where);
                   scene.signals.push_back({entry.key, std::move(signal)});
                 });
}

}  // namespace carom
