// What others meet of a shape: the triangles that are drawn, or what stands for it.
#pragma once

#include "carom/engine/contact/contact_model.h"

namespace carom {

/// Whether the triangles that are drawn are all that others meet of a shape.
inline bool is_as_drawn(const ContactModel& contact, BodyId body, int shape) {
  for (const Collider& c : contact.colliders) {
    if (c.body != body || c.shape != shape || c.surface >= 0 || c.count == 0) continue;
    std::uint32_t drawn = 0;
    for (std::uint32_t k = c.first; k < c.first + c.count; ++k) {
      drawn += contact.pieces[k].triangles != nullptr;
    }
    return drawn == c.count;
  }
  return false;
}

}  // namespace carom
