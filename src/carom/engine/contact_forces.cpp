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
#include "carom/engine/contact_forces.h"

#include <algorithm>
#include <cmath>

#include "carom/base/index.h"
#include "carom/engine/contact_points.h"
#include "carom/engine/patch_stiffness.h"
#include "carom/geometry/core_kinds.h"
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

struct SlotView {
  const double* state = nullptr;  ///< null where the state holds no contacts
  double* rate = nullptr;
};

SlotView slot_view(Workspace& w, const ContactPair& pair, std::span<const double> x) {
  const SlotLayout& layout = w.model->contact.slot;
  const std::size_t offset = at(pair.slot) * at(layout.width);
  const std::size_t first = w.model->size() + offset;
  if (pair.slot < 0 || first + at(layout.width) > x.size()) return {};
  return {x.data() + first, w.slot_rates.data() + offset};
}

/// (1) before clamping, into the scratch; the points are there.
void calc_normal_forces(const PairState& s, const Contact& contact, double normal_state,
                        ContactScratch& scratch) {
  const Manifold& m = scratch.manifold;
  const double depth = std::max(0.0, -contact.phi);
  const ContactStiffness k = unit_stiffness(s, contact, m, depth);
  const double radius = combined_radius(s.A.contact_radius, s.B.contact_radius);
  const auto count = static_cast<std::size_t>(m.count);
  for (std::size_t i = 0; i < count; ++i) {
    const ManifoldPoint& p = m.points[i];
    scratch.velocity[i] = relative_velocity(s, p.p_WC);
    const double rate = -dot(m.n_AB_W, scratch.velocity[i]);
    scratch.normal_in[i] = {std::max(0.0, -p.phi), rate,     p.weight * k.linear,
                            p.weight * k.hertz,    p.weight, radius,
                            normal_state};
    scratch.normal_in[i].has_sphere = has_sphere(s);
  }
  s.law.normal->evaluate({scratch.normal_in.data(), count}, s.law.material, s.law.normal_params,
                         s.pair.constants, {scratch.normal_out.data(), count});
}

/// Whether a point of the contact acts. A contact of one point has begun and acts until its
/// end is located; of several, those that do not overlap keep out of it.
bool acts(const ContactScratch& scratch, std::size_t i) {
  return scratch.manifold.count == 1 || scratch.normal_in[i].depth > 0.0;
}

class PairForces {
 public:
  PairForces(Workspace& w, const PairState& s, const SlotView& slot) : w_(w), s_(s), slot_(slot) {}

  void apply(const Contact* known, ContactReading& reading) {
    const Contact contact = find_all(s_, known, w_.scratch.manifold);
    if (s_.connection && s_.connection->low_pass > 0.0) filter_points();
    const int state = w_.model->contact.slot.normal;
    calc_normal_forces(s_, contact, state >= 0 && slot_.state ? slot_.state[state] : 0.0,
                       w_.scratch);
    if (w_.explicit_step > 0.0) limit_damping();
    if (s_.connection && w_.scratch.manifold.count > 1) note_gaps();
    reading_ = &reading;
    reading.phi = contact.phi;
    reading.normal = contact.n_AB_W;
    reading.points = w_.scratch.manifold.count;
    press();
    find_centre();
    if (s_.connection) list_points();
    if (reading.normal_force > 0.0)
      rub();
    else if (slot_.rate && s_.law.friction->has_bristle)
      relax_bristle();
    if (slot_.rate) {
      slot_.rate[SlotLayout::kImpulse] = reading.normal_force;
      slot_.rate[SlotLayout::kNormal] = reading.normal_power;
      slot_.rate[SlotLayout::kFriction] = reading.friction_power;
      slot_.rate[SlotLayout::kStored] = stored_power_;
    }
    const Vec3 p = reading.point;
    apply_wrench(w_.tree, s_.B.link, p, {reading.torque, reading.force});
    apply_wrench(w_.tree, s_.A.link, p, {-reading.torque, -reading.force});
  }

 private:
  /// Points of connected surfaces that begin or cease to press while the contact lasts are kinks,
  /// not events.
  void note_gaps() {
    const Manifold& m = w_.scratch.manifold;
    for (std::size_t i = 0; i < at(m.count); ++i) w_.point_gaps.push_back(m.points[i].phi);
  }

