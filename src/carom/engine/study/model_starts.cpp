#include "carom/engine/study/model_starts.h"

#include <algorithm>
#include <cmath>

#include "carom/engine/compile/initial_state.h"
#include "carom/engine/contact/contact_validity.h"
#include "carom/engine/evaluate.h"
#include "carom/scene/scene_values.h"
#include "carom/scene/validate/validate.h"

namespace carom {
namespace {

/// The parameter (parameters.cpp) that a number of the scene is copied to; "" if none. Friction is
/// not among them: its break-away force follows from two numbers.
std::string parameter_of(const Scene& scene, const std::string& path) {
  const auto begins = [&](const std::string& head) { return path.starts_with(head); };
  if (path.find(".friction.") != std::string::npos) return "";
  if (begins("gravity.") || begins("joints.")) return path;
  if (begins("signals.") && path.ends_with(".constant")) {
    return path.substr(0, path.size() - std::string(".constant").size());
  }
  for (const ForceSpec& f : scene.forces) {
    const std::string head = "forces." + f.name + ".", law = head + f.kind + ".";
    if (begins(law)) return head + path.substr(law.size());
  }
  return "";
}

}  // namespace

ModelStarts::ModelStarts(std::shared_ptr<const Model> model)
    : model_(std::move(model)), scene_(model_->scene) {
  start_.parameters = model_->parameters;
  for (const auto& [name, value] : scene_.values) start_.values.push_back(value);
}

/// Where loops or couplings are assembled around the start, it is more than a state.
bool ModelStarts::is_state(const std::string& path) const {
  if (!model_->constraints.empty()) return false;
  for (const StateSpec& s : scene_.states) {
    if (path == "states." + s.name + ".initial") return true;
  }
  for (const JointSpec& j : scene_.joints) {
    const std::string head = "joints." + j.name;
    if (path.starts_with(head + ".q.") || path.starts_with(head + ".v.")) return true;
  }
  for (const JointInfo& joint : model_->joints) {
    const std::string head = "bodies." + scene_.bodies[static_cast<std::size_t>(joint.body)].name;
    for (const char* part : {".position.", ".orientation.", ".velocity.", ".angular_velocity."}) {
      if (joint.kind->nv > 0 && path.starts_with(head + part)) return true;
    }
  }
  return false;
}

bool ModelStarts::vary(const std::string& path) {
  // Motion may begin elsewhere with other numbers, and loops would be closed around it.
  if (!model_->constraints.empty() && model_->has_motion) return false;
  double* number = nullptr;
  SceneValues walk([&](const ValueSite& site, double& value) {
    if (site.path == path) number = &value;
  });
  walk.walk(scene_);
  if (!number) return false;
  if (is_state(path)) {
    places_.push_back({number, nullptr, false});
    return true;
  }
  for (std::size_t i = 0; i < scene_.values.size(); ++i) {
    if (number != &scene_.values[i].second) continue;
    places_.push_back({number, &start_.values[i], false});
    return true;
  }
  const std::string name = parameter_of(scene_, path);
  double* parameter = name.empty() ? nullptr : find_parameter(*model_, start_.parameters, name);
  if (!parameter || *parameter != *number) return false;
  const bool never_zero = path.starts_with("joints.") && !path.ends_with(".rest");
  if (never_zero && *number == 0.0) return false;
  places_.push_back({number, parameter, never_zero});
  return true;
}

/// What compile() asks of a start: one that can move, and without deep overlaps.
bool ModelStarts::begins() {
  const double t = scene_.run.start;
  std::vector<double>& x = start_.x;
  Diagnostics findings;
  validate(scene_, findings);
  x.assign(model_->size(), 0.0);
  if (!findings.has_errors()) give_initial_state(*model_, scene_, x, findings);
  if (findings.has_errors()) return false;
  Workspace w(model_, &start_);
  evaluate_kinematics(w, t, x);  // prescribed coordinates start where their motion says
  std::copy(w.q.begin(), w.q.end(), x.begin());
  std::copy(w.v.begin(), w.v.end(), x.begin() + static_cast<std::ptrdiff_t>(model_->nq()));
  if (!model_->constraints.empty()) x = model_->initial;
  apply_modes(w);
  if (evaluate(w, t, x) != Status::ok) return false;
  if (model_->contact.empty()) return true;
  Workspace look(model_, &start_);
  find_near_pairs(look, t, x);
  return find_deep_overlaps(look).empty();
}

const ModelStart* ModelStarts::make(std::span<const double> numbers) {
  for (std::size_t i = 0; i < places_.size(); ++i) {
    const Place& place = places_[i];
    if (!std::isfinite(numbers[i]) || (place.never_zero && numbers[i] == 0.0)) return nullptr;
    *place.in_scene = numbers[i];
    if (place.in_start) *place.in_start = numbers[i];
  }
  return begins() ? &start_ : nullptr;
}

}  // namespace carom
