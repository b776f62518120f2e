#include "carom/verify/own_rigid.h"

#include <algorithm>
#include <cmath>

#include "carom/engine/results/ledger.h"
#include "carom/verify/own_sums.h"

namespace carom::verify {
namespace {

constexpr double kOpen = 0.0, kSticking = 2.0;

/// What a row says of one pair.
struct Press {
  OwnTouch touch;
  double state = 0.0;
  Vec3 force, friction;  ///< on B
  double normal = 0.0;
  Vec3 u;  ///< velocity of B over A at the centre of the points

  Vec3 slip() const { return u - dot(touch.normal, u) * touch.normal; }
};

Press read_press(const RecordedBodies& r, const RigidPairTrack& pair, const OwnTouch& touch,
                 std::size_t row) {
  Press out;
  out.touch = touch;
  out.state = r.number(pair.name + ".state", row);
  out.force = r.vector(pair.name + ".force", row);
  out.normal = dot(touch.normal, out.force);
  out.friction = out.force - out.normal * touch.normal;
  out.u = r.velocity(pair.b, touch.points[0], row) - r.velocity(pair.a, touch.points[0], row);
  return out;
}

/// Differences of one kind over all rows.
struct Worst {
  Recomputed result;
  void take(double difference) {
    ++result.values;
    if (!(difference <= result.difference)) result.difference = difference;
  }
};

bool is_stepped(const Model& model) { return model.scene.run.step > 0.0; }

/// Rows on which a pair's normal force is at most this share of the largest are left out: their
/// direction is rounding.
constexpr double kFaint = 1e-6;

class StateCheck {
 public:
  StateCheck(const RecordedBodies& record, double tolerance)
      : r_(record), tolerance_(tolerance), stepped_(is_stepped(record.model())) {
    // Bodies that time steps push apart overlap a little; rows with events lie on their contacts.
    closed_.result.tolerance = stepped_ ? 0.05 : 1e-11 + tolerance;
    speed_.result.tolerance = 1e-8 + 100.0 * tolerance;
  }

  void pair(const RigidPairTrack& pair) {
    double most = 0.0;
    for (std::size_t i = 0; i < r_.rows().rows(); ++i) {
      most = std::max(most, norm(r_.vector(pair.name + ".force", i)));
    }
    for (std::size_t i = 0; i < r_.rows().rows(); ++i) {
      const std::optional<OwnTouch> touch = r_.touch(pair, i);
      if (!touch) continue;
      const Press p = read_press(r_, pair, *touch, i);
      see(pair, p, most, i);
    }
  }

  void tell(std::vector<Recomputed>& out) const {
    for (const Worst* w : {&closed_, &force_, &cone_, &slides_, &speed_}) {
      if (w->result.values > 0) out.push_back(w->result);
    }
  }

 private:
  void see(const RigidPairTrack& pair, const Press& p, double most, std::size_t row) {
    const double size = size_of(r_, pair);
    if (p.state == kOpen) {
      closed_.take(std::max(0.0, -p.touch.gap) / size);
      if (most > 0.0) force_.take(norm(p.force) / most);
      return;
    }
    closed_.take((stepped_ ? std::max(0.0, -p.touch.gap) : std::abs(p.touch.gap)) / size);
    if (!(most > 0.0)) return;
    const PairMaterial& material = pair.law->material;
    force_.take(std::max(0.0, -p.normal) / most);
    cone_.take(std::max(0.0, norm(p.friction) - material.mu_s * p.normal) / most);
    if (stepped_ || !(p.normal > kFaint * most)) return;
    const double fastest = norm(p.u) + size * turn_of(pair, row);
    if (p.touch.is_one) speed_.take(std::abs(dot(p.touch.normal, p.u)) / std::max(1.0, fastest));
    see_friction(pair, p, most, row);
  }

  /// Slip of the points that touch, and the friction that goes with it.
  void see_friction(const RigidPairTrack& pair, const Press& p, double most, std::size_t row) {
    const double slow = r_.model().scene.contact.rigid.slip_regularisation;
    const Vec3 slip = p.slip();
    const double speed = norm(slip);
    if (p.state == kSticking && slow == 0.0) {
      if (p.touch.is_one) speed_.take(speed);
      return;
    }
    // The direction of a slow slip is not known better than the rows are; of several points it
    // differs from point to point, unless the body does not turn.
    constexpr double kKnown = 1e-4;
    if (!p.touch.is_one && turn_of(pair, row) > 1e-12) return;
    if (slow == 0.0 && speed < kKnown) return;
    const Vec3 d = slip / std::max(speed, slow);
    const Vec3 law = (-pair.law->material.mu_k * p.normal) * d;
    const double unsure = 100.0 * tolerance_ / std::max(speed, slow);
    slides_.take(std::max(0.0, norm(p.friction - law) / most - unsure));
  }