  /// The movement d of the points goes through a low-pass of second order (Bessel, -3 dB at
  /// omega): y + a y'/omega + b y''/omega² = d. Points are moved by y - d.
  void filter_points() {
    constexpr double kA = 1.3617, kB = 0.6180;  // Tietze and Schenk, Electronic Circuits
    Manifold& m = w_.scratch.manifold;
    const int first = w_.model->contact.slot.filter;
    if (!slot_.state || m.count == 0) return;
    const double* y = slot_.state + first;
    const double omega = s_.connection->low_pass;
    const Vec3 value{y[0], y[1], y[2]}, rate{y[3], y[4], y[5]};
    const Vec3 moved = mean_point(s_, m) - s_.pair.home;
    const Vec3 bend = (omega * omega / kB) * (moved - value - (kA / omega) * rate);
    double* ydot = slot_.rate + first;
    for (std::size_t k = 0; k < 3; ++k) ydot[k] = rate[k], ydot[3 + k] = bend[k];
    const Vec3 shift = carrier(s_).R * (value - moved);
    for (std::size_t i = 0; i < at(m.count); ++i) m.points[i].p_WC += shift;
  }

  void limit_damping() {
    ContactScratch& c = w_.scratch;
    const double weights = sum_of_weights(c.manifold);
    for (std::size_t i = 0; i < at(c.manifold.count); ++i) {
      NormalOutput& out = c.normal_out[i];
      const double share = c.manifold.points[i].weight / weights;
      const double most = kDampingPerStep * share * s_.pair.mass *
                          std::abs(c.normal_in[i].depth_rate) / w_.explicit_step;
      out.force = out.elastic + std::clamp(out.force - out.elastic, -most, most);
    }
  }

  double force_at(std::size_t i) const { return w_.scratch.press[i]; }

  void press() {
    ContactScratch& c = w_.scratch;
    for (std::size_t i = 0; i < at(c.manifold.count); ++i) {
      c.press[i] = 0.0;
      if (!acts(c, i)) continue;
      const NormalOutput& out = c.normal_out[i];
      const double f = std::max(0.0, out.force), rate = c.normal_in[i].depth_rate;
      c.press[i] = f;
      reading_->normal_force += f;
      reading_->elastic_force += out.elastic;
      reading_->normal_power += (f - out.elastic) * rate + out.state_power;
      stored_power_ += out.elastic * rate;
      w_.contact_energy += out.energy;
      const int state = w_.model->contact.slot.normal;
      // Points share one state, each with its weight.
      if (state >= 0 && slot_.rate) slot_.rate[state] += c.normal_in[i].weight * out.state_rate;
    }
  }

  void find_centre() {
    const ContactScratch& c = w_.scratch;
    const double total = reading_->normal_force;
    const double whole = total > 0.0 ? total : sum_of_weights(c.manifold);
    reading_->point = {};
    for (std::size_t i = 0; i < at(c.manifold.count); ++i) {
      const double share = (total > 0.0 ? force_at(i) : c.manifold.points[i].weight) / whole;
      reading_->point += share * c.manifold.points[i].p_WC;
    }
    // Forces act at their own points and all along the normal: about the centre of pressure
    // they leave no torque.
    reading_->force = total * reading_->normal;
  }

  /// Points of connected surfaces are results of their own.
  void list_points() {
    const Manifold& m = w_.scratch.manifold;
    points_ = &w_.surface_points[at(s_.pair.connection)];
    points_->count = std::min(at(m.count), SurfacePoints::kMost);
    for (std::size_t i = 0; i < points_->count; ++i) {
      points_->points[i] = {m.points[i].p_WC, force_at(i) * reading_->normal, m.points[i].phi,
                            m.points[i].weight};
    }
    points_->area = m.area, points_->length = m.length;
    reading_->area = m.count == 0     ? ContactArea::none
                     : m.area > 0.0   ? ContactArea::plane
                     : m.length > 0.0 ? ContactArea::line
                                      : ContactArea::point;
  }

