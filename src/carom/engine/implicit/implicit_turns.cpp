// Bodies that turn or travel far within a step: their rows are laid anew where they come to be.
//
// A row is linear in the velocity, d+ = d - h u. A body that turns by a = h |w| errs by a² r / 2 of
// its radius r, one that rolls by w over a curve of radius R by w² / 2R: millimetres at 10 ms.
// Where the shapes at the end of the step are deeper than their rows say, the rows are taken from
// there,
//
//   d+(v) = d(q+) - h J(q+) (v - v+),                                                (1)
//
// and the island is solved again. Where edges meet, the normal may go to and fro between two
// answers; then new rows are added to those that there are. Their depth where the step begins,
// d(q+) + h J(q+) v+, is never more than what was detected there: such rows stop a body, and do not
// throw it.
#include <algorithm>
#include <cmath>

#include "carom/base/index.h"
#include "carom/engine/contact/contact_forces.h"
#include "carom/engine/contact/contact_part.h"
#include "carom/engine/contact/contact_search.h"
#include "carom/engine/evaluate.h"
#include "carom/engine/implicit/implicit_step.h"
#include "carom/geometry/core_kinds.h"

namespace carom {
namespace {

constexpr int kMostFollows = 6;
constexpr int kReplaced = 2;  ///< rows of the first rounds replace; later ones are added
constexpr int kMostAttempts = 3;
constexpr double kRoom = 1.2;    ///< by which it looks farther than needed in a next attempt
constexpr double kFar = 0.05;    ///< travel over size from which on rows are looked after
constexpr double kWrong = 2e-3;  ///< depth over size by which they may err
constexpr double kSunk = 0.02;   ///< the same, from which on a step is too long

}  // namespace

bool ImplicitStep::goes_far(std::size_t island) const {
  for (const int b : problem_.islands[island].blocks) {
    if (owner_[at(b)].body < 0) {
      for (const int i : trees_.list[at(owner_[at(b)].tree)].links) {
        if (h_ * own_[at(i)] > kFar * w_.model->link_size[at(i)]) return true;
      }
      continue;
    }
    const FreeBody& body = bodies_[at(owner_[at(b)].body)];
    const double* v = &problem_.v[problem_.blocks[at(b)].start];
    const double size = w_.model->link_size[at(body.link)];
    const double turn = h_ * norm(Vec3{v[0], v[1], v[2]}), way = h_ * norm(Vec3{v[3], v[4], v[5]});
    if (way + turn * size > kFar * size) return true;
  }
  return false;
}

/// Puts the links of the bodies where the step ends, or back to where it began.
void ImplicitStep::place_bodies(std::size_t island, bool at_end) {
  for (const int b : problem_.islands[island].blocks) {
    if (owner_[at(b)].body < 0) {
      place_tree(b, at_end);
      continue;
    }
    FreeBody& body = bodies_[at(owner_[at(b)].body)];
    LinkState& L = w_.tree.links[at(body.link)];
    const double* v = &problem_.v[problem_.blocks[at(b)].start];
    const Vec3 turn = h_ * Vec3{v[0], v[1], v[2]}, way = h_ * Vec3{v[3], v[4], v[5]};
    L.R_WL = at_end ? body.R * to_matrix(quat_exp(transpose_times(body.R, turn))) : body.R;
    body.arm = at_end ? body.p + way : body.p;
    L.p_WL = body.arm - L.R_WL * body.centre;
  }
}

bool ImplicitStep::follow_turns(std::size_t island) {
  IslandState& state = islands_[island];
  if (state.theta < 1.0 || !goes_far(island)) return false;
  ++state.follows;
  bool changed = false;
  place_bodies(island, true);
  for (const int i : problem_.islands[island].groups) {
    if (is_touch(i)) changed |= follow_touch(i, state);
  }
  place_bodies(island, false);
  return changed;
}

/// Rows of the shapes where they are now, behind those that are kept. Where the step resolves what
/// they do, they are as stiff as one layer together, or soft bodies would be thrown out; others
/// push by what has to be stopped, and what is softer than its law lets a body sink little by
/// little.
bool ImplicitStep::lay_rows(int i, const Contact& contact, bool keep, bool along_distance) {
  Touch& touch = touches_[at(i)];
  RowGroup& group = problem_.groups[at(i)];
  ContactPair& pair = touch.begun;
  const StepReach look{touch.reach, 0.0, along_distance};
  if (!part_for(w_, pair).find_step_rows(w_, pair, contact, look, rows_)) return false;
  const double load = touch.load;
  if (!along_distance) {
    touch.kept.clear(), touch.kept_jacobian.clear();
    const bool is_soft = keep && resolves_touch(i);
    const int layers = is_soft ? touch.layers : 1;
    touch.layers = is_soft ? layers + 1 : 1;
    if (keep) {
      const double share = layers / static_cast<double>(touch.layers);
      for (std::size_t k = 0; k < at(group.normals); ++k) {
        touch.kept.push_back(scaled(problem_.normals[at(group.first_normal) + k], share));
      }
      const auto J = problem_.jacobian.begin() + static_cast<std::ptrdiff_t>(group.jacobian);
      const std::size_t width = problem_.row_width(group);
      touch.kept_jacobian.assign(J, J + static_cast<std::ptrdiff_t>(at(group.normals) * width));
    }
  }
  put_rows(pair_state(w_, pair), touch, group);
  set_load(touch, group, load);
  return true;
}

/// (1), no deeper than what was detected there; by how much more it would be [m].
double ImplicitStep::start_rows(int i) {
  Touch& touch = touches_[at(i)];
  const RowGroup& group = problem_.groups[at(i)];
  u_.resize(at(group.rows));
  row_velocities(problem_, group, problem_.v, u_);
  double beyond = 0.0;
  for (std::size_t k = touch.kept.size(); k < at(group.normals); ++k) {
    NormalRow& row = problem_.normals[at(group.first_normal) + k];
    const double depth = row.depth + h_ * u_[k];
    if (row.depth > 0.0) beyond = std::max(beyond, depth - touch.deepest);
    row.depth = std::min(depth, touch.deepest);
    touch.detected[k] = row.depth;
  }
  return beyond;
}

bool ImplicitStep::follow_touch(int i, const IslandState& state) {
  Touch& touch = touches_[at(i)];
  RowGroup& group = problem_.groups[at(i)];
  ContactPair& pair = touch.begun;
  const Contact contact = find_contact(w_, pair);
  if (contact.status != Status::ok) return false;
  std::vector<double>& u = u_;
  u.resize(at(group.rows));
  row_velocities(problem_, group, problem_.v, u);
  double expected = 0.0;
  for (std::size_t k = 0; k < at(group.normals); ++k) {
    expected = std::max(expected, touch.detected[k] - h_ * u[k]);
  }
  const double wrong = kWrong * smaller_reach(w_.model->contact, pair);
  touch.excess = std::max(0.0, -contact.phi - expected);
  if (touch.excess <= wrong || state.follows > kMostFollows) return false;
  const bool keep = state.follows > kReplaced;
  if (!lay_rows(i, contact, keep, false)) return false;
  // A face whose plane the bodies were beyond before the step began: they came round its edge, and
  // no row along its normal stops them.
  if (start_rows(i) > wrong) {
    if (!lay_rows(i, contact, keep, true)) return false;
    start_rows(i);
  }
  touch.held = 0.0;
  for (std::size_t k = 0; k < at(group.normals); ++k) {
    const NormalRow& row = problem_.normals[at(group.first_normal) + k];
    touch.held += touch.over_rows * elastic_energy(row, touch.detected[k]);
  }
  // New rows hold no more than those that they replace.
  if (state.cut > 0) limit_touch(i, share_after(state.cut));
  put_depths(i);
  return true;
}

/// Whether bodies may have met on the way to the end of the step, where their links are now, of
/// which no row knew. What is apart there has met only if it went through something.
bool ImplicitStep::met_unseen() {
  const ContactModel& contact = w_.model->contact;
  const std::vector<ContactPair>& pairs = w_.modes.contacts.pairs;
  of_pair_.assign(pairs.size(), 0.0);
  for (std::size_t i = 0; i < touch_count_; ++i) of_pair_[touches_[i].pair] = 1.0;
  const auto speed = [&](std::uint32_t collider) {
    const std::size_t link = at(contact.colliders[collider].link);
    const LinkState& L = w_.tree.links[link];
    if (link == 0) return 0.0;
    return std::max(own_[link], norm(L.V.v) + norm(L.V.w) * w_.model->link_size[link]);
  };
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    const ContactPair& pair = pairs[i];
    if (of_pair_[i] > 0.0) continue;
    const double travel = h_ * (speed(pair.a) + speed(pair.b));
    if (is_far(pair, travel)) continue;
    if (part_for(w_, pair).has_branches) return true;
    const Contact found = find_contact(w_, pair);
    if (found.status != Status::ok || found.phi < 0.0) return true;
    const Core &A = contact.pieces[pair.piece_a].core, &B = contact.pieces[pair.piece_b].core;
    const bool has_plane = A.kind == &core_half_space || B.kind == &core_half_space;
    const double thickness = 2.0 * std::max(A.rounding, B.rounding);
    if (!has_plane && travel > thickness && travel > found.phi) return true;
  }
  return false;
}

