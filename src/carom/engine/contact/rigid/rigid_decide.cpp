// Which points press, slide, stick or lift off: the complementarity problem of accelerations, on
// the points whose gap is closed and does not change.
//
// Bodies that would go on bouncing lower than the height of landing are held from here on: their
// speed is taken from them along n - mu d, where they slide, and so the end of the infinite series
// of bounces is met in place and impulse, as if it had been followed.
#include <algorithm>
#include <array>
#include <cmath>

#include "carom/base/index.h"
#include "carom/base/patience.h"
#include "carom/base/text.h"
#include "carom/contact/cones/cone_solver.h"
#include "carom/engine/contact/rigid/rigid_rows.h"
#include "carom/engine/contact/rigid/rigid_settler.h"
#include "carom/engine/events/contact_events.h"

namespace carom {
namespace {

constexpr double kNoForce = 1e-11;  ///< of the largest force or acceleration
constexpr double kSinks = 1e-9;     ///< of the largest acceleration

bool is_ray(const Touch& touch) {
  return touch.mu_k == 0.0 || touch.runs_out || touch.slow > 0.0 ||
         norm(touch.actor.site.slip()) > touch.least;
}

Vec3 ray_direction(const Touch& touch) {
  const Vec3 slip = touch.actor.site.slip();
  const double speed = norm(slip);
  if (touch.slow > 0.0) return slip / std::max(speed, touch.slow);
  return speed > 0.0 ? slip / speed : touch.actor.site.t1;
}

}  // namespace

/// Takes the normal speed, and slip that is none, from the points.
void RigidSettler::stop(std::span<Touch* const> staying) {
  actors_.clear();
  for (const Touch* touch : staying) actors_.push_back(touch->actor);
  RigidRows& rows = w_.contacts.rigid.rows;
  make_rows(w_, actors_, rows, true);
  /// An impulse along a row, and what goes with it along others.
  struct Unknown {
    std::size_t row;
    std::array<double, 3> c{};  ///< of the tangents, where it is a ray, and of turning
    std::array<std::size_t, 3> with{};
  };
  const bool is_paper = w_.model->scene.contact.rigid.landing_rule == kPaperLanding;
  std::vector<Unknown> unknowns;
  for (std::size_t i = 0; i < staying.size(); ++i) {
    const RigidSite& s = staying[i]->actor.site;
    const double mu = is_paper ? 0.0 : staying[i]->mu_k;
    const bool turns = rows.spin[i] != RigidRows::kNone && staying[i]->spin != RigidSpin::held;
    Unknown press{3 * i, {}, {3 * i + 1, 3 * i + 2, turns ? rows.spin[i] : 3 * i}};
    if (turns) press.c[2] = -mu * staying[i]->spin_radius * sign_of(staying[i]->spin);
    if (is_ray(*staying[i])) {
      const Vec3 d = ray_direction(*staying[i]);
      press.c[0] = -mu * dot(d, s.t1), press.c[1] = -mu * dot(d, s.t2);
      unknowns.push_back(press);
    } else {
      unknowns.push_back(press);
      for (std::size_t k = 1; k < 3; ++k) unknowns.push_back({3 * i + k});
    }
    if (rows.spin[i] != RigidRows::kNone && !turns) unknowns.push_back({rows.spin[i]});
  }
  const std::size_t n = unknowns.size();
  std::vector<double> A(n * n), b(n);
  for (std::size_t i = 0; i < n; ++i) {
    b[i] = -rows.product(unknowns[i].row, w_.v);
    for (std::size_t j = 0; j < n; ++j) {
      const Unknown& u = unknowns[j];
      double& a = A[i * n + j] = rows.delassus(unknowns[i].row, u.row);
      for (std::size_t k = 0; k < u.c.size(); ++k) {
        if (u.c[k] != 0.0) a += u.c[k] * rows.delassus(unknowns[i].row, u.with[k]);
      }
    }
  }
  const std::vector<double> r = solve_by_blocks(A, b);
  std::vector<double> P(rows.count, 0.0);
  for (std::size_t j = 0; j < n; ++j) {
    P[unknowns[j].row] += r[j];
    for (std::size_t k = 0; k < unknowns[j].c.size(); ++k) {
      if (unknowns[j].c[k] != 0.0) P[unknowns[j].with[k]] += unknowns[j].c[k] * r[j];
    }
  }
  std::vector<double> before(w_.v);
  for (std::size_t i = 0; i < rows.count; ++i) rows.push_along(i, P[i], velocities());
  RigidMemory& memory = w_.modes.contacts.rigid;
  for (std::size_t i = 0; i < rows.count; ++i) {
    const double work = 0.5 * (rows.product(i, before) + rows.product(i, velocities())) * P[i];
    const bool is_normal = i < 3 * staying.size() && i % 3 == 0;
    (is_normal ? memory.lost_normal : memory.lost_friction) -= work;
  }
  // The impulse of all bounces that are left out is this one and that of the pressure until they
  // would have ended.
  for (std::size_t i = 0; i < staying.size() && outcome_; ++i) {
    const RigidSite& s = staying[i]->actor.site;
    const Vec3 impulse = P[3 * i] * s.n + P[3 * i + 1] * s.t1 + P[3 * i + 2] * s.t2;
    if (!(norm2(impulse) > 0.0)) continue;
    record_of(w_.modes.contacts.pairs[staying[i]->actor.pair]).impulse += impulse;
  }
  refresh();
}

/// Of a point that slides, with a_n = A + B r_n and B <= 0: without a force it would sink in where
/// A < 0, and more force pulls it in; where A >= 0 it may lift off, or press with -A/B.
void RigidSettler::refuse_paradox(const Touch& touch, double B, double A) {
  has_failed_ = true;
  if (!outcome_ || !outcome_->failure.empty()) return;
  const ContactPair& pair = w_.modes.contacts.pairs[touch.actor.pair];
  tell("paradox", pair, B);
  const char* which = A < 0.0 ? "; no force keeps the bodies apart (no solution)"
                              : "; they may part as well as press (two solutions)";
  outcome_->failure = "paradox of Painlevé at t = " + number_text(t_) + ": the contact of " +
                      pair_name(w_, pair) + " slides where more pressure pulls it in" + which;
}

/// Turning about the normal as the bodies do it now.
void RigidSettler::note_spin(Touch& touch) const {
  touch.spin = RigidSpin::held;
  if (!(touch.spin_radius > 0.0)) return;
  const ContactPair& pair = w_.modes.contacts.pairs[touch.actor.pair];
  const double rate = spin_rate(w_, pair, touch.actor.site);
  if (std::abs(rate) > least_spin(w_)) {
    touch.spin = rate > 0.0 ? RigidSpin::forward : RigidSpin::backward;
  }
}

/// What was held up to its bound begins to turn. Whether there was any.
bool RigidSettler::revise_spins(std::span<Touch* const> staying, const SpinProblem& spins,
                                const ForceProblem& p) const {
  if (spins.held.empty()) return false;
  std::vector<double> r = p.r;
  for (std::size_t i = 0; i < staying.size(); ++i) {
    if (!is_ray(*staying[i])) continue;
    const Vec3 friction = (-staying[i]->mu_k * p.r[3 * i]) * ray_direction(*staying[i]);
    r[3 * i + 1] = dot(friction, staying[i]->actor.site.t1);
    r[3 * i + 2] = dot(friction, staying[i]->actor.site.t2);
  }
  bool revised = false;
  for (std::size_t k = 0; k < spins.held.size(); ++k) {
    Touch& touch = *staying[spins.held[k]];
    const double M = spins.torque(k, r), N = p.r[3 * spins.held[k]];
    if (!(std::abs(M) > (1.0 - kNoForce) * touch.spin_radius * touch.mu_s * N)) continue;
    touch.spin = M > 0.0 ? RigidSpin::begins_backward : RigidSpin::begins_forward;
    revised = true;
  }
  return revised;
}

/// Forces with the modes of turning as they are.
bool RigidSettler::solve_with_spins(std::span<Touch* const> staying, const RigidRows& rows,
                                    std::span<const double> q, ForceProblem& p,
                                    SpinProblem& spins) {
  std::vector<RigidSpin> modes;
  std::vector<double> lever;
  for (const Touch* touch : staying) {
    modes.push_back(touch->spin), lever.push_back(touch->spin_radius * touch->mu_k);
  }
  spins = take_in_spins(rows, modes, lever, q);
  const std::size_t n = 3 * staying.size();
  p = {spins.W, spins.q, {}, std::vector<double>(n, 0.0)};
  for (std::size_t i = 0; i < staying.size(); ++i) {
    const Touch& touch = *staying[i];
    const RigidSite& s = touch.actor.site;
    p.mu.push_back(is_ray(touch) ? 0.0 : touch.mu_s);
    if (!is_ray(touch) || touch.mu_k == 0.0) continue;
    const Vec3 d = ray_direction(touch);
    const double c1 = touch.mu_k * dot(d, s.t1), c2 = touch.mu_k * dot(d, s.t2);
    for (std::size_t j = 0; j < n; ++j) {
      p.W[j * n + 3 * i] -= c1 * spins.W[j * n + 3 * i + 1] + c2 * spins.W[j * n + 3 * i + 2];
    }
    if (!(p.W[3 * i * n + 3 * i] > 0.0)) {
      refuse_paradox(touch, p.W[3 * i * n + 3 * i], p.q[3 * i]);
      return false;
    }
  }
  const ConeAnswer answer = solve_cones({p.W, p.q, 0, p.mu}, p.r);
  if (answer.solved) return true;
  fail("forces of contacts", *staying[answer.worst_contact], answer.residual);
  return false;
}

/// Forces of the points that stay, and with them their states.
bool RigidSettler::solve_forces(std::span<Touch* const> staying) {
  std::vector<RigidPoint> kept;
  std::swap(kept, w_.modes.contacts.rigid.points);
  const Status status = evaluate(w_, t_, x_);
  std::swap(kept, w_.modes.contacts.rigid.points);
  if (status != Status::ok) return false;
  actors_.clear();
  for (const Touch* touch : staying) actors_.push_back(touch->actor);
  RigidRows& rows = w_.contacts.rigid.rows;
  make_rows(w_, actors_, rows, true);
  std::vector<double> change(w_.tree.vdot), q(rows.count);
  for (std::size_t k = 0; k < change.size(); ++k) change[k] -= w_.contacts.rigid.free[k];
  for (std::size_t i = 0; i < staying.size(); ++i) {
    const RigidSite& s = staying[i]->actor.site;
    const ContactPair& pair = w_.modes.contacts.pairs[staying[i]->actor.pair];
    const Vec3 a = relative_acceleration(w_, pair, s);
    q[3 * i] = dot(s.n, a) + s.turn;
    q[3 * i + 1] = dot(s.t1, a), q[3 * i + 2] = dot(s.t2, a);
    for (std::size_t k = 0; k < 3; ++k) q[3 * i + k] += rows.product(3 * i + k, change);
    if (rows.spin[i] == RigidRows::kNone) continue;
    q[rows.spin[i]] = spin_acceleration(w_, pair, s) + rows.product(rows.spin[i], change);
  }
  ForceProblem p;
  for (std::size_t round = 0; round <= staying.size(); ++round) {
    SpinProblem spins;
    if (!solve_with_spins(staying, rows, q, p, spins)) return false;
    if (!revise_spins(staying, spins, p)) break;
  }
  const bool has_faces = std::ranges::any_of(staying, [](const Touch* t) { return t->is_rim; });
  if (has_faces) leave_cones(staying, p);
  set_states(staying, p);
  if (has_faces) centre_forces(staying, p);
  return true;
}

std::vector<double> RigidSettler::ForceProblem::accelerations() const {
  const std::size_t n = q.size();
  std::vector<double> a(q);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) a[i] += W[i * n + j] * r[j];
  }
  return a;
}

