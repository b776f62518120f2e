// Impacts of rigid bodies: all points that touch take part, through joints and loops. Joints that
// stick by friction give way: a finite force does nothing in no time.
#include <algorithm>
#include <cmath>

#include "carom/base/index.h"
#include "carom/base/patience.h"
#include "carom/base/text.h"
#include "carom/contact/cones/energetic_impact.h"
#include "carom/contact/cones/impact.h"
#include "carom/engine/contact/rigid/rigid_rows.h"
#include "carom/engine/contact/rigid/rigid_settler.h"
#include "carom/engine/events/contact_events.h"

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
    const Vec3 slip = site.slip();
    const double speed = norm(slip), mu = touches_[i].mu_k;
    if (!(speed > touches_[i].least)) continue;
    touches_[i].answer =
        rows.delassus(3 * i, 3 * i) - mu / speed *
                                          (dot(slip, site.t1) * rows.delassus(3 * i, 3 * i + 1) +
                                           dot(slip, site.t2) * rows.delassus(3 * i, 3 * i + 2));
  }
}

double RigidSettler::landing_height(bool is_even) const {
  const double given = w_.model->scene.contact.rigid.landing_height;
  // Lower ones are lost in what gaps resolve: their speeds would not become less any more.
  if (given > 0.0) return std::max(given, kLanding);
  if (w_.model->scene.contact.rigid.landing_rule == kPaperLanding) return kPaperHeight;
  return is_even ? kEvenLanding : kLanding;
}

