// One guarded run reduced to four hashes: what moved, what happened, what pressed, and what the
// ledger says. Told apart, so that the difference of two tables shows what a change has touched.
#pragma once

#include <cstdint>

#include "carom/engine/model.h"

namespace carom::golden {

struct Digest {
  std::uint64_t state = 0, events = 0, forces = 0, ledger = 0;
  bool operator==(const Digest&) const = default;
};

/// The first 2000 steps of a run, or all of it, sampled at a hundredth of its time.
Digest digest_of(std::shared_ptr<const Model> model);

/// Of the sines and powers of this machine's mathematical library, which round as they like.
std::uint64_t library_hash();

}  // namespace carom::golden
