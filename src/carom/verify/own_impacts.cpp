// Every impact of a run from the rows around it; (3) of own_rigid.h.
#include <algorithm>
#include <cmath>

#include "carom/verify/own_balance.h"
#include "carom/verify/own_flight.h"
#include "carom/verify/own_rigid.h"

namespace carom::verify {
namespace {

/// A row of samples, or of events.
struct Place {
  const RecordedBodies* of = nullptr;
  std::size_t row = 0;
  double time() const { return of->rows().time[row]; }
};

/// A body at the instant of an impact.
struct Sides {
  bool is_known = false;
  Flight before, after;
  double unsure = 0.0;  ///< of its momentum [N.s]
};

double restitution(const Restitution& e, double v) {
  if (e.kind == Restitution::Kind::constant) return e.value;
  if (e.kind == Restitution::Kind::power) {
    return std::min(1.0, e.value * std::pow(v / e.reference, -e.exponent));
  }
  return NAN;
}

class ImpactCheck {
 public:
  ImpactCheck(const RecordedBodies& samples, const RecordedBodies& before,
              const RecordedBodies& after, std::span<const EngineEvent> events)
      : samples_(samples),
        before_(before),
        after_(after),
        events_(events.last(after.rows().rows())),
        balance_(samples.model()) {}

  void run() {
    for (std::size_t first = 0, last = 0; first < events_.size(); first = last) {
      for (last = first; last < events_.size() && is_same(first, last);) ++last;
      const auto is_impact = [](const EngineEvent& e) { return e.kind == "impact"; };
      const auto group = events_.subspan(first, last - first);
      if (std::ranges::any_of(group, is_impact)) instant(first, last);
    }
  }

  void tell(std::vector<Recomputed>& out) const {
    for (const Recomputed* r : {&momentum_, &spin_, &impulse_, &speeds_, &cone_, &energy_}) {
      if (r->values > 0) out.push_back(*r);
    }
    balance_.tell(out);
  }

 private:
  bool is_same(std::size_t i, std::size_t k) const {
    return std::abs(events_[k].time - events_[i].time) <= rounding(events_[i].time);
  }
  static double rounding(double t) { return 1e-13 * std::max(1.0, std::abs(t)); }
  static void take(Recomputed& r, double difference) {
    ++r.values;
    if (!(difference <= r.difference)) r.difference = difference;
  }

  /// The last row before the events from `first` on; of is null where there is none.
  Place row_before(std::size_t first) const {
    const std::vector<double>& t = samples_.rows().time;
    const double now = events_[first].time;
    const auto next = std::ranges::lower_bound(t, now - rounding(now));
    Place place;
    if (next != t.begin()) place = {&samples_, static_cast<std::size_t>(next - t.begin()) - 1};
    // A sample at the instant of an event may be of either side of it.
    if (first > 0 && (!place.of || events_[first - 1].time >= place.time() - rounding(now))) {
      place = {&after_, first - 1};
    }
    return place;
  }

  /// The state just before the events from `first` on; of is null where none was recorded.
  Place state_before(std::size_t first) const {
    const std::vector<double>& t = before_.rows().time;
    const double now = events_[first].time;
    const auto found = std::ranges::lower_bound(t, now - rounding(now));
    if (found == t.end() || *found > now + rounding(now)) return {};
    return {&before_, static_cast<std::size_t>(found - t.begin())};
  }

  const MassProperties& mass_of(std::size_t body) const {
    return samples_.model().bodies[body].mass;
  }

  Flight flight_at(const Place& at, std::size_t body) const {
    const Moment m = at.of->moment(body, at.row);
    const Pose X = at.of->pose(body, at.row);
    return {m.p, m.v, to_quat(X.R), m.spin};
  }

  Vec3 torque_at(const Place& at, std::size_t body) const {
    const std::string& name = samples_.model().bodies[body].name;
    const Vec3 arm = at.of->moment(body, at.row).p - at.of->pose(body, at.row).p;
    return at.of->vector(name + ".contact_torque", at.row) -
           cross(arm, at.of->vector(name + ".contact_force", at.row));
  }

