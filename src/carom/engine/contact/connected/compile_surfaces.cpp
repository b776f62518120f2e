// Surfaces become colliders that no search finds; what the scene connects becomes a list.
#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>

#include "carom/base/index.h"
#include "carom/base/text.h"
#include "carom/contact/surface_parameters.h"
#include "carom/engine/compile/compiler.h"
#include "carom/engine/contact/contact_forces.h"
#include "carom/engine/contact/contact_part.h"
#include "carom/scene/pair_laws.h"

namespace carom {
namespace {

ContactRadius radius_of(const IdealSurface& s) {
  if (s.is_flat()) return {kInf, true};
  return {s.form == SurfaceForm::convex ? surface_radius(s) : s.radius, false,
          s.form == SurfaceForm::sphere};
}

/// The shape that a surface names; validation has seen that it exists.
const ShapeSpec* named_shape(const BodySpec& body, const std::string& name) {
  for (const ShapeSpec& shape : body.shapes) {
    if (shape.name == name) return &shape;
  }
  return nullptr;
}

}  // namespace

void Compiler::compile_surfaces() {
  if (scene_.surface_contacts.empty()) return;
  std::map<std::string, ColliderId> colliders;
  for (std::size_t i = 0; i < scene_.surfaces.size(); ++i) {
    colliders[scene_.surfaces[i].name] = add_surface(static_cast<int>(i));
  }
  // Where they stay: there are no more to come.
  for (const Collider& c : model_->contact.colliders) {
    if (c.surface < 0) continue;
    model_->contact.pieces[c.first].surface = &model_->contact.connected.surfaces[at(c.surface)];
  }
  for (const SurfaceContactSpec& spec : scene_.surface_contacts) {
    add_connected_pair(spec, colliders.at(spec.first), colliders.at(spec.second));
  }
  ContactModel& contact = model_->contact;
  std::sort(contact.connected.pairs.begin(), contact.connected.pairs.end(),
            [](const ConnectedPair& p, const ConnectedPair& q) {
              return p.a != q.a ? p.a < q.a : p.b < q.b;
            });
  const int part = static_cast<int>(contact.parts.size());
  contact.parts.push_back(&connected_part);
  for (std::size_t i = 0; i < contact.connected.pairs.size(); ++i) {
    contact.watched.push_back({-1, -1, part, static_cast<int>(i)});
  }
}

ColliderId Compiler::add_surface(int index) {
  ContactModel& contact = model_->contact;
  // The model's own copy of the scene keeps alive what cores point to.
  const SurfaceSpec& spec = model_->scene.surfaces[at(index)];
  const auto found = body_index_.find(spec.body);
  Collider c;
  c.body = found == body_index_.end() ? -1 : found->second;
  c.shape = -1;
  c.surface = index;
  Pose X_LB;
  if (c.body >= 0) {
    c.link = model_->bodies[at(c.body)].link;
    X_LB = model_->bodies[at(c.body)].X_LB;
  }
  IdealSurface surface;
  c.X_LS = X_LB * spec.X_BS;
  if (const SurfaceKind* kind = find_surface_kind(spec.kind)) {
    surface = kind->make(spec.params);
  } else if (const ShapeSpec* shape = named_shape(model_->scene.bodies[at(c.body)], spec.shape)) {
    surface = convex_surface(shape->shape.core);
    c.X_LS = X_LB * shape->X_BS;
  }
  ShapePiece piece;
  piece.finder = &finder_connected;
  piece.collider = static_cast<std::uint32_t>(contact.colliders.size());
  piece.radius = piece.reach = surface_radius(surface);
  c.first = static_cast<std::uint32_t>(contact.pieces.size());
  c.contact_radius = radius_of(surface);
  contact.connected.surfaces.push_back(surface);
  contact.pieces.push_back(piece);
  contact.colliders.push_back(c);
  CollisionFilter filter;  // of no group: the broad phase passes it by
  filter.body =
      static_cast<std::uint32_t>(scene_.bodies.size()) + static_cast<std::uint32_t>(index);
  filter.groups = filter.collides_with = 0;
  contact.filters.push_back(filter);
  return static_cast<std::uint32_t>(contact.colliders.size()) - 1;
}

void Compiler::add_connected_pair(const SurfaceContactSpec& spec, ColliderId first,
                                  ColliderId second) {
  ContactModel& contact = model_->contact;
  std::string note;
  PairLaw law = resolve_surface_law(scene_, spec, note);
  if (!note.empty()) diagnostics_.note(spec.where, note);
  ConnectedPair c;
  std::tie(c.a, c.b) = std::minmax(first, second);
  const IdealSurface &a = contact.connected.surfaces[at(contact.colliders[c.a].surface)],
                     &b = contact.connected.surfaces[at(contact.colliders[c.b].surface)];
  c.area = usual_area(a, b);
  c.lets_go = spec.lets_go;
  c.layer = std::isnan(spec.layer) ? kSurfaceLayer : spec.layer;
  c.stiffness = surface_stiffness(a, b, law.material.modulus);
  if (c.area != ContactArea::point) c.low_pass = 2.0 * std::numbers::pi * spec.low_pass;
  c.points_on_b = b.form == SurfaceForm::cylinder
                      ? a.is_flat()
                      : a.is_flat() && surface_area(b) < surface_area(a);
  if (spec.auto_law) {
    const SurfaceParameters p = derive_parameters(a, b, law.material, spec.speed);
    law.normal_params = {p.c, p.d, p.n, p.m};
    c.layer = p.t;
  }
  const bool is_soft = !law.normal->own_stiffness && !(law.material.modulus > 0.0);
  if (is_soft) {
    diagnostics_.error(spec.where,
                       "contacts: law '" + std::string(law.normal->name) + "' of '" + spec.first +
                           "' and '" + spec.second + "' takes its stiffness from materials",
                       "give both surfaces a material, or a law with a stiffness of its own");
  }
  if (contact.colliders[c.a].link == contact.colliders[c.b].link) {
    diagnostics_.error(spec.where,
                       "contacts: '" + spec.first + "' and '" + spec.second +
                           "' cannot move relative to each other",
                       "connect surfaces of bodies that do");
  }
  c.law = static_cast<int>(contact.laws.size());
  contact.laws.push_back(std::move(law));
  contact.connected.pairs.push_back(c);
}

/// Surfaces that begin deeper in each other than their layer lie behind each other.
void Compiler::note_surface_overlaps(const Workspace& w) {
  for (const ContactPair& pair : w.modes.contacts.pairs) {
    if (&part_for(w, pair) != &connected_part) continue;
    const ContactModel& contact = model_->contact;
    const double depth = -find_contact(w, pair).phi;
    if (!(depth > contact.connected.pairs[at(pair.own)].layer)) continue;
    const auto name = [&](std::uint32_t i) {
      return scene_.surfaces[at(contact.colliders[i].surface)].name;
    };
    diagnostics_.note(scene_.surfaces[at(contact.colliders[pair.b].surface)].where,
                      "surfaces '" + name(pair.a) + "' and '" + name(pair.b) + "' start " +
                          rounded_text(depth) +
                          " m deep, more than their layer: they lie behind each other and do not "
                          "touch until they have parted");
  }
}

}  // namespace carom
