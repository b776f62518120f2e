// A run that nobody waits for any more: somebody has interrupted it, or its processor time is over.
// Steps and events that take long give up then (base/patience.h), and what they have done so far is
// undone.
#include "carom/base/cpu_time.h"
#include "carom/base/patience.h"
#include "carom/simulation/simulation.h"

namespace carom {

bool Simulation::is_over() const {
  return (interrupt_ && *interrupt_) || (cpu_end_ < kInf && thread_cpu_seconds() >= cpu_end_);
}

/// Lets something happen at (t_, x_). False if nobody waits for its end any more: then all is as
/// it was before it, and it happens where the run goes on.
bool Simulation::lets(const std::function<void()>& happen) {
  if (!interrupt_ && !(cpu_end_ < kInf)) {
    happen();
    return true;
  }
  const RunState before{
      0, t_, x_, workspace_.parameters, workspace_.modes, energy_reference_, evidence_};
  {
    const Patience patience(interrupt_, cpu_end_);
    happen();
  }
  if (!is_over()) return true;
  adopt(before);
  return false;
}

}  // namespace carom