  /// Free bodies: forces of now go on to the impact; by how much they may change meanwhile is what
  /// they changed since the row before. Others: the state before, as it was recorded.
  Sides sides_of(std::size_t body, const Place& from, const Place& to) const {
    Sides out;
    const std::string force = samples_.model().bodies[body].name + ".contact_force";
    if (!samples_.is_free(body)) {
      const Place before = state_before(first_);
      out.is_known = before.of != nullptr;
      if (!out.is_known) return out;
      out.before = flight_at(before, body), out.after = flight_at(to, body);
      const double fastest = std::max(norm(out.before.v), norm(out.after.v));
      out.unsure =
          (1e-14 + 20.0 * samples_.model().scene.run.tolerance) * mass_of(body).mass * fastest;
      return out;
    }
    const double dt = to.time() - from.time();
    const Vec3 F = from.of->vector(force, from.row);
    const MassProperties& mass = mass_of(body);
    out.after = flight_at(to, body);
    if (norm(F) > 0.0) {
      if (from.of != &samples_ || from.row == 0) return out;
      const double since = from.time() - samples_.rows().time[from.row - 1];
      const Vec3 change = F - samples_.vector(force, from.row - 1);
      out.unsure = norm(change) * dt * std::max(1.0, dt / since);
    }
    const Vec3 weight = mass.mass * samples_.model().scene.gravity.uniform;
    out.before = fly(mass, flight_at(from, body), F + weight, torque_at(from, body), dt);
    const double fastest = std::max(norm(out.before.v), norm(out.after.v));
    out.unsure += (1e-14 + 20.0 * samples_.model().scene.run.tolerance) * mass.mass *
                  std::max(fastest, dt * norm(weight) / mass.mass);
    out.is_known = true;
    return out;
  }

  double kinetic(std::size_t body, const Flight& s) const {
    return 0.5 * mass_of(body).mass * dot(s.v, s.v) +
           0.5 * dot(s.spin, turning(mass_of(body), s.q, s.spin));
  }

  Vec3 velocity(std::size_t body, const Flight& s, const Vec3& p) const {
    if (!samples_.moves(body)) return {};
    return s.v + cross(turning(mass_of(body), s.q, s.spin), p - s.p);
  }

  /// Impulse of a pair since the row before, on its second body.
  Vec3 impulse_of(const RigidPairTrack& pair, const Place& from, const Place& to) const {
    return to.of->vector(pair.name + ".impulse", to.row) -
           from.of->vector(pair.name + ".impulse", from.row);
  }

  void instant(std::size_t first, std::size_t last) {
    const Place from = row_before(first), to{&after_, last - 1};
    if (!from.of) return;
    first_ = first;
    weigh(first, last, from, to);
    const std::size_t bodies = samples_.model().bodies.size();
    std::vector<Sides> sides(bodies);
    bool all_known = true;
    double lost = 0.0, unsure = 0.0, scale = 0.0;
    for (std::size_t i = 0; i < bodies; ++i) {
      if (!samples_.moves(i)) continue;
      sides[i] = sides_of(i, from, to);
      all_known &= sides[i].is_known;
      if (!sides[i].is_known) continue;
      const double before = kinetic(i, sides[i].before);
      lost += before - kinetic(i, sides[i].after);
      scale += before;
      const double speed = std::max(norm(sides[i].before.v), norm(sides[i].after.v));
      unsure += 10.0 * sides[i].unsure * speed + 1e-13 * before +
                20.0 * samples_.model().scene.run.tolerance * before;
      if (samples_.is_free(i)) balance(i, sides[i], from, to);
    }
    bool lands = false;
    double told = 0.0;
    for (std::size_t k = first; k < last; ++k) {
      lands |= events_[k].kind == "landing";
      if (events_[k].kind == "impact") told += events_[k].energy_lost;
    }
    // Where bodies land, the speed that is left goes, too; it is no impact of the table.
    if (lands || !all_known) return;
    if (keeps_energy()) take(energy_, std::max(0.0, std::abs(lost - told) - unsure) / scale);
    for (const RigidPairTrack& pair : samples_.pairs()) law(pair, first, last, sides, from, to);
  }

