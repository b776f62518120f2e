#include "carom/engine/contact/rigid/rigid_settle.h"

#include <algorithm>
#include <cmath>

#include "carom/base/index.h"
#include "carom/base/patience.h"
#include "carom/base/text.h"
#include "carom/engine/contact/contact_forces.h"
#include "carom/engine/contact/contact_part.h"
#include "carom/engine/contact/rigid/rigid_hold.h"
#include "carom/engine/contact/rigid/rigid_settler.h"
#include "carom/engine/events/contact_events.h"
#include "carom/engine/events/contact_life.h"

namespace carom {
namespace {

/// What a pair does as a whole.
RigidState state_of(const std::vector<RigidPoint>& points, const ContactPair& pair) {
  RigidState state = RigidState::open;
  for (const RigidPoint& p : points) {
    if (!is_point_of(p, pair) || p.state == RigidState::open) continue;
    if (p.state != RigidState::sticking) return RigidState::sliding;
    state = RigidState::sticking;
  }
  return state;
}

/// Which points of a pair press.
std::vector<RigidFeature> closed_features(const std::vector<RigidPoint>& points,
                                          const ContactPair& pair) {
  std::vector<RigidFeature> features;
  for (const RigidPoint& p : points) {
    if (is_point_of(p, pair) && p.state != RigidState::open) features.push_back(p.feature);
  }
  return features;
}

/// By what a gap phi is lifted at least, to be seen to close.
double seen_height(const Workspace& w, const ContactPair& pair, double phi) {
  return 8.0 * rigid_resolution(w, pair) - phi;
}

}  // namespace

std::span<double> RigidSettler::velocities() { return x_.subspan(w_.model->nq(), w_.model->nv()); }

void RigidSettler::tell(const char* kind, const ContactPair& pair, double value) {
  if (outcome_) outcome_->events.push_back(contact_event(w_, t_, kind, pair, value));
}

void RigidSettler::fail(const std::string& what, const Touch& touch, double residual) {
  has_failed_ = true;
  if (!outcome_ || !outcome_->failure.empty()) return;
  outcome_->may_step = true;
  outcome_->failure = what + " at t = " + number_text(t_) + " are not found: the contact of " +
                      pair_name(w_, w_.modes.contacts.pairs[touch.actor.pair]) +
                      " misses its law by " + rounded_text(residual);
}

/// Bodies that meet where nothing says which way they part: edge along edge.
void RigidSettler::refuse_meeting(const ContactPair& pair) {
  has_failed_ = true;
  if (!outcome_ || !outcome_->failure.empty()) return;
  outcome_->may_step = true;
  outcome_->failure = "contact of " + pair_name(w_, pair) + " at t = " + number_text(t_) +
                      " has no normal: an edge meets an edge along it, or a corner a corner; take "
                      "time steps (run: {integrator: time_stepping, step: 0.001})";
}

/// Bodies of which nothing says where they touch. Whether they do: time steps can go on from there.
/// Where a run begins nobody listens: they are lifted, and meet within the first step.
bool RigidSettler::meets_unknown(ContactPair& pair, double share) {
  const double phi = nearest_site(w_, pair).phi;
  if (!(phi <= share * rigid_size(w_, pair))) return false;
  if (!outcome_) {
    pair.lift = {seen_height(w_, pair, std::min(0.0, phi)), t_, t_ - 1.0};
    return false;
  }
  has_failed_ = true;
  if (!outcome_->failure.empty()) return true;
  outcome_->may_step = true;
  outcome_->failure = pair_name(w_, pair) + " meet at t = " + number_text(t_) +
                      ", and events of the contact of such shapes are not known";
  return true;
}

/// The points of all rigid pairs whose gap is closed.
void RigidSettler::collect() {
  // Slip that is as slow as the event which ends it is none: it would go on below that speed,
  // where nothing ends it any more.
  constexpr double kNoSlip = 1.001;
  const double share = outcome_ ? kTogether : kRigidStart;
  std::vector<RigidSite> sites;
  evaluate_kinematics(w_, t_, x_);
  std::vector<ContactPair>& pairs = w_.modes.contacts.pairs;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    if (&part_for(w_, pairs[i]) != &rigid_part) continue;
    pairs[i].lift = {};
    const auto& colliders = w_.model->contact.colliders;
    if (!touch_is_known(w_.model->contact, colliders[pairs[i].a], colliders[pairs[i].b])) {
      if (meets_unknown(pairs[i], share)) return;
      continue;
    }
    find_sites(w_, pairs[i], sites);
    const PairMaterial& material = w_.model->contact.laws[at(pairs[i].law)].material;
    const double size = rigid_size(w_, pairs[i]);
    if (sites.empty() && has_features(w_, pairs[i]) &&
        nearest_site(w_, pairs[i]).phi < -unseen_overlap(w_, pairs[i])) {
      return refuse_meeting(pairs[i]);
    }
    for (const RigidSite& site : sites) {
      if (!(site.phi <= share * size) && !site.is_pressed) continue;
      Touch touch;
      touch.actor = {i, site};
      touch.is_rim = site.face != 0;
      touch.mu_k = material.mu_k, touch.mu_s = material.mu_s;
      touch.spin_radius = material.spin_radius;
      touch.size = size;
      touch.slow = regularised_slip(w_), touch.least = kNoSlip * least_slip(w_, pairs[i]);
      touches_.push_back(touch);
    }
  }
  note_faces();
}

