// Shapes become pieces with sharp edges where a law asks for the area of contact: an edge radius
// stands for what a point would do at an edge, and an area has no need of it.
#include <set>

#include "carom/base/index.h"
#include "carom/engine/compiler.h"
#include "carom/engine/contact_part.h"
#include "carom/proximity/area/line_exit.h"

namespace carom {

bool Compiler::uses_areas(int law_class) const {
  const ContactModel& contact = model_->contact;
  for (int j = 0; j < contact.class_count; ++j) {
    const int law = contact.law_of_classes[at(law_class * contact.class_count + j)];
    if (law >= 0 && contact.laws[at(law)].area.is_on) return true;
  }
  return false;
}

void Compiler::add_area_pieces(ColliderId collider) {
  const Collider& c = model_->contact.colliders[collider];
  const ShapeSpec& spec = model_->scene.bodies[at(c.body)].shapes[at(c.shape)];
  const bool is_one = !spec.shape.pieces && !spec.shape.surface;
  Shape sharp = spec.shape;
  if (is_one && sharp.kind->rounding == Rounding::inward) {
    sharp.edge_radius = 0.0;
    sharp.core = sharp.kind->core(sharp);
  }
  bool is_known = !spec.shape.surface;
  for (const Core& core : contact_cores(sharp)) is_known &= knows_exits(core);
  if (!is_known) {
    diagnostics_.error(spec.where,
                       std::string("the ") + sharp.kind->name + " of body '" +
                           scene_.bodies[at(c.body)].name +
                           "' cannot touch by its area: that is known of balls, ellipsoids, "
                           "capsules, boxes, cylinders, cones, hulls without a layer and "
                           "half spaces",
                       "set 'area: off' for its pairs, or give it such a shape");
    return;
  }
  for (const Core& core : contact_cores(sharp)) {
    ShapePiece piece = make_piece(core, spec.shape.pieces != nullptr);
    piece.has_area = true;
    add_piece(collider, piece, core);
  }
}

/// The foundation is the stiffness: laws that have one of their own say nothing about it.
void Compiler::check_areas() {
  const ContactModel& contact = model_->contact;
  for (const PairLaw& law : contact.laws) {
    if (!law.area.is_on || law.normal->of_material) continue;
    diagnostics_.error(scene_.contact.where,
                       std::string("the normal law '") + law.normal->name +
                           "' has a stiffness of its own; contact by its area takes that from the "
                           "layers of the materials",
                       "take exact, flores, hertz, hertz_viscous, hunt_crossley or "
                       "lankarani_nikravesh, or 'area: off' for these pairs");
    return;
  }
  const auto check = [&](const ContactChoice& choice, const SourcePos& where) {
    if (!choice.area || !choice.area->enabled || !choice.method) return;
    if (*choice.method == kDefaultContactMethod) return;
    diagnostics_.warning(
        where,
        "'area' is a setting of the method 'elastic'; '" + *choice.method + "' does not know it",
        "leave out one of the two");
  };
  check(scene_.contact.all, scene_.contact.where);
  for (const ContactPairSpec& pair : scene_.contact.pairs) check(pair.choice, pair.where);
}

}  // namespace carom
