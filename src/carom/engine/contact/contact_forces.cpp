// Per pair: distance, points, and then
//
//   normal     fn_i = law(d_i, d_i'),  d_i = max(0, -phi_i),  d_i' = -n.(v_B - v_A)     (1)
//   friction   without memory at every point, with bristles once per pair, at the centre
//              of pressure p = sum fn_i p_i / sum fn_i with the patch radius
//              r = sum fn_i |p_i - p| / sum fn_i                                          (2)
//   explicit steps of fixed length h:  |ft| <= 0.1 m |slip| / h                           (3)
//                                      |fn_i - elastic part| <= 0.5 w_i m |d_i'| / h       (4)
//
// Force on B at the contact points, its opposite on A: Newton's third law holds to rounding.
#include "carom/engine/contact/contact_forces.h"

#include <algorithm>
#include <cmath>

#include "carom/base/index.h"
#include "carom/engine/contact/contact_part.h"
#include "carom/engine/contact/contact_slot.h"
#include "carom/engine/contact/energy_hold.h"
#include "carom/engine/contact/normal_forces.h"
#include "carom/engine/contact/patch_stiffness.h"
#include "carom/multibody/dynamics.h"

namespace carom {
namespace {

/// Share of a body's momentum that one contact may take in an explicit step (3). A sphere feels
/// a tangential force 3.5 times, by its turning, both partners feel it, and there may be three
/// contacts across a direction: 0.1 x 3.5 x 2 x 3 is just about what explicit methods bear.
constexpr double kFrictionPerStep = 0.1;
/// The same for the damping of a normal law (4): as much as ends the approach of two equal bodies,
/// and does not reverse it. A contact that began gently is damped most, and a blow that reaches it
/// later through its neighbours would be answered by a force thousands of times the elastic one. A
/// restitution of 0.1 in twenty steps needs no more than this.
constexpr double kDampingPerStep = 0.5;

class PairForces {
 public:
  PairForces(Workspace& w, const PairState& s, const SlotView& slot, Vec3* forces)
      : w_(w), s_(s), slot_(slot), forces_(forces) {}

  void apply(const Contact& contact, ContactReading& reading) {
    const int state = w_.model->contact.slot.normal;
    calc_normal_forces(s_, contact, state >= 0 && slot_.state ? slot_.state[state] : 0.0,
                       w_.contacts.scratch);
    energy_ = hold_back(w_, s_, slot_.state, reading);
    if (w_.step.explicit_step > 0.0) limit_damping();
    reading_ = &reading;
    reading.phi = has_springs() ? least_gap() : contact.phi;
    reading.normal = has_springs() ? w_.contacts.scratch.manifold.n_AB_W : contact.n_AB_W;
    reading.points = w_.contacts.scratch.manifold.count;
    note_nearest(contact);
    press();
    w_.ledger.contacts += energy_;
    if (!is_conservative(w_, s_.pair)) {
      w_.ledger.modelled += energy_;
      if (is_published(w_, s_.pair)) w_.ledger.published += energy_;
    }
    find_centre();
    if (has_springs()) spring_back();
    for (std::size_t i = 0; forces_ && i < at(w_.contacts.scratch.manifold.count); ++i) {
      forces_[i] = force_at(i) * normal_at(i);
    }
    if (reading.normal_force > 0.0)
      rub();
    else if (slot_.rate && s_.law.friction->has_bristle)
      relax_bristle();
    if (slot_.rate) {
      slot_.rate[SlotLayout::kImpulse] = reading.normal_force;
      slot_.rate[SlotLayout::kNormal] = reading.normal_power;
      slot_.rate[SlotLayout::kFriction] = reading.friction_power;
      slot_.rate[SlotLayout::kStored] = stored_power_;
      slot_.rate[SlotLayout::kBristle] = bristle_power_;
    }
    const Vec3 p = reading.point;
    apply_wrench(w_.tree, s_.B.link, p, {reading.torque, reading.force});
    apply_wrench(w_.tree, s_.A.link, p, {-reading.torque, -reading.force});
  }

 private:
  bool has_springs() const { return s_.pair.base.kind != SpringBase::points; }
  double least_gap() const {
    const Manifold& m = w_.contacts.scratch.manifold;
    double least = m.count > 0 ? m.points[0].phi : 0.0;
    for (std::size_t i = 1; i < at(m.count); ++i) least = std::min(least, m.points[i].phi);
    return least;
  }

  void note_nearest(const Contact& contact) {
    reading_->nearest_a = contact.p_WCa, reading_->nearest_b = contact.p_WCb;
    if (!has_springs()) return;
    const Manifold& m = w_.contacts.scratch.manifold;
    for (std::size_t i = 0; i < at(m.count); ++i) {
      if (m.points[i].phi != reading_->phi) continue;
      const Vec3 half = 0.5 * reading_->phi * reading_->normal;
      reading_->nearest_a = m.points[i].p_WC - half, reading_->nearest_b = m.points[i].p_WC + half;
      return;
    }
  }

