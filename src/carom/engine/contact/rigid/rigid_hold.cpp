#include "carom/engine/contact/rigid/rigid_hold.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "carom/base/index.h"
#include "carom/engine/contact/contact_forces.h"
#include "carom/engine/contact/contact_slot.h"
#include "carom/engine/contact/rigid/rigid_hold_system.h"
#include "carom/engine/contact/rigid/rigid_rest.h"
#include "carom/engine/contact/rigid/rigid_spin.h"
#include "carom/engine/evaluate.h"
#include "carom/engine/study/tangent.h"
#include "carom/math/dense.h"

namespace carom {
namespace {

const ContactPair& pair_of(const Workspace& w, const RigidForce& f) {
  return w.modes.contacts.pairs[f.actor.pair];
}

/// Takes from `v` what the points hold of the velocities `of`; rows must be current.
void remove_held(const Workspace& w, std::span<const double> of, std::span<double> v) {
  const RigidData& data = w.contacts.rigid;
  std::vector<std::size_t> rows, points;
  for (std::size_t i = 0; i < data.forces.size(); ++i) {
    rows.push_back(3 * i);
    const RigidPoint& point = w.modes.contacts.rigid.points[data.forces[i].point];
    if (data.rows.spin[i] != RigidRows::kNone && point.spin == RigidSpin::held) {
      rows.push_back(data.rows.spin[i]);
    }
    if (point.state == RigidState::sticking && regularised_slip(w) == 0.0) {
      rows.push_back(3 * i + 1), rows.push_back(3 * i + 2);
    }
    points.resize(rows.size(), i);
  }
  std::vector<double> b;
  for (const std::size_t row : rows) b.push_back(-data.rows.product(row, of));
  const std::vector<double> r = solve_by_groups(
      by_groups(data.rows, points), b,
      [&](std::size_t i, std::size_t j) { return data.rows.delassus(rows[i], rows[j]); });
  for (std::size_t i = 0; i < r.size(); ++i) data.rows.push_along(rows[i], r[i], v);
}

void tell_readings(Workspace& w, std::span<const double> x) {
  for (ContactReading& reading : w.contacts.readings) {
    Vec3 moment, centre;
    double phi = kInf;
    for (const RigidForce& f : w.contacts.rigid.forces) {
      if (f.actor.pair != reading.pair) continue;
      const RigidSite& site = f.actor.site;
      if (site.phi < phi) {
        phi = reading.phi = site.phi, reading.normal = site.n;
        reading.nearest_a = site.p_a, reading.nearest_b = site.p_b;
      }
      const Vec3 force = f.normal * site.n + f.friction;
      reading.force += force;
      reading.normal_force += f.normal;
      reading.slip_speed = std::max(reading.slip_speed, norm(site.slip()));
      reading.friction_power -= dot(f.friction, site.slip());
      if (f.drilling != 0.0) {
        const ContactPair& pair = w.modes.contacts.pairs[reading.pair];
        reading.friction_power -= f.drilling * spin_rate(w, pair, site);
      }
      moment += cross(site.p, force) + f.drilling * site.n, centre += f.normal * site.p;
      ++reading.points;
      reading.point = site.p;
    }
    if (reading.points == 0) continue;
    if (reading.normal_force > 0.0) reading.point = centre / reading.normal_force;
    reading.torque = moment - cross(reading.point, reading.force);
    const SlotView slot = slot_view(w, w.modes.contacts.pairs[reading.pair], x);
    if (!slot.rate) continue;
    slot.rate[SlotLayout::kImpulse] = reading.normal_force;
    slot.rate[SlotLayout::kFriction] = reading.friction_power;
  }
}

}  // namespace

double regularised_slip(const Workspace& w) {
  return w.model->scene.contact.rigid.slip_regularisation;
}

// Friction turns slip u at the rate of acceleration over speed, a/|u|, so that explicit steps at
// the limit of their stability are about |u|/a long, and what they may err by is seen in the
// direction: slip that should end, or keep its direction, dithers at a speed of some errors and
// never passes a bound below these. Errors of velocities are weighed by size and speed
// (simulation/error_scales), those of angular ones by one and their own, at the distance of the
// body's size:
//
//   least = 4 tolerance sum (2 s + |v| + |w| s)   over both bodies
//
// With 1 in place of 4 slip still dithers, with 2 some of it.
double least_slip(const Workspace& w, const ContactPair& pair) {
  constexpr double kLeast = 1e-9, kErrors = 4.0;
  const auto& colliders = w.model->contact.colliders;
  double scale = 0.0;
  for (const int link : {colliders[pair.a].link, colliders[pair.b].link}) {
    if (link <= 0) continue;
    const double size = w.model->link_size[at(link)];
    const Motion& V = w.tree.links[at(link)].V;
    scale += (2.0 + norm(V.w)) * size + norm(V.v);
  }
  return std::max(kLeast, kErrors * w.model->scene.run.tolerance * scale);
}

Vec3 slip_direction(const RigidPoint& point, const RigidSite& site, double slow) {
  const Vec3 slip = site.slip();
  const double speed = norm(slip);
  if (slow > 0.0) return slip / std::max(speed, slow);
  if (!(speed > 0.0)) return point.direction;
  return (dot(slip, point.direction) < 0.0 ? -1.0 / speed : 1.0 / speed) * slip;
}

void gather_closed(Workspace& w) {
  RigidData& data = w.contacts.rigid;
  const std::vector<RigidPoint>& points = w.modes.contacts.rigid.points;
  const double slow = regularised_slip(w);
  data.forces.clear(), data.actors.clear();
  std::size_t pair = 0;
  const std::vector<ContactPair>& pairs = w.modes.contacts.pairs;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const RigidPoint& p = points[i];
    if (p.state == RigidState::open) continue;
    const auto is_of = [&](const ContactPair& q) { return is_point_of(p, q); };
    while (pair < pairs.size() && !is_of(pairs[pair])) ++pair;
    if (pair == pairs.size()) {  // pairs were put in another order
      pair = static_cast<std::size_t>(std::ranges::find_if(pairs, is_of) - pairs.begin());
      if (pair == pairs.size()) continue;
    }
    RigidForce f;
    f.actor = {pair, find_site(w, pairs[pair], p.feature, p.side)};
    f.point = i;
    const bool slips = slow > 0.0 || (p.state == RigidState::sliding && !p.runs_out);
    f.direction = slips ? slip_direction(p, f.actor.site, slow) : p.direction;
    const Vec3& n = f.actor.site.n;
    if (p.state == RigidState::onset || p.runs_out) {
      f.direction -= dot(n, f.direction) * n;
      f.direction = f.direction / norm(f.direction);
    }
    data.actors.push_back(f.actor);
    data.forces.push_back(f);
  }
}

