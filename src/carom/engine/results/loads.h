// The forces whose largest values a run looks for between its rows: of contacts, drives and
// reactions; and what is followed of every contact while it lasts.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "carom/engine/contact/load_track.h"
#include "carom/engine/results/channels.h"

namespace carom {

bool is_load(const OutputChannel& channel);

/// What a list of loads takes.
struct LoadNeeds {
  bool reactions = false, wrenches = false;
  bool only_contacts = true;  ///< nothing changes while nothing touches
  void add(const OutputChannel& load);
};

/// Sizes of the loads where `w` was evaluated last, behind `out`; then three numbers of everything
/// that touches: all normal forces [N], all slip speeds [m/s], all depths [m].
void append_loads(Workspace& w, std::span<const OutputChannel> loads, const LoadNeeds& needs,
                  std::vector<double>& out);

/// How many contacts are followed.
std::size_t track_count(const Workspace& w);
/// A number that changes with which they are, and in which order: the list of pairs is put into
/// order anew at times, while as many touch as before.
std::uint64_t track_order(const Workspace& w);
/// Where the k-th contact of the observer is followed in the modes of the run. Pairs keep their
/// places but where the list was made anew.
LoadTrack& track_of(const Workspace& observer, Modes& modes, std::size_t k);
/// Counts the step that ends where the observer was last evaluated, in both.
void count_held_back(Workspace& observer, Modes& modes);

/// Takes over what accepted steps leave in contacts that last: where the next distance begins, on
/// which face they press. False where the lists are not the same.
bool follow_contacts(const Workspace& w, Workspace& observer);

}  // namespace carom
