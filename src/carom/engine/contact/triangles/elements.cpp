#include "carom/engine/contact/triangles/elements.h"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "carom/base/index.h"
#include "carom/engine/contact/contact_forces.h"
#include "carom/engine/contact/contact_slot.h"
#include "carom/engine/contact/triangles/live_elements.h"
#include "carom/multibody/dynamics.h"

namespace carom {
namespace {

/// As of other contacts in explicit steps of fixed length (contact_forces.cpp).
constexpr double kFrictionOfStep = 0.1, kDampingOfStep = 0.5;

/// What a bristle is after the way since the last accepted step.
Vec3 bristle_now(const Workspace& w, const PairState& s, const LiveElement& e, double force) {
  const Vec3 z = e.bristle - dot(e.n, e.bristle) * e.n;
  const double h = w.t - e.since;
  if (!(h > 0.0) || norm2(e.way) == 0.0) return z;
  FrictionInput in;
  FrictionOutput out;
  in.normal_force = force, in.bristle = z, in.step = h;
  in.slip = (1.0 / h) * (e.way - dot(e.n, e.way) * e.n);
  s.law.friction->evaluate(in, s.law.friction_params, out);
  return z + h * out.bristle_rate;
}

class ElementForces {
 public:
  ElementForces(Workspace& w, const PairState& s, const triangles::PatchLoad& patch,
                const SlotView& slot, ContactReading& reading)
      : w_(w), s_(s), patch_(patch), slot_(slot), reading_(reading) {}

  void apply(const std::vector<LiveElement>& elements, std::vector<NormalOutput>& out) {
    press(elements, out);
    hold_to_bank(elements, out);
    reading_.normal = patch_.normal;
    reading_.phi = -patch_.depth;
    const Vec3 half = 0.5 * patch_.depth * patch_.normal;
    reading_.nearest_a = patch_.volume_centre + half;
    reading_.nearest_b = patch_.volume_centre - half;
    reading_.points = static_cast<int>(elements.size());
    find_centre(elements, out);
    gather(elements, out);
    const Vec3 slip = relative_velocity(s_, reading_.point);
    reading_.slip_speed = norm(slip - dot(slip, patch_.normal) * patch_.normal);
    reading_.contact_area = patch_.area, reading_.circumference = patch_.length;
    reading_.energy = energy_;
    w_.ledger.contacts += energy_, w_.ledger.modelled += energy_;
    w_.ledger.published += energy_;
    if (slot_.rate) {
      slot_.rate[SlotLayout::kImpulse] = reading_.normal_force;
      slot_.rate[SlotLayout::kNormal] = reading_.normal_power;
      slot_.rate[SlotLayout::kFriction] = reading_.friction_power;
      slot_.rate[SlotLayout::kStored] = stored_power_;
      slot_.rate[SlotLayout::kBristle] = bristle_power_;
    }
    apply_wrench(w_.tree, s_.B.link, reading_.point, {reading_.torque, reading_.force});
    apply_wrench(w_.tree, s_.A.link, reading_.point, {-reading_.torque, -reading_.force});
  }

 private:
  double rate_of(const LiveElement& e) const { return -dot(e.n, relative_velocity(s_, e.p)); }

  /// The law of the contact has its own speed of approach; an element has another one.
  double rate_for_law(const LiveElement& e, double rate) const {
    const ContactStart& start = s_.pair.start;
    const double damping = s_.pair.constants[0];
    if (!s_.law.normal->uses_start || start.settling || !(start.speed > 0.0 && damping > 0.0)) {
      return rate;
    }
    const double most = s_.law.material.damping_max / damping;
    return e.speed * most > start.speed ? rate * start.speed / e.speed : rate * most;
  }

