// What a time step may meet: how fast bodies are, how far it looks, and where it ends.
#include <algorithm>
#include <cmath>

#include "carom/base/index.h"
#include "carom/engine/contact/contact_forces.h"
#include "carom/engine/contact/contact_search.h"
#include "carom/engine/contact/rigid/rigid_sites.h"
#include "carom/engine/evaluate.h"
#include "carom/engine/time_stepping/time_step.h"
#include "carom/geometry/core_kinds.h"

namespace carom {
namespace {

/// Bodies that are in each other by more than this share of their size are looked at, too: the
/// lowest point of a face that lies nearly flat runs along its rim faster than the body moves.
constexpr double kDeep = 0.005;
/// Depth in sizes that shortens a step.
constexpr double kSinks = 0.02;
/// Bodies that travel by less than this share of their size within a step end where rows say.
constexpr double kStraight = 0.05;
/// Marks the points of where a step ends among the features of a pair.
constexpr std::uint32_t kEndOfStep = 0x80000000U;

}  // namespace

/// How far from its centre of mass a body has points that turning brings nearer to others: a ball
/// stays where it is, however it spins.
void TimeStep::find_turn_sizes() {
  const Model& model = *w_.model;
  turn_size_.assign(model.tree.links.size(), 0.0);
  for (const Collider& c : model.contact.colliders) {
    const auto& inertia = model.tree.links[at(c.link)].inertia;
    double& size = turn_size_[at(c.link)];
    for (std::uint32_t i = c.first; i < c.first + c.count; ++i) {
      const ShapePiece& piece = model.contact.pieces[i];
      const bool is_ball = piece.core.kind == &core_point && inertia.m > 0.0;
      const Vec3 arm = is_ball ? c.X_LS * piece.centre - inertia.h / inertia.m : Vec3{};
      size = std::max(size, is_ball ? norm(arm) : model.link_size[at(c.link)]);
    }
  }
}

void TimeStep::find_speeds() {
  speed_.assign(w_.tree.links.size(), 0.0);
  for (std::size_t i = 1; i < speed_.size(); ++i) {
    const LinkState& L = w_.tree.links[i];
    const double size = w_.model->link_size[i];
    speed_[i] = norm(L.V.v) + norm(L.V.w) * size;
    if (trees_.of_link(static_cast<int>(i)) >= 0) {
      speed_[i] += h_ * norm(w_.parameters.gravity.uniform);
    }
    const int index = body_of(static_cast<int>(i));
    if (index < 0) continue;
    const FreeBody& b = bodies_[at(index)];
    speed_[i] =
        std::max(norm(b.v), norm(b.v_free)) + std::max(norm(b.w), norm(b.w_free)) * turn_size_[i];
  }
}

double TimeStep::reach_of(const ContactPair& pair) const {
  const auto& colliders = w_.model->contact.colliders;
  const double speed = speed_[at(colliders[pair.a].link)] + speed_[at(colliders[pair.b].link)];
  return h_ * speed + 1e-6 * rigid_size(w_, pair);
}

/// Whether the balls around the shapes are farther apart than the step may bring them.
bool TimeStep::is_far(const ContactPair& pair, double reach) const {
  const auto& colliders = w_.model->contact.colliders;
  if (mover_of(colliders[pair.a].link) < 0 && mover_of(colliders[pair.b].link) < 0) return true;
  return surely_apart(w_, pair, reach);
}

/// Whether blows have made bodies so fast that they may have met what was not looked for.
bool TimeStep::became_fast() {
  constexpr double kFarther = 0.02;
  bool became = false;
  is_fast_.assign(speed_.size(), 0);
  for (std::size_t i = 0; i < bodies_.size(); ++i) {
    const std::size_t link = at(bodies_[i].link);
    const double size = w_.model->link_size[link];
    const double now = norm(solver_.bodies[i].v) + norm(solver_.bodies[i].w) * turn_size_[link];
    if (!((now - speed_[link]) * h_ > kFarther * size)) continue;
    speed_[link] = 1.1 * now;
    is_fast_[link] = 1;
    became = true;
  }
  return trees_became_fast() || became;
}

/// Whether the listed pairs are all that bodies which became fast may meet.
bool TimeStep::lists_fast() const {
  const ContactModel& contact = w_.model->contact;
  const ContactSearch& s = w_.contacts.search;
  if (s.boxes.size() != contact.pieces.size() || s.list.reach.size() != s.boxes.size())
    return false;
  for (const Collider& c : contact.colliders) {
    if (!is_fast_[at(c.link)]) continue;
    const double way = h_ * speed_[at(c.link)];
    for (std::uint32_t i = c.first; i < c.first + c.count; ++i) {
      const BoundingBox &box = s.boxes[i], &reach = s.list.reach[i];
      for (std::size_t k = 0; k < 3; ++k) {
        if (box.lower[k] - way < reach.lower[k] || box.upper[k] + way > reach.upper[k])
          return false;
      }
    }
  }
  return true;
}

/// Pairs that bodies which became fast may meet and that are not listed, behind the others.
void TimeStep::list_farther() {
  ahead_ = x_;
  move_bodies(ahead_);
  append_near_pairs(w_, t_ + h_, ahead_, h_);
  w_.has_kinematics = false;
  evaluate_kinematics(w_, t_, x_);
  const std::vector<ContactPair>& pairs = w_.modes.contacts.pairs;
  for (std::size_t i = pair_links_.size(); i < pairs.size(); ++i) {
    pair_order_.push_back(i);
    pair_links_.push_back(links_of(pairs[i]));
  }
}

/// Adds the points that bodies which became fast may meet. False, and nothing is done: they may
/// press in more points than they do, or something has joints; then all is looked for anew.
bool TimeStep::add_farther() {
  const ContactModel& contact = w_.model->contact;
  if (!trees_.empty() || contact.has_sites) return false;
  if (!lists_fast()) list_farther();
  const std::vector<ContactPair>& pairs = w_.modes.contacts.pairs;
  seen_of_.assign(pairs.size(), -1);
  for (std::size_t k = 0; k < seen_.size(); ++k) seen_of_[seen_[k].pair] = static_cast<int>(k);
  farther_.clear();
  for (const std::size_t i : pair_order_) {
    if (!is_fast_[at(pair_links_[i].a)] && !is_fast_[at(pair_links_[i].b)]) continue;
    const ContactPair& pair = pairs[i];
    const double reach = reach_of(pair);
    if (is_far(pair, reach)) continue;
    const bool is_one =
        contact.pieces[pair.piece_a].is_round || contact.pieces[pair.piece_b].is_round;
    if (!is_one) return false;
    farther_.push_back({i, reach, 0.0, rigid_size(w_, pair)});
  }
  // In the order of sweeps, whenever a pair was listed.
  std::ranges::sort(farther_, {}, [&](const Seen& s) { return pieces_of(pairs[s.pair]); });
  for (const Seen& more : farther_) {
    const int known = seen_of_[more.pair];
    const bool presses = known >= 0 && std::isfinite(seen_[at(known)].phi);
    Seen& seen = known >= 0 ? seen_[at(known)] : seen_.emplace_back(more);
    seen.reach = more.reach;
    if (presses) continue;
    seen.phi = find_step_points(w_, pairs[more.pair], more.reach, found_);
    add_found(more.pair);
  }
  return true;
}

/// Pairs that such bodies may meet.
void TimeStep::look_farther() {
  ahead_ = x_;
  move_bodies(ahead_);
  move_trees(ahead_);
  widen_near_pairs(w_, t_ + h_, ahead_, h_);
  w_.has_kinematics = false;
  evaluate_kinematics(w_, t_, x_);
}

/// Links of the bodies where the step ends with the velocities of now, or back where it begins.
/// What nothing pushes goes its free way: a body that whirls turns about another axis where it ends
/// than on the way there.
void TimeStep::put_links(bool at_end) {
  if (at_end) mark_pushed();
  for (std::size_t i = 0; i < bodies_.size(); ++i) {
    FreeBody& b = bodies_[i];
    LinkState& L = w_.tree.links[at(b.link)];
    L.R_WL = places_[i].R, L.p_WL = places_[i].p, b.arm = b.p;
    if (!at_end) continue;
    const StepBody& s = solver_.bodies[i];
    const Quat turn = is_pushed_[i] ? quat_exp(transpose_times(b.R, h_ * s.w)) : b.turn;
    const Mat3 R = b.R * to_matrix(turn);
    b.arm = b.p + (is_pushed_[i] ? h_ * s.v : (0.5 * h_) * (b.v + b.v_free));
    L.R_WL = R, L.p_WL = b.arm - R * b.centre;
  }
  place_trees(at_end);
}

/// Looks at pairs whose bodies travel far: where they end deeper than rows say, by `late` sizes,
/// `adds` rows of there. Returns whether it did; deepest_ tells the depth, of what a step bears.
bool TimeStep::follow(bool adds, double late) {
  bool added = false;
  deepest_ = 0.0;
  put_links(true);
  for (const Seen& seen : seen_) {
    const double size = seen.size;
    if (!(seen.reach > kStraight * size) && !(seen.phi < -kDeep * size)) continue;
    const ContactPair& pair = w_.modes.contacts.pairs[seen.pair];
    const double start = std::min(0.0, std::isfinite(seen.phi) ? seen.phi : 0.0);
    const double phi = find_step_points(w_, pair, start - late * size, found_);
    if (!std::isfinite(phi)) continue;
    deepest_ = std::max(deepest_, (start - phi) / (kSinks * size));
    if (!adds) continue;
    for (FoundPoint& found : found_) {
      found.feature |= kEndOfStep;
      add_point(seen.pair, found);
      StepPoint& p = solver_.points.back();
      presses_.back().phi = start;
      presses_.back().is_late = true;
      // They stop a body and do not throw it.
      const double u_n = dot(p.n, solver_.velocity(p));
      p.bound = std::min(0.0, u_n - (found.phi - start) / h_);
      presses_.back().base_gap = found.phi - h_ * u_n;
      added = true;
    }
  }
  put_links(false);
  return added;
}

}  // namespace carom