bool holds_bodies(const Workspace& w) {
  if (w.contacts.touching.empty()) return false;
  return std::ranges::any_of(w.modes.contacts.rigid.points,
                             [](const RigidPoint& p) { return p.state != RigidState::open; });
}

Status hold_bodies(Workspace& w, std::span<const double> x) {
  const Model& model = *w.model;
  RigidData& data = w.contacts.rigid;
  gather_closed(w);
  make_rows(w, data.actors, data.rows, true);
  HoldSystem system(w);
  system.take_free_accelerations();
  system.solve();
  system.turn_onsets();
  const auto& colliders = model.contact.colliders;
  for (const RigidForce& f : data.forces) {
    const ContactPair& pair = pair_of(w, f);
    const Wrench force{f.drilling * f.actor.site.n, f.normal * f.actor.site.n + f.friction};
    apply_wrench(w.tree, colliders[pair.b].link, f.actor.site.p, force);
    apply_wrench(w.tree, colliders[pair.a].link, f.actor.site.p, -1.0 * force);
  }
  if (forward_dynamics(model.tree, w.tree, true) != Status::ok) return Status::recoverable;
  if (!model.constraints.empty()) {
    constrain_accelerations(model.tree, model.constraints, w.v, w.tree, w.constraints);
  }
  remove_rounding(w);
  tell_readings(w, x);
  return Status::ok;
}

void keep_on_contacts(Workspace& w, std::span<double> v) {
  gather_closed(w);
  make_rows(w, w.contacts.rigid.actors, w.contacts.rigid.rows, true);
  remove_held(w, v, v);
}

double project_on_contacts(Workspace& w, double t, std::span<double> x) {
  const Model& model = *w.model;
  RigidData& data = w.contacts.rigid;
  const std::span<double> q = x.first(model.nq()), v = x.subspan(model.nq(), model.nv());
  constexpr int kMost = 6;
  double worst = 0.0, before = kInf;
  for (int round = 0;; ++round, before = worst) {
    w.has_kinematics = false;
    evaluate_kinematics(w, t, x);
    gather_closed(w);
    worst = 0.0;
    for (const RigidForce& f : data.forces) worst = std::max(worst, std::abs(f.actor.site.phi));
    if (factor_mass(model.tree, w.tree) != Status::ok) return kInf;
    make_rows(w, data.actors, data.rows, true);
    if (round == kMost || worst == 0.0 || !(worst < 0.5 * before)) break;
    const std::size_t n = data.forces.size();
    std::vector<std::size_t> points(n);
    std::iota(points.begin(), points.end(), 0U);
    data.b.resize(n);
    for (std::size_t i = 0; i < n; ++i) data.b[i] = -data.forces[i].actor.site.phi;
    const std::vector<double> r = solve_by_groups(
        by_groups(data.rows, points), data.b,
        [&](std::size_t i, std::size_t j) { return data.rows.delassus(3 * i, 3 * j); });
    std::vector<double> step(model.nv(), 0.0);
    for (std::size_t i = 0; i < n; ++i) data.rows.push_along(3 * i, r[i], step);
    move_positions(model.tree, step, q);
    if (!model.constraints.empty()) {
      project_positions(model.tree, model.constraints, q, w.tree, w.constraints, kToRounding, 6);
    }
  }
  remove_held(w, w.v, v);
  return worst;
}

}  // namespace carom