bool ImplicitStep::missed(std::span<const double> x_new) {
  if (w_.model->contact.empty()) return false;
  bool faster = false, outran = false;
  const auto compare = [&](std::size_t link, const Vec3& v, const Vec3& turn) {
    const double speed = norm(v) + norm(turn) * w_.model->link_size[link];
    faster |= speed > own_[link];
    if (!(speed > speed_[link])) return;
    outran = true;
    seen_[link] = kRoom * speed;
  };
  for (const FreeBody& b : bodies_) {
    if (b.block < 0 || !pushed_[at(b.block)]) continue;
    const double* v = &problem_.v[problem_.blocks[at(b.block)].start];
    compare(at(b.link), {v[3], v[4], v[5]}, {v[0], v[1], v[2]});
  }
  for (const TreeBlock& tree : trees_.list) {  // which are where the step ends
    for (const int i : tree.links) {
      if (tree.is_pushed) compare(at(i), w_.tree.links[at(i)].V.v, w_.tree.links[at(i)].V.w);
    }
  }
  if (!faster || ++attempts_ >= kMostAttempts) return attempts_ = 0, false;
  const bool found = widen_near_pairs(w_, t_ + h_, x_new, h_);
  if ((!found && !outran) || !met_unseen()) return attempts_ = 0, false;
  bank_actions_ = actions_before_;
  remember_attempt();
  return true;
}

