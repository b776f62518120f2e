// Moisio's elements (2013, chapter 5): every pair of triangles that meet presses at both ends of
// its segment, along the normal of either triangle, and remembers how deep it is.
//
//   f = (K_p L_r / 4) (l/2) w d (1 + c d'/v0),   d = ∫ d' dt,   d' = -n.(v_B - v_A)          (1)
//
// with the length l of the segment, n the outward normal of A's triangle, or that of B's turned
// round. Both triangles of a ball press the same way and those of a cube's edge do not, so that
// with the normal m of the patch they share a point by
//
//   w = 1 / (|n_A.m| + |n_B.m|):  1/2 each on a ball, 1 on an edge.                          (2)
//
// L_r counts the depth of approach, of which the mean depth of a ball's cap is one half: it is half
// of that of patches, 4 √2 / (3π), and what the law `circumference` says.
//
// The integral of (1) is taken from step to step: of a pair that met at the last accepted step the
// depth is what it was then, and the way since, along the normal of today. Across an edge it is
// carried over (algorithms 2 and 3 there): a new pair that shares a triangle with an old one has
// that triangle's depth and speed, and of the other triangle their projection; which old one, and
// which of its ends, is the nearest. A patch that is wholly new has the depth that is measured
// along its normal, but for impacts in steps that do not locate them, which count from zero as
// there; so does a new pair within an old patch that shares nothing. No depth is more than what is
// measured.
//
// Depths are a function of where the bodies are and of what accepted steps left. Bristles follow
// the way in the same manner, and begin anew with a new pair, as they do there.
#pragma once

#include "carom/engine/contact/contact_reading.h"
#include "carom/engine/contact/triangles/triangle_sites.h"

namespace carom {

/// Forces, powers, rates of the states and reading of one contact. `patch` is its own.
void press_elements(Workspace& w, const PairState& s, std::span<const double> x,
                    const triangles::PatchLoad& patch, ContactReading& reading);

/// Where all elements of the two pieces of a pair are, after an accepted step.
void remember_elements(Workspace& w, const ContactPair& pair);

}  // namespace carom