  /// The tangential part of a relative velocity.
  Vec3 slip_of(const Vec3& v) const { return v - dot(v, reading_->normal) * reading_->normal; }
  Vec3 slip_at(const Vec3& p) const { return slip_of(relative_velocity(s_, p)); }

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
    if (!(w_.explicit_step > 0.0)) return;
    const double most = kFrictionPerStep * s_.pair.mass / w_.explicit_step;  // [N.s/m]
    const double f2 = norm2(force), bound2 = most * most * norm2(slip);
    if (f2 > bound2) force = std::sqrt(bound2 / f2) * force;
  }

  void rub_at_points() {
    const ContactScratch& c = w_.scratch;
    FrictionInput in;
    FrictionOutput out;
    if (s_.connection) in.axis = flat_axis(s_);
    for (std::size_t i = 0; i < at(c.manifold.count); ++i) {
      in.normal_force = force_at(i);
      if (in.normal_force <= 0.0) continue;
      const Vec3& p = c.manifold.points[i].p_WC;
      in.slip = slip_of(c.velocity[i]);
      s_.law.friction->evaluate(in, s_.law.friction_params, out);
      limit_friction(in.slip, out.force);
      if (points_ && i < points_->count) points_->points[i].force += out.force;
      reading_->force += out.force;
      reading_->torque += cross(p - reading_->point, out.force);
      reading_->friction_power -= dot(out.force, in.slip);
    }
  }

  double patch_radius() const {  // (2)
    const ContactScratch& c = w_.scratch;
    double sum = 0.0;
    for (std::size_t i = 0; i < at(c.manifold.count); ++i) {
      sum += force_at(i) * norm(c.manifold.points[i].p_WC - reading_->point);
    }
    return sum / reading_->normal_force;
  }

  /// Deflections are kept in the axes of A, so that they turn with it.
  void rub_with_bristle() {
    const Vec3& n = reading_->normal;
    const int first = w_.model->contact.slot.bristle;
    const double* z = slot_.state ? slot_.state + first : nullptr;
    FrictionInput in;
    in.normal_force = reading_->normal_force;
    in.slip = slip_at(reading_->point);
    in.spin = dot(n, s_.LB.V.w - s_.LA.V.w);
    in.radius = patch_radius();
    if (w_.explicit_step > 0.0) {
      in.step = w_.explicit_step;
      in.damping_most = kFrictionPerStep * s_.pair.mass / (in.step * in.normal_force);
      in.kicks = w_.kick_step > 0.0;
    }
    if (s_.law.friction->remembers_force) {
      add_patch_stiffness(w_.scratch, in);
      in.mass = s_.pair.mass;
      in.age = w_.t - s_.pair.begun;
      in.expected_load = expected_load(w_, s_.pair);
    }
    if (z) {
      const Vec3 z_W = s_.X_WA.R * Vec3{z[0], z[1], z[2]};
      in.bristle = z_W - dot(n, z_W) * n;
      in.spin_bristle = z[3];
    }
    FrictionOutput out;
    s_.law.friction->evaluate(in, s_.law.friction_params, out);
    reading_->force += out.force;
    reading_->torque += out.torque * n;
    const double power = -dot(out.force, in.slip) - out.torque * in.spin;
    reading_->friction_power += power - out.stored_power;
    stored_power_ += out.stored_power;
    w_.contact_energy += out.energy;
    if (!slot_.rate) return;
    const Vec3 rate = transpose_times(s_.X_WA.R, out.bristle_rate);
    double* zdot = slot_.rate + first;
    zdot[0] = rate.x, zdot[1] = rate.y, zdot[2] = rate.z, zdot[3] = out.spin_bristle_rate;
  }

  /// Without load nothing deflects the bristles; they follow the next slip.
  void relax_bristle() {
    double* zdot = slot_.rate + w_.model->contact.slot.bristle;
    for (int k = 0; k < 4; ++k) zdot[k] = 0.0;
  }

  Workspace& w_;
  const PairState& s_;
  SlotView slot_;
  SurfacePoints* points_ = nullptr;
  ContactReading* reading_ = nullptr;
  double stored_power_ = 0.0;
};

/// Mass that a contact sees of a link; the world is infinitely heavy.
double mass_of(const Workspace& w, int link) {
  return link == 0 ? kInf : w.model->tree.links[at(link)].inertia.m;
}

}  // namespace

StrongestForce strongest_force(Workspace& w, const ContactPair& pair, const Contact& contact,
                               std::span<const double> x) {
  const PairState s = pair_state(w, pair);
  if (!s.connection) find_points(s, contact, w.scratch.manifold);
  const SlotView slot = slot_view(w, pair, x);
  const int state = w.model->contact.slot.normal;
  calc_normal_forces(s, contact, state >= 0 && slot.state ? slot.state[state] : 0.0, w.scratch);
  StrongestForce strongest{-kInf, 0.0};
  for (std::size_t i = 0; i < at(w.scratch.manifold.count); ++i) {
    const NormalOutput& out = w.scratch.normal_out[i];
    if (!acts(w.scratch, i) || !(out.force > strongest.force)) continue;
    // Laws grow like depth^1.5 or depth, and their damping with them.
    const double depth = w.scratch.normal_in[i].depth;
    strongest = {out.force, depth > 0.0 ? 2.0 * out.elastic / depth : 0.0};
  }
  return strongest;
}

