#include "carom/engine/contact/kick_powers.h"

#include "carom/base/index.h"

namespace carom {
namespace {

/// Acceleration of a point that moves with the link, by the change of its velocity alone.
Vec3 acceleration_at(const LinkState& L, const Vec3& p) {
  return L.A.v - L.c.v + cross(L.A.w - L.c.w, p - L.p_WL);
}

}  // namespace

void add_kick_powers(Workspace& w) {
  const double half = 0.5 * w.step.kick_step;
  const ContactModel& model = w.model->contact;
  for (const ContactReading& r : w.contacts.readings) {
    const ContactPair& pair = w.modes.contacts.pairs[r.pair];
    if (pair.slot < 0 || !(r.normal_force > 0.0)) continue;
    const LinkState& A = w.tree.links[at(model.colliders[pair.a].link)];
    const LinkState& B = w.tree.links[at(model.colliders[pair.b].link)];
    const Vec3 a = acceleration_at(B, r.point) - acceleration_at(A, r.point);
    const Vec3 alpha = (B.A.w - B.c.w) - (A.A.w - A.c.w);
    const double approach = -dot(r.normal, a);
    const Vec3 friction = r.force - r.normal_force * r.normal - r.rest.f;
    double* rate = w.contacts.slot_rates.data() + at(pair.slot) * at(model.slot.width);
    rate[SlotLayout::kNormal] += half * (r.normal_force - r.elastic_force) * approach;
    rate[SlotLayout::kStored] +=
        half * (r.elastic_force * approach - dot(r.rest.f, a) - dot(r.rest.t, alpha));
    rate[SlotLayout::kFriction] -= half * (dot(friction, a) + dot(r.torque - r.rest.t, alpha));
  }
}

}  // namespace carom