void RigidSettler::find_islands() {
  const auto& colliders = w_.model->contact.colliders;
  std::vector<LinkPair> joined;
  const auto links = [&](const Touch& touch) {
    const ContactPair& pair = w_.modes.contacts.pairs[touch.actor.pair];
    return LinkPair{colliders[pair.a].link, colliders[pair.b].link};
  };
  for (const Touch& touch : touches_) joined.push_back(links(touch));
  islands_ = carom::find_islands(*w_.model, joined);
  for (Touch& touch : touches_) {
    const LinkPair pair = links(touch);
    touch.island = islands_.of_link[at(pair.a > 0 ? pair.a : pair.b)];
  }
}

/// Points where the links are now, after x has changed.
void RigidSettler::refresh() {
  evaluate_kinematics(w_, t_, x_);
  for (Touch& touch : touches_) {
    const ContactPair& pair = w_.modes.contacts.pairs[touch.actor.pair];
    const bool is_pressed = touch.actor.site.is_pressed;
    touch.actor.site = find_site(w_, pair, touch.actor.site.feature, touch.actor.site.side);
    touch.actor.site.is_pressed = is_pressed;
  }
}

/// Speeds below this are rounding.
double RigidSettler::still(const Touch& touch) const {
  constexpr double kRounding = 1e-13;
  double fastest = 0.0;
  for (const int i : islands_.links[at(touch.island)]) {
    const LinkState& L = w_.tree.links[at(i)];
    fastest = std::max(fastest, norm(L.V.v) + norm(L.V.w) * touch.size);
  }
  return kRounding * fastest + 1e-300;
}

/// What a gap that opens is lifted by: to eight times what it resolves.
RigidLift RigidSettler::lift_of(const Touch& touch) const {
  const ContactPair& pair = w_.modes.contacts.pairs[touch.actor.pair];
  const double rate = touch.actor.site.rate();
  RigidLift lift{seen_height(w_, pair, std::min(0.0, touch.actor.site.phi)), t_, t_ - 1.0};
  if (touch.rests) lift.height += kTogether * touch.size;
  // Taken off once the gap is twenty times as wide, if it gets that wide at all.
  constexpr double kWide = 20.0;
  const double opens = kWide * lift.height / rate;
  if (!touch.rests && rate > 0.0 && opens * touch.fall < 0.5 * rate) lift.until = t_ + opens;
  return lift;
}

/// The points of a pair as the run is to remember them.
void RigidSettler::add_points(std::size_t index, std::vector<RigidPoint>& points) {
  const ContactPair& pair = w_.modes.contacts.pairs[index];
  const auto first = static_cast<std::ptrdiff_t>(points.size());
  std::vector<RigidSite> sites;
  find_sites(w_, pair, sites);
  for (const RigidSite& site : sites) {
    RigidPoint open;
    open.piece_a = pair.piece_a, open.piece_b = pair.piece_b;
    open.branch = pair.branch, open.feature = site.feature;
    if (has_features(w_, pair)) open.side = site.side;
    points.push_back(open);
  }
  for (const Touch& touch : touches_) {
    if (touch.actor.pair != index) continue;
    const RigidSite& site = touch.actor.site;
    const auto place = std::find_if(points.begin() + first, points.end(),
                                    [&](const RigidPoint& p) { return p.feature == site.feature; });
    const bool is_new = place == points.end();  // a point of a rim between others
    RigidPoint& p = is_new ? points.emplace_back() : *place;
    p = {pair.piece_a,
         pair.piece_b,
         pair.branch,
         site.feature,
         touch.state,
         lift_of(touch),
         touch.direction,
         touch.centre,
         site.side,
         touch.spin,
         touch.runs_out && touch.state == RigidState::sliding};
  }
}