  /// Nothing but bodies has kinetic energy, and nothing moved as prescribed gives any.
  bool keeps_energy() const {
    const auto has_rotor = [](const DofSpec& dof) { return dof.rotor_inertia > 0.0; };
    const auto turns = [&](const JointSpec& j) { return std::ranges::any_of(j.dofs, has_rotor); };
    const Model& model = samples_.model();
    return !model.has_motion && std::ranges::none_of(model.scene.joints, turns);
  }

  /// Momentum of all that was struck, by the state before.
  void weigh(std::size_t first, std::size_t last, const Place& from, const Place& to) {
    const Place before = state_before(first);
    if (!before.of || !is_watched(first, last)) return;
    std::vector<Vec3> impulses;
    for (const RigidPairTrack& pair : samples_.pairs()) {
      impulses.push_back(impulse_of(pair, from, to));
    }
    balance_.instant(before_, before.row, after_, to.row, impulses);
  }

  /// Momentum and spin of one body.
  void balance(std::size_t body, const Sides& s, const Place& from, const Place& to) {
    Vec3 sum, moment = s.before.spin - s.after.spin;
    double size = 0.0;
    bool has_points = true;
    for (const RigidPairTrack& pair : samples_.pairs()) {
      if (pair.a != body && pair.b != body) continue;
      const Vec3 P = (pair.b == body ? 1.0 : -1.0) * impulse_of(pair, from, to);
      if (!(norm(P) > 0.0)) continue;
      sum += P, size += norm(P);
      const std::optional<OwnTouch> touch = after_.touch(pair, to.row);
      if (!touch || !touch->is_one) {
        has_points = false;
        continue;
      }
      moment += cross(touch->points[0] - s.after.p, P);
      // Friction against drilling takes what there is, up to its bound.
      const PairMaterial& material = pair.law->material;
      const Vec3& n = touch->normal;
      const double most = material.spin_radius * material.mu_s * std::abs(dot(n, P));
      moment -= std::clamp(dot(n, moment), -most, most) * n;
    }
    if (!(size > 0.0)) return;
    const Vec3 gained = mass_of(body).mass * (s.after.v - s.before.v);
    take(momentum_, std::max(0.0, norm(gained - sum) - s.unsure) / size);
    if (!has_points) return;
    const double arm = samples_.model().bodies[body].size;
    const double unsure = s.unsure * arm + (1e-13 + 20.0 * samples_.model().scene.run.tolerance) *
                                               (norm(s.after.spin) + norm(s.before.spin));
    take(spin_, std::max(0.0, norm(moment) - unsure) / (size * arm));
  }