/// What the points do by these forces.
void RigidSettler::set_states(std::span<Touch* const> staying, const ForceProblem& p) {
  const std::vector<double> a = p.accelerations();
  double most = 0.0, fastest = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    most = std::max(most, std::abs(p.r[i])), fastest = std::max(fastest, std::abs(p.q[i]));
  }
  for (std::size_t i = 0; i < staying.size(); ++i) {
    Touch& touch = *staying[i];
    const RigidSite& s = touch.actor.site;
    touch.acceleration = a[3 * i], touch.pressure = p.r[3 * i];
    const Vec3 friction = p.r[3 * i + 1] * s.t1 + p.r[3 * i + 2] * s.t2;
    if (!(p.r[3 * i] > kNoForce * most)) {
      touch.state = RigidState::open;
      touch.rests = !(a[3 * i] > kNoForce * fastest);
    } else if (is_ray(touch)) {
      const bool creeps = touch.slow > 0.0 && norm(s.slip()) < touch.slow;
      touch.state = creeps ? RigidState::sticking : RigidState::sliding;
      touch.direction = ray_direction(touch);
    } else if (norm(friction) > (1.0 - kNoForce) * touch.mu_s * p.r[3 * i]) {
      touch.state = RigidState::onset, touch.direction = (-1.0 / norm(friction)) * friction;
    } else {
      touch.state = RigidState::sticking;
    }
  }
}