/// Begins and ends the contact of a pair, and tells what has changed.
void RigidSettler::switch_pair(std::size_t index, const std::vector<RigidPoint>& before) {
  ContactPair& pair = w_.modes.contacts.pairs[index];
  const RigidState was = state_of(before, pair),
                   is = state_of(w_.modes.contacts.rigid.points, pair);
  if (is == RigidState::open) {
    if (pair.mode == ContactMode::apart) return;
    EventOutcome unused;
    end_contact(w_, t_, x_, pair, outcome_ ? *outcome_ : unused, "lift_off");
    return;
  }
  if (pair.mode == ContactMode::apart) {
    begin_ahead(w_, t_, pair);
    pair.told = true;
    double limit = t_;
    for (const Touch& touch : touches_) {
      if (touch.actor.pair != index || !(touch.speed_in > 0.0) || !(touch.fall > 0.0)) continue;
      const PairMaterial& material = w_.model->contact.laws[at(pair.law)].material;
      const double e = restitution_at(material, touch.speed_in);
      if (e < 1.0 && w_.model->scene.contact.rigid.landing_rule != kPaperLanding) {
        limit = std::max(limit, t_ + 2.0 * touch.speed_in / (touch.fall * (1.0 - e)));
      }
    }
    tell("landing", pair, limit);
  } else if (was != RigidState::open) {
    if (was != is) tell(is == RigidState::sticking ? "stick" : "slip", pair, 0.0);
    const std::vector<RigidFeature> now = closed_features(w_.modes.contacts.rigid.points, pair);
    if (has_features(w_, pair) && closed_features(before, pair) != now) {
      tell("contact_moves", pair, static_cast<double>(now.size()));
    }
  }
}

void RigidSettler::remember_points() {
  std::vector<ContactPair>& pairs = w_.modes.contacts.pairs;
  const std::vector<RigidPoint> before = std::move(w_.modes.contacts.rigid.points);
  std::vector<RigidPoint>& points = w_.modes.contacts.rigid.points;
  points.clear();
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    const Touch* lowest = nullptr;
    bool holds = false;
    for (const Touch& touch : touches_) {
      if (touch.actor.pair != i) continue;
      holds |= touch.state != RigidState::open;
      if (!lowest || touch.actor.site.phi < lowest->actor.site.phi) lowest = &touch;
    }
    if (lowest && !holds) pairs[i].lift = lift_of(*lowest);
    if (holds) add_points(i, points);
  }
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    if (&part_for(w_, pairs[i]) == &rigid_part) switch_pair(i, before);
  }
  prepare_contacts(w_);
}

/// Slip that is nearly over and decelerates along itself ends by itself, at an instant that is
/// located; any other that is as slow has no direction of its own.
void RigidSettler::note_slips() {
  constexpr double kStraight = 1e-3, kSoon = 1e-6;
  for (const RigidForce& f : w_.contacts.rigid.forces) {
    if (w_.modes.contacts.rigid.points[f.point].state != RigidState::sliding) continue;
    const RigidSite& site = f.actor.site;
    const ContactPair& pair = w_.modes.contacts.pairs[f.actor.pair];
    const double least = least_slip(w_, pair), over = 1e-5 * least;
    const Vec3 slip = site.slip();
    const Vec3 a = relative_acceleration(w_, pair, site);
    const Vec3 turn = cross(site.n, slip);
    const double speed = norm(slip), brake = -dot(a, slip) / speed;
    if (!(speed > over && speed <= 2.0 * least) || !(brake * kSoon > speed)) continue;
    if (std::abs(dot(a, turn)) > kStraight * brake * speed) continue;
    for (Touch& touch : touches_) {
      if (touch.actor.pair == f.actor.pair && touch.actor.site.feature == site.feature) {
        touch.runs_out = true;
      }
    }
  }
}

/// Kinetic energy and what impacts have taken of it [J].
double RigidSettler::energy() {
  evaluate_kinematics(w_, t_, x_);
  const RigidMemory& memory = w_.modes.contacts.rigid;
  return kinetic_energy(w_.model->tree, w_.tree, w_.v) + memory.lost_normal + memory.lost_friction;
}

void RigidSettler::run() {
  // Between the ends of steps states lie on the contacts up to the error of the interpolant.
  if (outcome_ && holds_bodies(w_)) {
    project_on_contacts(w_, t_, x_);
    evaluate(w_, t_, x_);
  }
  collect();
  if (!has_failed_ && !touches_.empty()) {
    if (outcome_) note_slips();
    find_islands();
    const double before = energy();
    bounce();
    if (!has_failed_) decide();
    // What bodies that move as prescribed give in an impact is work of what moves them.
    if (w_.model->has_motion && outcome_) w_.modes.rows.drive += energy() - before;
  }
  if (has_failed_) return;
  remember_points();
  if (holds_bodies(w_)) project_on_contacts(w_, t_, x_);
  raise_lifts();
}

