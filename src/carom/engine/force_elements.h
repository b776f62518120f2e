// One element between two bodies, evaluated where its ends are, or anywhere else.
#pragma once

#include "carom/engine/workspace.h"

namespace carom {

/// Where an end of an element is, and how it moves.
AttachmentState attachment_state(const TreeData& tree, const Attachment& a);

/// What element `index` gives with its ends at `from` and `to`; the stored energy of laws that
/// are formulas only `with_energy`.
ForceOutput evaluate_force_between(Workspace& w, std::size_t index, const AttachmentState& from,
                                   const AttachmentState& to, bool with_energy);

}  // namespace carom
