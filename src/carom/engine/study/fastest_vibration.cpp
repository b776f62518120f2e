#include "carom/engine/study/fastest_vibration.h"

#include <cmath>
#include <numbers>

#include "carom/engine/evaluate.h"
#include "carom/engine/events/contact_events.h"

namespace carom {

FastestVibration find_fastest_vibration(Workspace& w, double t, std::span<const double> x) {
  evaluate(w, t, x);
  double fastest = 0.0;
  FastestVibration found;
  for (const ContactReading& reading : w.contacts.readings) {
    const ContactPair& pair = w.modes.contacts.pairs[reading.pair];
    if (!(reading.phi < 0.0) || !(pair.mass > 0.0) || !std::isfinite(pair.mass)) continue;
    const double rate = std::sqrt(reading.elastic_force / (pair.mass * -reading.phi));
    if (!(rate > fastest)) continue;
    fastest = rate;
    found = {pair_name(w, pair), 2.0 * std::numbers::pi / rate};
  }
  return found;
}

}  // namespace carom