/// Gaps that open have moved by what was projected, and a rim is lower between its points than
/// they are: no lifted gap is to begin below zero, since it would not be seen to close.
void RigidSettler::raise_lifts() {
  for (ContactPair& pair : w_.modes.contacts.pairs) {
    if (pair.mode != ContactMode::apart || !(pair.lift.height > 0.0)) continue;
    if (&part_for(w_, pair) != &rigid_part) continue;
    pair.lift.height =
        std::max(pair.lift.height, seen_height(w_, pair, nearest_site(w_, pair).phi));
  }
  for (RigidPoint& p : w_.modes.contacts.rigid.points) {
    if (p.state != RigidState::open) continue;
    for (const ContactPair& pair : w_.modes.contacts.pairs) {
      if (!is_point_of(p, pair)) continue;
      const double height = seen_height(w_, pair, find_site(w_, pair, p.feature, p.side).phi);
      if (height > 0.0) p.lift.height = std::max(p.lift.height, height);
    }
  }
}

void lift_due_impacts(Workspace& w, double t, std::span<const double> x) {
  if (!w.model->contact.has_rigid || w.modes.banks) return;
  evaluate_kinematics(w, t, x);
  const auto raise = [&](const ContactPair& pair, double phi, RigidLift& lift) {
    if (phi + lift.at(t) < 0.0) lift = {seen_height(w, pair, phi), t, t - 1.0};
  };
  for (ContactPair& pair : w.modes.contacts.pairs) {
    if (&part_for(w, pair) != &rigid_part) continue;
    if (pair.mode == ContactMode::apart) raise(pair, nearest_site(w, pair).phi, pair.lift);
    for (RigidPoint& p : w.modes.contacts.rigid.points) {
      if (p.state != RigidState::open || !is_point_of(p, pair)) continue;
      raise(pair, find_site(w, pair, p.feature, p.side).phi, p.lift);
    }
  }
}

std::string jam_text(const Workspace& w, double t, const RigidJam& jam) {
  return "constraints contradict each other at t = " + number_text(t) + ": the contact of " +
         pair_name(w, w.modes.contacts.pairs[jam.pair]) + " misses its law by " +
         rounded_text(jam.speed) +
         " m/s; what is moved as prescribed presses bodies that cannot yield (a drive with a "
         "bounded force could)";
}

/// Whether a point that was to press pulls after all, since it lies on the far side of a border
/// between curvatures now. It is the one to leave.
bool pulls_somewhere(Workspace& w, double t, std::span<const double> x) {
  constexpr double kPull = 1e-6;  // of the largest force: far beyond rounding
  if (!holds_bodies(w) || evaluate(w, t, x) != Status::ok) return false;
  const RigidForce* worst = nullptr;
  double most = 0.0;
  for (const RigidForce& f : w.contacts.rigid.forces) {
    most = std::max(most, std::abs(f.normal));
    if (!worst || f.normal < worst->normal) worst = &f;
  }
  if (!worst || !(worst->normal < -kPull * most)) return false;
  const RigidPoint& p = w.modes.contacts.rigid.points[worst->point];
  w.contacts.rigid.fall = {t, p.piece_a, p.piece_b, p.branch, p.feature, true};
  return true;
}

/// Whether a disc that was to stand on one side of its rim lies on the other. A body that comes
/// down flat is put on its contacts by the error of the step, which may turn it beyond: the point
/// that is followed would be the highest of the rim, no event would tell, and the body sinks in.
/// Decided anew it stands on the other side, with at most half of that tilt, until it counts as
/// flat.
bool has_turned_over(Workspace& w, double t, std::span<const double> x) {
  if (!holds_bodies(w)) return false;
  evaluate_kinematics(w, t, x);
  for (const RigidPoint& p : w.modes.contacts.rigid.points) {
    if (p.state == RigidState::open) continue;
    for (const ContactPair& pair : w.modes.contacts.pairs) {
      if (!is_point_of(p, pair) || !has_rims(w, pair)) continue;
      const RigidSite site = find_site(w, pair, p.feature, p.side);
      if (margin_of_rim(w, pair, site) < 0.0 && find_site(w, pair, p.feature, {}).phi < site.phi) {
        return true;
      }
    }
  }
  return false;
}

void settle_rigid(Workspace& w, double t, std::span<double> x, EventOutcome* outcome) {
  constexpr int kMostRounds = 3, kMostTurns = 16;
  int rounds = 0;
  if (!w.model->contact.has_rigid || w.modes.banks) return;  // time steps decide for themselves
  for (int turns = 0; turns < kMostTurns && !Patience::is_over(); ++turns) {
    RigidSettler settler(w, t, x, outcome);
    settler.run();
    if (!outcome || !outcome->failure.empty()) break;
    if (has_turned_over(w, t, x)) continue;
    if (!pulls_somewhere(w, t, x) || ++rounds == kMostRounds) break;
  }
  evaluate_kinematics(w, t, x);
}

}  // namespace carom
