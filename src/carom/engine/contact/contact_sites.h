// Sites of pieces that have several: every minimum of the gap of a smooth surface and another body.
//
// Two convex pieces are one site, named by the two. Of a smooth surface all minima within a margin
// are sites, told apart by a number (ContactPair::branch), and a minimum keeps its number for as
// long as it can be followed. They are looked for at accepted states, and again at the end of every
// step before its events are sought. What is not known at the beginning is farther away than the
// margin, which grows until something is found; so a step is sound in which no point comes nearer
// by more than that, and a longer one is taken again and shorter. What is born within a step is
// found at its end, and its event function is positive for as long as it was not there.
#pragma once

#include <span>
#include <vector>

#include "carom/engine/contact/contact_memory.h"

namespace carom {

class Workspace;
struct ContactModel;

/// Whether the finder of these pieces looks for sites.
bool has_sites(const ContactModel& model, PieceId piece_a, PieceId piece_b);

/// Replaces every pair whose finder looks for sites by its sites in the present kinematics. Those
/// of `old` that are still there keep their number.
void expand_sites(Workspace& w, std::span<const ContactPair> old, std::vector<ContactPair>& pairs);

/// Appends the sites of `pairs` that are not among `known`.
void append_new_sites(Workspace& w, std::span<const ContactPair> pairs,
                      std::vector<ContactPair>& known);

/// Whether pieces that have sites may have come nearer, at most by `way` [m], than these are known.
bool passes_sites(const Workspace& w, const ContactPair& pair, double way);

/// Before a step: so that none oversteps at the speeds of its beginning [s].
double longest_step_of_sites(const Workspace& w);

/// Colliders whose hollows the other one does not fit into: where they touch along a line, no point
/// of it is a site, and the contact may be missed.
struct HollowPair {
  ColliderId a = 0, b = 0;
  double conformity = 0.0;  ///< of smooth_search.h, at least kFits
};
std::vector<HollowPair> find_hollow_pairs(const ContactModel& model);

/// Bodies so deep in a smooth surface that no minimum is looked for there: without a finding they
/// would fall on as if nothing were there.
struct SwallowedPair {
  ColliderId a = 0, b = 0;
  double depth = 0.0;  ///< of the body's farthest point, along the normal nearest to its middle [m]
};
std::vector<SwallowedPair> find_swallowed_pairs(const Workspace& w);

}  // namespace carom
