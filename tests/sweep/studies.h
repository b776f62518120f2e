// What the tests of studies share.
#pragma once

#include <string>

#include "carom/scene/load.h"
#include "carom/sweep/design.h"
#include "carom/sweep/plan.h"
#include "carom/sweep/read_study.h"

namespace carom::sweep {

inline const char* const kPendulum = R"(carom: 1
name: Pendulum
values: {l: 1}
bodies:
  bob: {mass: 1, com: [0, 0, "=-l"], inertia: [0, 0, 0], joint: {revolute: {axis: y}, name: pivot, q: 0.5}}
run: {until: 2, output: {step: 0.1}}
)";

/// All findings of a study's text, one per line.
inline std::string findings_of(const std::string& text) {
  Diagnostics findings;
  read_study_text(text, "study.yaml", "", findings);
  std::string out;
  for (const Diagnostic& d : findings.all()) out += to_string(d) + "\n";
  return out;
}

}  // namespace carom::sweep
