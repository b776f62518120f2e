// Which points press, slide, stick or lift off: the complementarity problem of accelerations, on
// the points whose gap is closed and does not change.
//
// Bodies that would go on bouncing lower than the height of landing are held from here on: their
// speed is taken from them along n - mu d, where they slide, and so the end of the infinite series
// of bounces is met in place and impulse, as if it had been followed.
#include <algorithm>
#include <cmath>

#include "carom/base/index.h"
#include "carom/base/text.h"
#include "carom/contact/cones/cone_solver.h"
#include "carom/engine/contact/rigid/rigid_rows.h"
#include "carom/engine/contact/rigid/rigid_settler.h"
#include "carom/engine/contact_events.h"

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
  make_rows(w_, actors_, rows);
  struct Unknown {
    std::size_t row;
    double c1, c2;  ///< of the tangents, where it is a ray
  };
  const bool is_paper = w_.model->scene.contact.rigid.landing_rule == kPaperLanding;
  std::vector<Unknown> unknowns;
  for (std::size_t i = 0; i < staying.size(); ++i) {
    const RigidSite& s = staying[i]->actor.site;
    if (is_ray(*staying[i])) {
      const Vec3 d = ray_direction(*staying[i]);
      const double mu = is_paper ? 0.0 : staying[i]->mu_k;
      unknowns.push_back({3 * i, -mu * dot(d, s.t1), -mu * dot(d, s.t2)});
    } else {
      for (std::size_t k = 0; k < 3; ++k) unknowns.push_back({3 * i + k, 0.0, 0.0});
    }
  }
  const std::size_t n = unknowns.size();
  std::vector<double> A(n * n), b(n);
  for (std::size_t i = 0; i < n; ++i) {
    b[i] = -rows.product(unknowns[i].row, w_.v);
    for (std::size_t j = 0; j < n; ++j) {
      const Unknown& u = unknowns[j];
      double& a = A[i * n + j] = rows.delassus(unknowns[i].row, u.row);
      if (u.c1 == 0.0 && u.c2 == 0.0) continue;
      a += u.c1 * rows.delassus(unknowns[i].row, u.row + 1);
      a += u.c2 * rows.delassus(unknowns[i].row, u.row + 2);
    }
  }
  const std::vector<double> r = solve_by_blocks(A, b);
  std::vector<double> P(rows.count, 0.0);
  for (std::size_t j = 0; j < n; ++j) {
    P[unknowns[j].row] += r[j];
    if (unknowns[j].c1 == 0.0 && unknowns[j].c2 == 0.0) continue;
    P[unknowns[j].row + 1] += unknowns[j].c1 * r[j];
    P[unknowns[j].row + 2] += unknowns[j].c2 * r[j];
  }
  std::vector<double> before(w_.v);
  for (std::size_t i = 0; i < rows.count; ++i) rows.push_along(i, P[i], velocities());
  RigidMemory& memory = w_.modes.contacts.rigid;
  for (std::size_t i = 0; i < rows.count; ++i) {
    const double work = 0.5 * (rows.product(i, before) + rows.product(i, velocities())) * P[i];
    (i % 3 == 0 ? memory.lost_normal : memory.lost_friction) -= work;
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
  make_rows(w_, actors_, rows);
  std::vector<double> change(w_.tree.vdot);
  ForceProblem p{rows.W, std::vector<double>(rows.count), {}, std::vector<double>(rows.count, 0.0)};
  for (std::size_t k = 0; k < change.size(); ++k) change[k] -= w_.contacts.rigid.free[k];
  const std::size_t n = rows.count;
  for (std::size_t i = 0; i < staying.size(); ++i) {
    const Touch& touch = *staying[i];
    const RigidSite& s = touch.actor.site;
    const Vec3 a = relative_acceleration(w_, w_.modes.contacts.pairs[touch.actor.pair], s);
    p.q[3 * i] = dot(s.n, a) + s.turn;
    p.q[3 * i + 1] = dot(s.t1, a), p.q[3 * i + 2] = dot(s.t2, a);
    for (std::size_t k = 0; k < 3; ++k) p.q[3 * i + k] += rows.product(3 * i + k, change);
    p.mu.push_back(is_ray(touch) ? 0.0 : touch.mu_s);
    if (!is_ray(touch) || touch.mu_k == 0.0) continue;
    const Vec3 d = ray_direction(touch);
    const double c1 = touch.mu_k * dot(d, s.t1), c2 = touch.mu_k * dot(d, s.t2);
    for (std::size_t j = 0; j < n; ++j) {
      p.W[j * n + 3 * i] -= c1 * rows.W[j * n + 3 * i + 1] + c2 * rows.W[j * n + 3 * i + 2];
    }
    if (!(p.W[3 * i * n + 3 * i] > 0.0)) {
      refuse_paradox(touch, p.W[3 * i * n + 3 * i], p.q[3 * i]);
      return false;
    }
  }
  const ConeAnswer answer = solve_cones({p.W, p.q, 0, p.mu}, p.r);
  if (!answer.solved) {
    fail("forces of contacts", *staying[answer.worst_contact], answer.residual);
    return false;
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

void RigidSettler::decide_island(int island) {
  const double slowest = slow(island);
  for (Touch& touch : touches_) {
    if (touch.island != island) continue;
    const double rate = touch.actor.site.rate();
    touch.stays = std::abs(rate) <= slowest;
    touch.speed_in = std::abs(rate) > still(touch) ? rate : 0.0;
  }
  const std::vector<double> before(x_.begin(), x_.end());
  const RigidMemory& memory = w_.modes.contacts.rigid;
  const double lost[2] = {memory.lost_normal, memory.lost_friction};
  for (;;) {
    std::vector<Touch*> staying;
    bool moves = false;
    for (Touch& touch : touches_) {
      if (touch.island != island) continue;
      const double slip = norm(touch.actor.site.slip());
      moves |= touch.speed_in != 0.0 || (slip > 0.0 && slip <= touch.least && !is_ray(touch));
      if (touch.stays) staying.push_back(&touch);
    }
    if (staying.empty()) return;
    if (moves) stop(staying);
    if (!solve_forces(staying)) return;
    if (!drop_leaving(staying) && !sinks_in(staying)) return;
    std::ranges::copy(before, x_.begin());
    w_.modes.contacts.rigid.lost_normal = lost[0], w_.modes.contacts.rigid.lost_friction = lost[1];
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
