#include "carom/engine/time_stepping/time_step.h"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "carom/base/index.h"
#include "carom/engine/contact/contact_forces.h"
#include "carom/engine/contact/rigid/rigid_sites.h"
#include "carom/engine/evaluate.h"
#include "carom/multibody/dynamics.h"

namespace carom {
namespace {

/// Of the velocity that free fall brings in a step, what counts as an error: of islands with few
/// points, whose cones are solved if need be, and of heaps.
constexpr double kExact = 1e-8, kHeap = 1e-3, kBearable = 0.05;
/// The same of the speed of the fastest body.
constexpr double kOfFastest = 1e-10, kBearableOfFastest = 1e-3;
/// Times that a step looks at where it ends, and those in which a heap looks for what was hit.
constexpr int kMostRounds = 5, kMostBlows = 8;
/// Depths in sizes that stay.
constexpr double kSlop = 0.002;
/// Depth in sizes by which bodies may end deeper than rows say.
constexpr double kLate = 0.002;
/// Of the depth beyond that is taken back in a step, at most so many sizes per second.
constexpr double kPushShare = 0.2, kPushSpeed = 1.0;
/// Bounces that last less than two steps are none.
constexpr double kSeenBounce = 2.0;

}  // namespace

TimeStep::TimeStep(Workspace& w) : SceneStep(w), bodies_(find_free_bodies(*w.model)), trees_(w) {
  std::erase_if(bodies_, [&](const FreeBody& b) { return trees_.of_link(b.link) >= 0; });
  body_of_link_.assign(w.model->tree.links.size(), -1);
  for (std::size_t i = 0; i < bodies_.size(); ++i) {
    body_of_link_[at(bodies_[i].link)] = static_cast<int>(i);
  }
  find_turn_sizes();
}

/// How everything would move without contacts.
Status TimeStep::read_state(double t, double h, std::span<const double> x) {
  t_ = t, h_ = h;
  x_.assign(x.begin(), x.end());
  solver_.h = h;
  rates_.resize(x.size());
  const Status status = begin_trees(t, h, x);
  if (status != Status::ok) return status;
  solver_.bodies.resize(bodies_.size());
  places_.resize(bodies_.size());
  gain_ = trees_.empty() ? 0.0 : h * norm(w_.parameters.gravity.uniform);
  for (std::size_t i = 0; i < bodies_.size(); ++i) {
    const FreeBody& b = bodies_[i];
    const LinkState& L = w_.tree.links[at(b.link)];
    places_[i] = {L.R_WL, L.p_WL};
    solver_.bodies[i].mobility = 1.0 / b.mass;
    solver_.bodies[i].inverse = rotated(b.R, b.inverse);
    gain_ = std::max(gain_, norm(b.v_free - b.v));
  }
  return Status::ok;
}

/// By pieces, whatever order they were found in: the order of points is that of the sweeps.
void TimeStep::sort_pairs() {
  const std::vector<ContactPair>& pairs = w_.modes.contacts.pairs;
  pair_order_.resize(pairs.size());
  pair_links_.resize(pairs.size());
  for (std::size_t i = 0; i < pairs.size(); ++i)
    pair_order_[i] = i, pair_links_[i] = links_of(pairs[i]);
  const auto before = [&](std::size_t i, std::size_t j) {
    return pieces_of(pairs[i]) < pieces_of(pairs[j]);
  };
  if (!std::ranges::is_sorted(pair_order_, before)) std::ranges::sort(pair_order_, before);
}

/// Bodies move freely, without impulses.
void TimeStep::put_bodies_free() {
  for (std::size_t i = 0; i < bodies_.size(); ++i) {
    solver_.bodies[i].v = bodies_[i].v_free, solver_.bodies[i].w = bodies_[i].w_free;
  }
  put_trees_free();
}

/// The points of all that may meet within the step, with the impulses that are known of them.
void TimeStep::collect() {
  put_bodies_free();
  solver_.clear();
  solved_points_ = 0;
  presses_.clear(), seen_.clear();
  add_rows();
  sort_pairs();
  for (const std::size_t i : pair_order_) {
    const ContactPair& pair = w_.modes.contacts.pairs[i];
    const double reach = reach_of(pair);
    if (is_far(pair, reach)) continue;
    const double phi = find_step_points(w_, pair, reach, found_);
    seen_.push_back({i, reach, phi, rigid_size(w_, pair)});
    add_found(i);
  }
}

/// The points of a pair that were found.
void TimeStep::add_found(std::size_t pair) {
  for (const FoundPoint& found : found_) {
    add_point(pair, found);
    take_warm(solver_.points.size() - 1);
    if (rests(presses_.back())) presses_.back().approach = 0.0;
  }
}

/// What a point pushes with its side on `link`: a body, a tree, or nothing that moves.
void TimeStep::add_side(StepPoint& p, int link, double sign, const Vec3& at_p) {
  Mover& own = sign > 0.0 ? p.b : p.a;
  own = mover_of(link);
  const int index = trees_.of_link(link);
  if (index < 0) {
    if (own >= 0) (sign > 0.0 ? p.arm_b : p.arm_a) = at_p - bodies_[at(own)].arm;
    return;
  }
  const TreeBlock& tree = trees_.list[at(index)];
  std::size_t& place = sign > 0.0 ? p.jac_b : p.jac_a;
  const bool is_within = sign > 0.0 && own >= 0 && own == p.a;  // both sides are in it
  if (is_within) {
    place = p.jac_a;
    p.a = -1;
  } else {
    place = solver_.jacobian.size();
    solver_.jacobian.resize(place + 3 * tree.count, 0.0);
  }
  p.has_tree |= own >= 0;
  for (std::size_t k = 0; k < 3; ++k) {
    Vec3 axis;
    axis[k] = 1.0;
    p.drift[k] += trees_.put_row(tree, link, at_p, {}, axis, sign,
                                 solver_.jacobian.data() + place + k * tree.count);
  }
  if (!(p.spin_radius > 0.0)) return;
  std::size_t& spin = sign > 0.0 ? p.spin_b : p.spin_a;
  if (is_within) {
    spin = p.spin_a;
  } else {
    spin = solver_.jacobian.size();
    solver_.jacobian.resize(spin + tree.count, 0.0);
  }
  p.spin_drift += trees_.put_row(tree, link, at_p, p.n, {}, sign, solver_.jacobian.data() + spin);
}

/// Velocity of a point where the step begins, or with which it would end freely.
Vec3 TimeStep::given_velocity(const StepPoint& p, bool is_free) const {
  Vec3 u = p.drift;
  const auto add = [&](Mover m, double sign, const Vec3& arm, std::size_t jac) {
    if (m < 0) return;
    if (!solver_.is_tree(m)) {
      const FreeBody& b = bodies_[at(m)];
      u += sign * ((is_free ? b.v_free : b.v) + cross(is_free ? b.w_free : b.w, arm));
      return;
    }
    const TreeBlock& tree = trees_.list[at(m) - bodies_.size()];
    const std::vector<double>& y = is_free ? tree.y_free : tree.y;
    const double* J = &solver_.jacobian[jac];
    for (std::size_t k = 0; k < tree.count; ++k) {
      u += y[k] * Vec3{J[k], J[tree.count + k], J[2 * tree.count + k]};
    }
  };
  add(p.b, 1.0, p.arm_b, p.jac_b);
  add(p.a, -1.0, p.arm_a, p.jac_a);
  return u;
}

void TimeStep::add_point(std::size_t index, const FoundPoint& found) {
  const ContactPair& pair = w_.modes.contacts.pairs[index];
  const ContactModel& contact = w_.model->contact;
  const Collider &A = contact.colliders[pair.a], &B = contact.colliders[pair.b];
  const PairMaterial& material = contact.laws[at(pair.law)].material;
  StepPoint p;
  p.n = found.n;
  p.mu_k = material.mu_k, p.mu_s = std::max(material.mu_k, material.mu_s);
  p.spin_radius = material.spin_radius;
  add_side(p, A.link, -1.0, found.p);
  add_side(p, B.link, 1.0, found.p);
  solver_.prepare(p);
  const Vec3 u = given_velocity(p, false);
  const double u_n = dot(p.n, u), gains = u_n - dot(p.n, given_velocity(p, true));
  Press press;
  press.pair = index, press.feature = found.feature, press.p = found.p;
  press.phi = press.base_gap = found.phi;
  // The speed of the instant at which they meet, under the acceleration of the step.
  const double gap = std::max(0.0, found.phi);
  const double squared = 2.0 * std::max(0.0, gains) / h_ * gap - std::copysign(u_n * u_n, u_n);
  const double meets = squared > 0.0 ? std::sqrt(squared) : 0.0;
  if (meets > kSeenBounce * std::abs(gains) && meets > 1e-9) {
    press.approach = meets, press.restitution = restitution_at(material, meets);
  }
  p.slides = norm(u - u_n * p.n) > 1e-9;
  if (p.spin_radius > 0.0) {
    press.spin_start = spin_at_start(p);
    p.spins = std::abs(press.spin_start) > 1e-9;
  }
  if (found.phi > 0.0) {
    p.bound = -found.phi / h_;
  } else {
    const double size = rigid_size(w_, pair), deep = -found.phi - kSlop * size;
    p.bound = std::clamp(kPushShare * deep / h_, 0.0, kPushSpeed * size);
  }
  solver_.points.push_back(p);
  presses_.push_back(press);
}

/// Whether the bodies have pressed on each other there in the last step, and approach by no more
/// than what free fall brings in a few: then they press on, whatever relative velocities sweeps
/// have left, and have not met.
bool TimeStep::rests(const Press& press) const {
  if (!(press.approach > 0.0) || press.approach > kSeenBounce * gain_) return false;
  const std::vector<StepImpulse>& steps = w_.modes.contacts.rigid.steps;
  const ContactPair& pair = w_.modes.contacts.pairs[press.pair];
  const auto key = [](const auto& s) { return std::tie(s.piece_a, s.piece_b, s.branch); };
  const auto first = std::ranges::lower_bound(steps, key(pair), {}, key);
  for (auto s = first; s != steps.end() && key(*s) == key(pair); ++s) {
    if (s->feature == press.feature && s->normal > 0.0) return true;
  }
  return false;
}

/// The impulse of the last step, or of the last round of this one.
void TimeStep::take_warm(std::size_t index) {
  StepPoint& p = solver_.points[index];
  const Press& press = presses_[index];
  const ContactPair& pair = w_.modes.contacts.pairs[press.pair];
  const auto key = [](const auto& s) { return std::tie(s.piece_a, s.piece_b, s.branch); };
  const auto first = std::ranges::lower_bound(warm_, key(pair), {}, key);
  for (auto s = first; s != warm_.end() && key(*s) == key(pair); ++s) {
    if (s->feature != press.feature) continue;
    if (s->state == RigidState::sticking) p.slides = false;
    p.normal = s->normal;
    p.friction = s->friction - dot(p.n, s->friction) * p.n;
    const double size = norm(p.friction), most = p.mu() * p.normal;
    if (size > most) p.friction = (most / size) * p.friction;
    solver_.push(p, p.normal * p.n + p.friction);
    if (!(p.spin_radius > 0.0)) return;
    const double bound = p.spin_radius * (p.spins ? p.mu_k : p.mu_s) * p.normal;
    p.spin = std::clamp(s->spin, -bound, bound);
    solver_.push_spin(p, p.spin);
    return;
  }
}

/// How fast the bodies of a point turn over each other about its normal where the step begins.
double TimeStep::spin_at_start(const StepPoint& p) const {
  double w = p.spin_drift;
  const auto add = [&](Mover m, double sign, std::size_t jac) {
    if (m < 0) return;
    if (!solver_.is_tree(m)) {
      w += sign * dot(p.n, bodies_[at(m)].w);
      return;
    }
    const TreeBlock& tree = trees_.list[at(m) - bodies_.size()];
    for (std::size_t k = 0; k < tree.count; ++k) w += solver_.jacobian[jac + k] * tree.y[k];
  };
  add(p.b, 1.0, p.spin_b);
  add(p.a, -1.0, p.spin_a);
  return w;
}

/// Impulses found so far, for points that are looked for anew.
void TimeStep::note_warm() {
  warm_.clear();
  for (std::size_t i = 0; i < presses_.size(); ++i) {
    const StepPoint& p = solver_.points[i];
    if (presses_[i].is_late || !(p.normal > 0.0)) continue;
    const ContactPair& pair = w_.modes.contacts.pairs[presses_[i].pair];
    StepImpulse s;
    s.piece_a = pair.piece_a, s.piece_b = pair.piece_b, s.branch = pair.branch;
    s.feature = presses_[i].feature;
    s.state = p.slides ? RigidState::sliding : RigidState::sticking;
    s.normal = p.normal, s.friction = p.friction, s.spin = p.spin;
    warm_.push_back(s);
  }
  // Points that were added are behind the others.
  const auto key = [](const StepImpulse& s) { return std::tie(s.piece_a, s.piece_b, s.branch); };
  if (!std::ranges::is_sorted(warm_, {}, key)) std::ranges::stable_sort(warm_, {}, key);
}

bool TimeStep::solve_island(std::size_t i, SolveAs as) {
  constexpr std::size_t kFew = 48;
  const double share = solver_.island(i).size() <= kFew ? kExact : kHeap;
  return solver_.solve(i, std::max(share * gain_, kOfFastest * fastest_),
                       std::max(kBearable * gain_, kBearableOfFastest * fastest_), as);
}

/// A heap that was solved before some points came: sweeps where these act. A blow goes on from body
/// to body: with 10 sweeps a fifth of the steps of 8,000 spheres let some in too deep, and were
/// taken again; with 30 none was.
bool TimeStep::solve_near(std::size_t i) {
  constexpr int kSweeps = 30;
  if (solved_points_ == 0) return false;
  const double tolerance = std::max(kBearable * gain_, kOfFastest * fastest_);
  return solver_.solve_near(i, solved_points_, tolerance, kSweeps);
}

void TimeStep::solve_islands(Heaps heaps) {
  constexpr int kMostBreaks = 8;
  solver_.find_islands();
  restart_rows();
  is_solved_ = true;
  is_rough_ = false;
  if (heaps != Heaps::near) heaps_are_solved_ = true;
  fastest_ = 0.0;
  for (const double speed : speed_) fastest_ = std::max(fastest_, speed);
  for (std::size_t i = 0; i < solver_.island_count(); ++i) {
    const bool is_heap = solver_.is_heap(i);
    if (is_heap && heaps == Heaps::near && solve_near(i)) continue;
    if (is_heap && heaps == Heaps::roughly) {
      solve_island(i, SolveAs::rough_step);
      is_rough_ = true;
      continue;
    }
    bool solved = solve_island(i);
    for (int k = 0; k < kMostBreaks && break_loose(i); ++k) solved = solve_island(i);
    (is_heap ? heaps_are_solved_ : is_solved_) &= solved;
  }
  is_solved_ &= heaps_are_solved_;
  solved_points_ = solver_.points.size();
}

Status TimeStep::begin(double t, double h, std::span<const double> x) {
  const Status status = read_state(t, h, x);
  if (status != Status::ok) return status;
  find_speeds();
  is_pushed_.assign(bodies_.size(), 0);
  is_pushed_tree_.assign(trees_.list.size(), 0);
  kept_apart_.clear();
  overreached_ = false;
  const RigidMemory& memory = w_.modes.contacts.rigid;
  warm_ = memory.steps;
  const double scale = memory.step > 0.0 ? h / memory.step : 0.0;
  for (StepImpulse& s : warm_) s.normal *= scale, s.friction = scale * s.friction, s.spin *= scale;
  collect();
  return Status::ok;
}

/// Looks for what bodies may have met that became fast. False: there are none.
bool TimeStep::meets_more() {
  if (!became_fast()) return false;
  if (add_farther()) return true;
  note_warm();
  look_farther();
  collect();
  return true;
}

bool TimeStep::solve() {
  // A few sweeps tell which bodies of a heap were hit: it is solved when all that they meet is
  // known.
  solve_islands(Heaps::roughly);
  bool has_heaps = is_rough_;
  for (int blow = 1; has_heaps && blow <= kMostBlows && meets_more(); ++blow) {
    solve_islands(solved_points_ > 0 ? Heaps::near : Heaps::roughly);
  }
  for (int round = 0; round < kMostRounds; ++round) {
    if (has_heaps) {
      solve_islands(round > 0 && solved_points_ > 0 ? Heaps::near : Heaps::whole);
    } else if (round > 0) {
      solve_islands(Heaps::whole);
    }
    const bool is_last = round + 1 == kMostRounds;
    if (!is_last && meets_more()) continue;
    if (!follow(!is_last, kLate)) break;
  }
  return is_solved_;
}

void TimeStep::finish(std::span<double> x_new) {
  guard_islands();
  bounce_islands();
  end_islands();
  book_losses();
  std::copy(x_.begin(), x_.end(), x_new.begin());
  const std::size_t first = w_.model->nq() + w_.model->nv();
  for (std::size_t i = first; i < w_.model->size(); ++i) x_new[i] += h_ * rates_[i];
  for (std::size_t i = 0; i < bodies_.size(); ++i) outside_work_ += load_work(i);
  move_bodies(x_new);
  move_trees(x_new);
  guard_held(x_new);
}

}  // namespace carom
