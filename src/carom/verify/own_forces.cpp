#include "carom/verify/own_forces.h"
#include "carom/base/contact_name.h"

#include <algorithm>
#include <cmath>

#include "carom/verify/own_track.h"

namespace carom::verify {
namespace {

const char* const kAxes[] = {".x", ".y", ".z"};

/// Nothing but contacts and weight acts on the body.
bool is_free(const Model& model, const std::string& body) {
  if (!model.scene.forces.empty() || !model.scene.surface_contacts.empty()) return false;
  if (model.scene.gravity.kind != GravitySpec::Kind::uniform) return false;
  return std::none_of(model.scene.joints.begin(), model.scene.joints.end(), [&](const auto& j) {
    return j.parent == body || (j.child == body && j.kind != "free");
  });
}

/// Integral over two intervals by Simpson's rule; its error is less than what the trapezoidal sums
/// of one and of two rows differ by.
struct Integral {
  double value = 0.0, bound = 0.0;
};

Integral simpson(const std::vector<double>& t, const std::vector<double>& y, std::size_t i) {
  const double fine =
      0.5 * ((t[i + 1] - t[i]) * (y[i] + y[i + 1]) + (t[i + 2] - t[i + 1]) * (y[i + 1] + y[i + 2]));
  const double coarse = 0.5 * (t[i + 2] - t[i]) * (y[i] + y[i + 2]);
  return {fine + (fine - coarse) / 3.0, std::abs(fine - coarse)};
}

/// Rows between two events, an even number of intervals of them.
struct Interval {
  std::size_t first = 0, last = 0;
};

std::vector<Interval> windows_of(const std::vector<double>& t,
                                 std::span<const EngineEvent> events) {
  constexpr std::size_t kLeast = 8;  // intervals, for a sum worth comparing
  std::vector<double> cuts{-kInf};
  for (const EngineEvent& e : events) cuts.push_back(e.time);
  cuts.push_back(kInf);
  std::vector<Interval> out;
  std::size_t next = 0;
  for (std::size_t k = 0; k + 1 < cuts.size(); ++k) {
    while (next < t.size() && t[next] <= cuts[k]) ++next;
    std::size_t end = next;
    while (end < t.size() && t[end] < cuts[k + 1]) ++end;
    if (end >= next + kLeast + 1) out.push_back({next, next + (end - next - 1) / 2 * 2});
  }
  return out;
}

/// Momentum gained beside the impulse of the recorded forces, for every two intervals of rows.
struct Balance {
  std::vector<double> differences;  ///< beyond the error of the integral [N.s]
  double scale = 0.0;               ///< largest impulse of forces or weight [N.s]
};

/// Adds one axis of one body, unless its rows are too coarse for how the force varies.
void balance(const BodyInfo& body, double g, const std::vector<double>& t,
             const std::vector<double>& speed, const std::vector<double>& force,
             std::span<const Interval> intervals, double tolerance, Balance& out) {
  double fastest = 0.0, scale = 0.0;
  for (const double v : speed) fastest = std::max(fastest, std::abs(v));
  const double m = body.mass.mass;
  std::vector<double> bounds, differences;
  for (const Interval& w : intervals) {
    for (std::size_t i = w.first; i + 2 <= w.last; i += 2) {
      const Integral impulse = simpson(t, force, i);
      const double weight = m * g * (t[i + 2] - t[i]);
      const double gained = m * (speed[i + 2] - speed[i]) - weight;
      const double bound = impulse.bound + 10.0 * tolerance * m * fastest;
      differences.push_back(std::max(0.0, std::abs(gained - impulse.value) - bound));
      bounds.push_back(impulse.bound);
      scale = std::max({scale, std::abs(impulse.value), std::abs(weight)});
    }
  }
  constexpr double kUseful = 1e-3;  // of the largest impulse
  if (bounds.empty()) return;
  std::nth_element(bounds.begin(), bounds.begin() + std::ssize(bounds) / 2, bounds.end());
  if (bounds[bounds.size() / 2] > kUseful * scale) return;
  out.differences.insert(out.differences.end(), differences.begin(), differences.end());
  out.scale = std::max(out.scale, scale);
}

/// The largest but one in twenty: within those an impact passed between two rows, unseen by them.
double largest_of_most(std::vector<double> values) {
  const std::size_t kept = values.size() - values.size() / 20;
  std::sort(values.begin(), values.end());
  return values[kept - 1];
}

void compare_momentum(const Model& model, const Recording& rows,
                      std::span<const EngineEvent> events, std::vector<Recomputed>& out) {
  if (model.scene.run.step > 0.0) return;  // the error of fixed steps is not known
  const std::vector<Interval> windows = windows_of(rows.time, events);
  Balance sum;
  for (const BodyInfo& body : model.bodies) {
    Track track;
    if (body.link == 0 || !is_free(model, body.name) || !read_track(rows, body.name, track) ||
        !has_column(rows, body.name + ".contact_force.x")) {
      continue;
    }
    std::vector<Moment> moments;
    for (std::size_t i = 0; i < rows.rows(); ++i) moments.push_back(moment_at(track, body.mass, i));
    for (std::size_t k = 0; k < 3; ++k) {
      std::vector<double> speed;
      for (const Moment& m : moments) speed.push_back(m.v[k]);
      balance(body, model.scene.gravity.uniform[k], rows.time, speed,
              rows.column(body.name + ".contact_force" + kAxes[k]), windows,
              model.scene.run.tolerance, sum);
    }
  }
  if (sum.differences.empty() || sum.scale == 0.0) return;
  // Friction near rest turns the error of the rows' velocities into forces of this part of it.
  constexpr double kFriction = 1e-4;
  out.push_back({"forces", "momentum beside the impulse of contact forces and weight",
                 largest_of_most(sum.differences) / sum.scale, kFriction, sum.differences.size()});
}

/// Force of every watched pair on `body`, added up; empty where a pair that may touch is unwatched.
std::vector<double> from_pairs(const Model& model, const Recording& rows, std::size_t body,
                               const char* axis) {
  std::vector<double> sum(rows.rows(), 0.0);
  std::size_t watched = 0, others = 0;
  for (const BodySpec& other : model.scene.bodies) others += !other.shapes.empty();
  for (const WatchedPair& pair : model.contact.watched) {
    const auto a = static_cast<std::size_t>(pair.body_a), b = static_cast<std::size_t>(pair.body_b);
    if (pair.own >= 0 || (a != body && b != body)) continue;
    const std::string name =
        contact_name(model.bodies[a].name, model.bodies[b].name) + ".force" + axis;
    if (!has_column(rows, name)) return {};
    const std::vector<double> on_second = rows.column(name);
    for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += b == body ? on_second[i] : -on_second[i];
    ++watched;
  }
  return watched > 0 && watched + 1 == others ? sum : std::vector<double>{};
}

void compare_pairs(const Model& model, const Recording& rows, std::vector<Recomputed>& out) {
  Recomputed r{"forces", "forces of pairs beside the sums of bodies: action is reaction", 0.0,
               1e-11, 0};
  for (std::size_t body = 0; body < model.bodies.size(); ++body) {
    if (!has_column(rows, model.bodies[body].name + ".contact_force.x")) continue;
    for (const char* axis : kAxes) {
      const std::vector<double> own = from_pairs(model, rows, body, axis);
      if (own.empty()) continue;
      const std::vector<double> sum =
          rows.column(model.bodies[body].name + ".contact_force" + axis);
      double scale = 1e-12;
      for (const double f : sum) scale = std::max(scale, std::abs(f));
      for (std::size_t i = 0; i < sum.size(); ++i) {
        r.difference = std::max(r.difference, std::abs(own[i] - sum[i]) / scale);
      }
      r.values += sum.size();
    }
  }
  if (r.values > 0) out.push_back(r);
}

}  // namespace

void compare_forces(const Model& model, const Recording& rows, std::span<const EngineEvent> events,
                    std::vector<Recomputed>& out) {
  compare_momentum(model, rows, events, out);
  compare_pairs(model, rows, out);
}

}  // namespace carom::verify