  void press(const std::vector<LiveElement>& elements, std::vector<NormalOutput>& out) {
    out.assign(elements.size(), {});
    const double K = 0.5 * pressure_factor(s_.law);
    for (std::size_t i = 0; i < elements.size(); ++i) {
      const LiveElement& e = elements[i];
      if (!(e.depth > 0.0)) continue;
      const double rate = rate_of(e), k = K * e.weight;
      NormalInput in{e.depth, rate_for_law(e, rate), k, 0.0, 1.0, 0.0, 0.0};
      s_.law.normal->evaluate({&in, 1}, s_.law.material, s_.law.normal_params, s_.pair.constants,
                              {&out[i], 1});
      out[i].force = std::max(0.0, out[i].force);
      if (!(w_.step.explicit_step > 0.0)) continue;
      const double most =
          kDampingOfStep * share_of(e) * s_.pair.mass * std::abs(rate) / w_.step.explicit_step;
      out[i].force = out[i].elastic + std::clamp(out[i].force - out[i].elastic, -most, most);
    }
  }

  double share_of(const LiveElement& e) const { return e.weight / patch_.length; }

  /// No more comes out than went in, as of patches: these forces are no gradient.
  void hold_to_bank(const std::vector<LiveElement>& elements, std::vector<NormalOutput>& out) {
    double least = 0.0;
    for (std::size_t i = 0; i < elements.size(); ++i) least += 0.5 * out[i].energy;
    energy_ = 2.0 * least;
    if (!slot_.state) return;
    const double S = s_.pair.guard.stored + slot_.state[SlotLayout::kStored];
    energy_ = std::max(0.0, S);
    const double eps = s_.pair.guard.share * s_.pair.guard.scale;
    if (!(S + eps < least)) return;
    const double rho = std::max(0.0, (S + eps) / least);
    reading_.held = true;
    for (NormalOutput& o : out) o.force *= rho, o.elastic *= rho;
  }

  void find_centre(const std::vector<LiveElement>& elements, const std::vector<NormalOutput>& out) {
    double sum = 0.0;
    Vec3 centre;
    for (std::size_t i = 0; i < elements.size(); ++i) {
      sum += out[i].force, centre += out[i].force * elements[i].p;
    }
    reading_.point = sum > 0.0 ? centre / sum : patch_.pressure_centre;
  }

  void gather(const std::vector<LiveElement>& elements, const std::vector<NormalOutput>& out) {
    Wrench normal, friction;
    for (std::size_t i = 0; i < elements.size(); ++i) {
      const LiveElement& e = elements[i];
      const double rate = rate_of(e);
      const Vec3 f = out[i].force * e.n, arm = e.p - reading_.point;
      normal += {cross(arm, f), f};
      reading_.elastic_force += out[i].elastic * dot(e.n, patch_.normal);
      reading_.normal_power += (out[i].force - out[i].elastic) * rate;
      stored_power_ += out[i].elastic * rate;
      const Vec3 rubbed = rub(e, out[i].force);
      friction += {cross(arm, rubbed), rubbed};
    }
    reading_.normal_force = std::max(0.0, dot(normal.f, patch_.normal));
    reading_.rest = {normal.t, normal.f - reading_.normal_force * patch_.normal};
    reading_.force = normal.f + friction.f;
    reading_.torque = normal.t + friction.t;
  }

  /// Force on B.
  Vec3 rub(const LiveElement& e, double force) {
    const FrictionLaw& law = *s_.law.friction;
    if (!(force > 0.0) && !law.has_bristle) return {};
    const Vec3 v = relative_velocity(s_, e.p);
    FrictionInput in;
    FrictionOutput out;
    in.normal_force = force, in.slip = v - dot(e.n, v) * e.n;
    const double h = w_.step.explicit_step;
    const double most = h > 0.0 ? kFrictionOfStep * share_of(e) * s_.pair.mass / h : kInf;
    if (law.has_bristle) {
      in.bristle = bristle_now(w_, s_, e, force);
      if (force > 0.0) in.damping_most = most / force;
    }
    law.evaluate(in, s_.law.friction_params, out);
    const double f = norm(out.force), bound = most * norm(in.slip);
    if (!law.has_bristle && f > bound) out.force = (bound / f) * out.force;
    const double power = -dot(out.force, in.slip);
    reading_.friction_power += power - out.stored_power;
    bristle_power_ += out.stored_power;
    w_.ledger.bristles += out.energy;
    if (bristles_last(s_.law)) w_.ledger.lasting += out.energy;
    return out.force;
  }

