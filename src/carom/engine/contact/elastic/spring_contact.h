// Elastic energy of a pair of shapes, and its gradient (contact_springs.h), as the engine needs it.
// Internal to contact_forces.
#pragma once

#include "carom/contact/contact_springs.h"
#include "carom/engine/contact/contact_points.h"

namespace carom {

/// What the energy of the pair is made of, in the state of `contact`. `keep`, what it was made of
/// so far, stays where it still describes the contact.
SpringBase choose_base(const PairState& s, const Contact& contact, const SpringBase* keep);

/// Whether bodies of flat faces overlap, and the face of the base does not look along the normal of
/// the contact: a border of it presses into a tilted face, or edges cross. The bodies come out
/// along that normal; rows along the face's would let them sink as they slide. Where bodies are
/// deep in each other, as soft ones, a change of springs would cost more than their bank holds.
bool looks_aside(const PairState& s, const Contact& contact, const SpringBase& base);

/// How far a body reaches below the plane of the face that the base lends, an unbounded one; less
/// than 0 where it is apart [m].
double depth_below_face(const PairState& s, const SpringBase& base);

/// The springs of the pair's base, which is not `points`. `sunk` moves the bodies further together
/// along the normal [m].
void find_springs(const PairState& s, const SpringBase& base, double sunk, ContactSprings& out);

/// Puts the points of the springs into the manifold, with their share of the force as weight.
void list_springs(const PairState& s, const SpringBase& base, const ContactSprings& springs,
                  Manifold& manifold);

/// Depth at which the springs hold a weight and have taken up a kinetic energy; the bodies are
/// `depth` deep already.
double expected_depth_of_springs(const PairState& s, double depth, double weight, double kinetic,
                                 ContactSprings& scratch);

/// Springs, their points and the forces of the law there, before clamping, into the scratch.
void calc_spring_forces(const PairState& s, double normal_state, ContactScratch& scratch);

/// The elastic wrench on B about the point p.
Wrench spring_wrench(const PairState& s, const SpringBase& base, const ContactSprings& springs,
                     const Vec3& p);

}  // namespace carom
