// A run judges itself.
//
//   sound      nothing below
//   doubtful   |residual| or |model_work| above 1 % of the energy turned over, or 100 tolerances of
//              it if that is more; a contact deeper than its law holds, or shorter than 20 fixed
//              steps; a pair outside its law
//   broken     energy from nothing above 5 %; a body through a body
//
// The energy turned over is what was there at the start (kinetic, elastic, and what was fallen
// through since) and the work put in. Energy in play would not do: what comes from nothing is part
// of it.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "carom/engine/channels.h"
#include "carom/engine/finding.h"

namespace carom {

enum class Grade { sound, doubtful, broken };
const char* to_string(Grade grade);

struct Verdict {
  std::vector<Finding> reasons;  ///< what is broken comes first

  Grade grade() const;
};

/// What the ledger has shown at samples so far.
struct EnergyWatch {
  double start = 0.0;                  ///< kinetic and elastic energy at the start
  double potential = 0.0;              ///< there
  double lowest = 0.0;                 ///< the least of it since
  double put_in = 0.0;                 ///< by drives and loads, and by switches
  double drive = 0.0, switches = 0.0;  ///< the rows when they were last looked at
  double residual = 0.0;               ///< largest size
  double model = 0.0;                  ///< largest size of model_work without switches
  double gain = 0.0;                   ///< most energy that nothing accounts for

  void begin(const Ledger& ledger);
  /// `switched`: the part of model_work that events, loops and force elements have done.
  void note(const Ledger& ledger, double switched);
  double turned_over() const { return start + (potential - lowest) + put_in; }
};

/// `least`: an energy that is next to nothing for the bodies of the scene.
Verdict judge(const EnergyWatch& watch, double tolerance, double least,
              std::span<const Finding> findings);

/// Adds a finding, or keeps the worse one of the same rule and subject.
void add_finding(std::vector<Finding>& findings, const Finding& finding);

}  // namespace carom