  Workspace& w_;
  const PairState& s_;
  const triangles::PatchLoad& patch_;
  SlotView slot_;
  ContactReading& reading_;
  double energy_ = 0.0, stored_power_ = 0.0, bristle_power_ = 0.0;
};

bool is_of_pieces(const TriangleElement& e, const ContactPair& pair) {
  return e.piece_a == pair.piece_a && e.piece_b == pair.piece_b;
}

/// The elements of one patch, noted; `live` has two or four per segment.
void note_patch(const Workspace& w, const PairState& s, const TrianglePieces& p,
                const std::vector<LiveElement>& live, std::vector<TriangleElement>& out) {
  const Pose X_AW = inverse(p.X_WA), X_BW = inverse(p.X_WB);
  std::uint32_t last = kNoIndex;
  for (const LiveElement& e : live) {
    const triangles::PatchSegment& segment = p.segments.segments[e.segment];
    if (e.segment != last) out.push_back({p.piece_a, p.piece_b, segment.a, segment.b, w.t, {}});
    last = e.segment;
    ElementEnd& end = out.back().ends[e.end];
    end.p_a = X_AW * e.p, end.p_b = X_BW * e.p;
    end.depth[e.side] = e.depth, end.speed[e.side] = e.speed;
    if (!s.law.friction->has_bristle) continue;
    const double K = 0.5 * pressure_factor(s.law);
    const Vec3 z = bristle_now(w, s, e, std::max(0.0, K * e.weight * e.depth));
    end.bristle[e.side] = transpose_times(p.X_WA.R, z);
  }
}

}  // namespace

void press_elements(Workspace& w, const PairState& s, std::span<const double> x,
                    const triangles::PatchLoad& patch, ContactReading& reading) {
  const TrianglePieces& p = find_pieces(w, s.pair);
  const auto own = static_cast<std::size_t>(&patch - p.state.patches.data());
  if (own >= p.segments.approach.size()) return;
  TriangleScratch& scratch = *w.contacts.triangles;
  find_live_elements(w, s, p, own, scratch.live);
  ElementForces(w, s, patch, slot_view(w, s.pair, x), reading).apply(scratch.live, scratch.pressed);
}

void remember_elements(Workspace& w, const ContactPair& pair) {
  std::vector<TriangleElement>& all = w.modes.contacts.elements;
  TriangleScratch& scratch = *w.contacts.triangles;
  const TrianglePieces& p = find_pieces(w, pair);
  scratch.noted.clear();
  for (const std::size_t i : p.sites) {
    const ContactPair& site = w.modes.contacts.pairs[i];
    if (site.mode == ContactMode::apart) continue;
    const triangles::PatchLoad* patch = find_patch(w, site);
    if (!patch) continue;
    const auto own = static_cast<std::size_t>(patch - p.state.patches.data());
    if (own >= p.segments.approach.size()) continue;
    const PairState s = pair_state(w, site);
    find_live_elements(w, s, p, own, scratch.live);
    note_patch(w, s, p, scratch.live, scratch.noted);
  }
  const auto key = [](const TriangleElement& e) {
    return std::tuple(e.piece_a, e.piece_b, e.a, e.b);
  };
  std::ranges::sort(scratch.noted, {}, key);
  std::erase_if(all, [&](const TriangleElement& e) { return is_of_pieces(e, pair); });
  const TriangleElement first{.piece_a = pair.piece_a, .piece_b = pair.piece_b, .ends = {}};
  const auto place = std::ranges::lower_bound(all, key(first), {}, key);
  all.insert(place, scratch.noted.begin(), scratch.noted.end());
}

}  // namespace carom
