// carom settle, linearize and inverse: a scene at one state.
#include <fmt/core.h>

#include <cmath>

#include "carom/base/text.h"
#include "carom/engine/inverse.h"
#include "carom/engine/linearize.h"
#include "carom/engine/study.h"
#include "carom/scene/values.h"
#include "exit_code.h"
#include "scene_source.h"
#include "talk.h"

namespace carom::cli {
namespace {

struct StudyOptions {
  SceneOptions scene;
  bool json = false, at_equilibrium = false;
  std::vector<std::string> outputs, acceleration;
};

CLI::App* add_study(Program& program, const char* name, const char* doc,
                    std::shared_ptr<StudyOptions> options, Action action) {
  CLI::App* command = program.add(name, doc, std::move(action));
  command->add_option("scene", options->scene.file, "scene file (.yaml)")->required();
  command->add_flag("--json", options->json, "print one JSON document on stdout");
  add_scene_options(*command, options->scene);
  return command;
}

std::string json_list(std::span<const double> values) {
  std::string out = "[";
  for (std::size_t i = 0; i < values.size(); ++i) out += (i ? ", " : "") + json_number(values[i]);
  return out + "]";
}

std::string json_names(std::span<const std::string> names) {
  std::string out = "[";
  for (std::size_t i = 0; i < names.size(); ++i) out += (i ? ", " : "") + json_quote(names[i]);
  return out + "]";
}

/// Row by row, also where rows are empty.
std::string json_matrix(std::span<const double> values, std::size_t rows, std::size_t columns) {
  std::string out = "[";
  for (std::size_t i = 0; i < rows; ++i) {
    out += (i ? ", " : "") + json_list(values.subspan(i * columns, columns));
  }
  return out + "]";
}

int settle(const StudyOptions& o) {
  const StudyState s(load_model(o.scene), true);
  const EquilibriumResult& e = s.equilibrium;
  std::string joints;
  for (const JointInfo& joint : s.model->joints) {
    const std::string name = joint.name.empty()
                                 ? s.model->bodies[static_cast<std::size_t>(joint.body)].name
                                 : joint.name;
    const std::span<const double> q(s.x.data() + joint.q0,
                                    static_cast<std::size_t>(joint.kind->nq));
    if (o.json) {
      joints += (joints.empty() ? "" : ", ") + json_quote(name) + ": {\"q\": " + json_list(q) + "}";
    } else {
      say("{:<20} q = {}\n", name, json_list(q));
    }
  }
  if (o.json) {
    say("{{\"status\": \"{}\", \"reason\": {}, \"residual\": {}, \"iterations\": {}, \"joints\": "
        "{{{}}}}}\n",
        e.found ? "completed" : "failed", json_quote(e.reason), json_number(e.residual),
        e.iterations, joints);
  }
  if (e.found) {
    tell("equilibrium after {} iterations, largest acceleration {:.1e}\n", e.iterations,
         e.residual);
    return kDone;
  }
  tell("no equilibrium: {} (largest acceleration {:.3g})\n", e.reason, e.residual);
  return kFailed;
}

int linearize_scene(const StudyOptions& o) {
  StudyState s(load_model(o.scene), o.at_equilibrium);
  if (o.at_equilibrium && !s.equilibrium.found) {
    tell("no equilibrium: {}\n", s.equilibrium.reason);
    return kFailed;
  }
  Diagnostics diagnostics;
  std::vector<std::string> selection = o.outputs;
  if (selection.empty()) selection = {"joints"};
  std::vector<OutputChannel> outputs = select_channels(*s.model, selection, {}, diagnostics);
  if (diagnostics.has_errors()) throw InputError(std::move(diagnostics));
  const Linearization l = linearize(s.workspace, s.t, s.x, outputs);
  const std::size_t n = l.states.size(), m = l.inputs.size();
  if (o.json) {
    std::string modes;
    for (const Eigenmode& mode : l.modes) {
      modes +=
          (modes.empty() ? "" : ",\n  ") +
          fmt::format("{{\"real\": {}, \"imag\": {}, \"frequency\": {}, \"damping_ratio\": {}}}",
                      json_number(mode.eigenvalue.real()), json_number(mode.eigenvalue.imag()),
                      json_number(mode.frequency), json_number(mode.damping_ratio));
    }
    say("{{\"states\": {}, \"inputs\": {}, \"outputs\": {},\n \"A\": {},\n \"B\": {},\n \"C\": "
        "{},\n \"D\": {},\n \"modes\": [{}]}}\n",
        json_names(l.states), json_names(l.inputs), json_names(l.outputs), json_matrix(l.A, n, n),
        json_matrix(l.B, n, m), json_matrix(l.C, l.outputs.size(), n),
        json_matrix(l.D, l.outputs.size(), m), modes);
    return kDone;
  }
  say("{} states, {} inputs, {} outputs\n", n, m, l.outputs.size());
  say("{:>24} {:>14} {:>14}\n", "eigenvalue [1/s]", "frequency [Hz]", "damping ratio");
  for (const Eigenmode& mode : l.modes) {
    if (mode.eigenvalue.imag() < 0.0) continue;  // one line per conjugate pair
    say("{:>12.6g} {:+10.6g}i {:>14.6g} {:>14.6g}\n", mode.eigenvalue.real(),
        mode.eigenvalue.imag(), mode.frequency, mode.damping_ratio);
  }
  return kDone;
}

int inverse(const StudyOptions& o) {
  StudyState s(load_model(o.scene), false);
  std::vector<double> vdot(s.model->nv(), 0.0);
  std::vector<std::uint8_t> named(s.model->nv(), 0);
  for (const std::string& word : o.acceleration) {
    const std::size_t equals = word.find('=');
    const std::string name = word.substr(0, equals);
    bool found = false;
    for (const JointInfo& joint : s.model->joints) {
      if (joint.name != name || joint.kind->nv != 1 || equals == std::string::npos) continue;
      const std::optional<double> value = parse_number(word.substr(equals + 1));
      if (!value) break;
      vdot[static_cast<std::size_t>(joint.v0)] = *value;
      named[static_cast<std::size_t>(joint.v0)] = 1;
      found = true;
    }
    if (!found) {
      tell("carom: '{}' is not JOINT=ACCELERATION of a joint with one coordinate\n", word);
      return kWrongUsage;
    }
  }
  const auto [forces, reason] = required_forces(s, vdot, named);
  if (!reason.empty()) {
    tell("carom: {}\n  as in --acceleration JOINT=0\n", reason);
    return kWrongUsage;
  }
  std::string rows;
  for (const JointInfo& joint : s.model->joints) {
    if (joint.name.empty()) continue;
    const std::span<const double> needed(forces.data() + joint.v0,
                                         static_cast<std::size_t>(joint.kind->nv));
    if (o.json) {
      rows += (rows.empty() ? "" : ", ") + json_quote(joint.name) + ": " + json_list(needed);
    } else {
      say("{:<20} {}\n", joint.name, json_list(needed));
    }
  }
  if (o.json) say("{{\"joints\": {{{}}}}}\n", rows);
  return kDone;
}

}  // namespace

void add_settle(Program& program) {
  auto options = std::make_shared<StudyOptions>();
  add_study(program, "settle", "find the static equilibrium of a scene", options,
            [options] { return settle(*options); });
}

void add_linearize(Program& program) {
  auto options = std::make_shared<StudyOptions>();
  CLI::App* command =
      add_study(program, "linearize", "A, B, C, D and eigenmodes of a scene at its start", options,
                [options] { return linearize_scene(*options); });
  command->add_flag("--at-equilibrium", options->at_equilibrium, "settle first");
  command->add_option("--outputs", options->outputs, "channels for C and D")->delimiter(',');
}

void add_inverse(Program& program) {
  auto options = std::make_shared<StudyOptions>();
  CLI::App* command =
      add_study(program, "inverse", "joint forces that produce given accelerations at the start",
                options, [options] { return inverse(*options); });
  command->add_option("--acceleration", options->acceleration, "JOINT=VALUE; others are zero")
      ->take_all()
      ->allow_extra_args(false);
}

}  // namespace carom::cli