double elastic_energy(Workspace& w, const ContactPair& pair, const Contact& contact,
                      std::span<const double> x) {
  strongest_force(w, pair, contact, x);  // fills the scratch
  double energy = 0.0;
  for (std::size_t i = 0; i < at(w.scratch.manifold.count); ++i) {
    if (acts(w.scratch, i)) energy += w.scratch.normal_out[i].energy;
  }
  return energy;
}

bool is_conservative(const Workspace& w, const ContactPair& pair) {
  const ContactModel& model = w.model->contact;
  if (pair.connection >= 0 || model.laws[at(pair.law)].friction->has_bristle) return false;
  const CoreKind *A = model.colliders[pair.a].core.kind, *B = model.colliders[pair.b].core.kind;
  const bool a_is_ball = A == &core_point, b_is_ball = B == &core_point;
  return (a_is_ball && b_is_ball) || (a_is_ball && B == &core_half_space) ||
         (b_is_ball && A == &core_half_space);
}

double lighter_mass(const Workspace& w, const ContactPair& pair) {
  const std::vector<Collider>& colliders = w.model->contact.colliders;
  return std::min(mass_of(w, colliders[pair.a].link), mass_of(w, colliders[pair.b].link));
}

double expected_load(const Workspace& w, const ContactPair& pair) {
  const double speed2 = pair.start.speed * pair.start.speed;
  const double stop = speed2 > 0.0 ? 0.5 * speed2 / pair.expected_depth : 0.0;
  const double load = pair.mass * (norm(w.parameters.gravity.uniform) + stop);
  return std::isfinite(load) ? load : 0.0;
}

double expected_depth(Workspace& w, const ContactPair& pair, const Contact& contact) {
  const PairState s = pair_state(w, pair);
  if (!s.connection) find_points(s, contact, w.scratch.manifold);
  const double mass = lighter_mass(w, pair);
  const double weight = mass * norm(w.parameters.gravity.uniform);
  const double kinetic = 0.5 * mass * pair.start.speed * pair.start.speed;
  if (!(std::isfinite(mass) && (weight > 0.0 || kinetic > 0.0))) return kInf;
  // The energy of the law grows with depth: bisection of its logarithm.
  double low = 1e-15, high = std::min(s.A.reach, s.B.reach);
  NormalInput in;
  NormalOutput out;
  for (int i = 0; i < 50; ++i) {
    const double d = std::sqrt(low * high);
    const ContactStiffness k = unit_stiffness(s, contact, w.scratch.manifold, d);
    in.weight = s.connection ? total_weight(s.connection->area) : 1.0;
    in.depth = d;
    in.linear = in.weight * k.linear, in.hertz = in.weight * k.hertz;
    in.radius = combined_radius(s.A.contact_radius, s.B.contact_radius);
    in.has_sphere = has_sphere(s);
    s.law.normal->evaluate({&in, 1}, s.law.material, s.law.normal_params, pair.constants,
                           {&out, 1});
    (out.energy > kinetic && out.elastic > weight ? high : low) = d;
  }
  return high;
}

void prepare_contacts(Workspace& w) {
  const std::vector<ContactPair>& pairs = w.modes.contacts.pairs;
  w.touching.clear();
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    if (pairs[i].mode != ContactMode::apart) w.touching.push_back(i);
  }
  w.readings.resize(w.touching.size());
  w.point_gaps.reserve(w.model->contact.connections.size() * SurfacePoints::kMost);
  w.surface_points.assign(w.model->contact.connections.size(), {});
  w.slot_rates.assign(at(w.modes.contacts.slot_count) * at(w.model->contact.slot.width), 0.0);
}

void apply_contacts(Workspace& w, std::span<const double> x) {
  w.contact_energy = w.modelled_energy = 0.0;
  for (SurfacePoints& p : w.surface_points) p.count = 0, p.area = p.length = 0.0;
  std::fill(w.slot_rates.begin(), w.slot_rates.end(), 0.0);
  for (std::size_t k = 0; k < w.touching.size(); ++k) {
    const std::size_t i = w.touching[k];
    const ContactPair& pair = w.modes.contacts.pairs[i];
    const PairState s = pair_state(w, pair);
    w.readings[k] = {};
    w.readings[k].pair = i;
    const Contact* known = w.known_contacts.are_current ? &w.known_contacts.of_pair[i] : nullptr;
    const double before = w.contact_energy;
    PairForces(w, s, slot_view(w, pair, x)).apply(known, w.readings[k]);
    if (!is_conservative(w, pair)) w.modelled_energy += w.contact_energy - before;
  }
}

}  // namespace carom
