#include "carom/engine/implicit/acted_forces.h"

#include "carom/base/index.h"
#include "carom/engine/contact/contact_forces.h"
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

void push(Workspace& w, const ContactPair& pair, const Vec3& point, const Wrench& more) {
  apply_wrench(w.tree, w.model->contact.colliders[pair.b].link, point, more);
  apply_wrench(w.tree, w.model->contact.colliders[pair.a].link, point, -1.0 * more);
}

void tell(const ActedForce& acted, ContactReading& r) {
  r.normal_force = acted.normal;
  r.force = acted.normal > 0.0 ? acted.force : Vec3{};
  if (acted.has_torque && acted.normal > 0.0) {
    r.torque = acted.torque + cross(acted.at - r.point, acted.force);
  }
}

}  // namespace

void tell_acted_forces(Workspace& w) {
  for (ContactReading& r : w.contacts.readings) {
    const ContactPair& pair = w.modes.contacts.pairs[r.pair];
    if (!(pair.acted.normal > 0.0) && !(w.t > pair.begun)) continue;
    const Wrench before{r.torque, r.force};
    scale(r, r.normal_force > 0.0 ? pair.acted.normal / r.normal_force : 0.0);
    tell(pair.acted, r);
    push(w, pair, r.point, {r.torque - before.t, r.force - before.f});
  }
  const std::vector<ContactPair>& pairs = w.modes.contacts.pairs;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    if (pairs[i].mode != ContactMode::apart || !(pairs[i].acted.normal > 0.0)) continue;
    const Contact contact = find_contact(w, pairs[i]);
    ContactReading r;
    r.pair = i;
    r.phi = contact.phi, r.normal = contact.n_AB_W;
    r.point = 0.5 * (contact.p_WCa + contact.p_WCb);
    tell(pairs[i].acted, r);
    push(w, pairs[i], r.point, {r.torque, r.force});
    w.contacts.readings.push_back(r);
  }
}

}  // namespace carom
