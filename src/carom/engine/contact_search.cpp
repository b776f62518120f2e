#include "carom/engine/contact_search.h"

#include <algorithm>
#include <cmath>

#include "carom/engine/contact_forces.h"
#include "carom/engine/contact_part.h"
#include "carom/engine/contact_points.h"
#include "carom/engine/evaluate.h"
#include "carom/geometry/core_kinds.h"

namespace carom {
namespace {

/// Speeds at the ends of a step bound those within it up to this factor.
constexpr double kSpeedSafety = 1.5;

bool comes_before(const ContactPair& p, const ContactPair& q) {
  return p.a != q.a ? p.a < q.a : p.b < q.b;
}

/// Floors and walls are square to the axes, up to the rounding of a turn by a right angle: then
/// half of the world is clear of them. Within 1000 km they rise by less than the slack.
BoundingBox half_space_box(const Pose& X_WS, const Collider& c) {
  constexpr double kSquare = 1e-12, kSlack = 1e-6;
  BoundingBox box{{-kInf, -kInf, -kInf}, {kInf, kInf, kInf}};
  if (c.link != 0) return box;  // it may turn within a step
  const Vec3 n = X_WS.R.col(2);
  for (std::size_t i = 0; i < 3; ++i) {
    if (std::max(std::abs(n[(i + 1) % 3]), std::abs(n[(i + 2) % 3])) > kSquare) continue;
    const double rim = c.core.rounding + kSlack;
    if (n[i] > 0.0) {
      box.upper[i] = X_WS.p[i] + rim;
    } else {
      box.lower[i] = X_WS.p[i] - rim;
    }
  }
  return box;
}

/// Corners are fewer than the directions in which others ask for their extent.
BoundingBox box_around(const Core& simplex, const Pose& X_WS) {
  const Vec3 first = X_WS * simplex.v[0];
  BoundingBox box{first, first};
  for (std::int32_t k = 1; k < simplex.count; ++k) {
    const Vec3 p = X_WS * simplex.v[k];
    for (std::size_t i = 0; i < 3; ++i) {
      box.lower[i] = std::min(box.lower[i], p[i]);
      box.upper[i] = std::max(box.upper[i], p[i]);
    }
  }
  const Vec3 r{simplex.rounding, simplex.rounding, simplex.rounding};
  return {box.lower - r, box.upper + r};
}

BoundingBox world_box(const LinkState& L, const Collider& c) {
  if (c.surface >= 0) return {};  // of a part that watches its own
  const Pose X_WS = shape_pose(L, c);
  if (!std::isfinite(c.radius)) return half_space_box(X_WS, c);
  if (c.core.kind == &core_point) {
    const Vec3 p = X_WS * c.core.v[0], r{c.core.rounding, c.core.rounding, c.core.rounding};
    return {p - r, p + r};
  }
  if (c.core.kind == &core_simplex) return box_around(c.core, X_WS);
  BoundingBox box;
  for (std::size_t i = 0; i < 3; ++i) {
    Vec3 e;
    e[i] = 1.0;
    const Vec3 e_S = transpose_times(X_WS.R, e);
    box.upper[i] = X_WS.p[i] + extent(c.core, e_S);
    box.lower[i] = X_WS.p[i] - extent(c.core, -e_S);
  }
  return box;
}

void place_boxes(const Workspace& w, std::vector<BoundingBox>& boxes) {
  const std::vector<Collider>& colliders = w.model->contact.colliders;
  const bool is_first = boxes.size() != colliders.size();
  boxes.resize(colliders.size());
  for (std::size_t i = 0; i < colliders.size(); ++i) {
    if (colliders[i].link == 0 && !is_first) continue;  // fixed to the world
    boxes[i] = world_box(w.tree.links[static_cast<std::size_t>(colliders[i].link)], colliders[i]);
  }
}

Vec3 velocity_of(const Workspace& w, const Collider& c) {
  const LinkState& L = w.tree.links[static_cast<std::size_t>(c.link)];
  return L.V.v + cross(L.V.w, L.R_WL * c.X_LS.p);
}
double spin_of(const Workspace& w, const Collider& c) {
  return norm(w.tree.links[static_cast<std::size_t>(c.link)].V.w);
}

/// Speed of the fastest surface point relative to the origin of the shape.
double turning_speed(const Collider& c, double spin) { return spin > 0.0 ? spin * c.radius : 0.0; }

/// Pairs that the laws of the scene let touch.
void append_allowed(const ContactModel& model, std::span<const ShapePair> found,
                    std::vector<ContactPair>& out) {
  out.reserve(found.size());
  for (const ShapePair& p : found) {
    const int law = model.law_of(p.a, p.b);
    if (law < 0) continue;
    ContactPair pair;
    pair.a = p.a, pair.b = p.b, pair.law = law;
    pair.part = model.part_of_law[static_cast<std::size_t>(law)];
    out.push_back(pair);
  }
}

}  // namespace

void begin_search(Workspace& w, double t, std::span<const double> x) {
  const ContactModel& model = w.model->contact;
  ContactSearch& s = w.search;
  evaluate_kinematics(w, t, x);
  place_boxes(w, s.boxes);
  if (!w.locates_contacts && !w.modes.banks) return;  // nothing is swept
  s.velocity.resize(model.colliders.size());
  s.spin.resize(model.colliders.size());
  for (std::size_t i = 0; i < model.colliders.size(); ++i) {
    s.velocity[i] = velocity_of(w, model.colliders[i]);
    s.spin[i] = spin_of(w, model.colliders[i]);
  }
}

void find_near_pairs(Workspace& w, double t, std::span<const double> x) {
  const ContactModel& model = w.model->contact;
  if (model.empty()) return;
  ContactSearch& s = w.search;
  begin_search(w, t, x);
  std::vector<ContactPair>& pairs = w.modes.contacts.pairs;
  const bool is_current = covers(s.list, s.boxes);
  if (!is_current) find_candidates(s.boxes, model.filter(), model.margin, s.broad, s.list);
  if (is_current && s.swept.pairs.empty()) return;
  s.swept.pairs.clear();
  w.known_contacts.are_current = false;
  std::vector<ContactPair> old = std::move(pairs);
  if (!std::is_sorted(old.begin(), old.end(), comes_before)) {
    std::sort(old.begin(), old.end(), comes_before);
  }
  pairs.clear();
  append_allowed(model, s.list.pairs, pairs);
  for (std::size_t i = 0; i < model.parts.size(); ++i) {
    model.parts[i]->watch(model, static_cast<int>(i), pairs);
  }
  for (const ContactPair& p : old) {
    const auto place = std::lower_bound(pairs.begin(), pairs.end(), p, comes_before);
    const bool found = place != pairs.end() && place->a == p.a && place->b == p.b;
    if (found) {
      *place = p;
    } else if (p.mode != ContactMode::apart) {
      pairs.insert(place, p);  // its end is an event, not an omission
    }
  }
  prepare_contacts(w);
}

bool widen_near_pairs(Workspace& w, double t, std::span<const double> x, double h) {
  const ContactModel& model = w.model->contact;
  ContactSearch& s = w.search;
  evaluate_kinematics(w, t, x);
  place_boxes(w, s.swept_boxes);
  for (std::size_t i = 0; i < model.colliders.size(); ++i) {
    const Collider& c = model.colliders[i];
    if (c.surface >= 0) continue;
    // Every point is within half the way of one of the ends.
    const double speed = std::max(norm(s.velocity[i]) + turning_speed(c, s.spin[i]),
                                  norm(velocity_of(w, c)) + turning_speed(c, spin_of(w, c)));
    const double reach = std::isfinite(speed) ? 0.5 * h * kSpeedSafety * speed : 0.0;
    BoundingBox& box = s.swept_boxes[i];
    for (std::size_t k = 0; k < 3; ++k) {
      box.lower[k] = std::min(box.lower[k], s.boxes[i].lower[k]) - reach;
      box.upper[k] = std::max(box.upper[k], s.boxes[i].upper[k]) + reach;
    }
  }
  std::vector<ContactPair>& pairs = w.modes.contacts.pairs;
  const std::size_t before = pairs.size();
  if (!covers(s.list, s.swept_boxes)) {
    find_candidates(s.swept_boxes, model.filter(), 0.0, s.broad, s.swept);
    std::vector<ContactPair> found;
    append_allowed(model, s.swept.pairs, found);
    std::vector<ContactPair> known(pairs.begin(), pairs.end());
    std::sort(known.begin(), known.end(), comes_before);
    for (const ContactPair& p : found) {
      if (!std::binary_search(known.begin(), known.end(), p, comes_before)) pairs.push_back(p);
    }
    w.known_contacts.are_current = false;
    prepare_contacts(w);
  }
  s.rate_bound.resize(pairs.size());
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    const Collider &A = model.colliders[pairs[i].a], &B = model.colliders[pairs[i].b];
    const double at_start = norm(s.velocity[pairs[i].b] - s.velocity[pairs[i].a]) +
                            turning_speed(A, s.spin[pairs[i].a]) +
                            turning_speed(B, s.spin[pairs[i].b]);
    const double at_end = norm(velocity_of(w, B) - velocity_of(w, A)) +
                          turning_speed(A, spin_of(w, A)) + turning_speed(B, spin_of(w, B));
    s.rate_bound[i] = kSpeedSafety * std::max(at_start, at_end);
  }
  return pairs.size() > before;
}

}  // namespace carom
