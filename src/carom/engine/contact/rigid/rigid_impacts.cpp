// Impacts of rigid bodies: all points that touch take part, through joints and loops. Joints that
// stick by friction give way: a finite force does nothing in no time.
#include <algorithm>
#include <cmath>

#include "carom/base/index.h"
#include "carom/contact/cones/impact.h"
#include "carom/engine/contact/rigid/rigid_rows.h"
#include "carom/engine/contact/rigid/rigid_settler.h"

namespace carom {

/// Accelerations towards contact as if nothing pressed.
void RigidSettler::calc_falls() {
  std::vector<RigidPoint> kept;
  std::swap(kept, w_.modes.contacts.rigid.points);
  const Status status = evaluate(w_, t_, x_);
  std::swap(kept, w_.modes.contacts.rigid.points);
  if (status != Status::ok) return;
  actors_.clear();
  for (const Touch& touch : touches_) actors_.push_back(touch.actor);
  RigidRows& rows = w_.contacts.rigid.rows;
  make_rows(w_, actors_, rows);
  std::vector<double> change(w_.tree.vdot);
  for (std::size_t k = 0; k < change.size(); ++k) change[k] -= w_.contacts.rigid.free[k];
  for (std::size_t i = 0; i < touches_.size(); ++i) {
    const RigidSite& site = touches_[i].actor.site;
    const ContactPair& pair = w_.modes.contacts.pairs[touches_[i].actor.pair];
    const double a = dot(site.n, relative_acceleration(w_, pair, site)) + site.turn;
    touches_[i].fall = -(a + rows.product(3 * i, change));
  }
}

/// Points of the island that move slower than this along their normals would rise less than the
/// height of landing.
double RigidSettler::slow(int island) const {
  double fastest = 0.0;
  for (const Touch& touch : touches_) {
    if (touch.island != island) continue;
    const double fall = std::max(0.0, touch.fall);
    fastest = std::max({fastest, still(touch), std::sqrt(2.0 * fall * kLanding * touch.size)});
    if (touch.is_even) fastest = std::max(fastest, touch.actor.site.rate());
  }
  return fastest;
}

/// Whether the bounce before this one told the same end of all bounces as this one does: then
/// bodies fall evenly, and where it is low enough nothing is gained by following more of them.
void RigidSettler::foresee_landings() {
  constexpr double kAgree = 2e-13;
  std::vector<std::pair<RigidRecord*, double>> limits;
  for (Touch& touch : touches_) {
    const double rate = touch.actor.site.rate();
    const ContactPair& pair = w_.modes.contacts.pairs[touch.actor.pair];
    const auto is_own = [&](const RigidRecord& r) {
      return r.piece_a == pair.piece_a && r.piece_b == pair.piece_b;
    };
    std::vector<RigidRecord>& records = w_.modes.contacts.rigid.records;
    const auto record = std::ranges::find_if(records, is_own);
    const double e = restitution_at(w_.model->contact.laws[at(pair.law)].material, rate);
    touch.is_even = false;
    if (record == records.end() || !(rate > 0.0 && touch.fall > 0.0 && e < 1.0)) continue;
    const double limit = t_ + 2.0 * rate / (touch.fall * (1.0 - e));
    const bool is_low = rate * rate < 2.0 * touch.fall * kEvenLanding * touch.size;
    touch.is_even = is_low && std::abs(limit - record->limit) <= kAgree * std::max(1.0, limit);
    limits.emplace_back(&*record, limit);
  }
  for (const auto& [record, limit] : limits) record->limit = limit;
  // One that does not agree keeps all of its island in the air.
  for (Touch& touch : touches_) {
    const auto is_odd = [&](const Touch& other) {
      return other.island == touch.island && !other.is_even &&
             other.actor.site.rate() > still(other);
    };
    if (std::ranges::any_of(touches_, is_odd)) touch.is_even = false;
  }
}

bool RigidSettler::approaches(const Touch& touch) const {
  return touch.actor.site.rate() < -slow(touch.island);
}

void RigidSettler::release_joints() {
  for (const DofElement& e : w_.parameters.dofs) {
    if (e.friction >= 0 && e.motion < 0) w_.tree.known[at(e.v)] = 0;
  }
}

/// Joints that an impact has set in motion slide.
void RigidSettler::follow_joints() {
  for (const DofElement& e : w_.parameters.dofs) {
    if (e.friction < 0 || e.motion >= 0) continue;
    const double v = velocities()[at(e.v)];
    if (v != 0.0) w_.modes.friction[at(e.friction)] = static_cast<std::int8_t>(v > 0.0 ? 1 : -1);
  }
  apply_modes(w_);
}

void RigidSettler::book(const ContactPair& pair, const Vec3& impulse, double approach,
                        double lost) {
  std::vector<RigidRecord>& records = w_.modes.contacts.rigid.records;
  const auto before = [](const RigidRecord& r, const ContactPair& p) {
    return r.piece_a != p.piece_a ? r.piece_a < p.piece_a : r.piece_b < p.piece_b;
  };
  auto place = std::lower_bound(records.begin(), records.end(), pair, before);
  const bool known =
      place != records.end() && place->piece_a == pair.piece_a && place->piece_b == pair.piece_b;
  if (!known) place = records.insert(place, {pair.piece_a, pair.piece_b, 0, 0, {}, 0.0});
  ++place->impacts, ++place->since_landing;
  place->impulse += impulse;
  if (!outcome_) return;
  tell("impact", pair, approach);
  EngineEvent& event = outcome_->events.back();
  event.impulse = norm(impulse);
  event.energy_lost = lost;
  event.duration = 0.0;
}

/// One impact of all points of an island. False where it is not found.
bool RigidSettler::strike(int island) {
  std::vector<Touch*> own;
  actors_.clear();
  for (Touch& touch : touches_) {
    if (touch.island == island) own.push_back(&touch), actors_.push_back(touch.actor);
  }
  RigidRows& rows = w_.contacts.rigid.rows;
  make_rows(w_, actors_, rows);
  std::vector<double> u, mu, e, P(rows.count, 0.0);
  for (const Touch* touch : own) {
    const RigidSite& s = touch->actor.site;
    const ContactPair& pair = w_.modes.contacts.pairs[touch->actor.pair];
    u.insert(u.end(), {s.rate(), dot(s.t1, s.u), dot(s.t2, s.u)});
    mu.push_back(touch->mu_k);
    e.push_back(restitution_at(w_.model->contact.laws[at(pair.law)].material, -s.rate()));
  }
  const ImpactProblem problem{rows.W, u, mu, e, still(*own.front())};
  const ImpactAnswer answer = solve_impact(problem, P);
  if (!answer.cones.solved) {
    fail("the impulses of an impact", *own[answer.cones.worst_contact], answer.cones.residual);
    return false;
  }
  for (std::size_t i = 0; i < rows.count; ++i) rows.push_along(i, P[i], velocities());
  const ImpactWork work = impact_work(problem, P);
  w_.modes.contacts.rigid.lost_normal -= work.normal;
  w_.modes.contacts.rigid.lost_friction -= work.tangential;
  // What a pair has lost: 1/2 (u+ + u-) . P of its points.
  std::size_t first = 0;
  for (std::size_t k = 0; k < own.size(); ++k) {
    const bool ends = k + 1 == own.size() || own[k + 1]->actor.pair != own[k]->actor.pair;
    if (!ends) continue;
    Vec3 impulse;
    double approach = 0.0, lost = 0.0;
    for (std::size_t i = first; i <= k; ++i) {
      const RigidSite& s = own[i]->actor.site;
      impulse += P[3 * i] * s.n + P[3 * i + 1] * s.t1 + P[3 * i + 2] * s.t2;
      approach = std::max(approach, -u[3 * i]);
      for (std::size_t r = 3 * i; r < 3 * i + 3; ++r) {
        lost -= 0.5 * (u[r] + rows.product(r, velocities())) * P[r];
      }
    }
    first = k + 1;
    if (norm2(impulse) > 0.0) {
      book(w_.modes.contacts.pairs[own[k]->actor.pair], impulse, approach, lost);
    }
  }
  return true;
}

void RigidSettler::bounce() {
  constexpr int kMost = 50;
  calc_falls();
  refresh();
  bool has_struck = false;
  for (int round = 0; round < kMost && !has_failed_; ++round) {
    const auto hit = std::ranges::find_if(touches_, [&](const Touch& t) { return approaches(t); });
    if (hit == touches_.end()) break;
    if (!has_struck) release_joints();
    has_struck = true;
    if (factor_mass(w_.model->tree, w_.tree) != Status::ok || !strike(hit->island)) break;
    refresh();
  }
  if (!has_struck) return;
  follow_joints();
  calc_falls();
  refresh();
  foresee_landings();
}

}  // namespace carom
