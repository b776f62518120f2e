#include "carom/engine/contact/connected/connected_points.h"

#include <algorithm>

#include "carom/base/index.h"

namespace carom {
namespace {

/// Frame of the surface along which the points move.
const Pose& carrier(const ConnectedState& s) { return s.own.points_on_b ? s.X_WB : s.X_WA; }

}  // namespace

ConnectedState connected_state(const Workspace& w, const ContactPair& pair) {
  const ConnectedModel& model = w.model->contact.connected;
  const ConnectedPair& c = model.pairs[at(pair.own)];
  const PairState s = pair_state(w, pair);
  ConnectedState state{s, c, model.surfaces[at(s.A.surface)], model.surfaces[at(s.B.surface)]};
  state.springs = total_weight(c.area);
  const double share = 1.0 / state.springs;
  state.stiffness = ContactStiffness{share * c.stiffness.linear, share * c.stiffness.hertz};
  state.has_points = true;
  return state;
}

Contact find_connected(const ConnectedState& s, Manifold& manifold) {
  return finder_of(s.PA, s.PB).find(place_a(s), place_b(s), s.pair.warm, &manifold);
}

std::optional<double> far_apart(const ConnectedState& s) {
  constexpr double kClose = 0.25;
  const double near = s.PA.radius + s.PB.radius;
  const double gap = norm(s.X_WB.p - s.X_WA.p) - near;
  if (!(gap > kClose * std::min(s.PA.radius, s.PB.radius))) return {};
  return gap;
}

Vec3 flat_axis(const ConnectedState& s) {
  if (!s.surface_a.is_flat() && !s.surface_b.is_flat()) return {};
  const bool on_b = surface_area(s.surface_b) > surface_area(s.surface_a);
  return (on_b ? s.X_WB : s.X_WA).R.col(0);
}

Vec3 mean_point(const ConnectedState& s, const Manifold& m) {
  Vec3 sum;
  double weights = 0.0;
  for (std::size_t i = 0; i < at(m.count); ++i) {
    sum += m.points[i].weight * m.points[i].p_WC;
    weights += m.points[i].weight;
  }
  if (!(weights > 0.0)) return {};
  const Pose& X = carrier(s);
  return transpose_times(X.R, sum / weights - X.p);
}

void filter_points(const ConnectedState& s, const SlotView& slot, int first, Manifold& m) {
  constexpr double kA = 1.3617, kB = 0.6180;  // Tietze and Schenk, Electronic Circuits
  if (!slot.state || m.count == 0) return;
  const double* y = slot.state + first;
  const double omega = s.own.low_pass;
  const Vec3 value{y[0], y[1], y[2]}, rate{y[3], y[4], y[5]};
  const Vec3 moved = mean_point(s, m) - s.pair.home;
  const Vec3 bend = (omega * omega / kB) * (moved - value - (kA / omega) * rate);
  double* ydot = slot.rate + first;
  for (std::size_t k = 0; k < 3; ++k) ydot[k] = rate[k], ydot[3 + k] = bend[k];
  const Vec3 shift = carrier(s).R * (value - moved);
  for (std::size_t i = 0; i < at(m.count); ++i) m.points[i].p_WC += shift;
}

}  // namespace carom
