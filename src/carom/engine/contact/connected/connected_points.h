// Where connected surfaces touch, at the kinematics last evaluated.
#pragma once

#include <optional>

#include "carom/engine/contact/contact_points.h"
#include "carom/engine/contact/contact_slot.h"

namespace carom {

/// A pair of surfaces and where they are.
struct ConnectedState : PairState {
  const ConnectedPair& own;
  const IdealSurface &surface_a, &surface_b;
};

/// What the materials give the whole contact, and how much of it a point of weight 1 has, is known
/// from the start.
ConnectedState connected_state(const Workspace& w, const ContactPair& pair);

/// Distance, and the points into `manifold`.
Contact find_connected(const ConnectedState& s, Manifold& manifold);

/// How far the surfaces are apart at least, if that is more than a quarter of the smaller one [m].
std::optional<double> far_apart(const ConnectedState& s);

/// The x axis of the larger flat surface; zero if neither is flat.
Vec3 flat_axis(const ConnectedState& s);

/// Mean of the points, in the frame of the surface along which they move.
Vec3 mean_point(const ConnectedState& s, const Manifold& m);

/// The movement d of the points goes through a low-pass of second order (Bessel, -3 dB at
/// omega): y + a y'/omega + b y''/omega² = d. Points are moved by y - d.
void filter_points(const ConnectedState& s, const SlotView& slot, int first, Manifold& m);

}  // namespace carom
