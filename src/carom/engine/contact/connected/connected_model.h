// Surfaces that a scene connects, compiled.
#pragma once

#include <cstdint>
#include <vector>

#include "carom/contact/stiffness.h"
#include "carom/proximity/shape_piece.h"
#include "carom/proximity/smooth/surface_pair.h"

namespace carom {

/// Two surfaces that the scene connects.
struct ConnectedPair {
  ColliderId a = 0, b = 0;  ///< a < b
  int law = 0;              ///< into ContactModel::laws
  ContactArea area = ContactArea::point;
  double layer = 0.0;          ///< thickness t of the elastic layer [m]
  bool lets_go = false;        ///< beyond it, instead of pushing on
  ContactStiffness stiffness;  ///< that the materials give the whole contact
  double low_pass = 0.0;       ///< of the points' movement [rad/s]; 0: none
  bool points_on_b = false;    ///< the surface along which points move is B
};

struct ConnectedModel {
  std::vector<IdealSurface> surfaces;
  std::vector<ConnectedPair> pairs;  ///< ascending by a, then b
};

}  // namespace carom
