// What a user should know of surfaces by formulas before a run tells it.
#include "carom/base/index.h"
#include "carom/engine/compile/compiler.h"
#include "carom/engine/contact/contact_sites.h"

namespace carom {

/// A verdict of `doubtful` should not come as a surprise.
void Compiler::note_hollow_pairs() {
  for (const HollowPair& p : find_hollow_pairs(model_->contact)) {
    const Collider &A = model_->contact.colliders[p.a], &B = model_->contact.colliders[p.b];
    const BodySpec &a = scene_.bodies[at(A.body)], &b = scene_.bodies[at(B.body)];
    diagnostics_.warning(b.shapes[at(B.shape)].where,
                         "of '" + a.name + "' and '" + b.name +
                             "' one does not fit into the sharpest hollow of the other: where they "
                             "would touch along a line, contact may be missed",
                         "take a smaller body or a wider hollow");
  }
}

/// Of surfaces that touch others.
void Compiler::note_surfaces() {
  for (const BodySpec& body : scene_.bodies) {
    for (const ShapeSpec& s : body.shapes) {
      if (!s.contact || !s.shape.surface) continue;
      const std::string doubt = s.shape.surface->doubt();
      if (doubt.empty()) continue;
      diagnostics_.warning(s.where,
                           "the " + std::string(s.shape.kind->name) + " of body '" + body.name +
                               "': " + doubt + ": what is outside there is inside by another part",
                           "narrow the ranges, or make the surface of several shapes");
    }
  }
}

}  // namespace carom
