// Shapes become colliders; what the scene says about contact becomes a table of laws.
#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <set>

#include "carom/base/index.h"
#include "carom/base/text.h"
#include "carom/engine/compile/as_drawn.h"
#include "carom/engine/compile/compiler.h"
#include "carom/engine/contact/contact_part.h"
#include "carom/engine/contact/contact_sites.h"
#include "carom/engine/contact/contact_validity.h"
#include "carom/geometry/core_kinds.h"
#include "carom/proximity/flat_face.h"
#include "carom/scene/mesh_units.h"
#include "carom/scene/pair_laws.h"

namespace carom {
namespace {

/// Bodies that cannot move relative to each other, by union of indices.
class RigidGroups {
 public:
  explicit RigidGroups(std::size_t n) : parent_(n) { std::iota(parent_.begin(), parent_.end(), 0); }
  int root(int i) const {
    while (parent_[at(i)] != i) i = parent_[at(i)];
    return i;
  }
  void join(int a, int b) { parent_[at(std::max(root(a), root(b)))] = std::min(root(a), root(b)); }

 private:
  std::vector<int> parent_;
};

bool has_state(const PairLaw& law) { return law.normal->has_state; }
bool has_bristle(const PairLaw& law) { return law.friction->has_bristle; }

constexpr std::uint32_t kStatic = 1, kMoving = 2;

}  // namespace

void Compiler::compile_contact() {
  model_->contact.parts = {&elastic_part};
  if (!scene_.contact.enabled) return note_approximations();
  add_colliders();
  resolve_laws();
  add_pieces();
  note_approximations();
  exclude_neighbours();
  check_triangle_laws();
  check_areas();
  check_sheets();
  note_missing_materials();
  ContactModel& contact = model_->contact;
  if (contact.laws.empty()) {
    contact = {};
    contact.parts = {&elastic_part};
    return;
  }
  check_smooth_pairs();
  note_hollow_pairs();
  note_surfaces();
  contact.meshes = find_moving_meshes(contact);
  choose_watched_pairs();
}

namespace {

/// A flat surface has another piece for what has edges.
bool meet_by_face(const ShapePiece& a, const ShapePiece& b) {
  return (a.flat == FlatRole::surface && has_edges(b)) ||
         (b.flat == FlatRole::surface && has_edges(a));
}

/// Forms of pieces (CollisionFilter).
constexpr std::uint8_t kWithEdges = 1, kWithoutEdges = 2, kFace = 4, kAllButEdges = 6;

}  // namespace

/// Not every shape can be asked for its contact with a smooth surface.
void Compiler::check_smooth_pairs() {
  const ContactModel& contact = model_->contact;
  if (!contact.has_sites) return;
  const auto n = static_cast<std::uint32_t>(contact.colliders.size());
  std::set<std::pair<int, int>> told;
  for (std::uint32_t i = 0; i < n; ++i) {
    for (std::uint32_t j = i + 1; j < n; ++j) {
      const Collider &A = contact.colliders[i], &B = contact.colliders[j];
      if (A.count == 0 || B.count == 0) continue;
      const ShapePiece &PA = contact.pieces[A.first], &PB = contact.pieces[B.first];
      if (A.surface >= 0 || B.surface >= 0 || (!PA.smooth && !PB.smooth)) continue;
      const int law = contact.law_of(i, j);
      if (law < 0 || !contact.may_meet(i, j)) continue;
      if (contact.parts[at(contact.part_of_law[at(law)])] == &triangle_part) continue;
      const bool is_on_plane = PA.core.kind == &core_half_space || PB.core.kind == &core_half_space;
      const auto is_ring = [&](const Collider& c) {
        return scene_.bodies[at(c.body)].shapes[at(c.shape)].shape.kind == find_shape_kind("torus");
      };
      if (is_on_plane && (is_ring(A) || is_ring(B)) && are_of_areas(contact, i, j)) continue;
      if (PA.triangles || PB.triangles) continue;  // told by check_area_meshes
      if (finder_smooth.handles(PA, PB) || meet_by_face(PA, PB) ||
          !told.insert({A.body, B.body}).second)
        continue;
      const BodySpec &a = scene_.bodies[at(A.body)], &b = scene_.bodies[at(B.body)];
      const ShapeSpec &of_a = a.shapes[at(A.shape)], &of_b = b.shapes[at(B.shape)];
      diagnostics_.error(
          (PA.smooth ? of_b : of_a).where,
          std::string("the contact of a ") + of_a.shape.kind->name + " ('" + a.name + "') and a " +
              of_b.shape.kind->name + " ('" + b.name + "') cannot be found: " +
              (is_on_plane ? "a surface that is not convex may lie on a half space along a line"
                           : "smooth surfaces touch each other and convex shapes but beams, and by "
                             "their areas spheres, ellipsoids and superquadrics"),
          std::string(
              is_on_plane
                  ? "give the body the convex shape around it for this contact, 'mass: off' "
                    "there and 'contact: off' here (of a ring: cylinder: {radius: R + r, "
                    "length: 2 r}, edge_radius: r; or 'area' for the pair), "
                  : "give one of them such a shape, ") +
              "exclude the pair (contact: {exclude: [[" + a.name + ", " + b.name +
              "]]}), or set 'contact: off' for a shape");
    }
  }
}

/// Shapes that most others meet as something else than what is drawn.
void Compiler::note_approximations() {
  if (scene_.contact.all.method == triangle_part.name) return;
  for (std::size_t i = 0; i < scene_.bodies.size(); ++i) {
    const BodySpec& body = scene_.bodies[i];
    for (std::size_t k = 0; k < body.shapes.size(); ++k) {
      const ShapeSpec& s = body.shapes[k];
      if (!s.contact || !*s.shape.kind->contact_as) continue;
      if (!scene_.contact.all.method && is_usually_surface(body, s)) continue;
      if (is_as_drawn(model_->contact, static_cast<int>(i), static_cast<int>(k))) continue;
      diagnostics_.note(s.where, std::string(s.shape.kind->name) + " of body '" + body.name +
                                     "' meets others as " + s.shape.kind->contact_as);
    }
  }
}

/// Where a scene speaks of contact, a body that nothing can touch is worth a word.
void Compiler::note_missing_materials() {
  const auto can_touch = [](int law) { return law >= 0; };
  const auto is_said = [](const std::optional<LawSpec>& law) { return law && law->where.line > 0; };
  const bool speaks_of_contact = is_said(scene_.contact.all.normal) ||
                                 is_said(scene_.contact.all.friction) ||
                                 std::ranges::any_of(model_->contact.law_of_classes, can_touch);
  if (!speaks_of_contact) return;
  const ContactModel& contact = model_->contact;
  const auto touches_rigidly = [&](const BodySpec& body) {
    return std::ranges::any_of(contact.colliders, [&](const Collider& c) {
      const int* row = &contact.law_of_classes[at(c.law_class * contact.class_count)];
      return &scene_.bodies[at(c.body)] == &body &&
             std::any_of(row, row + contact.class_count, can_touch);
    });
  };
  for (const BodySpec& body : scene_.bodies) {
    const auto is_bare = [&](const ShapeSpec& s) {
      return s.contact && s.material.empty() && body.material.empty() && !touches_rigidly(body);
    };
    if (std::ranges::none_of(body.shapes, is_bare)) continue;
    diagnostics_.note(
        body.where, "shapes of body '" + body.name + "' have no material, so nothing touches them",
        "give the body a material, or say contact: off on its shapes");
  }
}

void Compiler::lay_out_slots() {
  ContactModel& contact = model_->contact;
  SlotLayout& slot = contact.slot;
  const auto take = [&](bool wanted, int width) {
    if (!wanted) return -1;
    slot.width += width;
    return slot.width - width;
  };
  slot.bristle = take(std::ranges::any_of(contact.laws, has_bristle), 4);
  slot.normal = take(std::ranges::any_of(contact.laws, has_state), 1);
  const auto is_filtered = [](const ConnectedPair& c) { return c.low_pass > 0.0; };
  slot.filter = take(std::ranges::any_of(contact.connected.pairs, is_filtered), 6);
}

void Compiler::add_colliders() {
  ContactModel& contact = model_->contact;
  const std::vector<std::vector<int>> classes = law_classes(scene_);
  for (std::size_t b = 0; b < scene_.bodies.size(); ++b) {
    const BodySpec& body = scene_.bodies[b];
    for (std::size_t s = 0; s < body.shapes.size(); ++s) {
      const ShapeSpec& shape = body.shapes[s];
      if (!shape.contact) continue;
      Collider c;
      c.body = static_cast<int>(b), c.shape = static_cast<int>(s);
      c.link = model_->bodies[b].link;
      c.X_LS = model_->bodies[b].X_LB * shape.X_BS;
      c.is_at_link = c.X_LS == Pose{};
      c.contact_radius = contact_radius(shape.shape);
      c.law_class = classes[b][s];
      contact.class_count = std::max(contact.class_count, c.law_class + 1);
      contact.colliders.push_back(c);
    }
  }
}

void Compiler::add_piece(ColliderId collider, const ShapePiece& piece, const Core& core) {
  model_->contact.pieces.push_back(piece);
  model_->contact.pieces.back().collider = collider;
  model_->contact.springs.push_back(piece.finder == &finder_convex ? make_spring_body(core)
                                                                   : SpringBody{});
}

/// A second piece beside the last one, of a surface that is flat.
void Compiler::add_flat_face(ColliderId collider) {
  ContactModel& contact = model_->contact;
  ShapePiece& surface = contact.pieces.back();
  auto prism = std::make_shared<const Polytope>(prism_below(*surface.smooth));
  if (prism->dimension != 3) return;
  surface.flat = FlatRole::surface;
  Core core;
  core.kind = &core_polytope, core.data = prism.get();
  ShapePiece face = make_piece(core, true);
  face.flat = FlatRole::face, face.has_area = surface.has_area;
  contact.prisms.push_back(std::move(prism));
  add_piece(collider, face, core);
}

/// A shape is convex pieces for some partners, triangles for others, as their laws say.
void Compiler::add_pieces() {
  ContactModel& contact = model_->contact;
  for (std::uint32_t i = 0; i < contact.colliders.size(); ++i) {
    Collider& c = contact.colliders[i];
    // The model's own copy of the scene keeps alive what the cores point to.
    const Shape& shape = model_->scene.bodies[at(c.body)].shapes[at(c.shape)].shape;
    c.first = static_cast<std::uint32_t>(contact.pieces.size());
    if (uses_pieces(c.law_class)) {
      for (const Core& core : contact_cores(shape)) {
        add_piece(i,
                  shape.surface ? make_piece(*shape.surface, core)
                                : make_piece(core, shape.pieces != nullptr),
                  core);
        contact.has_sites |= contact.pieces.back().finder->find_sites != nullptr;
        if (shape.surface) add_flat_face(i);
      }
    }
    c.convex_count = static_cast<std::uint32_t>(contact.pieces.size()) - c.first;
    if (uses_triangles(c.law_class)) add_surface_piece(i);
    if (uses_areas(c.law_class)) add_area_pieces(i);
    c.count = static_cast<std::uint32_t>(contact.pieces.size()) - c.first;
  }
  if (contact.has_sites) {
    for (ShapePiece& piece : contact.pieces) prepare_for_smooth(piece);
  }
  double sizes = 0.0, count = 0.0;
  for (const ShapePiece& piece : contact.pieces) {
    if (std::isfinite(piece.reach)) sizes += piece.reach, count += 1.0;
  }
  contact.margin = count > 0.0 ? 0.1 * sizes / count : 0.01;
}

void Compiler::exclude_neighbours() {
  RigidGroups groups(scene_.bodies.size());
  std::map<int, int> first_of_link;
  for (std::size_t b = 0; b < model_->bodies.size(); ++b) {
    const int link = model_->bodies[b].link;
    if (link == 0) continue;
    const auto [found, is_new] = first_of_link.try_emplace(link, static_cast<int>(b));
    if (!is_new) groups.join(found->second, static_cast<int>(b));
  }
  const auto body = [&](const std::string& name) {
    const auto found = body_index_.find(name);
    return found == body_index_.end() ? -1 : found->second;
  };
  for (const JointSpec& joint : scene_.joints) {
    const int p = body(joint.parent), c = body(joint.child);
    if (joint.kind == "fixed" && p >= 0 && c >= 0) groups.join(p, c);
  }
  ContactModel& contact = model_->contact;
  for (const Collider& c : contact.colliders) {
    CollisionFilter filter;
    filter.body = static_cast<std::uint32_t>(groups.root(c.body));
    filter.groups = c.link == 0 ? kStatic : kMoving;
    filter.collides_with = c.link == 0 ? kMoving : kStatic | kMoving;
    for (std::uint32_t k = c.first; k < c.first + c.count; ++k) {
      const ShapePiece& piece = contact.pieces[k];
      filter.form = piece.flat == FlatRole::face ? kFace
                    : has_edges(piece)           ? kWithEdges
                                                 : kWithoutEdges;
      filter.leaves = piece.flat == FlatRole::surface ? kWithEdges
                      : piece.flat == FlatRole::face  ? kAllButEdges
                                                      : std::uint8_t{0};
      contact.filters.push_back(filter);
    }
  }
  std::set<std::uint64_t> excluded;
  for (const JointSpec& joint : scene_.joints) {
    const int p = body(joint.parent), c = body(joint.child);
    if (joint.collide || scene_.contact.neighbours || p < 0 || c < 0) continue;
    excluded.insert(body_pair_key(static_cast<std::uint32_t>(groups.root(p)),
                                  static_cast<std::uint32_t>(groups.root(c))));
  }
  // Gears mesh by their coupling; their pitch cylinders are not to touch as well.
  for (const CouplingSpec& coupling : scene_.couplings) {
    const auto first = joint_index_.find(coupling.first),
               second = joint_index_.find(coupling.second);
    if (first == joint_index_.end() || second == joint_index_.end()) continue;
    const int a = model_->joints[at(first->second)].body,
              b = model_->joints[at(second->second)].body;
    excluded.insert(body_pair_key(static_cast<std::uint32_t>(groups.root(a)),
                                  static_cast<std::uint32_t>(groups.root(b))));
  }
  // Where surfaces are connected, they and nothing else of their bodies touch.
  const auto body_of = [&](const std::string& surface) {
    for (const SurfaceSpec& s : scene_.surfaces) {
      if (s.name == surface) return body(s.body);
    }
    return -1;
  };
  for (const SurfaceContactSpec& spec : scene_.surface_contacts) {
    const int a = body_of(spec.first), b = body_of(spec.second);
    if (a < 0 || b < 0) continue;
    excluded.insert(body_pair_key(static_cast<std::uint32_t>(groups.root(a)),
                                  static_cast<std::uint32_t>(groups.root(b))));
  }
  contact.excluded.assign(excluded.begin(), excluded.end());
}

/// Its place among the parts of the model, where it is put if it is not there yet.
int Compiler::part_of_method(std::string_view method) {
  std::vector<const ContactPart*>& parts = model_->contact.parts;
  const ContactPart* part = find_contact_part(method);
  const auto found = std::ranges::find(parts, part);
  if (found == parts.end()) parts.push_back(part);
  return static_cast<int>(std::ranges::find(parts, part) - parts.begin());
}

void Compiler::resolve_laws() {
  ContactModel& contact = model_->contact;
  const int n = contact.class_count;
  contact.law_of_classes.assign(at(n) * at(n), -1);
  // One surface of each class speaks for all of it.
  std::vector<const Collider*> speaker(at(n), nullptr), second(at(n), nullptr);
  for (const Collider& c : contact.colliders) {
    const Collider*& slot =
        speaker[at(c.law_class)] ? second[at(c.law_class)] : speaker[at(c.law_class)];
    if (!slot) slot = &c;
  }
  std::set<std::string> notes;
  for (int i = 0; i < n; ++i) {
    for (int j = i; j < n; ++j) {
      const Collider* a = speaker[at(i)];
      const Collider* b = i == j ? second[at(i)] : speaker[at(j)];
      if (!a || !b) continue;
      if (a->link == 0 && b->link == 0 && i != j && !has_moving(i) && !has_moving(j)) continue;
      const ShapeRef ra{a->body, a->shape}, rb{b->body, b->shape};
      if (!may_touch(scene_, ra, rb)) continue;
      std::string note;
      contact.laws.push_back(resolve_pair_law(scene_, ra, rb, note));
      if (!note.empty() && notes.insert(note).second) {
        diagnostics_.note(scene_.contact.where, note);
      }
      const PairLaw& resolved = contact.laws.back();
      contact.part_of_law.push_back(
          part_of_method(resolved.area.is_on ? area_part.name : resolved.method->name));
      if (contact.parts[at(contact.part_of_law.back())] == &rigid_part) {
        contact.has_rigid = true;
        contact.has_spin |= resolved.material.spin_radius > 0.0;
        ++contact.rigid_laws;
      }
      const int law = static_cast<int>(contact.laws.size()) - 1;
      contact.law_of_classes[at(i * n + j)] = contact.law_of_classes[at(j * n + i)] = law;
    }
  }
  if (scene_.run.integrator != "sdirk2" || contact.laws.empty()) return;
  const bool has_triangles =
      std::any_of(contact.laws.begin(), contact.laws.end(),
                  [](const PairLaw& law) { return law.method->name == std::string("triangles"); });
  if (has_triangles) {
    diagnostics_.error(scene_.run.integrator_where,
                       "sdirk2 does not bear contact of triangles: bodies sink into each other",
                       "use 'implicit_contact' or 'auto'");
  } else {
    diagnostics_.note(
        scene_.run.integrator_where,
        "sdirk2 cannot follow an impact that is shorter than its step: it stops the "
        "body instead of throwing it back, and where an edge gains energy the run fails",
        "use 'auto', 'implicit_contact', or a step of a twentieth of the impact");
  }
}

/// Those that the scene names; in small scenes all that can touch.
void Compiler::choose_watched_pairs() {
  constexpr std::size_t kFew = 16;
  ContactModel& contact = model_->contact;
  std::set<std::pair<int, int>> named, possible;
  for (const auto& [first, second] : scene_.contact.watch) {
    const auto a = body_index_.find(first), b = body_index_.find(second);
    if (a == body_index_.end() || b == body_index_.end()) continue;
    named.insert(std::minmax(a->second, b->second));
  }
  const auto n = static_cast<std::uint32_t>(contact.colliders.size());
  for (std::uint32_t i = 0; i < n && possible.size() <= kFew; ++i) {
    for (std::uint32_t j = i + 1; j < n && possible.size() <= kFew; ++j) {
      if (!contact.may_meet(i, j) || contact.law_of(i, j) < 0) continue;
      possible.insert({contact.colliders[i].body, contact.colliders[j].body});
    }
  }
  if (possible.size() <= kFew) named.insert(possible.begin(), possible.end());
  for (const auto& [a, b] : named) contact.watched.push_back({a, b});
}

/// A start in deep overlap would be a burst of energy (N16).
void Compiler::check_start_overlaps() {
  if (model_->contact.empty()) return;
  Workspace w(model_);
  find_near_pairs(w, scene_.run.start, model_->initial);
  note_surface_overlaps(w);
  for (const DeepOverlap& o : find_deep_overlaps(w)) {
    const BodySpec &a = scene_.bodies[at(o.body_a)], &b = scene_.bodies[at(o.body_b)];
    std::string remedy = "move them apart, exclude the pair (contact: {exclude: [[" + a.name +
                         ", " + b.name + "]]}), or set 'contact: off' for a shape";
    for (const BodySpec* body : {&a, &b}) {
      for (const ShapeSpec& s : body->shapes) {
        const std::string unit = mesh_unit_finding(scene_, *body, s);
        if (!unit.empty())
          remedy += "; or is the mesh of '" + body->name + "' of an odd size: " + unit;
      }
    }
    diagnostics_.error(b.where, overlap_text(*model_, o, "at the start"), remedy);
  }
}

bool Compiler::has_moving(int law_class) const {
  return std::ranges::any_of(model_->contact.colliders, [&](const Collider& c) {
    return c.law_class == law_class && c.link > 0;
  });
}

}  // namespace carom
