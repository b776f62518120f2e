#include "carom/engine/contact/contact_output.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "carom/base/index.h"
#include "carom/engine/contact/contact_forces.h"
#include "carom/engine/contact/contact_part.h"
#include "carom/engine/contact/triangles/triangle_sites.h"
#include "carom/engine/events/contact_events.h"
#include "carom/proximity/piece_contacts.h"

namespace carom {
namespace {

const Collider& first_of(const Workspace& w, const ContactReading& r) {
  return w.model->contact.colliders[w.modes.contacts.pairs[r.pair].a];
}
const Collider& second_of(const Workspace& w, const ContactReading& r) {
  return w.model->contact.colliders[w.modes.contacts.pairs[r.pair].b];
}

Pose body_pose(const Workspace& w, int body) {
  const BodyInfo& info = w.model->bodies[at(body)];
  const LinkState& L = w.tree.links[at(info.link)];
  return Pose{L.R_WL, L.p_WL} * info.X_LB;
}

/// Whether the reading is of shapes of these two bodies.
bool is_between(const Workspace& w, const ContactReading& r, const WatchedPair& pair) {
  return first_of(w, r).surface < 0 && first_of(w, r).body == pair.body_a &&
         second_of(w, r).body == pair.body_b;
}

/// The deepest of the contacts that act. False where there is none.
bool take_acting(const Workspace& w, const WatchedPair& pair, BodyPairContact& out) {
  const ContactReading* deepest = nullptr;
  for (const ContactReading& r : w.contacts.readings) {
    if (r.points == 0 || !is_between(w, r, pair)) continue;
    if (!deepest || r.phi < deepest->phi) deepest = &r;
  }
  if (!deepest) return false;
  out.sum.phi = deepest->phi;
  out.sum.normal = deepest->normal;
  out.closest_a = deepest->nearest_a, out.closest_b = deepest->nearest_b;
  return true;
}

void take_nearer(const Contact& c, BodyPairContact& out) {
  if (c.status != Status::ok || c.phi >= out.sum.phi) return;
  out.sum.phi = c.phi;
  out.sum.normal = c.n_AB_W;
  out.closest_a = c.p_WCa, out.closest_b = c.p_WCb;
}

/// No two points of two pieces are nearer than this.
double least_distance(const Place& a, const Place& b) {
  if (!std::isfinite(a.piece.reach) || !std::isfinite(b.piece.reach)) return -kInf;
  const double middles = norm(b.X_WS * b.piece.centre - a.X_WS * a.piece.centre);
  return middles - a.piece.reach - b.piece.reach;
}

/// Of two pieces, unless it is no less than what is known: a body of many shapes is asked for each,
/// in every row that is recorded. Two triangles that were nearest last time say where to begin.
void take_nearer_surface(const Workspace& w, const Place& a, const Place& b, const ContactPair& key,
                         BodyPairContact& out) {
  constexpr double kFar = 1e6;  // more than any scene is wide [m]
  if (!(least_distance(a, b) < out.sum.phi)) return;
  if (!w.contacts.triangles) return take_nearer(finder_triangles.find(a, b, {}, nullptr), out);
  TriangleScratch& scratch = *w.contacts.triangles;
  triangles::SurfaceState& state = scratch.probe;
  triangles::find_state(triangles::place_surfaces(a, b), std::clamp(out.sum.phi, 0.0, kFar),
                        scratch.intersection, state, &known_pieces(scratch, key).near);
  if (state.patches.empty()) return take_nearer(state.apart, out);
  for (const triangles::PatchLoad& p : state.patches) take_nearer(triangles::contact_of(p), out);
}

/// Of two bodies whose shapes touch as triangles. False if none do.
bool find_closest_surfaces(const Workspace& w, const WatchedPair& pair, BodyPairContact& out) {
  const ContactModel& model = w.model->contact;
  const auto count = static_cast<std::uint32_t>(model.pieces.size());
  bool found = false;
  ContactPair key;
  for (std::uint32_t i = 0; i < count; ++i) {
    const ShapePiece& a = model.pieces[i];
    const Collider& A = model.colliders[a.collider];
    if (a.finder != &finder_triangles || A.body != pair.body_a) continue;
    for (std::uint32_t j = 0; j < count; ++j) {
      const ShapePiece& b = model.pieces[j];
      const Collider& B = model.colliders[b.collider];
      if (b.finder != &finder_triangles || B.body != pair.body_b) continue;
      if (!are_of_triangles(model, a.collider, b.collider)) continue;
      const Pose X_WA = shape_pose(w.tree.links[at(A.link)], A);
      const Pose X_WB = shape_pose(w.tree.links[at(B.link)], B);
      key.piece_a = i, key.piece_b = j;
      take_nearer_surface(w, {a, X_WA}, {b, X_WB}, key, out);
      found = true;
    }
  }
  return found;
}

/// Of a shape, the piece that smooth surfaces meet, with its tree; null if runs need none of it.
const ShapePiece* find_smooth_piece(const ContactModel& model, BodyId body, int shape) {
  for (const Collider& c : model.colliders) {
    if (c.body != body || c.shape != shape || c.surface >= 0 || c.count == 0) continue;
    return &model.pieces[c.first];
  }
  return nullptr;
}

/// Of two shapes, at least one of them by a formula. To make its tree takes as long as thousands of
/// queries: the Model has one.
void take_nearer_smooth(const Place& a, const Place& b, BodyPairContact& out) {
  if (!(least_distance(a, b) < out.sum.phi)) return;
  const Contact found = finder_smooth.find(a, b, {}, nullptr);
  if (found.end == Contact::End::none) take_nearer(found, out);
}

/// The nearest pair of shapes of the two bodies.
void find_closest(const Workspace& w, const WatchedPair& pair, BodyPairContact& out) {
  const ContactModel& model = w.model->contact;
  const Pose X_WA = body_pose(w, pair.body_a), X_WB = body_pose(w, pair.body_b);
  out.sum.phi = kInf;
  if (find_closest_surfaces(w, pair, out)) return;
  const std::vector<ShapeSpec>& shapes_a = w.model->scene.bodies[at(pair.body_a)].shapes;
  const std::vector<ShapeSpec>& shapes_b = w.model->scene.bodies[at(pair.body_b)].shapes;
  for (std::size_t i = 0; i < shapes_a.size(); ++i) {
    for (std::size_t j = 0; j < shapes_b.size(); ++j) {
      const ShapeSpec &a = shapes_a[i], &b = shapes_b[j];
      if (!a.contact || !b.contact) continue;
      const Pose X_WSa = X_WA * a.X_BS, X_WSb = X_WB * b.X_BS;
      if (a.shape.surface || b.shape.surface) {
        const ShapePiece* A = find_smooth_piece(model, pair.body_a, static_cast<int>(i));
        const ShapePiece* B = find_smooth_piece(model, pair.body_b, static_cast<int>(j));
        if (A && B && finder_smooth.handles(*A, *B)) {
          take_nearer_smooth({*A, X_WSa}, {*B, X_WSb}, out);
          continue;
        }
      }
      take_nearer(nearest_contact(a.shape, X_WSa, b.shape, X_WSb).contact, out);
    }
  }
  // Nothing of an open surface may face the other body.
  if (std::isinf(out.sum.phi)) out.sum.phi = std::numeric_limits<double>::quiet_NaN();
}

}  // namespace

bool has_patches(const ContactModel& model, const WatchedPair& p,
                 bool (*are_such)(const ContactModel&, ColliderId, ColliderId)) {
  const auto n = static_cast<std::uint32_t>(model.colliders.size());
  for (std::uint32_t a = 0; a < n && p.own < 0; ++a) {
    if (model.colliders[a].body != p.body_a) continue;
    for (std::uint32_t b = 0; b < n; ++b) {
      if (model.colliders[b].body == p.body_b && are_such(model, a, b)) return true;
    }
  }
  return false;
}

namespace {

bool is_watched(const ContactPair& pair, const WatchedPair& watched) {
  return pair.part == watched.part && pair.own == watched.own;
}

/// What a pair does that its part watches always.
BodyPairContact find_own_contact(const Workspace& w, const WatchedPair& watched) {
  BodyPairContact out;
  constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
  out.sum.point = {kNone, kNone, kNone};
  for (const ContactPair& pair : w.modes.contacts.pairs) {
    if (!is_watched(pair, watched)) continue;
    const Contact contact = find_contact(w, pair);
    out.sum.phi = contact.phi;
    out.sum.normal = contact.n_AB_W;
    out.closest_a = contact.p_WCa, out.closest_b = contact.p_WCb;
  }
  for (const ContactReading& r : w.contacts.readings) {
    if (!is_watched(w.modes.contacts.pairs[r.pair], watched)) continue;
    const Vec3 nowhere = out.sum.point;
    out.sum = r;
    if (!(r.normal_force > 0.0)) out.sum.point = nowhere;  // nothing presses, so none is drawn
  }
  return out;
}

}  // namespace

BodyPairContact find_pair_contact(const Workspace& w, std::size_t index) {
  const WatchedPair& pair = w.model->contact.watched[index];
  if (pair.own >= 0) return find_own_contact(w, pair);
  BodyPairContact out;
  out.rigid = read_rigid(w, pair);
  // What is recorded of a contact is what acted; only bodies apart are asked for anew.
  if (!take_acting(w, pair, out)) find_closest(w, pair, out);
  Vec3 moment;  // about the origin
  Vec3 centre;
  for (const ContactReading& r : w.contacts.readings) {
    if (!is_between(w, r, pair)) continue;
    out.sum.force += r.force;
    out.sum.normal_force += r.normal_force;
    out.sum.slip_speed = std::max(out.sum.slip_speed, r.slip_speed);
    out.sum.normal_power += r.normal_power;
    out.sum.friction_power += r.friction_power;
    out.sum.points += r.points;
    out.sum.contact_area += r.contact_area, out.sum.circumference += r.circumference;
    out.sum.peak_pressure = std::max(out.sum.peak_pressure, r.peak_pressure);
    out.sum.rolling_torque += r.rolling_torque;
    moment += r.torque + cross(r.point, r.force);
    centre += r.normal_force * r.point;
  }
  if (out.sum.normal_force > 0.0) {
    out.sum.point = centre / out.sum.normal_force;
    out.sum.torque = moment - cross(out.sum.point, out.sum.force);
  } else {
    constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
    out.sum.point = {kNone, kNone, kNone};  // there is none, so none is drawn
  }
  return out;
}

double pair_normal_force(const Workspace& w, std::size_t index) {
  const WatchedPair& pair = w.model->contact.watched[index];
  double sum = 0.0;
  for (const ContactReading& r : w.contacts.readings) {
    if (pair.own >= 0) {
      if (is_watched(w.modes.contacts.pairs[r.pair], pair)) sum += r.normal_force;
    } else if (is_between(w, r, pair)) {
      sum += r.normal_force;
    }
  }
  return sum;
}

std::vector<Wrench> sum_contact_wrenches(const Workspace& w) {
  std::vector<Wrench> sums(w.model->bodies.size());
  const auto add = [&](int body, double sign, const ContactReading& r) {
    if (body < 0) return;  // the world
    const BodyInfo& info = w.model->bodies[at(body)];
    const LinkState& L = w.tree.links[at(info.link)];
    const Vec3 origin = L.p_WL + L.R_WL * info.X_LB.p;
    sums[at(body)] += sign * Wrench{r.torque + cross(r.point - origin, r.force), r.force};
  };
  for (const ContactReading& r : w.contacts.readings) {
    add(second_of(w, r).body, 1.0, r);
    add(first_of(w, r).body, -1.0, r);
  }
  return sums;
}

ContactTotals contact_totals(const Workspace& w, std::span<const double> x) {
  ContactTotals sum = w.modes.contacts.ended;
  sum.normal += w.modes.contacts.rigid.lost_normal;
  sum.friction += w.modes.contacts.rigid.lost_friction;
  for (const std::size_t i : w.contacts.touching) {
    const ContactPair& pair = w.modes.contacts.pairs[i];
    const int slot = pair.slot;
    const std::size_t width = at(w.model->contact.slot.width);
    const std::size_t first = w.model->size() + at(slot) * width;
    if (slot < 0 || first + width > x.size()) continue;
    sum.normal += x[first + SlotLayout::kNormal];
    sum.friction += x[first + SlotLayout::kFriction];
    add_stored(w, pair, x[first + SlotLayout::kStored], sum);
    const bool lasts = bristles_last(w.model->contact.laws[at(pair.law)]);
    (lasts ? sum.friction : sum.bristle) += x[first + SlotLayout::kBristle];
  }
  return sum;
}

}  // namespace carom