  /// What the gradient of the energy is beyond forces along the normal at the points.
  void spring_back() {
    const ContactScratch& c = w_.contacts.scratch;
    Wrench rest = spring_wrench(s_, s_.pair.base, c.springs, reading_->point);
    const Vec3 w_rel = s_.LB.V.w - s_.LA.V.w;
    stored_power_ = -dot(rest.f, relative_velocity(s_, reading_->point)) - dot(rest.t, w_rel);
    for (std::size_t i = 0; i < at(c.manifold.count); ++i) {
      const Vec3 f = c.normal_out[i].elastic * reading_->normal;
      rest -= {cross(c.manifold.points[i].p_WC - reading_->point, f), f};
    }
    reading_->force += rest.f;
    reading_->torque += rest.t;
    reading_->rest = rest;
  }

  void limit_damping() {
    ContactScratch& c = w_.contacts.scratch;
    const double weights = sum_of_weights(c.manifold);
    for (std::size_t i = 0; i < at(c.manifold.count); ++i) {
      NormalOutput& out = c.normal_out[i];
      const double share = c.manifold.points[i].weight / weights;
      const double most = kDampingPerStep * share * s_.pair.mass *
                          std::abs(c.normal_in[i].depth_rate) / w_.step.explicit_step;
      out.force = out.elastic + std::clamp(out.force - out.elastic, -most, most);
    }
  }

  double force_at(std::size_t i) const { return w_.contacts.scratch.press[i]; }

  void press() {
    ContactScratch& c = w_.contacts.scratch;
    const bool may_be_apart = w_.step.look_ahead > 0.0;
    for (std::size_t i = 0; i < at(c.manifold.count); ++i) {
      c.press[i] = 0.0;
      if (!acts(s_.pair, c, i) || (may_be_apart && !(c.normal_in[i].depth > 0.0))) continue;
      const NormalOutput& out = c.normal_out[i];
      const double f = std::max(0.0, out.force), rate = c.normal_in[i].depth_rate;
      c.press[i] = f;
      reading_->normal_force += f;
      reading_->elastic_force += out.elastic;
      reading_->normal_power += (f - out.elastic) * rate + out.state_power;
      if (!has_springs()) stored_power_ += out.elastic * rate;
      const int state = w_.model->contact.slot.normal;
      // Points share one state, each with its weight.
      if (state >= 0 && slot_.rate) slot_.rate[state] += c.normal_in[i].weight * out.state_rate;
    }
  }

  void find_centre() {
    const ContactScratch& c = w_.contacts.scratch;
    const double total = reading_->normal_force;
    const double whole = total > 0.0 ? total : sum_of_weights(c.manifold);
    reading_->point = {};
    if (c.manifold.count == 0) reading_->point = s_.X_WB.p;  // nothing presses
    for (std::size_t i = 0; i < at(c.manifold.count); ++i) {
      const double share = (total > 0.0 ? force_at(i) : c.manifold.points[i].weight) / whole;
      reading_->point += share * c.manifold.points[i].p_WC;
    }
    // Forces act at their own points and all along the normal: about the centre of pressure
    // they leave no torque.
    reading_->force = total * reading_->normal;
    if (c.manifold.has_normals) turn_to_own_normals();
  }

  /// What the forces are beyond that where every point has its own normal.
  void turn_to_own_normals() {
    const Manifold& m = w_.contacts.scratch.manifold;
    for (std::size_t i = 0; i < at(m.count); ++i) {
      const Vec3 f = force_at(i) * m.points[i].n_AB_W;
      reading_->rest +=
          {cross(m.points[i].p_WC - reading_->point, f), f - force_at(i) * reading_->normal};
    }
    reading_->force += reading_->rest.f;
    reading_->torque += reading_->rest.t;
  }
  /// With springs there is one normal; otherwise it is that of the contact, unless points have
  /// their own.
  const Vec3& normal_at(std::size_t i) const {
    const Manifold& m = w_.contacts.scratch.manifold;
    return m.has_normals ? m.points[i].n_AB_W : reading_->normal;
  }

  /// The tangential part of a relative velocity.
  static Vec3 slip_of(const Vec3& v, const Vec3& n) { return v - dot(v, n) * n; }
  Vec3 slip_at(const Vec3& p) const { return slip_of(relative_velocity(s_, p), reading_->normal); }

