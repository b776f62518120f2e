#include "carom/engine/results/pressure_maps.h"

#include "carom/base/contact_name.h"
#include "carom/base/index.h"
#include "carom/engine/contact/contact_part.h"

namespace carom {

std::vector<PressureMap> find_pressure_maps(Workspace& w) {
  const ContactModel& model = w.model->contact;
  std::vector<PressureMap> maps;
  const auto body_of = [&](std::uint32_t collider) {
    const int body = model.colliders[collider].body;
    return body < 0 ? std::string(kWorldName) : w.model->bodies[at(body)].name;
  };
  for (const ContactReading& reading : w.contacts.readings) {
    const ContactPair& pair = w.modes.contacts.pairs[reading.pair];
    const std::size_t first = maps.size();
    part_for(w, pair).map_pressure(w, reading, maps);
    for (std::size_t i = first; i < maps.size(); ++i) {
      maps[i].object = contact_name(body_of(pair.a), body_of(pair.b));
    }
  }
  return maps;
}

}  // namespace carom
