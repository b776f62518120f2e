// Shapes become pieces with sharp edges where a law asks for the area of contact: an edge radius
// stands for what a point would do at an edge, and an area has no need of it.
#include <set>

#include "carom/base/index.h"
#include "carom/engine/compile/compiler.h"
#include "carom/engine/contact/contact_part.h"
#include "carom/proximity/area/area_cores.h"
#include "carom/proximity/finder.h"
#include "carom/scene/pair_laws.h"

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
  if (spec.shape.surface) {
    ShapePiece piece = make_piece(*spec.shape.surface, spec.shape.core);
    piece.has_area = true;
    model_->contact.has_sites = true;
    if (spec.shape.kind != find_shape_kind("torus")) {
      add_piece(collider, piece, spec.shape.core);
      return add_flat_face(collider);
    }
    // On half spaces it is a piece of its own.
    piece.ring_radius = spec.shape.params[0], piece.tube_radius = spec.shape.params[1];
    add_piece(collider, piece, spec.shape.core);
    piece.finder = &finder_ring;
    return add_piece(collider, piece, spec.shape.core);
  }
  if (is_area_mesh(spec.shape)) {
    ShapePiece piece = make_surface(collider);
    piece.finder = &finder_mesh;
    piece.has_area = true;
    return add_piece(collider, piece, spec.shape.core);
  }
  const std::vector<Core> cores = area_cores(spec.shape);
  if (cores.empty()) {
    diagnostics_.error(
        spec.where,
        std::string("the ") + spec.shape.kind->name + " of body '" +
            scene_.bodies[at(c.body)].name +
            "' cannot touch by its area: that is known of balls, ellipsoids, "
            "superquadrics, capsules, boxes, cylinders, cones, beams, hulls without a "
            "layer, half spaces, surfaces by formulas and triangle meshes",
        "set 'area: off' for its pairs, or give it such a shape");
    return;
  }
  for (const Core& core : cores) {
    ShapePiece piece = make_piece(core, spec.shape.pieces != nullptr);
    piece.has_area = true;
    add_piece(collider, piece, core);
  }
}

/// The foundation is the stiffness: laws that have one of their own say nothing about it.
void Compiler::check_areas() {
  note_blocky_points();
  check_area_meshes();
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

/// A mesh presses by its triangles in the other body, whose depth has to be known everywhere.
void Compiler::check_area_meshes() {
  const ContactModel& contact = model_->contact;
  const auto n = static_cast<std::uint32_t>(contact.colliders.size());
  const auto piece_of = [&](const Collider& c) -> const ShapePiece* {
    for (std::uint32_t k = c.first; k < c.first + c.count; ++k) {
      if (contact.pieces[k].has_area) return &contact.pieces[k];
    }
    return nullptr;
  };
  std::set<std::pair<int, int>> told;
  for (std::uint32_t i = 0; i < n; ++i) {
    for (std::uint32_t j = i + 1; j < n; ++j) {
      const Collider &A = contact.colliders[i], &B = contact.colliders[j];
      const ShapePiece *a = piece_of(A), *b = piece_of(B);
      if (!a || !b || (!a->triangles && !b->triangles)) continue;
      if (!are_of_areas(contact, i, j) || finder_of(*a, *b).handles(*a, *b)) continue;
      if (!contact.may_meet(i, j)) continue;
      if (!told.insert(std::minmax(A.body, B.body)).second) continue;
      const BodySpec &first = scene_.bodies[at(A.body)], &second = scene_.bodies[at(B.body)];
      diagnostics_.error(
          first.shapes[at(A.shape)].where,
          "'" + first.name + "' and '" + second.name +
              "' cannot touch by their area: of two triangle meshes it is not known",
          "set 'method: triangles' or 'area: off' for this pair, or give one of "
          "them a convex shape ('mesh' is the hull of one) or a surface by formulas");
    }
  }
}

/// The contact point of a blocky body is no continuous function of its pose, or all but none.
void Compiler::note_blocky_points() {
  const ContactModel& contact = model_->contact;
  const auto n = static_cast<std::uint32_t>(contact.colliders.size());
  std::set<int> told;
  for (std::uint32_t i = 0; i < n; ++i) {
    for (std::uint32_t j = 0; j < n; ++j) {
      const Collider &A = contact.colliders[i], &B = contact.colliders[j];
      const ShapeSpec& spec = scene_.bodies[at(A.body)].shapes[at(A.shape)];
      if (i == j || !is_blocky(spec.shape)) continue;
      const int law = contact.law_of(i, j);
      if (law < 0 || !contact.may_meet(i, j)) continue;
      if (contact.parts[at(contact.part_of_law[at(law)])] != &elastic_part) continue;
      if (!told.insert(A.body).second) continue;
      diagnostics_.warning(
          spec.where,
          "the superquadric of body '" + scene_.bodies[at(A.body)].name + "' touches '" +
              scene_.bodies[at(B.body)].name +
              "' at a point, which moves from one end of a face to the other under the smallest "
              "tilt: forces and torques of faces are not to be trusted",
          "leave out 'area: off', take a law that leaves the stiffness to the material and shapes "
          "whose area is known, or exponents of at most 4");
    }
  }
}

}  // namespace carom
