#include "carom/engine/implicit/drive_slopes.h"

#include <cmath>
#include <functional>

#include "carom/base/index.h"

namespace carom {
namespace {

/// Where `location` is among `all`, or -1.
int place_in(const std::vector<double>& all, const double* location) {
  const std::less<> before;
  const bool is_outside =
      before(location, all.data()) || !before(location, all.data() + all.size());
  return is_outside ? -1 : static_cast<int>(location - all.data());
}

}  // namespace

DriveSlopes drive_slopes(const Workspace& w, int signal, const DofElement& element) {
  DriveSlopes sum;
  const Signal& s = w.signals.all[at(signal)];
  // What depends on time alone has no way to the joint; the others read each other without rings.
  if (!s.is_formula() || w.signals.is_timed[at(signal)]) return sum;
  for (const double* location : s.reads()) {
    DriveSlopes of;
    const int other = place_in(w.signals.values, location),
              measured = place_in(w.signals.measured, location);
    if (other >= 0) of = drive_slopes(w, other, element);
    if (measured >= 0) {
      const Measure& m = w.model->measures[at(measured)];
      of.position = m.what == Measure::What::q && m.index == element.q ? 1.0 : 0.0;
      of.velocity = m.what == Measure::What::v && m.index == element.v ? 1.0 : 0.0;
    }
    if (of.position == 0.0 && of.velocity == 0.0) continue;
    const double slope = s.slope(location);
    if (!std::isfinite(slope)) continue;  // at a root's end: as it is held
    sum.position += slope * of.position, sum.velocity += slope * of.velocity;
  }
  return sum;
}

}  // namespace carom
