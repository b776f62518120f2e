#include "carom/engine/events/watched_pairs.h"

#include <algorithm>

namespace carom {

void WatchedPairs::note(const Workspace& w) {
  known_.clear();
  for (const ContactPair& p : w.modes.contacts.pairs) known_.push_back({p.piece_a, p.piece_b});
}

bool WatchedPairs::are_kept(const Workspace& w) const {
  if (w.model->contact.has_sites || w.model->contact.has_rigid) return false;
  return std::ranges::equal(known_, w.modes.contacts.pairs,
                            [](const Known& known, const ContactPair& p) {
                              return known.a == p.piece_a && known.b == p.piece_b;
                            });
}

}  // namespace carom