void ImplicitStep::forget_attempts() {
  seen_.assign(w_.tree.links.size(), 0.0);
  actions_before_ = bank_actions_;
  for (FreeBody& b : bodies_) b.is_guessed = false;
}

/// Most of what the next attempt will find is what this one has found.
void ImplicitStep::remember_attempt() {
  for (FreeBody& b : bodies_) {
    b.is_guessed = b.block >= 0;
    if (!b.is_guessed) continue;
    const double* v = &problem_.v[problem_.blocks[at(b.block)].start];
    b.w_guess = {v[0], v[1], v[2]}, b.v_guess = {v[3], v[4], v[5]};
  }
  of_pair_.assign(w_.modes.contacts.pairs.size(), 0.0);
  for (std::size_t i = 0; i < touch_count_; ++i) {
    of_pair_[touches_[i].pair] = touches_[i].press;
  }
}

bool ImplicitStep::sinks(std::span<const double> x_new) {
  if (overreached_) return bank_actions_ = actions_before_, true;
  const ContactModel& contact = w_.model->contact;
  const std::vector<ContactPair>& pairs = w_.modes.contacts.pairs;
  of_pair_.assign(pairs.size(), 0.0);
  for (std::size_t i = 0; i < touch_count_; ++i) {
    const RowGroup& group = problem_.groups[i];
    u_.resize(at(group.rows));
    row_velocities(problem_, group, problem_.v, u_);
    double& depth = of_pair_[touches_[i].pair];
    depth = std::max(depth, touches_[i].deepest);
    for (std::size_t k = 0; k < at(group.normals); ++k) {
      depth = std::max(depth, touches_[i].detected[k] - h_ * u_[k]);
    }
  }
  bool is_placed = false;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    const double size = 2.0 * smaller_reach(contact, pairs[i]);
    const int a = contact.colliders[pairs[i].a].link, b = contact.colliders[pairs[i].b].link;
    if (!(h_ * (speed_[at(a)] + speed_[at(b)]) > kSunk * size)) continue;
    if (!is_placed) evaluate_kinematics(w_, t_ + h_, x_new);
    is_placed = true;
    const Contact found = find_contact(w_, pairs[i]);
    if (found.status != Status::ok || -found.phi <= of_pair_[i] + kSunk * size) continue;
    bank_actions_ = actions_before_;
    return true;
  }
  return false;
}

}  // namespace carom
