// Contacts as results: per pair of bodies and per body, at the state last evaluated.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "carom/engine/contact/rigid/rigid_output.h"
#include "carom/engine/workspace.h"

namespace carom {

/// All contacts between the shapes of two bodies, taken together.
struct BodyPairContact {
  ContactReading sum;  ///< forces on the second body; torque about the centre of pressure
  Vec3 closest_a, closest_b;
  RigidReading rigid;
};

/// Contacts of Model::contact.watched[index]; distance and closest points also where it does
/// not touch.
BodyPairContact find_pair_contact(const Workspace& w, std::size_t index);

/// Whether shapes of two bodies touch as `are_such` says.
bool has_patches(const ContactModel& model, const WatchedPair& p,
                 bool (*are_such)(const ContactModel&, ColliderId, ColliderId));

/// Sum of the normal forces of Model::contact.watched[index] alone [N].
double pair_normal_force(const Workspace& w, std::size_t index);

/// Force and torque (about the body origin) of all contacts on each body of the scene.
std::vector<Wrench> sum_contact_wrenches(const Workspace& w);

/// Integrals of all contacts so far, in the state x.
ContactTotals contact_totals(const Workspace& w, std::span<const double> x);

}  // namespace carom