/// Points that came with a speed and feel no force leave: they were not to be held. Whether there
/// was any.
bool RigidSettler::drop_leaving(std::span<Touch* const> staying) {
  bool dropped = false;
  for (Touch* touch : staying) {
    const bool leaves = touch->state == RigidState::open && !touch->rests && touch->speed_in > 0.0;
    if (leaves) touch->stays = false, dropped = true;
  }
  return dropped;
}

/// Whether a rim between its points would sink in: then it has one more.
bool RigidSettler::sinks_in(std::span<Touch* const> staying) {
  std::vector<double> accelerations;
  double most = 0.0;
  for (const Touch* touch : staying) {
    accelerations.push_back(touch->acceleration);
    most = std::max({most, std::abs(touch->acceleration), std::abs(touch->fall)});
  }
  return cut_faces(staying, accelerations, -kSinks * most) || lean_on_rims(staying);
}

/// Whether nothing holds the point beyond the border on which it is (RigidFall).
bool RigidSettler::leaves(const Touch& touch) const {
  const RigidFall& fall = w_.contacts.rigid.fall;
  const ContactPair& pair = w_.modes.contacts.pairs[touch.actor.pair];
  return fall.leaves && fall.t == t_ && fall.piece_a == pair.piece_a &&
         fall.piece_b == pair.piece_b && fall.branch == pair.branch &&
         fall.feature == touch.actor.site.feature;
}

