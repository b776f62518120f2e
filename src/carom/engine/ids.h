// Kinds of indices into the Model and into what a run remembers. Those of links, laws, colliders
// and pieces are where these are (multibody/tree.h, contact/pair_law.h, proximity/shape_piece.h).
#pragma once

#include "carom/base/id.h"

namespace carom {

using BodyId = Id<struct BodyOrder, int>;    ///< into Model::bodies and Scene::bodies
using JointId = Id<struct JointOrder, int>;  ///< into Model::joints
using PartId = Id<struct PartOrder, int>;    ///< into ContactModel::parts
using SlotId = Id<struct SlotOrder, int>;    ///< of the states of contacts (contact_slot.h)

}  // namespace carom