  double turn_of(const RigidPairTrack& pair, std::size_t row) const {
    return norm(r_.moment(pair.b, row).w - r_.moment(pair.a, row).w);
  }

  const RecordedBodies& r_;
  double tolerance_;
  bool stepped_;
  Worst closed_{{"states", "gap of rows that say closed, overlap of the others [sizes]", 0, 0, 0}};
  Worst force_{{"states", "force of open contacts, pull of closed ones", 0, 1e-12, 0}};
  Worst cone_{{"states", "friction beyond its cone", 0, 1e-9, 0}};
  Worst slides_{{"states", "friction beside the one against the slip", 0, 1e-8, 0}};
  Worst speed_{
      {"states", "speed of closed contacts along the normal, of sticking ones [m/s]", 0, 0, 0}};
};

/// (4), for rows that are one step apart.
void compare_steps(const RecordedBodies& r, std::vector<Recomputed>& out) {
  const double h = r.model().scene.run.step;
  const std::vector<double>& t = r.rows().time;
  std::vector<double> differences;
  double scale = 0.0;
  for (std::size_t body = 0; body < r.model().bodies.size(); ++body) {
    if (!r.moves(body) || !r.is_free(body)) continue;
    const std::string force = r.model().bodies[body].name + ".contact_force";
    const double m = r.model().bodies[body].mass.mass;
    for (std::size_t i = 0; i + 1 < t.size(); ++i) {
      if (std::abs(t[i + 1] - t[i] - h) > 1e-9 * h) continue;
      const Vec3 weight = (m * h) * r.model().scene.gravity.uniform;
      const Vec3 impulse = h * r.vector(force, i + 1);
      const Vec3 gained = m * (r.moment(body, i + 1).v - r.moment(body, i).v);
      differences.push_back(norm(gained - weight - impulse));
      scale = std::max({scale, norm(weight), norm(impulse)});
    }
  }
  if (differences.empty() || !(scale > 0.0)) return;
  // Of steps that were halved the forces are those of the last part.
  std::ranges::sort(differences);
  const std::size_t kept = differences.size() - differences.size() / 20;
  out.push_back({"forces", "momentum of time steps beside the impulse of forces and weight",
                 differences[kept - 1] / scale, 1e-9, differences.size()});
}

/// (5), where nothing but weight and contacts does work.
void compare_ledger(const RecordedBodies& r, std::vector<Recomputed>& out) {
  const Scene& scene = r.model().scene;
  if (!scene.forces.empty() || r.model().has_motion || r.model().contact.has_elastic()) return;
  for (const JointSpec& joint : scene.joints) {
    for (const DofSpec& dof : joint.dofs) {
      if (dof.stiffness != 0.0 || dof.damping != 0.0 || dof.lower || dof.upper || dof.drive) return;
    }
  }
  const std::vector<double> kinetic = own_column(r.model(), r.rows(), "own.kinetic");
  const std::vector<double> potential = own_column(r.model(), r.rows(), "own.potential");
  if (kinetic.empty() || potential.empty()) return;
  std::vector<double> total = kinetic;
  for (std::size_t i = 0; i < total.size(); ++i) total[i] += potential[i];
  for (const LedgerRow& row : ledger_rows()) {
    const std::string name = row.name, column = "energy." + name;
    const bool is_loss = name.starts_with("dissipated");
    if ((!is_loss && name != "model_work" && name != "drive_work") ||
        !has_column(r.rows(), column)) {
      continue;
    }
    const std::vector<double> booked = r.rows().column(column);
    for (std::size_t i = 0; i < total.size(); ++i) total[i] += is_loss ? booked[i] : -booked[i];
  }
  Recomputed result{"energy", "energy of the rows and all that was booked as lost", 0.0, 0.0, 0};
  double scale = 1e-12;
  for (std::size_t i = 0; i < total.size(); ++i) {
    scale = std::max({scale, kinetic[i], std::abs(potential[i] - potential[0])});
    result.difference = std::max(result.difference, std::abs(total[i] - total[0]));
  }
  result.difference /= scale;
  result.tolerance = 1e-11 + 100.0 * scene.run.tolerance;
  result.values = total.size();
  out.push_back(result);
}

}  // namespace

void compare_rigid(const Model& model, const Recording& rows, std::span<const EngineEvent> events,
                   const EventRows& at_events, std::vector<Recomputed>& out) {
  if (!model.contact.has_rigid || rows.rows() < 2) return;
  const RecordedBodies record(model, rows);
  if (!record.is_whole()) return;
  StateCheck states(record, model.scene.run.tolerance);
  for (const RigidPairTrack& pair : record.pairs()) states.pair(pair);
  states.tell(out);
  if (is_stepped(model)) compare_steps(record, out);
  compare_ledger(record, out);
  if (at_events.after.rows() == 0 || is_stepped(model)) return;
  compare_impacts(record, RecordedBodies(model, at_events.before),
                  RecordedBodies(model, at_events.after), events, out);
}

}  // namespace carom::verify
