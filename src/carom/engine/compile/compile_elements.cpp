// Springs, dampers, friction, stops and drives along joints; force elements; user
// states and events.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "carom/base/text.h"
#include "carom/engine/compile/compiler.h"

namespace carom {
namespace {

bool acts(const DofSpec& d) {
  return d.stiffness != 0.0 || d.damping != 0.0 || d.coulomb != 0.0 || d.stiction > 0.0 ||
         d.lower || d.upper || d.drive || d.motion;
}

bool needs_position(const DofSpec& d) {
  return d.stiffness != 0.0 || d.lower || d.upper || d.motion ||
         (d.drive && (d.drive->kind == DriveSpec::Kind::position ||
                      d.drive->kind == DriveSpec::Kind::cascade));
}

}  // namespace

void Compiler::compile_dofs() {
  for (const EventSpec& event : scene_.events) {
    for (const auto& [path, value] : event.assignments) {
      if (path.rfind("joints.", 0) == 0)
        assigned_[path.substr(7, path.find('.', 7) - 7)].insert(path);
    }
  }
  for (std::size_t j = 0; j < model_->joints.size(); ++j) {
    const JointInfo& joint = model_->joints[j];
    if (joint.spec < 0) continue;
    const JointSpec& spec = scene_.joints[static_cast<std::size_t>(joint.spec)];
    for (int k = 0; k < joint.kind->nv; ++k) {
      const auto index = static_cast<std::size_t>(k);
      const DofSpec d = index < spec.dofs.size() ? spec.dofs[index] : DofSpec{};
      const auto v = static_cast<std::size_t>(joint.v0 + k);
      model_->tree.armature[v] += d.rotor_ratio * d.rotor_ratio * d.rotor_inertia;
      if (!acts(d) && !assigned_.count(joint.name)) continue;
      if (needs_position(d) && !joint.kind->vector_space) {
        diagnostics_.error(spec.where,
                           "joint '" + joint.name + "' (" + joint.kind->name +
                               ") takes no spring, stop, position drive or motion: its orientation "
                               "is a quaternion",
                           "use a bushing between the two bodies");
        continue;
      }
      DofElement e;
      e.joint = static_cast<int>(j);
      e.dof = k;
      e.v = joint.v0 + k;
      e.has_position = joint.kind->vector_space;
      e.q = e.has_position ? joint.q0 + k : 0;
      e.stiffness = d.stiffness, e.rest = d.rest, e.damping = d.damping;
      e.coulomb = d.coulomb;
      e.stiction = std::max(d.coulomb, d.stiction);
      e.lower = d.lower.value_or(-kInf), e.upper = d.upper.value_or(kInf);
      e.stop_stiffness = d.stop_stiffness, e.stop_damping = d.stop_damping;
      if (e.stiction > 0.0) e.friction = model_->friction_count++;
      if (d.lower || d.upper) e.stop = model_->stop_count++;
      if (d.motion) {
        e.motion = add_signal(*d.motion);
        model_->has_motion = true;
      }
      if (d.drive) add_drive(*d.drive, e);
      model_->parameters.dofs.push_back(e);
    }
  }
}

void Compiler::add_drive(const DriveSpec& spec, DofElement& element) {
  DriveElement d;
  d.kind = spec.kind;
  d.element = static_cast<int>(model_->parameters.dofs.size());
  d.signal = add_signal(spec.reference);
  d.stiffness = spec.stiffness, d.damping = spec.damping, d.integral = spec.integral;
  d.rate_feedforward = spec.rate_feedforward && spec.kind == DriveSpec::Kind::position;
  d.limit = spec.limit < 0.0 ? kInf : spec.limit;
  d.ratio = spec.ratio, d.inner_gain = spec.inner_gain;
  d.gain = spec.gain, d.time_constant = spec.time_constant;
  if (d.integral != 0.0 || d.kind == DriveSpec::Kind::cascade) {
    d.state = static_cast<int>(model_->nz++);
  }
  element.drive = static_cast<int>(model_->parameters.drives.size());
  model_->parameters.drives.push_back(d);
}

void Compiler::compile_forces() {
  for (const ForceSpec& spec : scene_.forces) {
    ForceElement e;
    e.name = spec.name;
    e.kind = find_force_kind(spec.kind);
    e.in_body_axes = spec.in_body_axes;
    bool ok = e.kind != nullptr;
    for (const AttachmentSpec* a : {&spec.from, &spec.to}) {
      if (a->body != kWorldName && !body_index_.count(a->body)) {
        diagnostics_.error(spec.where,
                           "force '" + spec.name + "' names '" + a->body + "', which is not a body",
                           "name a body of the scene, or 'world'");
        ok = false;
      }
    }
    if (!ok) continue;
    e.from.X_LK = body_in_link(spec.from.body, e.from.link) * spec.from.X_BK;
    e.to.X_LK = body_in_link(spec.to.body, e.to.link) * spec.to.X_BK;
    e.param0 = static_cast<int>(model_->parameters.force_params.size());
    std::vector<double>& params = model_->parameters.force_params;
    params.insert(params.end(), spec.params.begin(), spec.params.end());
    if (e.kind->is_load) {
      for (const SignalSpec& s : spec.signals) e.signals.push_back(add_signal(s));
      e.signals.resize(static_cast<std::size_t>(e.kind->signal_count),
                       add_signal(SignalSpec::constant(0.0)));
    } else {
      e.laws = spec.signals;
      e.laws.resize(static_cast<std::size_t>(e.kind->signal_count));
      for (const SignalSpec& law : e.laws)
        check_formula(law, "the law of '" + spec.name + "'", true);
    }
    model_->forces.push_back(std::move(e));
  }
}

void Compiler::compile_states() {
  for (const StateSpec& spec : scene_.states) {
    state_index_[spec.name] = static_cast<int>(model_->nz++);
    model_->states.push_back({spec.name, add_signal(spec.rate), spec.initial});
  }
}

void Compiler::compile_events() {
  for (const EventSpec& spec : scene_.events) {
    model_->events.push_back(
        {spec.name, add_signal(spec.when), spec.direction, spec.action, spec.assignments});
    for (const auto& [path, value] : spec.assignments) {
      if (find_parameter(*model_, model_->parameters, path)) continue;
      const std::vector<std::string> known = parameter_paths(*model_);
      diagnostics_.error(spec.where,
                         "event '" + spec.name + "' sets '" + path +
                             "', which is not a parameter "
                             "that can change during a run",
                         suggest(path, known));
    }
  }
}

void Compiler::lay_out_ledger() {
  // Rows are integrated only where something can feed them: in a conservative system nothing can.
  const Parameters& p = model_->parameters;
  bool damping = false, drive = model_->has_motion, model_work = false;
  for (const DofElement& e : p.dofs)
    damping |= e.damping != 0.0 || e.stop >= 0 || !assigned_.empty();
  drive |= !p.drives.empty();
  for (const ForceElement& e : model_->forces) {
    drive |= e.kind->is_load;
    damping |= !e.kind->is_load;
    model_work |= !e.kind->is_load && e.kind->signal_count == 6;
    for (const SignalSpec& law : e.laws) drive |= law.kind == SignalSpec::Kind::formula;
  }
  model_->does_work = damping || model_->friction_count > 0 || drive || model_work;
}

void Compiler::find_islands() {
  const std::size_t n = model_->tree.links.size();
  std::vector<int>& group = model_->island;
  group.resize(n);
  std::iota(group.begin(), group.end(), 0);
  const auto root = [&](int i) {
    while (group[static_cast<std::size_t>(i)] != i) i = group[static_cast<std::size_t>(i)];
    return i;
  };
  const auto join = [&](int a, int b) {
    if (a == 0 || b == 0) return;  // the world carries no influence
    const int ra = root(a), rb = root(b);
    group[static_cast<std::size_t>(std::max(ra, rb))] = std::min(ra, rb);
  };
  for (std::size_t i = 1; i < n; ++i) join(static_cast<int>(i), model_->tree.links[i].parent);
  for (const LoopConstraint& c : model_->constraints.loops) join(c.link_a, c.link_b);
  for (const ConstraintIsland& island : model_->constraints.islands) {
    for (const int link : island.links) join(link, island.links.front());
  }
  for (const ForceElement& e : model_->forces) join(e.from.link, e.to.link);
  // A formula may carry influence between any two bodies.
  if (!model_->measures.empty()) {
    for (std::size_t i = 2; i < n; ++i) join(1, static_cast<int>(i));
  }
  for (std::size_t i = 0; i < n; ++i) group[i] = root(static_cast<int>(i));
}

}  // namespace carom
