// carom settle, linearize and inverse: a scene at one state.
#include <fmt/core.h>

#include <cmath>

#include "carom/base/json.h"
#include "carom/base/text.h"
#include "carom/engine/study/inverse.h"
#include "carom/engine/study/linearize.h"
#include "carom/engine/study/study.h"
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
                    const std::shared_ptr<StudyOptions>& options, Action action) {
  CLI::App* command = program.add(name, doc, std::move(action));
  command->add_option("scene", options->scene.file, "scene file (.yaml)")->required();
  command->add_flag("--json", options->json, "print one JSON document on stdout");
  add_scene_options(*command, options->scene);
  return command;
}

std::string numbers(std::span<const double> values) { return json_numbers(values, ", "); }

/// Row by row, also where rows are empty.
std::string json_matrix(std::span<const double> values, std::size_t rows, std::size_t columns) {
  std::vector<std::string> out;
  for (std::size_t i = 0; i < rows; ++i) {
    out.push_back(numbers(values.subspan(i * columns, columns)));
  }
  return json_list(out, [](const std::string& row) { return row; });
}

int settle(const StudyOptions& o) {
  const StudyState s(load_model(o.scene), true);
  const EquilibriumResult& e = s.equilibrium;
  JsonObject joints;
  for (const JointInfo& joint : s.model->joints) {
    const std::string name = joint.name.empty()
                                 ? s.model->bodies[static_cast<std::size_t>(joint.body)].name
                                 : joint.name;
    const std::span<const double> q(s.x.data() + joint.q0,
                                    static_cast<std::size_t>(joint.kind->nq));
    if (o.json) {
      joints.put(name, JsonObject().put("q", numbers(q)).str());
    } else {
      say("{:<20} q = {}\n", name, numbers(q));
    }
  }
  if (o.json) {
    JsonObject out;
    out.text("status", e.found ? "completed" : "failed").text("reason", e.reason);
    out.number("residual", e.residual).count("iterations", e.iterations);
    say("{}\n", out.put("joints", joints.str()).str());
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
    const auto mode_json = [](const Eigenmode& mode) {
      JsonObject out;
      out.number("real", mode.eigenvalue.real()).number("imag", mode.eigenvalue.imag());
      out.number("frequency", mode.frequency).number("damping_ratio", mode.damping_ratio);
      return out.str();
    };
    JsonObject out;
    out.put("states", json_texts(l.states)).put("inputs", json_texts(l.inputs));
    out.put("outputs", json_texts(l.outputs)).line(1).put("A", json_matrix(l.A, n, n));
    out.line(1).put("B", json_matrix(l.B, n, m));
    out.line(1).put("C", json_matrix(l.C, l.outputs.size(), n));
    out.line(1).put("D", json_matrix(l.D, l.outputs.size(), m));
    say("{}\n", out.line(1).put("modes", json_list(l.modes, mode_json, ",\n  ")).str());
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
  JsonObject rows;
  for (const JointInfo& joint : s.model->joints) {
    if (joint.name.empty()) continue;
    const std::span<const double> needed(forces.data() + joint.v0,
                                         static_cast<std::size_t>(joint.kind->nv));
    if (o.json) {
      rows.put(joint.name, numbers(needed));
    } else {
      say("{:<20} {}\n", joint.name, numbers(needed));
    }
  }
  if (o.json) say("{}\n", JsonObject().put("joints", rows.str()).str());
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
