#include "carom/engine/contact/energy_hold.h"

#include <algorithm>
#include <cmath>

#include "carom/base/index.h"
#include "carom/engine/contact/contact_part.h"
#include "carom/engine/contact/contact_slot.h"
#include "carom/engine/contact/normal_forces.h"

namespace carom {
namespace {

/// Factor by which (1) makes a contact stiffer at most; what is then still held is lost.
constexpr double kStiffest = 20.0;

/// Of the speed of an impact: from there on what comes nearer meets the whole force.
constexpr double kShareOfSpeed = 0.01;

/// The guard that lets out what went in, S, and no more:
///
///   rho = (S + 2 eps) / (U + eps)   where S + eps < U,
///         S / (U + eps)             where S > U + eps, at most kStiffest, else 1,        (1)
///
/// scales force and energy. It is 1 for an energy U of the pose whose gradient is the force.
/// Elsewhere the contact holds rho U, all but S: a factor that keeps pace with U, so that S is used
/// up where U ends.
double hold_to_pose(ContactScratch& c, const ContactGuard& guard, double S, double energy,
                    ContactReading& reading) {
  const double eps = std::max(guard.share * std::max(guard.scale, energy), guard.rest);
  if (std::abs(S - energy) <= eps) return energy;
  const double rho = S < energy ? std::max(0.0, (S + 2.0 * eps) / (energy + eps))
                                : std::min(kStiffest, S / (energy + eps));
  reading.held = true;
  for (std::size_t i = 0; i < at(c.manifold.count); ++i) {
    NormalOutput& out = c.normal_out[i];
    out.force -= (1.0 - rho) * out.elastic;
    out.elastic *= rho;
  }
  c.springs.force_W *= rho, c.springs.torque_W *= rho;
  return energy * rho;
}

/// Where there is no energy of the pose, a contact holds what has flowed in, S. The energy of an
/// elastic body is between 1/2 (a flat face) and 1 (a cone) of force times mean depth, U; where S
/// has fallen below half the least of that, the force is scaled,
///
///   rho = (S + eps) / (U / 4),                                                           (2)
///
/// so that S goes to zero with the depth and never below: dS = rho dU leaves S ~ U^2 or higher.
/// That is so on the way out. What comes nearer is met by the whole force, which fills S: scaled
/// there, too, a contact that had given all would give way for ever. Between rest and a hundredth
/// of the speed of the impact one goes over into the other.
void hold_to_bank(ContactScratch& c, const ContactPair& pair, double S, double energy,
                  ContactReading& reading) {
  const double least = 0.5 * energy;  // normal laws have 1/2 of force times depth
  const double scale = pair.guard.scale, eps = pair.guard.share * scale;
  if (!(S + eps < least)) return;
  const double out_again = std::max(0.0, (S + eps) / least);
  const double slow = scale > 0.0 ? kShareOfSpeed * std::sqrt(2.0 * scale / pair.mass) : 0.0;
  reading.held = true;
  for (std::size_t i = 0; i < at(c.manifold.count); ++i) {
    NormalOutput& out = c.normal_out[i];
    const double rate = c.normal_in[i].depth_rate;
    const double u = rate < slow ? std::max(0.0, rate / slow) : rate > 0.0 ? 1.0 : 0.0;
    const double rho = out_again + (1.0 - out_again) * u * u * (3.0 - 2.0 * u);
    out.force *= rho, out.elastic *= rho;
  }
}

}  // namespace

double hold_back(Workspace& w, const PairState& s, const double* state, ContactReading& reading) {
  ContactScratch& c = w.contacts.scratch;
  const bool has_springs = s.pair.base.kind != SpringBase::points;
  double energy = has_springs ? c.springs.energy : 0.0;
  for (std::size_t i = 0; i < at(c.manifold.count) && !has_springs; ++i) {
    if (acts(s.pair, c, i)) energy += c.normal_out[i].energy;
  }
  if (state) {
    const double S = s.pair.guard.stored + state[SlotLayout::kStored];
    if (part_for(w, s.pair).is_banked || s.pair.guard.is_banked) {
      // Implicit steps see to it themselves.
      if (!w.modes.banks) hold_to_bank(c, s.pair, S, energy, reading);
      energy = std::max(0.0, S);
    } else if (s.pair.guard.scale > 0.0) {
      energy = hold_to_pose(c, s.pair.guard, S, energy, reading);
    }
  }
  return reading.energy = energy;
}

void hold_unpressed(Workspace& w, const PairState& s, const double* state,
                    ContactReading& reading) {
  if (!state || w.modes.banks) return;
  reading.energy = std::max(0.0, s.pair.guard.stored + state[SlotLayout::kStored]);
  w.ledger.contacts += reading.energy, w.ledger.modelled += reading.energy;
}

}  // namespace carom
