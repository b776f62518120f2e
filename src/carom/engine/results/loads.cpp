#include "carom/engine/results/loads.h"

#include <algorithm>
#include <cmath>

#include "carom/base/index.h"
#include "carom/engine/contact/contact_output.h"
#include "carom/engine/contact/triangles/triangle_sites.h"
#include "carom/engine/evaluate.h"

namespace carom {
namespace {

using What = OutputChannel::What;

/// After evaluate, and calc_reactions where a reaction is asked for.
double size_of(const Workspace& w, const OutputChannel& c, std::span<const Wrench> bodies) {
  const auto wrench = [&]() -> const LinkState& {
    return w.tree.links[at(w.model->joints[at(c.index)].link)];
  };
  switch (c.what) {
    case What::reaction_force: return norm(wrench().pA.f);
    case What::reaction_torque: return norm(wrench().pA.t);
    case What::loop_force: return norm(w.constraints.loop_reaction[at(c.index)].f);
    case What::loop_torque: return norm(w.constraints.loop_reaction[at(c.index)].t);
    case What::coupling_force: return std::abs(w.constraints.coupling_force[at(c.index)]);
    case What::drive_force: return std::abs(w.forces.of_drives[at(c.index)]);
    case What::contact_normal_force: return pair_normal_force(w, at(c.index));
    default: return norm(bodies[at(c.index)].f);
  }
}

}  // namespace

bool is_load(const OutputChannel& channel) {
  switch (channel.what) {
    case What::reaction_force:
    case What::reaction_torque:
    case What::loop_force:
    case What::loop_torque:
    case What::coupling_force:
    case What::drive_force:
    case What::contact_normal_force:
    case What::body_contact_force: return true;
    default: return false;
  }
}

void LoadNeeds::add(const OutputChannel& load) {
  reactions |= load.what == What::reaction_force || load.what == What::reaction_torque;
  wrenches |= load.what == What::body_contact_force;
  only_contacts &= load.what == What::contact_normal_force || load.what == What::body_contact_force;
}

void append_loads(Workspace& w, std::span<const OutputChannel> loads, const LoadNeeds& needs,
                  std::vector<double>& out) {
  if (needs.reactions) calc_reactions(w);
  const std::vector<Wrench> bodies =
      needs.wrenches ? sum_contact_wrenches(w) : std::vector<Wrench>();
  for (const OutputChannel& load : loads) out.push_back(size_of(w, load, bodies));
  const std::span<const ContactReading> readings =
      std::span(w.contacts.readings).first(w.contacts.touching.size());
  for (const ContactReading& r : readings) out.push_back(r.normal_force);
  for (const ContactReading& r : readings) out.push_back(r.slip_speed);
  for (const ContactReading& r : readings) out.push_back(std::max(0.0, -r.phi));
}

std::size_t track_count(const Workspace& w) { return w.contacts.touching.size(); }

std::uint64_t track_order(const Workspace& w) {
  constexpr std::uint64_t kPrime = 0x100000001B3u;  // Fowler, Noll and Vo
  std::uint64_t hash = 0xCBF29CE484222325u;
  for (const std::size_t i : w.contacts.touching) {
    const ContactPair& pair = w.modes.contacts.pairs[i];
    for (const std::uint64_t part :
         {std::uint64_t{pair.piece_a}, std::uint64_t{pair.piece_b}, std::uint64_t{pair.branch}}) {
      hash = (hash ^ part) * kPrime;
    }
  }
  return hash;
}

LoadTrack& track_of(const Workspace& observer, Modes& modes, std::size_t k) {
  const std::size_t index = observer.contacts.touching[k];
  const ContactPair& seen = observer.modes.contacts.pairs[index];
  std::vector<ContactPair>& pairs = modes.contacts.pairs;
  const auto is_same = [&](const ContactPair& p) { return p.is_same_site(seen); };
  if (index < pairs.size() && is_same(pairs[index])) return pairs[index].track;
  return std::find_if(pairs.begin(), pairs.end(), is_same)->track;
}

void count_held_back(Workspace& observer, Modes& modes) {
  for (std::size_t k = 0; k < track_count(observer); ++k) {
    if (!observer.contacts.readings[k].held) continue;
    ++observer.modes.contacts.pairs[observer.contacts.touching[k]].track.held_steps;
    ++track_of(observer, modes, k).held_steps;
  }
}

bool follow_contacts(const Workspace& w, Workspace& observer) {
  share_patches(w, observer);
  const std::vector<ContactPair>& from = w.modes.contacts.pairs;
  std::vector<ContactPair>& to = observer.modes.contacts.pairs;
  if (w.contacts.touching != observer.contacts.touching) return false;
  for (const std::size_t i : w.contacts.touching) {
    if (i >= to.size() || !from[i].is_same_site(to[i])) return false;
    to[i] = from[i];
  }
  if (w.model->contact.has_rigid) observer.modes.contacts.rigid = w.modes.contacts.rigid;
  return true;
}

}  // namespace carom
