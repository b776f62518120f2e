// The energy ledger of a state: functions of it, and integrals that come with it.
#include "carom/engine/contact/contact_output.h"
#include "carom/engine/implicit/implicit_contacts.h"
#include "carom/engine/results/channels.h"

namespace carom {

Ledger read_ledger(Workspace& w, std::span<const double> x, double reference) {
  const Powers& rows = w.modes.rows;
  const Energies e = calc_energies(w);
  Ledger l;
  l.kinetic = e.kinetic, l.potential = e.potential, l.elastic = e.elastic;
  l.dissipated_damping = rows.damping;
  const ContactTotals contacts = contact_totals(w, x);
  l.dissipated_friction = rows.friction + contacts.friction;
  l.dissipated_normal = contacts.normal;
  l.dissipated_step = w.modes.step_loss;
  l.drive_work = rows.drive;
  l.model_work = rows.model + w.modes.work;
  // What contacts store is a function of the state; what flowed into it is an integral. Where the
  // force is not the gradient of the energy, stiffness that changes does the rest; where it is, a
  // difference is an error and stays in the residual.
  if (w.modes.banks) {
    l.elastic += banked_energy(w, x) - w.ledger.contacts - w.ledger.bristles;
    l.model_work += w.modes.step_lift;
  } else {
    l.model_work += w.ledger.modelled - contacts.stored;
    l.published = w.ledger.published - contacts.published;
    l.bristle_work = w.ledger.bristles - w.ledger.lasting - contacts.bristle;
    l.dissipated_friction -= w.ledger.lasting;  // of what flowed into them, they still have that
  }
  l.residual = l.total() - reference;
  return l;
}

Ledger calc_ledger(Workspace& w, double t, std::span<const double> x, double reference) {
  evaluate(w, t, x);
  return read_ledger(w, x, reference);
}

}  // namespace carom