  void rub() {
    reading_->slip_speed = norm(slip_at(reading_->point));
    if (s_.law.friction->has_bristle) {
      rub_with_bristle();
    } else {
      rub_at_points();
    }
    const Vec3 w_rel = s_.LB.V.w - s_.LA.V.w;
    const ResistanceInput in{reading_->normal_force, w_rel, reading_->normal,
                             combined_radius(s_.A.contact_radius, s_.B.contact_radius),
                             has_sphere(s_)};
    const Vec3 torque = s_.law.resistance->evaluate(in, s_.law.resistance_params);
    reading_->torque += torque;
    reading_->friction_power -= dot(torque, w_rel);
  }

  /// Near standstill friction is a damper so strong that an explicit step of fixed length
  /// would reverse the slip instead of ending it, and gain energy each time. No more of it than
  /// a step can bear (3): slip then decays over about ten steps, where the law says at once.
  void limit_friction(const Vec3& slip, Vec3& force) const {
    if (!(w_.step.explicit_step > 0.0)) return;
    const double most = kFrictionPerStep * s_.pair.mass / w_.step.explicit_step;  // [N.s/m]
    const double f2 = norm2(force), bound2 = most * most * norm2(slip);
    if (f2 > bound2) force = std::sqrt(bound2 / f2) * force;
  }

  /// Where a point rubs, be it where it presses or not.
  const Vec3& rub_point(std::size_t i) const {
    return s_.rub_points ? (*s_.rub_points)[i] : w_.contacts.scratch.manifold.points[i].p_WC;
  }

  void rub_at_points() {
    const ContactScratch& c = w_.contacts.scratch;
    FrictionInput in;
    FrictionOutput out;
    in.axis = s_.axis;
    for (std::size_t i = 0; i < at(c.manifold.count); ++i) {
      in.normal_force = force_at(i);
      if (in.normal_force <= 0.0) continue;
      const Vec3& p = rub_point(i);
      in.slip = slip_of(s_.rub_points ? relative_velocity(s_, p) : c.velocity[i], normal_at(i));
      s_.law.friction->evaluate(in, s_.law.friction_params, out);
      limit_friction(in.slip, out.force);
      if (forces_) forces_[i] += out.force;
      reading_->force += out.force;
      reading_->torque += cross(p - reading_->point, out.force);
      reading_->friction_power -= dot(out.force, in.slip);
    }
  }

  double patch_radius() const {  // (2)
    const ContactScratch& c = w_.contacts.scratch;
    double sum = 0.0;
    for (std::size_t i = 0; i < at(c.manifold.count); ++i) {
      sum += force_at(i) * norm(rub_point(i) - reading_->point);
    }
    return sum / reading_->normal_force;
  }

  /// Bristles stand on the body whose surface keeps its normal: a ball that rolls would turn them
  /// out of the plane in which they bend, and creep.
  bool b_carries() const { return s_.PA.is_round && !s_.PB.is_round; }

  /// Deflections are kept in the axes of A.
  void rub_with_bristle() {
    const Vec3& n = reading_->normal;
    const int first = w_.model->contact.slot.bristle;
    const double* z = slot_.state ? slot_.state + first : nullptr;
    FrictionInput in;
    in.normal_force = reading_->normal_force;
    in.slip = slip_at(reading_->point);
    in.spin = dot(n, s_.LB.V.w - s_.LA.V.w);
    in.radius = patch_radius();
    if (w_.step.explicit_step > 0.0) {
      in.step = w_.step.explicit_step;
      in.damping_most = kFrictionPerStep * s_.pair.mass / (in.step * in.normal_force);
      in.kicks = w_.step.kick_step > 0.0;
    }
    if (s_.law.friction->remembers_force) {
      add_patch_stiffness(w_.contacts.scratch, in);
      in.mass = s_.pair.mass;
      in.age = w_.t - s_.pair.begun;
      in.expected_load = expected_load(w_, s_.pair);
    }
    Vec3 z_W;
    if (z) {
      z_W = s_.X_WA.R * Vec3{z[0], z[1], z[2]};
      in.bristle = z_W - dot(n, z_W) * n;
      in.spin_bristle = z[3];
    }
    FrictionOutput out;
    s_.law.friction->evaluate(in, s_.law.friction_params, out);
    reading_->force += out.force;
    reading_->torque += out.torque * n;
    const double power = -dot(out.force, in.slip) - out.torque * in.spin;
    reading_->friction_power += power - out.stored_power;
    bristle_power_ += out.stored_power;
    w_.ledger.bristles += out.energy;
    if (bristles_last(s_.law)) w_.ledger.lasting += out.energy;
    if (!slot_.rate) return;
    Vec3 rate_W = out.bristle_rate;
    if (b_carries()) rate_W += cross(s_.LB.V.w - s_.LA.V.w, z_W);
    const Vec3 rate = transpose_times(s_.X_WA.R, rate_W);
    double* zdot = slot_.rate + first;
    zdot[0] = rate.x, zdot[1] = rate.y, zdot[2] = rate.z, zdot[3] = out.spin_bristle_rate;
  }

