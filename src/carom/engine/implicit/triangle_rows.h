// A patch of two triangle surfaces as rows of the velocity problem of a step.
//
// The force F of a patch over its approach s is a chord: with F0 where the step begins and F1 where
// its own speed leads, s away,
//
//   k = (F1 - F0) / s,   d = F0 / k,                                                        (1)
//
// so that F0 and F1 are exact along the normal. With areas that grow as s^a, V = A s / (a + 1), and
// a force that grows as s^p, the patch holds
//
//   U = F0 s / (p + 1) = F0² / 2k  2p / (p + 1),   s = (a + 1) V / A,   p = k s / F0,           (2)
//
// 2p / (p + 1) times what springs of (1) do: 1 for a face, 1.2 for a ball. Four springs k/4 about
// the centre of the circumference have its second moments, as far as the depth field turns with the
// bodies (depth_rate.h), and depths with which they press where the patch does: what tilts is
// turned back as by the linear depth field, and what rolls is not. A patch that has parted, or is
// yet to come, is that of the surfaces moved together by the gap and what the step may bring: it
// outlives its curve, with a negative depth.
#pragma once

#include <array>

#include "carom/engine/contact/contact_points.h"

namespace carom {

struct PatchSprings {
  Vec3 normal;  ///< from A to B
  Vec3 centre;  ///< of pressure
  double radius = 0.0;
  double stiffness = 0.0;  ///< of each [N/m]
  std::array<Vec3, 4> points;
  std::array<double, 4> depths{};
  double energy = 1.0;  ///< (2)
};

/// Of a contact of shapes as triangles, whose gap is at most `reach`; false where there are none.
bool find_patch_springs(const PairState& s, const Contact& contact, double reach,
                        PatchSprings& out);

}  // namespace carom
