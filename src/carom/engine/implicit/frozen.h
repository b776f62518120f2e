// Islands at rest, which implicit steps leave out (run.freeze).
//
// A free body is still in a step that ends with it slower than run.freeze and in which contacts
// bear all but a ten-thousandth of what acts on it. An island whose bodies have all been still for
// a tenth of a second, none of them faster than where that time began (what topples slowly is
// not at rest), is frozen: its velocities become zero, which the ledger books as loss of the step,
// and its bodies, bristles, banks and forces stay as they are. It wakes as a whole where
//
//   - forces, coordinates or velocities of one of its bodies are not those of its rest: inputs,
//     loads, gravity, what a program or an event sets;
//   - something that is not frozen comes so near that the step may bring the two together.
//
// Only free bodies on each other and on what is fixed are frozen: what touches a body on a joint,
// or hangs on a spring, is not.
#pragma once

#include "carom/engine/workspace.h"

namespace carom {

inline bool is_frozen(const Modes& modes, int link) {
  return !modes.rests.empty() && modes.rests[static_cast<std::size_t>(link)].island > 0;
}

/// Whether two shapes keep their places: each is frozen or fixed, one is frozen.
inline bool is_frozen_pair(const Workspace& w, const ContactPair& pair) {
  if (w.modes.rests.empty()) return false;
  const std::vector<Collider>& colliders = w.model->contact.colliders;
  const int a = colliders[pair.a].link, b = colliders[pair.b].link;
  const bool stays_a = a == 0 || is_frozen(w.modes, a), stays_b = b == 0 || is_frozen(w.modes, b);
  return stays_a && stays_b && (a != 0 || b != 0);
}

/// Whether nothing in the scene moves but time.
bool is_all_frozen(const Modes& modes);

/// How much is frozen.
struct FrozenCount {
  int islands = 0, bodies = 0;
};
FrozenCount count_frozen(const Modes& modes);

/// Bodies may have been put elsewhere.
void wake_all(Modes& modes);

}  // namespace carom
