// Shapes become triangle surfaces where a law asks for it.
#include <algorithm>
#include <bit>
#include <cmath>
#include <set>

#include "carom/base/index.h"
#include "carom/base/text.h"
#include "carom/engine/compile/compiler.h"
#include "carom/engine/contact/contact_part.h"
#include "carom/geometry/triangle_surface.h"
#include "carom/proximity/triangles/piece_surfaces.h"

namespace carom {
namespace {

bool is_of_triangles(const ContactModel& contact, int law) {
  return law >= 0 && contact.parts[at(contact.part_of_law[at(law)])] == &triangle_part;
}

/// The same triangles for the same shape: bodies often share one.
bool is_alike(const Shape& a, const Shape& b) {
  if (a.kind != b.kind || a.params != b.params) return false;
  return a.mesh == b.mesh && a.custom == b.custom;
}

std::shared_ptr<const TriangleSurface> make_plane(double reach) {
  // Few sizes serve all: the next power of two.
  const double size = std::ldexp(1.0, std::ilogb(reach) + 1);
  auto plane =
      std::make_shared<TriangleSurface>(make_triangle_surface(triangles::plane_mesh(size)));
  plane->drawn_in = plane->vertices, plane->shrink = 0.0;  // it is where it is
  return plane;
}

}  // namespace

bool Compiler::uses_triangles(int law_class) const {
  const ContactModel& contact = model_->contact;
  for (int j = 0; j < contact.class_count; ++j) {
    const int law = contact.law_of_classes[at(law_class * contact.class_count + j)];
    if (is_of_triangles(contact, law)) return true;
  }
  return false;
}

/// Also where nothing is said: distances are asked of every shape.
bool Compiler::uses_pieces(int law_class) const {
  const ContactModel& contact = model_->contact;
  for (int j = 0; j < contact.class_count; ++j) {
    const int law = contact.law_of_classes[at(law_class * contact.class_count + j)];
    if (law >= 0 && !is_of_triangles(contact, law) && !contact.laws[at(law)].area.is_on)
      return true;
  }
  return !uses_triangles(law_class) && !uses_areas(law_class);
}

void Compiler::add_surface_piece(ColliderId collider) {
  const Collider& c = model_->contact.colliders[collider];
  const Core& core = model_->scene.bodies[at(c.body)].shapes[at(c.shape)].shape.core;
  add_piece(collider, make_surface(collider), core);
}

ShapePiece Compiler::make_surface(ColliderId collider) {
  ContactModel& contact = model_->contact;
  const Collider& c = contact.colliders[collider];
  const ShapeSpec& spec = model_->scene.bodies[at(c.body)].shapes[at(c.shape)];
  if (!std::isfinite(bounding_radius(spec.shape))) {
    return make_surface_piece(spec.shape.core, nullptr, nullptr);
  }
  for (std::uint32_t i = 0; i < collider; ++i) {
    const Collider& other = contact.colliders[i];
    if (!is_alike(model_->scene.bodies[at(other.body)].shapes[at(other.shape)].shape, spec.shape)) {
      continue;
    }
    for (std::uint32_t k = other.first; k < other.first + other.count; ++k) {
      if (!contact.pieces[k].triangles) continue;
      return make_surface_piece(spec.shape.core, contact.pieces[k].triangles,
                                contact.pieces[k].plane);
    }
  }
  const TriangleMesh mesh = tessellate(spec.shape, static_cast<int>(scene_.contact.segments));
  const std::string problem = surface_problem(mesh);
  const std::shared_ptr<const TriangleSurface> surface = make_collider_surface(mesh);
  const std::string name = "shape of body '" + scene_.bodies[at(c.body)].name + "'";
  if (!problem.empty() || surface->triangles.empty()) {
    diagnostics_.error(spec.where, name + " cannot touch as triangles: " +
                                       (problem.empty() ? "it has none" : problem));
  }
  if (spec.shape.mesh && spec.shape.edge_radius > 0.0) {
    diagnostics_.note(spec.where, name + " touches with its triangles as they are: the layer of " +
                                      rounded_text(spec.shape.edge_radius) +
                                      " m of its edge radius is left out");
  }
  const ShapePiece bare = make_surface_piece(spec.shape.core, surface.get(), nullptr);
  auto plane = make_plane(std::max(bare.reach, 1e-9));
  contact.surfaces.push_back(surface);
  contact.surfaces.push_back(plane);
  return make_surface_piece(spec.shape.core, surface.get(), plane.get());
}

/// Between two sheets there is no volume; and what is larger than a sheet may come to lie around it
/// without a curve.
void Compiler::check_sheets() {
  const ContactModel& contact = model_->contact;
  const auto surface_of = [&](const Collider& c) -> const ShapePiece* {
    for (std::uint32_t k = c.first; k < c.first + c.count; ++k) {
      if (contact.pieces[k].triangles) return &contact.pieces[k];
    }
    return nullptr;
  };
  std::set<std::pair<int, int>> told;
  for (std::uint32_t i = 0; i < contact.colliders.size(); ++i) {
    const Collider& S = contact.colliders[i];
    const ShapePiece* sheet = surface_of(S);
    if (!sheet || sheet->triangles->is_closed) continue;
    for (std::uint32_t j = 0; j < contact.colliders.size(); ++j) {
      const Collider& C = contact.colliders[j];
      const LawId law = i == j ? LawId(-1) : contact.law_of(i, j);
      if (!is_of_triangles(contact, law) || !contact.may_meet(i, j)) continue;
      if (!told.insert(std::minmax(S.body, C.body)).second) continue;
      const BodySpec &a = scene_.bodies[at(S.body)], &b = scene_.bodies[at(C.body)];
      const ShapePiece* other = surface_of(C);
      const std::string both = "'" + a.name + "' and '" + b.name + "'";
      if (contact.laws[at(law)].elements.is_on) {
        diagnostics_.error(a.shapes[at(S.shape)].where,
                           "the mesh of '" + a.name +
                               "' is an open sheet: 'triangles: {depth: memory}' between " + both +
                               " needs to know where the inside is",
                           "close the mesh ('carom check' says where it is open), or leave "
                           "'depth: memory' out for this pair");
      } else if (other && !other->triangles->is_closed) {
        diagnostics_.error(a.shapes[at(S.shape)].where,
                           "of " + both +
                               " neither mesh is closed: two sheets have no overlap by which the "
                               "method 'triangles' could press",
                           "close one of them ('carom check' says where it is open), or set "
                           "method: elastic for this pair");
      } else if (!other || other->reach > sheet->reach) {
        diagnostics_.warning(a.shapes[at(S.shape)].where,
                             "the mesh of '" + a.name + "' is an open sheet and '" + b.name +
                                 "' is larger: where the rim of the sheet alone reaches into it, "
                                 "nothing presses",
                             "close the mesh, or set method: elastic for this pair");
      }
    }
  }
}

/// Stiffness is that of the circumference: laws that have one of their own say nothing about it.
void Compiler::check_triangle_laws() {
  const ContactModel& contact = model_->contact;
  for (const PairLaw& law : contact.laws) {
    if (!law.elements.is_on || !law.friction->remembers_force) continue;
    diagnostics_.error(scene_.contact.where,
                       std::string("friction by '") + law.friction->name +
                           "' is that of a whole patch; 'triangles: {depth: memory}' rubs at every "
                           "pair of triangles",
                       "take lugre, elasto_plastic or coulomb for these pairs");
    return;
  }
  for (std::size_t i = 0; i < contact.laws.size(); ++i) {
    const NormalLaw& law = *contact.laws[i].normal;
    if (!is_of_triangles(contact, static_cast<int>(i)) || law.of_material) continue;
    diagnostics_.error(scene_.contact.where,
                       std::string("the normal law '") + law.name +
                           "' has a stiffness of its own; contact by the method 'triangles' takes "
                           "that from material and circumference",
                       "take circumference, exact, flores, hertz, hunt_crossley or "
                       "lankarani_nikravesh, or "
                       "method: elastic for these pairs");
    return;
  }
}

}  // namespace carom
