#include "carom/engine/results/evidence.h"

#include <algorithm>
#include <cmath>

namespace carom {

const char* to_string(Grade grade) {
  switch (grade) {
    case Grade::sound: return "sound";
    case Grade::doubtful: return "doubtful";
    default: return "broken";
  }
}

void EnergyWatch::begin(const Ledger& l) {
  *this = {};
  start = l.kinetic + std::abs(l.elastic);
  potential = lowest = l.potential;
}

void EnergyWatch::note(const Ledger& l, double switched, bool has_rough_rows) {
  lowest = std::min(lowest, l.potential);
  put_in += std::max(0.0, l.drive_work - drive) + std::max(0.0, switched - switches);
  drive = l.drive_work, switches = switched;
  const double modelled = l.model_work - switched;
  residual = std::max(residual, std::abs(l.residual));
  model = std::max(model, std::abs(modelled));
  const double risen = l.stored() - start - potential - l.drive_work - switched;
  // What was dissipated is gone: where less of it is booked than before, a force that can only take
  // energy, such as friction, has given some; so have bristles that a changing load charges, beyond
  // what friction takes.
  const double lost =
      l.dissipated_normal + l.dissipated_friction + l.dissipated_damping - l.bristle_work;
  taken = std::max(taken, lost);
  given = std::max(given, taken - lost);
  const double unexplained = l.residual + modelled + (taken - lost);
  gain = std::max(gain, has_rough_rows ? std::min(risen, unexplained) : unexplained);
}

void add_finding(std::vector<Finding>& findings, const Finding& finding) {
  for (Finding& known : findings) {
    if (known.name != finding.name || known.subject != finding.subject) continue;
    // A duration is the worse the shorter it is. What has no limit is a count.
    const bool has_limit = finding.limit != 0.0;
    const double before = has_limit ? known.value / known.limit : known.value;
    const double now = has_limit ? finding.value / finding.limit : finding.value;
    const bool is_worse = finding.value > finding.limit ? now > before : now < before;
    if (is_worse) known = finding;
    return;
  }
  findings.push_back(finding);
}

}  // namespace carom
