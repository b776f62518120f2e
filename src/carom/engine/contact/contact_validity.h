// Where a contact leaves the range of its law (N16): Hertz' theory wants depths that are
// small against the radius of curvature, and pressures that do not make the solid yield.
//
//   d <= R / 10,   p_mean = (4 / (3 pi)) E* sqrt(d / R') <= 1.6 Y                         (1)
//
// R is the smaller radius of curvature, R' = 1 / sqrt(k1 k2); Johnson, "Contact Mechanics" (1985),
// 4.2 and 6.1. Edges whose radius nobody has set have none worth comparing with: there the depth
// is held against a hundredth of the body's smallest size, on a face against a twentieth. A body
// that is deeper than half of the smaller size has passed the middle of the other: it comes out on
// the far side.
#pragma once

#include <string>
#include <vector>

#include "carom/engine/results/finding.h"
#include "carom/engine/workspace.h"

namespace carom {

/// What is wrong with the deepest overlap of the pair so far.
std::vector<Finding> validity_findings(const Workspace& w, const ContactPair& pair,
                                       const Contact& contact);

/// Of a point of contact that was not there before and begins in overlap.
Finding birth_finding(const Workspace& w, const ContactPair& pair, const Contact& contact);

/// What ended the contact before its bodies were apart, and where a point cannot stand for the
/// bodies: they nearly conform.
std::vector<Finding> site_findings(const Workspace& w, const ContactPair& pair,
                                   const Contact& contact);

/// Smallest side of the box around the pieces of a shape; infinite for a half space, for surfaces
/// and for sheets of triangles that lie in a plane: those have no thickness.
double smallest_size(const ContactModel& model, const Collider& c);

/// "contact of 'a' and 'b'"
std::string pair_text(const Workspace& w, const ContactPair& pair);

/// Two bodies that overlap so deeply that to start there would be a burst of energy.
struct DeepOverlap {
  int body_a = 0, body_b = 0;  ///< into Scene::bodies
  double depth = 0.0;          ///< [m]
  bool is_rigid = false;       ///< they cannot overlap at all
};

/// Those of the pairs near each other at the kinematics last evaluated, once per pair of bodies.
std::vector<DeepOverlap> find_deep_overlaps(const Workspace& w);
/// "bodies 'a' and 'b' overlap by 0.1 m at the start, more than 5 % of the smaller one".
std::string overlap_text(const Model& model, const DeepOverlap& overlap, const std::string& where);

}  // namespace carom
