// What a run has shown of its own worth, from its start to now: the verdict rests on it. Part of
// the RunState, so that a run that is saved, restored or resumed is judged like one that was not.
#pragma once

#include <string>
#include <vector>

#include "carom/engine/results/channels.h"
#include "carom/engine/results/finding.h"

namespace carom {

/// What the ledger has shown at samples so far [J].
struct EnergyWatch {
  double start = 0.0;                  ///< kinetic and elastic energy at the start
  double potential = 0.0;              ///< there
  double lowest = 0.0;                 ///< the least of it since
  double put_in = 0.0;                 ///< by drives and loads, and by switches
  double drive = 0.0, switches = 0.0;  ///< the rows when they were last looked at
  double residual = 0.0;               ///< largest size
  double model = 0.0;                  ///< largest size of model_work without switches
  double taken = 0.0;                  ///< most that contacts and damping have taken by then
  double given = 0.0;                  ///< most that they have given back of it
  double gain = 0.0;                   ///< most energy that nothing accounts for

  void begin(const Ledger& ledger);
  /// `switched`: the part of model_work that events, loops and force elements have done. Rough rows
  /// may hold too much dissipation, where a step is longer than an impact: then only what motion,
  /// position and springs have above start and work has come from nothing.
  void note(const Ledger& ledger, double switched, bool has_rough_rows = false);
  /// What was there at the start, bodies have fallen through since, and was put in.
  double turned_over() const { return start + (potential - lowest) + put_in; }
};

struct Evidence {
  EnergyWatch energy;
  std::vector<Finding> findings;  ///< one of each rule and subject, the worst
};

/// Where contacts that last have left what their formulation holds for, at the kinematics last
/// evaluated.
std::vector<Finding> lasting_findings(const Workspace& w);
/// Where a run starts: contacts that hold more energy than `much` [J] in the state last evaluated,
/// since the overlap was put there and is thrown out or crept out of; and pairs whose contact may
/// be missed.
std::vector<Finding> start_findings(const Workspace& w, double much);

/// Adds a finding, or keeps the worse one of the same rule and subject.
void add_finding(std::vector<Finding>& findings, const Finding& finding);

}  // namespace carom
