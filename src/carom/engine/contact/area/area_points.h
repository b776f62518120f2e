// The points of a contact area in a run: its pressure, and the law of its points.
#pragma once

#include "carom/engine/contact/contact_points.h"
#include "carom/proximity/area/area_patch.h"

namespace carom {

/// The area of a pair at its distance, with the second body moved by `way` against the normal. What
/// other contacts of the same two surfaces have is theirs.
void find_area(const Workspace& w, const PairState& s, const Contact& contact, double way,
               AreaPatch& patch);

/// Into the points of a contact, each with its share of the area, and its stiffness into `s`:
/// foundation times area.
void put_area(const AreaPatch& patch, const Contact& contact, PairState& s, Manifold& m);

/// Where points have normals of their own, the contact has the mean of them, by pressure.
void turn_to_mean_normal(const AreaPatch& patch, Contact& contact);
/// Of the area.
Vec3 middle_of(const AreaPatch& patch);

/// Elastic energy 1/2 K integral of u² [J].
double area_energy(const AreaPatch& patch, double foundation);

/// Depth at which the layer carries the weight of the lighter body and has taken up its kinetic
/// energy [m]; infinite where neither says anything.
double area_depth(const Workspace& w, const PairState& s, const Contact& contact);

/// The pressure over depth that gives the force of Hertz, or of a line or face, at the depth that
/// these expect [Pa/m].
double fitting_foundation(Workspace& w, const PairState& s, const Contact& contact);

}  // namespace carom
