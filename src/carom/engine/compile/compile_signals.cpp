// Signals and the quantities that formulas read.
#include <algorithm>
#include <functional>

#include "carom/base/text.h"
#include "carom/engine/compile/compiler.h"
#include "carom/math/formula.h"
#include "carom/math/formula_parser.h"

namespace carom {
namespace {

/// The texts of a formula signal.
std::vector<std::string> texts_of(const SignalSpec& spec) {
  std::vector<std::string> texts;
  if (spec.kind != SignalSpec::Kind::formula) return texts;
  for (const std::string& text : {spec.formula, spec.rate, spec.acceleration}) {
    if (!text.empty()) texts.push_back(text);
  }
  return texts;
}

int component_of(const std::string& text, std::string_view letters) {
  if (text.size() != 1) return -1;
  const std::size_t k = letters.find(text[0]);
  return k == std::string_view::npos ? -1 : static_cast<int>(k);
}

}  // namespace

int Compiler::add_signal(const SignalSpec& spec, const std::string& name) {
  const int index = static_cast<int>(model_->signals.size());
  model_->signals.push_back({name, spec});
  model_->parameters.constants.push_back(spec.value);
  if (!name.empty()) signal_index_[name] = index;
  return index;
}

bool Compiler::resolve_measure(const std::string& name, Measure& m) const {
  m.name = name;
  if (const auto s = signal_index_.find(name); s != signal_index_.end()) {
    m.what = Measure::What::signal;
    m.index = s->second;
    return true;
  }
  if (const auto z = state_index_.find(name); z != state_index_.end()) {
    m.what = Measure::What::state;
    m.index = z->second;
    return true;
  }
  const std::size_t dot_at = name.find('.');
  if (dot_at == std::string::npos) return false;
  const std::string head = name.substr(0, dot_at);
  std::string rest = name.substr(dot_at + 1);
  if (const auto j = joint_index_.find(head); j != joint_index_.end()) {
    const JointInfo& joint = model_->joints[static_cast<std::size_t>(j->second)];
    const bool position = rest[0] == 'q';
    const int count = position ? joint.kind->nq : joint.kind->nv;
    if (rest[0] != 'q' && rest[0] != 'v') return false;
    int k = 0;
    if (rest.size() == 1) {
      if (count != 1) return false;
    } else if (rest.size() == 3 && rest[1] == '.' && rest[2] >= '0' && rest[2] < '0' + count) {
      k = rest[2] - '0';
    } else {
      return false;
    }
    m.what = position ? Measure::What::q : Measure::What::v;
    m.index = (position ? joint.q0 : joint.v0) + k;
    return true;
  }
  const auto b = body_index_.find(head);
  if (b == body_index_.end()) return false;
  const BodyInfo& body = model_->bodies[static_cast<std::size_t>(b->second)];
  m.index = body.link;
  m.X_LK = body.X_LB;
  for (const MarkerInfo& marker : model_->markers) {
    const std::string prefix = marker.name.substr(head.size() + 1) + ".";
    if (marker.name.rfind(head + ".", 0) == 0 && rest.rfind(prefix, 0) == 0) {
      m.X_LK = marker.X_LK;
      rest = rest.substr(prefix.size());
      break;
    }
  }
  const std::size_t last = rest.find('.');
  if (last == std::string::npos) return false;
  const std::string what = rest.substr(0, last), component = rest.substr(last + 1);
  if (what == "position")
    m.what = Measure::What::position;
  else if (what == "velocity")
    m.what = Measure::What::velocity;
  else if (what == "angular_velocity")
    m.what = Measure::What::angular_velocity;
  else if (what == "orientation")
    m.what = Measure::What::orientation;
  else
    return false;
  m.component = component_of(component, what == "orientation" ? "wxyz" : "xyz");
  return m.component >= 0;
}

std::vector<std::string> Compiler::measurable_names() const {
  std::vector<std::string> names{"t"};
  for (const auto& [name, value] : scene_.values) names.push_back(name);
  for (const auto& [name, index] : signal_index_) names.push_back(name);
  for (const auto& [name, index] : state_index_) names.push_back(name);
  for (const JointInfo& joint : model_->joints) {
    if (joint.name.empty()) continue;
    const bool single = joint.kind->nq == 1;
    names.push_back(joint.name + (single ? ".q" : ".q.0"));
    names.push_back(joint.name + (joint.kind->nv == 1 ? ".v" : ".v.0"));
  }
  for (const BodyInfo& body : model_->bodies) {
    for (const char* what : {".position.x", ".velocity.x", ".angular_velocity.x"}) {
      names.push_back(body.name + what);
    }
  }
  for (const MarkerInfo& marker : model_->markers) names.push_back(marker.name + ".position.x");
  return names;
}

void Compiler::need_measure(const std::string& name, const SourcePos& where,
                            const std::string& what) {
  if (known_names_.empty()) {
    known_names_.insert("t");
    for (const auto& [value_name, value] : scene_.values) known_names_.insert(value_name);
  }
  if (known_names_.contains(name)) return;
  Measure measure;
  if (resolve_measure(name, measure)) {
    known_names_.insert(name);
    model_->measures.push_back(measure);
    return;
  }
  const std::vector<std::string> known = measurable_names();
  diagnostics_.error(where, what + " uses '" + name + "', which is not known here",
                     suggest(name, known));
}

namespace {

/// Where a formula has a kink, steps are rejected until they are short: worth knowing, not wrong.
void note_kinks(const std::string& text, const std::string& what, const SourcePos& where,
                Diagnostics& diagnostics) {
  FormulaError error;
  const auto any_name = [](const std::string&) { return FormulaSymbol::make_variable(0); };
  const FormulaTape tape = parse_formula(text, any_name, error);
  if (tape.kinks.empty()) return;
  const FormulaKink& kink = tape.kinks.front();
  diagnostics.add({Severity::note, where,
                   what + ": '" + text + "' has a kink or jump: '" + kink.name +
                       "'; steps are shortened where it acts",
                   "round it, or put an event there", show_formula_place(text, kink.at)});
}

}  // namespace

std::vector<std::string> Compiler::check_formula(const SignalSpec& spec, const std::string& what,
                                                 bool with_deflection) {
  std::vector<std::string> all;
  for (const std::string& text : texts_of(spec)) {
    FormulaError error;
    const std::vector<FormulaUse> names = find_formula_names(text, error);
    if (!error.empty()) {
      std::string said = what;
      said.append(": '").append(text).append("' is not a formula: ").append(error.message);
      diagnostics_.error(spec.where, std::move(said), "write an expression such as \"=2*sin(3*t)\"",
                         show_formula_place(text, error.at));
      continue;
    }
    if (with_deflection) note_kinks(text, what, spec.where, diagnostics_);
    for (const auto& [name, at] : names) {
      all.push_back(name);
      if (name == "t" || (with_deflection && (name == "x" || name == "v"))) continue;
      need_measure(name, spec.where, what);
    }
  }
  return all;
}

/// A motion with a kink would need an infinite force there, of which no ledger knows.
void Compiler::warn_of_kinks(const SignalSpec& motion) {
  for (const std::string& text : texts_of(motion)) {
    FormulaError error;
    const auto any_name = [](const std::string&) { return FormulaSymbol::make_variable(0); };
    for (const FormulaKink& kink : parse_formula(text, any_name, error).kinks) {
      diagnostics_.add({Severity::warning, motion.where,
                        "the prescribed motion '" + text + "' has a kink or jump: '" + kink.name +
                            "'; where it acts, the force would be infinite and is left out",
                        "round the kink, or use a position drive",
                        show_formula_place(text, kink.at)});
    }
  }
}

void Compiler::compile_signals() {
  for (std::size_t i = 0; i < model_->signals.size(); ++i) {
    // By index: need_measure may not add signals, but texts must outlive the loop.
    const SignalInfo info = model_->signals[i];
    const std::string what = info.name.empty() ? "a signal" : "signal '" + info.name + "'";
    model_->signals[i].reads = check_formula(info.spec, what, false);
    // Of motions warn_of_kinks tells, below.
    const auto is_motion = [&](const DofElement& e) { return e.motion == static_cast<int>(i); };
    if (std::ranges::any_of(model_->parameters.dofs, is_motion)) continue;
    for (const std::string& text : texts_of(info.spec)) {
      note_kinks(text, what, info.spec.where, diagnostics_);
    }
  }
  for (const DofElement& e : model_->parameters.dofs) {
    if (e.motion < 0) continue;
    const SignalInfo& motion = model_->signals[static_cast<std::size_t>(e.motion)];
    warn_of_kinks(motion.spec);
    for (const std::string& name : motion.reads) {
      Measure m;
      if (name != "t" && resolve_measure(name, m)) {
        diagnostics_.error(motion.spec.where, "a prescribed motion depends on '" + name + "'",
                           "it may depend on t alone; use a position drive to follow a "
                           "measured quantity");
      }
    }
  }
  order_signals();
}

void Compiler::order_signals() {
  const std::size_t n = model_->signals.size();
  std::vector<int> mark(n, 0);
  std::function<void(std::size_t)> visit = [&](std::size_t i) {
    if (mark[i] == 2) return;
    const SignalInfo& info = model_->signals[i];
    if (mark[i] == 1) {
      diagnostics_.error(info.spec.where, "signal '" + info.name + "' depends on itself",
                         "break the circle with a state");
      return;
    }
    mark[i] = 1;
    for (const std::string& name : info.reads) {
      if (const auto s = signal_index_.find(name); s != signal_index_.end()) {
        visit(static_cast<std::size_t>(s->second));
      }
    }
    mark[i] = 2;
    model_->signal_order.push_back(static_cast<int>(i));
  };
  for (std::size_t i = 0; i < n; ++i) visit(i);
}

}  // namespace carom
