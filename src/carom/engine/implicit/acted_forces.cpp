#include "carom/engine/implicit/acted_forces.h"

#include "carom/base/index.h"
#include "carom/multibody/dynamics.h"

namespace carom {
namespace {

/// All that grows with the load.
void scale(ContactReading& r, double share) {
  r.normal_force *= share, r.elastic_force *= share;
  r.force *= share, r.torque *= share;
  r.rest = share * r.rest;
  r.normal_power *= share, r.friction_power *= share;
  r.peak_pressure *= share;
  r.rolling_torque *= share;
}

}  // namespace

void tell_acted_forces(Workspace& w) {
  for (ContactReading& r : w.contacts.readings) {
    const ContactPair& pair = w.modes.contacts.pairs[r.pair];
    if (!(pair.load > 0.0) && !(w.t > pair.begun)) continue;
    const Wrench before{r.torque, r.force};
    scale(r, r.normal_force > 0.0 ? pair.load / r.normal_force : 0.0);
    r.normal_force = pair.load;
    r.force = pair.load > 0.0 ? pair.acted : Vec3{};
    const Wrench more{r.torque - before.t, r.force - before.f};
    apply_wrench(w.tree, w.model->contact.colliders[pair.b].link, r.point, more);
    apply_wrench(w.tree, w.model->contact.colliders[pair.a].link, r.point, -1.0 * more);
  }
}

}  // namespace carom
