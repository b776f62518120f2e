#include "carom/engine/contact/contact_search.h"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "carom/engine/contact/contact_forces.h"
#include "carom/engine/contact/contact_part.h"
#include "carom/engine/contact/contact_points.h"
#include "carom/engine/contact/contact_sites.h"
#include "carom/engine/evaluate.h"
#include "carom/engine/implicit/frozen.h"

namespace carom {
namespace {

/// Speeds at the ends of a step bound those within it up to this factor.
constexpr double kSpeedSafety = 1.5;

bool comes_before(const ContactPair& p, const ContactPair& q) {
  return std::tie(p.piece_a, p.piece_b, p.branch) < std::tie(q.piece_a, q.piece_b, q.branch);
}

/// Frozen for a step and more: then nothing has moved it since it was looked at.
bool rested(const Workspace& w, int link) {
  return is_frozen(w.modes, link) && w.modes.rests[static_cast<std::size_t>(link)].still > 0.0;
}

void place_boxes(const Workspace& w, std::vector<BoundingBox>& boxes) {
  const ContactModel& model = w.model->contact;
  const bool is_first = boxes.size() != model.pieces.size();
  boxes.resize(model.pieces.size());
  for (const Collider& c : model.colliders) {
    if (c.link == 0 && !is_first) continue;  // fixed to the world
    if (rested(w, c.link) && !is_first) continue;
    const Pose X_WS = shape_pose(w.tree.links[static_cast<std::size_t>(c.link)], c);
    for (std::uint32_t i = c.first; i < c.first + c.count; ++i) {
      boxes[i] = model.pieces[i].finder->box({model.pieces[i], X_WS}, c.link == 0);
    }
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
double turning_speed(const ShapePiece& p, double spin) {
  return spin > 0.0 ? spin * p.radius : 0.0;
}

/// The law of two pieces that the scene lets touch, -1: it does not.
int allowed_law(const ContactModel& model, const ShapePair& p) {
  const int law = model.law_of(model.pieces[p.a].collider, model.pieces[p.b].collider);
  if (law < 0) return -1;
  const PartId own = model.part_of_law[static_cast<std::size_t>(law)];
  const ContactPart& part = *model.parts[static_cast<std::size_t>(own)];
  return part.takes(model.pieces[p.a], model.pieces[p.b]) ? law : -1;
}

/// Two pieces that nothing is known of yet.
void append_new(const ContactModel& model, const ShapePair& p, int law,
                std::vector<ContactPair>& out) {
  ContactPair& pair = out.emplace_back();
  pair.a = model.pieces[p.a].collider, pair.b = model.pieces[p.b].collider, pair.law = law;
  pair.piece_a = p.a, pair.piece_b = p.b;
  pair.part = model.part_of_law[static_cast<std::size_t>(law)];
}

/// Pairs that the laws of the scene let touch.
void append_allowed(const ContactModel& model, std::span<const ShapePair> found,
                    std::vector<ContactPair>& out) {
  make_room(out, found.size());
  for (const ShapePair& p : found) {
    if (const int law = allowed_law(model, p); law >= 0) append_new(model, p, law, out);
  }
}

bool precedes(const ContactPair& known, const ShapePair& p) {
  return known.piece_a != p.a ? known.piece_a < p.a : known.piece_b < p.b;
}
bool precedes(const ShapePair& p, const ContactPair& known) {
  return p.a != known.piece_a ? p.a < known.piece_a : p.b < known.piece_b;
}

/// Places of the pairs, ascending; none where they ascend themselves.
void find_order(std::span<const ContactPair> pairs, std::vector<std::uint32_t>& order) {
  order.clear();
  if (std::ranges::is_sorted(pairs, comes_before)) return;
  order.resize(pairs.size());
  for (std::size_t i = 0; i < pairs.size(); ++i) order[i] = static_cast<std::uint32_t>(i);
  std::ranges::sort(
      order, [&](std::uint32_t i, std::uint32_t j) { return comes_before(pairs[i], pairs[j]); });
}

/// The same with what is known of them from `old`, which has one site for two pieces and ascends in
/// this order, as `found` does; those that touch stay, listed or not. One walk along both, in which
/// each pair is written once: of a heap they fill no cache.
void merge_allowed(const ContactModel& model, std::span<const ShapePair> found,
                   std::span<const ContactPair> old, std::span<const std::uint32_t> order,
                   std::vector<ContactPair>& out) {
  make_room(out, std::max(found.size(), old.size()));
  const std::size_t count = old.size();
  std::size_t known = 0;
  const auto old_at = [&](std::size_t i) -> const ContactPair& {
    return old[order.empty() ? i : order[i]];
  };
  const auto keep_touching = [&](std::size_t last) {
    for (; known != last; ++known) {
      if (old_at(known).mode != ContactMode::apart) out.push_back(old_at(known));
    }
  };
  for (const ShapePair& p : found) {
    std::size_t next = known;
    while (next != count && precedes(old_at(next), p)) ++next;
    keep_touching(next);
    if (known != count && !precedes(p, old_at(known))) {
      out.push_back(old_at(known++));
    } else if (const int law = allowed_law(model, p); law >= 0) {
      append_new(model, p, law, out);
    }
  }
  keep_touching(count);
}

/// What was found and is not watched yet, behind the present pairs.
void append_unknown(Workspace& w, std::span<const ShapePair> found) {
  const ContactModel& model = w.model->contact;
  ContactSearch& s = w.contacts.search;
  std::vector<ContactPair>& pairs = w.modes.contacts.pairs;
  const auto precedes = [](const ShapePair& p, const ShapePair& q) {
    return p.a != q.a ? p.a < q.a : p.b < q.b;
  };
  s.known.clear();
  for (const ContactPair& p : pairs) {
    if (p.branch == 0) s.known.push_back({p.piece_a, p.piece_b});
  }
  if (!std::ranges::is_sorted(s.known, precedes)) std::ranges::sort(s.known, precedes);
  for (const ShapePair& p : found) {
    if (std::ranges::binary_search(s.known, p, precedes) || has_sites(model, p.a, p.b)) continue;
    const int law = allowed_law(model, p);
    if (law < 0) continue;
    make_room(pairs, pairs.size() + 1);
    append_new(model, p, law, pairs);
  }
}

/// How fast the points of two pieces may come nearer within a step, whose end is evaluated.
double approach_bound(const Workspace& w, const ContactPair& pair) {
  const ContactModel& model = w.model->contact;
  const ContactSearch& s = w.contacts.search;
  const Collider &A = model.colliders[pair.a], &B = model.colliders[pair.b];
  const ShapePiece &PA = model.pieces[pair.piece_a], &PB = model.pieces[pair.piece_b];
  const double at_start = norm(s.velocity[pair.b] - s.velocity[pair.a]) +
                          turning_speed(PA, s.spin[pair.a]) + turning_speed(PB, s.spin[pair.b]);
  const double at_end = norm(velocity_of(w, B) - velocity_of(w, A)) +
                        turning_speed(PA, spin_of(w, A)) + turning_speed(PB, spin_of(w, B));
  return kSpeedSafety * std::max(at_start, at_end);
}

/// Whether no box goes beyond the one of its piece in `around` by more than `rim`.
bool fits(std::span<const BoundingBox> boxes, std::span<const BoundingBox> around, double rim) {
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    for (std::size_t k = 0; k < 3; ++k) {
      if (boxes[i].lower[k] < around[i].lower[k] - rim) return false;
      if (boxes[i].upper[k] > around[i].upper[k] + rim) return false;
    }
  }
  return true;
}

/// Of pieces that have sites: those that the end of a step has, besides the present ones.
void add_met_sites(Workspace& w, double h) {
  const ContactModel& model = w.model->contact;
  ContactSearch& s = w.contacts.search;
  std::vector<ContactPair> near;
  append_allowed(model, s.list.pairs, near);
  append_allowed(model, s.swept.pairs, near);
  std::erase_if(near,
                [&](const ContactPair& p) { return !has_sites(model, p.piece_a, p.piece_b); });
  std::sort(near.begin(), near.end(), comes_before);
  const auto is_same = [](const ContactPair& p, const ContactPair& q) { return p.is_same_site(q); };
  near.erase(std::unique(near.begin(), near.end(), is_same), near.end());
  for (const ContactPair& pair : near) {
    s.oversteps |= passes_sites(w, pair, h * approach_bound(w, pair));
  }
  if (!s.oversteps) append_new_sites(w, near, w.modes.contacts.pairs);
}

}  // namespace

void begin_search(Workspace& w, double t, std::span<const double> x) {
  const ContactModel& model = w.model->contact;
  ContactSearch& s = w.contacts.search;
  evaluate_kinematics(w, t, x);
  place_boxes(w, s.boxes);
  if (!w.step.locates_events && !w.modes.banks) return;  // nothing is swept
  s.velocity.resize(model.colliders.size());
  s.spin.resize(model.colliders.size());
  for (std::size_t i = 0; i < model.colliders.size(); ++i) {
    s.velocity[i] = velocity_of(w, model.colliders[i]);
    s.spin[i] = spin_of(w, model.colliders[i]);
  }
}

bool watch_branches(Workspace& w) {
  std::vector<ContactPair>& pairs = w.modes.contacts.pairs;
  const std::size_t before = pairs.size();
  for (std::size_t i = 0; i < before; ++i) {
    const ContactPair& p = pairs[i];
    if (p.mode == ContactMode::apart || !part_for(w, p).has_branches) continue;
    bool is_watched = false;
    std::uint32_t next = 0;
    for (const ContactPair& q : pairs) {
      if (!q.is_site_of(p)) continue;
      is_watched |= q.mode == ContactMode::apart;
      next = std::max(next, q.branch + 1);
    }
    if (is_watched) continue;
    ContactPair more;
    more.a = p.a, more.b = p.b, more.piece_a = p.piece_a, more.piece_b = p.piece_b;
    more.branch = next, more.law = p.law, more.part = p.part;
    pairs.push_back(more);
  }
  return pairs.size() > before;
}

namespace {

/// Whether two pieces have one site, and nothing is watched but what the search finds.
bool has_plain_pairs(const ContactModel& model) {
  return !model.has_sites && std::ranges::none_of(model.parts, [&](const ContactPart* part) {
    return part->has_branches || part->own_count(model) > 0;
  });
}

/// The pairs of the list and those that parts watch, with what `old` knows of them.
void list_anew(Workspace& w, const std::vector<ContactPair>& old, std::vector<ContactPair>& pairs) {
  const ContactModel& model = w.model->contact;
  append_allowed(model, w.contacts.search.list.pairs, pairs);
  for (std::size_t i = 0; i < model.parts.size(); ++i) {
    model.parts[i]->watch(model, static_cast<int>(i), pairs);
  }
  if (model.has_sites) expand_sites(w, old, pairs);
  for (const ContactPair& p : old) {
    const auto place = std::lower_bound(pairs.begin(), pairs.end(), p, comes_before);
    if (place != pairs.end() && place->is_same_site(p)) {
      *place = p;
    } else if (p.mode != ContactMode::apart) {
      pairs.insert(place, p);  // its end is an event, not an omission
    }
  }
  watch_branches(w);
}

/// The pairs of the list, with what is known of them.
void take_listed_pairs(Workspace& w) {
  const ContactModel& model = w.model->contact;
  ContactSearch& s = w.contacts.search;
  std::vector<ContactPair>& pairs = w.modes.contacts.pairs;
  s.swept.pairs.clear();
  w.contacts.known.are_current = false;
  std::swap(s.before, pairs);  // both keep their memory
  const std::vector<ContactPair>& old = s.before;
  pairs.clear();
  if (has_plain_pairs(model)) {
    find_order(old, s.order);
    merge_allowed(model, s.list.pairs, old, s.order, pairs);
  } else {
    list_anew(w, old, pairs);
  }
  prepare_contacts(w);
}

}  // namespace

void find_near_pairs(Workspace& w, double t, std::span<const double> x) {
  const ContactModel& model = w.model->contact;
  if (model.empty()) return;
  ContactSearch& s = w.contacts.search;
  begin_search(w, t, x);
  const bool is_current = covers(s.list, s.boxes);
  if (!is_current) find_candidates(s.boxes, model.filter(), model.margin, s.broad, s.list);
  if (is_current && s.swept.pairs.empty() && !model.has_sites) return;
  take_listed_pairs(w);
}

namespace {

/// The boxes that the pieces stay in within a step to the state that was evaluated.
void place_swept_boxes(Workspace& w, double h) {
  const ContactModel& model = w.model->contact;
  ContactSearch& s = w.contacts.search;
  place_boxes(w, s.swept_boxes);
  const double fall = w.modes.banks ? 2.0 * h * norm(w.parameters.gravity.uniform) : 0.0;
  for (std::size_t i = 0; i < model.pieces.size(); ++i) {
    const ShapePiece& piece = model.pieces[i];
    if (piece.surface) continue;  // no search finds it
    const Collider& c = model.colliders[piece.collider];
    if (rested(w, c.link)) {
      s.swept_boxes[i] = s.boxes[i];
      continue;
    }
    // Every point is within half the way of one of the ends, which of implicit steps is that of the
    // speed after a fall.
    const double speed =
        fall +
        std::max(norm(s.velocity[piece.collider]) + turning_speed(piece, s.spin[piece.collider]),
                 norm(velocity_of(w, c)) + turning_speed(piece, spin_of(w, c)));
    const double reach = std::isfinite(speed) ? 0.5 * h * kSpeedSafety * speed : 0.0;
    BoundingBox& box = s.swept_boxes[i];
    for (std::size_t k = 0; k < 3; ++k) {
      box.lower[k] = std::min(box.lower[k], s.boxes[i].lower[k]) - reach;
      box.upper[k] = std::max(box.upper[k], s.boxes[i].upper[k]) + reach;
    }
  }
}

}  // namespace

void append_near_pairs(Workspace& w, double t, std::span<const double> x, double h) {
  const ContactModel& model = w.model->contact;
  ContactSearch& s = w.contacts.search;
  evaluate_kinematics(w, t, x);
  place_swept_boxes(w, h);
  if (covers(s.list, s.swept_boxes)) return;
  find_candidates(s.swept_boxes, model.filter(), model.margin, s.broad, s.list);
  append_unknown(w, s.list.pairs);
  w.contacts.known.are_current = false;
  prepare_contacts(w);
}

bool widen_near_pairs(Workspace& w, double t, std::span<const double> x, double h) {
  const ContactModel& model = w.model->contact;
  ContactSearch& s = w.contacts.search;
  evaluate_kinematics(w, t, x);
  place_swept_boxes(w, h);
  std::vector<ContactPair>& pairs = w.modes.contacts.pairs;
  const std::size_t before = pairs.size();
  const bool is_listed = covers(s.list, s.swept_boxes);
  if (!is_listed && w.modes.banks && model.has_rigid && !model.has_sites) {
    // Of a thousand bodies some leave their margins in every step: one list per step, then.
    find_candidates(s.swept_boxes, model.filter(), model.margin, s.broad, s.list);
    take_listed_pairs(w);
  } else if (!is_listed) {
    find_candidates(s.swept_boxes, model.filter(), 0.0, s.broad, s.swept);
    append_unknown(w, s.swept.pairs);
    w.contacts.known.are_current = false;
    prepare_contacts(w);
    // A list made where the step begins would have covered it: the next step makes one.
    if (w.modes.banks && fits(s.swept_boxes, s.boxes, 0.5 * model.margin)) s.list.reach.clear();
  }
  s.oversteps = false;
  if (model.has_sites) {
    add_met_sites(w, h);
    if (pairs.size() > before) {
      w.contacts.known.are_current = false;
      prepare_contacts(w);
    }
  }
  s.rate_bound.clear();
  if (w.modes.banks) return pairs.size() > before;  // no event is located
  s.rate_bound.resize(pairs.size());
  for (std::size_t i = 0; i < pairs.size(); ++i) s.rate_bound[i] = approach_bound(w, pairs[i]);
  return pairs.size() > before;
}

}  // namespace carom