/// Points of the island that move slower than this along their normals would rise less than the
/// height of landing.
double RigidSettler::slow(int island) const {
  double fastest = 0.0;
  for (const Touch& touch : touches_) {
    if (touch.island != island) continue;
    const double fall = std::max(0.0, touch.fall);
    fastest = std::max(
        {fastest, still(touch), std::sqrt(2.0 * fall * landing_height(false) * touch.size)});
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
    if (w_.model->scene.contact.rigid.landing_rule == kPaperLanding) continue;
    if (record == records.end() || !(rate > 0.0 && touch.fall > 0.0 && e < 1.0)) continue;
    const double limit = t_ + 2.0 * rate / (touch.fall * (1.0 - e));
    const bool is_low = rate * rate < 2.0 * touch.fall * landing_height(true) * touch.size;
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

/// What impacts have done to the pieces of a pair, made anew where there is none yet.
RigidRecord& RigidSettler::record_of(const ContactPair& pair) {
  std::vector<RigidRecord>& records = w_.modes.contacts.rigid.records;
  const auto before = [](const RigidRecord& r, const ContactPair& p) {
    return r.piece_a != p.piece_a ? r.piece_a < p.piece_a : r.piece_b < p.piece_b;
  };
  auto place = std::lower_bound(records.begin(), records.end(), pair, before);
  const bool known =
      place != records.end() && place->piece_a == pair.piece_a && place->piece_b == pair.piece_b;
  if (!known) place = records.insert(place, {pair.piece_a, pair.piece_b, 0, 0, {}, 0.0});
  return *place;
}

void RigidSettler::book(const ContactPair& pair, const Struck& s) {
  RigidRecord& record = record_of(pair);
  ++record.impacts, ++record.since_landing;
  record.impulse += s.impulse;
  if (!outcome_) return;
  tell("impact", pair, s.approach);
  EngineEvent& event = outcome_->events.back();
  event.impulse = norm(s.impulse);
  event.separation = s.separation;
  event.lost_normal = s.lost_normal, event.lost_friction = s.lost_friction;
  event.energy_lost = s.lost_normal + s.lost_friction;
  event.share = s.share, event.points = s.points;
}

/// Points of an island that take part in an impact: all, or those of the pair that approaches
/// fastest, and of pairs that are as fast.
std::vector<Touch*> RigidSettler::choose_struck(int island, bool one_by_one) {
  constexpr double kEqual = 1e-9;
  std::vector<Touch*> own;
  double fastest = 0.0;
  for (const Touch& touch : touches_) {
    if (touch.island == island) fastest = std::max(fastest, -touch.actor.site.rate());
  }
  for (Touch& touch : touches_) {
    if (touch.island != island) continue;
    const auto is_hit = [&](const Touch& other) {
      return other.actor.pair == touch.actor.pair &&
             -other.actor.site.rate() >= (1.0 - kEqual) * fastest;
    };
    if (!one_by_one || std::ranges::any_of(touches_, is_hit)) own.push_back(&touch);
  }
  return own;
}

/// Bodies that go on approaching whatever impulses act: time steps would not part them either.
void RigidSettler::refuse_jam(const Touch& touch, double speed) {
  has_failed_ = true;
  if (!outcome_ || !outcome_->failure.empty()) return;
  outcome_->failure = jam_text(w_, t_, {touch.actor.pair, speed});
}

/// One impact of these points; again, with more of them, where a rim would sink in between.
RigidSettler::Strike RigidSettler::strike(std::span<Touch* const> own, bool is_plastic) {
  actors_.clear();
  for (const Touch* touch : own) actors_.push_back(touch->actor);
  RigidRows& rows = w_.contacts.rigid.rows;
  make_rows(w_, actors_, rows, true);
  std::vector<double> u, mu, e, P(rows.count, 0.0);
  for (const Touch* touch : own) {
    const RigidSite& s = touch->actor.site;
    const ContactPair& pair = w_.modes.contacts.pairs[touch->actor.pair];
    u.insert(u.end(), {s.rate(), dot(s.t1, s.u), dot(s.t2, s.u)});
    mu.push_back(touch->mu_k);
    const double given = restitution_at(w_.model->contact.laws[at(pair.law)].material, -s.rate());
    e.push_back(is_plastic ? 0.0 : given);
  }
  const RigidSpec& spec = w_.model->scene.contact.rigid;
  const auto law = std::ranges::find(kImpactLaws, spec.law) - kImpactLaws.begin();
  std::vector<double> lever;
  for (std::size_t k = 0; k < own.size(); ++k) {
    lever.push_back(own[k]->spin_radius * own[k]->mu_k);
    if (rows.spin[k] == RigidRows::kNone) continue;
    u.push_back(spin_rate(w_, w_.modes.contacts.pairs[own[k]->actor.pair], own[k]->actor.site));
  }
  const ImpactProblem problem{
      rows.W, u, mu, e, still(*own.front()), static_cast<ImpactLaw>(law), spec.slip_regularisation};
  for (std::size_t k = 0; k < own.size(); ++k) {  // nothing that an impulse could move
    if (!(approaches(*own[k]) && rows.delassus(3 * k, 3 * k) == 0.0)) continue;
    refuse_jam(*own[k], -u[3 * k]);
    return Strike::failed;
  }
  const ImpactAnswer answer = strike_and_drill(rows, problem, lever, P);
  if (!answer.cones.solved) {
    fail("the impulses of an impact", *own[answer.cones.worst_contact], answer.cones.residual);
    return Strike::failed;
  }
  std::vector<double> parts;  // u_n+ + e u_n-
  double fastest = 0.0;
  for (std::size_t k = 0; k < own.size(); ++k) {
    const std::size_t row = 3 * k;
    double after = u[row];
    for (std::size_t j = 0; j < rows.count; ++j) after += rows.delassus(row, j) * P[j];
    parts.push_back(after + e[k] * u[row]);
    fastest = std::max({fastest, std::abs(u[row]), std::abs(after)});
  }
  // Of constraints that contradict each other the answer has huge impulses, and misses them.
  constexpr double kMissed = 1e-3;
  for (std::size_t k = 0; k < own.size(); ++k) {
    const double after = parts[k] - e[k] * u[3 * k];
    if (!(after < -kMissed * fastest)) continue;
    refuse_jam(*own[k], -after);
    return Strike::failed;
  }
  if (cut_faces(own, parts, -1e-9 * fastest)) return Strike::again;
  for (std::size_t i = 0; i < rows.count; ++i) rows.push_along(i, P[i], velocities());
  book_pairs(own, u, P, answer.share);
  return Strike::done;
}

/// What pairs have taken and lost: 1/2 (u+ + u-) . P of their points.
void RigidSettler::book_pairs(std::span<Touch* const> own, std::span<const double> u,
                              std::span<const double> P, double share) {
  const RigidRows& rows = w_.contacts.rigid.rows;
  // Impulses beside others that are as many times larger have come about by rounding.
  constexpr double kRounding = 1e-14;
  double most = 0.0;
  for (const double r : P) most = std::max(most, std::abs(r));
  RigidMemory& memory = w_.modes.contacts.rigid;
  Struck pair;
  for (std::size_t k = 0; k < own.size(); ++k) {
    const RigidSite& s = own[k]->actor.site;
    const double after = rows.product(3 * k, velocities());
    pair.impulse += P[3 * k] * s.n + P[3 * k + 1] * s.t1 + P[3 * k + 2] * s.t2;
    if (-u[3 * k] >= pair.approach) pair.approach = -u[3 * k], pair.separation = after;
    for (std::size_t r = 3 * k; r < 3 * k + 3; ++r) {
      const double lost = -0.5 * (u[r] + rows.product(r, velocities())) * P[r];
      (r % 3 == 0 ? pair.lost_normal : pair.lost_friction) += lost;
    }
    if (rows.spin[k] != RigidRows::kNone) {
      const std::size_t r = rows.spin[k];
      pair.lost_friction -= 0.5 * (u[r] + rows.product(r, velocities())) * P[r];
    }
    const bool ends = k + 1 == own.size() || own[k + 1]->actor.pair != own[k]->actor.pair;
    if (!ends) continue;
    memory.lost_normal += pair.lost_normal, memory.lost_friction += pair.lost_friction;
    pair.share = share, pair.points = static_cast<double>(own.size());
    if (norm(pair.impulse) > kRounding * most)
      book(w_.modes.contacts.pairs[own[k]->actor.pair], pair);
    pair = {};
  }
}

/// Where impacts are off a point that approaches ends the run. Where a run begins nobody listens:
/// the point is left open there, above its gap, and is met within the first step, as an event.
void RigidSettler::refuse_impacts() {
  const Touch* fastest = nullptr;
  for (const Touch& touch : touches_) {
    if (!approaches(touch)) continue;
    if (!fastest || touch.actor.site.rate() < fastest->actor.site.rate()) fastest = &touch;
  }
  if (!fastest || !outcome_) return;
  has_failed_ = true;
  // A caller that goes on nevertheless finds the same again.
  ContactPair& pair = w_.modes.contacts.pairs[fastest->actor.pair];
  pair.lift = lift_of(*fastest);
  for (RigidPoint& p : w_.modes.contacts.rigid.points) {
    if (is_point_of(p, pair) && p.feature == fastest->actor.site.feature) p.lift = pair.lift;
  }
  if (!outcome_->failure.empty()) return;
  outcome_->failure = "impact at t = " + number_text(t_) + ": " + pair_name(w_, pair) +
                      " approach each other at " + rounded_text(-fastest->actor.site.rate()) +
                      " m/s, and contact.rigid.impact is off";
}

/// An impact without collision: the point presses and slides until its slip ends, as in no time,
/// and then parts. False where it does not end.
bool RigidSettler::strike_alone(Touch& touch) {
  constexpr double kApproach = 1e-12;  // of the slip, so that it begins
  release_joints();
  if (factor_mass(w_.model->tree, w_.tree) != Status::ok) return false;
  actors_.assign(1, touch.actor);
  RigidRows& rows = w_.contacts.rigid.rows;
  make_rows(w_, actors_, rows);
  const RigidSite& s = touch.actor.site;
  const ContactPair& pair = w_.modes.contacts.pairs[touch.actor.pair];
  std::vector<double> u{s.rate(), dot(s.t1, s.u), dot(s.t2, s.u)}, P(3, 0.0);
  u[0] = std::min(u[0], -kApproach * norm(s.slip()));
  const double e = restitution_at(w_.model->contact.laws[at(pair.law)].material, 0.0);
  if (!solve_energetic(rows.W, u, touch.mu_k, e, P)) return false;
  for (std::size_t i = 0; i < rows.count; ++i) rows.push_along(i, P[i], velocities());
  tell("paradox", pair, touch.answer);
  Touch* const own[] = {&touch};
  book_pairs(own, u, P, 1.0);
  refresh();
  return true;
}

/// A point that slides and does not approach, where pressure pulls it in. An impact would hide
/// that: it stops the slip at once, from any speed. Whether it was left by one without collision.
bool RigidSettler::meets_paradox() {
  constexpr double kTouches = 1e-6;  // of the slip
  const bool strikes = w_.model->scene.contact.rigid.paradox == "impact";
  bool has_struck = false;
  for (Touch& touch : touches_) {
    const double slip = norm(touch.actor.site.slip());
    if (touch.slow > 0.0 || !(slip > touch.least) || touch.answer > 0.0) continue;
    if (std::abs(touch.actor.site.rate()) > kTouches * slip) continue;
    if (strikes && outcome_ && touch.fall > 0.0 && strike_alone(touch)) {
      has_struck = true;
      continue;
    }
    refuse_paradox(touch, touch.answer, -touch.fall);
    break;
  }
  return has_struck;
}

void RigidSettler::bounce() {
  // Rims take up to 32 points: they are kept early enough for all of them.
  constexpr int kMost = 50, kPerPair = 100, kMostRenewed = 8;
  const RigidSpec& spec = w_.model->scene.contact.rigid;
  const bool one_by_one = spec.resolution == "sequential";
  const int most = one_by_one ? kPerPair * static_cast<int>(touches_.size()) : kMost;
  calc_falls();
  refresh();
  bool has_struck = meets_paradox();
  if (has_failed_) return;
  if (spec.law == kNoImpacts || !outcome_) return refuse_impacts();
  for (int round = 0; round <= most && !has_failed_ && !Patience::is_over(); ++round) {
    const auto hit = std::ranges::find_if(touches_, [&](const Touch& t) { return approaches(t); });
    if (hit == touches_.end()) break;
    if (!has_struck) release_joints();
    has_struck = true;
    if (factor_mass(w_.model->tree, w_.tree) != Status::ok) break;
    keeps_added_ = round >= kMostRenewed;
    const bool is_last = round == most;  // what strikes without end comes to rest
    const std::vector<Touch*> own = choose_struck(hit->island, one_by_one && !is_last);
    const Strike struck = strike(own, is_last);
    if (struck == Strike::failed) break;
    if (struck == Strike::done) refresh();
  }
  if (!has_struck) return;
  follow_joints();
  calc_falls();
  refresh();
  foresee_landings();
}

}  // namespace carom