  /// Without load nothing deflects the bristles; they follow the next slip. Those whose force does
  /// not go with the load would bring theirs back with it, and straighten.
  void relax_bristle() {
    constexpr double kStraighten = 1e3;  // [1/s]
    const int first = w_.model->contact.slot.bristle;
    const bool straighten =
        s_.law.friction->per_load >= 0 && bristles_add_up(*s_.law.friction, s_.law.friction_params);
    const double h = w_.step.explicit_step, rate = h > 0.0 ? 1.0 / h : kStraighten;
    for (int k = 0; k < 4; ++k) {
      slot_.rate[first + k] = straighten && slot_.state ? -rate * slot_.state[first + k] : 0.0;
    }
  }

  Workspace& w_;
  const PairState& s_;
  SlotView slot_;
  Vec3* forces_;
  ContactReading* reading_ = nullptr;
  double stored_power_ = 0.0, bristle_power_ = 0.0;
  double energy_ = 0.0;
};

}  // namespace

StrongestForce strongest_force(Workspace& w, const PairState& s, const Contact& contact,
                               std::span<const double> x) {
  const ContactPair& pair = s.pair;
  if (!s.has_points && pair.base.kind == SpringBase::points) {
    find_points(s, contact, w.contacts.scratch.manifold);
  }
  const SlotView slot = slot_view(w, pair, x);
  const int state = w.model->contact.slot.normal;
  calc_normal_forces(s, contact, state >= 0 && slot.state ? slot.state[state] : 0.0,
                     w.contacts.scratch);
  StrongestForce strongest{-kInf, 0.0};
  for (std::size_t i = 0; i < at(w.contacts.scratch.manifold.count); ++i) {
    const NormalOutput& out = w.contacts.scratch.normal_out[i];
    if (!acts(pair, w.contacts.scratch, i) || !(out.force > strongest.force)) continue;
    // Laws grow like depth^1.5 or depth, and their damping with them.
    const double depth = w.contacts.scratch.normal_in[i].depth;
    strongest = {out.force, depth > 0.0 ? 2.0 * out.elastic / depth : 0.0};
  }
  return std::isfinite(strongest.force) ? strongest : StrongestForce{};
}

void apply_pair(Workspace& w, const PairState& s, std::span<const double> x, const Contact& contact,
                Vec3* forces, ContactReading& reading) {
  PairForces(w, s, slot_view(w, s.pair, x), forces).apply(contact, reading);
}

void prepare_contacts(Workspace& w) {
  const std::vector<ContactPair>& pairs = w.modes.contacts.pairs;
  w.contacts.touching.clear();
  w.contacts.islands_are_current = false;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    if (pairs[i].mode != ContactMode::apart) w.contacts.touching.push_back(i);
  }
  w.contacts.readings.resize(w.contacts.touching.size());
  w.contacts.noted.of_pair.reserve(pairs.size());  // event functions allocate nothing
  w.contacts.noted.q.reserve(w.q.size());
  for (const ContactPart* part : w.model->contact.parts) part->prepare(w);
  w.contacts.slot_rates.assign(at(w.modes.contacts.slot_count) * at(w.model->contact.slot.width),
                               0.0);
}

void apply_contacts(Workspace& w, std::span<const double> x) {
  w.ledger.contacts = w.ledger.modelled = w.ledger.bristles = w.ledger.published = 0.0;
  w.ledger.lasting = 0.0;
  std::fill(w.contacts.slot_rates.begin(), w.contacts.slot_rates.end(), 0.0);
  w.contacts.readings.resize(w.contacts.touching.size());
  for (std::size_t k = 0; k < w.contacts.touching.size(); ++k) {
    w.contacts.readings[k] = {};
    w.contacts.readings[k].pair = w.contacts.touching[k];
  }
  const auto pair_at = [&](std::size_t k) -> const ContactPair& {
    return w.modes.contacts.pairs[w.contacts.touching[k]];
  };
  for_runs(w, w.contacts.touching.size(), pair_at,
           [&](const ContactPart& part, std::size_t first, std::size_t last) {
             part.apply(w, x, first, last);
           });
}

bool remember_contacts(Workspace& w) {
  std::vector<ContactPair>& pairs = w.modes.contacts.pairs;
  bool changed = false;
  for_runs(
      w, pairs.size(), [&](std::size_t i) -> const ContactPair& { return pairs[i]; },
      [&](const ContactPart& part, std::size_t first, std::size_t last) {
        changed |= part.remember(w, std::span(pairs).subspan(first, last - first));
      });
  return changed;
}

}  // namespace carom