void RigidSettler::decide_island(int island) {
  const double slowest = slow(island);
  for (Touch& touch : touches_) {
    if (touch.island != island) continue;
    const double rate = touch.actor.site.rate();
    touch.stays = std::abs(rate) <= slowest && !leaves(touch);
    touch.speed_in = std::abs(rate) > still(touch) ? rate : 0.0;
    note_spin(touch);
  }
  const std::vector<double> before(x_.begin(), x_.end());
  const RigidMemory& memory = w_.modes.contacts.rigid;
  const double lost[2] = {memory.lost_normal, memory.lost_friction};
  const std::vector<RigidRecord> records = memory.records;
  constexpr int kMostRenewed = 32;  // as many as points of a face
  for (int round = 0;; ++round) {
    keeps_added_ = round >= kMostRenewed;
    std::vector<Touch*> staying;
    bool moves = false;
    for (Touch& touch : touches_) {
      if (touch.island != island) continue;
      const double slip = norm(touch.actor.site.slip());
      moves |= touch.speed_in != 0.0 || (slip > 0.0 && slip <= touch.least && !is_ray(touch));
      moves |= touch.spin_radius > 0.0 && touch.spin == RigidSpin::held;
      if (touch.stays) staying.push_back(&touch);
    }
    if (staying.empty() || Patience::is_over()) return;
    if (moves) stop(staying);
    if (!solve_forces(staying)) return;
    if (!drop_leaving(staying) && !sinks_in(staying)) return;
    std::ranges::copy(before, x_.begin());
    w_.modes.contacts.rigid.lost_normal = lost[0], w_.modes.contacts.rigid.lost_friction = lost[1];
    w_.modes.contacts.rigid.records = records;
    refresh();
    if (factor_mass(w_.model->tree, w_.tree) != Status::ok) return;
  }
}

void RigidSettler::decide() {
  for (std::size_t i = 0; i < islands_.links.size() && !has_failed_; ++i) {
    const auto is_own = [&](const Touch& t) { return t.island == static_cast<int>(i); };
    if (std::ranges::any_of(touches_, is_own)) decide_island(static_cast<int>(i));
  }
}

}  // namespace carom