  /// The table's line of a pair that was struck alone, in one point.
  void law(const RigidPairTrack& pair, std::size_t first, std::size_t last,
           const std::vector<Sides>& sides, const Place& from, const Place& to) {
    const Model& model = samples_.model();
    const EngineEvent* own = nullptr;
    int count = 0;
    for (std::size_t k = first; k < last; ++k) {
      const EngineEvent& e = events_[k];
      if (e.kind != "impact" || !is_between(e, pair)) continue;
      own = &e, ++count;
    }
    if (count != 1) return;
    const Vec3 P = impulse_of(pair, from, to);
    take(impulse_, std::abs(norm(P) - own->impulse) / norm(P));
    const std::optional<OwnTouch> touch = after_.touch(pair, to.row);
    if (!touch) return;
    const Vec3& n = touch->normal;
    const double normal = dot(n, P);
    const Vec3 rub = P - normal * n;
    const double mu = pair.law->material.mu_k;
    take(cone_, std::max(0.0, norm(rub) - mu * normal) / norm(P));
    if (!touch->is_one) return;
    const Vec3& p = touch->points[0];
    const Vec3 before =
        velocity(pair.b, sides[pair.b].before, p) - velocity(pair.a, sides[pair.a].before, p);
    const Vec3 after =
        velocity(pair.b, sides[pair.b].after, p) - velocity(pair.a, sides[pair.a].after, p);
    double fastest = norm(before) + norm(after);
    for (const Sides& s : sides) fastest = std::max({fastest, norm(s.before.v), norm(s.after.v)});
    double unsure = 1e-13 * fastest + 50.0 * model.scene.run.tolerance * fastest;
    for (const std::size_t body : {pair.a, pair.b}) {
      if (samples_.moves(body)) unsure += 10.0 * sides[body].unsure / mass_of(body).mass;
    }
    const auto off = [&](double x) { return std::max(0.0, std::abs(x) - unsure) / fastest; };
    // One after the other, the speeds of a strike are not those of the instant; and a pair that
    // only passes an impact on approaches not at all.
    const RigidSpec& spec = model.scene.contact.rigid;
    const auto is_impact = [](const EngineEvent& e) { return e.kind == "impact"; };
    const auto strikes = std::ranges::count_if(events_.subspan(first, last - first), is_impact);
    if (spec.resolution == "sequential" && strikes > 1) return;
    if (!(own->value > 1e-9 * fastest)) return;
    take(speeds_, off(dot(n, before) + own->value));
    take(speeds_, off(dot(n, after) - own->separation));
    if (own->points != 1.0 || spec.law != "newton" || !(own->share > 1.0 - 1e-12)) return;
    const double e = restitution(pair.law->material.restitution, own->value);
    if (std::isfinite(e)) take(speeds_, off(dot(n, after) - e * own->value));
    // Coulomb: against the slip that is left, or none is left.
    const Vec3 slip = after - dot(n, after) * n;
    const double left = mu * normal - norm(rub), speed = norm(slip);
    if (spec.slip_regularisation > 0.0) return;
    take(cone_, std::max(0.0, std::min(left / norm(P) - 1e-12, off(speed))));
    if (off(speed) * fastest > 1e6 * unsure) {
      take(cone_, std::max(0.0, norm(rub + (mu * normal / speed) * slip) / norm(P) -
                                    10.0 * unsure / speed));
    }
  }

  /// Whether the impulses of all these impacts were recorded.
  bool is_watched(std::size_t first, std::size_t last) const {
    return std::ranges::all_of(events_.subspan(first, last - first), [&](const EngineEvent& e) {
      return e.kind != "impact" || std::ranges::any_of(samples_.pairs(), [&](const auto& pair) {
               return is_between(e, pair);
             });
    });
  }

  bool is_between(const EngineEvent& e, const RigidPairTrack& pair) const {
    const auto names = [&](const std::string& subject, std::size_t body) {
      const std::string& name = samples_.model().bodies[body].name;
      return subject == name || subject.starts_with(name + ".");
    };
    return (names(e.subject, pair.a) && names(e.other, pair.b)) ||
           (names(e.subject, pair.b) && names(e.other, pair.a));
  }

  const RecordedBodies &samples_, &before_, &after_;
  std::span<const EngineEvent> events_;
  std::size_t first_ = 0;  ///< of the events of the instant that is looked at
  BalanceCheck balance_;
  Recomputed momentum_{"impacts", "momentum beside the impulses of impacts", 0.0, 1e-9, 0};
  Recomputed spin_{"impacts", "spin beside the moments of these impulses", 0.0, 1e-9, 0};
  Recomputed impulse_{"impacts", "impulses of the table beside those of the rows", 0.0, 1e-9, 0};
  Recomputed speeds_{"impacts", "speeds of approach and separation, restitution", 0.0, 1e-9, 0};
  Recomputed cone_{"impacts", "impulses beside the law of friction", 0.0, 1e-9, 0};
  Recomputed energy_{"impacts", "energy lost in impacts, recomputed from the rows", 0.0, 1e-9, 0};
};

}  // namespace

void compare_impacts(const RecordedBodies& samples, const RecordedBodies& before,
                     const RecordedBodies& after, std::span<const EngineEvent> events,
                     std::vector<Recomputed>& out) {
  if (after.rows().rows() > events.size()) return;
  ImpactCheck check(samples, before, after, events);
  check.run();
  check.tell(out);
}

}  // namespace carom::verify
