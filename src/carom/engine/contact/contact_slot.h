// Where the state of one contact is.
#pragma once

#include "carom/base/index.h"
#include "carom/engine/workspace.h"

namespace carom {

struct SlotView {
  const double* state = nullptr;  ///< null where the state holds no contacts
  double* rate = nullptr;
};

inline SlotView slot_view(Workspace& w, const ContactPair& pair, std::span<const double> x) {
  const SlotLayout& layout = w.model->contact.slot;
  const std::size_t offset = at(pair.slot) * at(layout.width);
  const std::size_t first = w.model->size() + offset;
  if (pair.slot < 0 || first + at(layout.width) > x.size()) return {};
  return {x.data() + first, w.contacts.slot_rates.data() + offset};
}

}  // namespace carom
