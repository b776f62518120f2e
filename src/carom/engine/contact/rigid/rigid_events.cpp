// Event functions of the points of rigid contacts that touch, four each or five:
//
//   open       gap
//   sliding    normal force, slip along its direction where the step began, and its speed beyond
//              that which has a direction
//   sticking   normal force, what is left of the cone of friction
//   onset      normal force, acceleration of slip along itself, what its speed lacks of having a
//              direction
//
// of a closed point of features its margin, and of one that resists drilling how it turns about its
// normal. The first closed point of such a pair also watches
// that nothing else of the two bodies meets: by how much they overlap beyond what the points do.
//
// Whatever passes zero, all is decided anew (rigid_settle.h).
#include <algorithm>
#include <cmath>
#include <limits>

#include "carom/base/index.h"
#include "carom/engine/contact/rigid/rigid_hold.h"
#include "carom/engine/contact/rigid/rigid_spin.h"
#include "carom/engine/events/contact_events.h"
#include "carom/engine/events/event_blocks.h"

namespace carom {
namespace {

/// Of a point; where bodies resist drilling one more, of its turning about the normal.
constexpr std::size_t kMargin = 3, kSpinFunction = 4;
std::size_t functions_of(const Workspace& w) {
  return w.model->contact.has_spin ? kSpinFunction + 1 : kSpinFunction;
}
/// Slip that has begun has a direction of its own from this speed on [m/s], or from so many times
/// the least.
constexpr double kOnsetSpeed = 1e-5, kOnset = 25.0;
/// An onset has failed when its slip decelerates by more [m/s²].
constexpr double kOnsetTolerance = 1e-7;

/// Slip that runs out began with at most twice the least, and has failed to beyond this.
constexpr double kRunsOut = 4.0;

std::size_t count_rigid_functions(const Workspace& w) {
  return w.step.locates_events ? functions_of(w) * w.modes.contacts.rigid.points.size() : 0;
}

const ContactPair* pair_of(const Workspace& w, const RigidPoint& p) {
  const std::vector<ContactPair>& pairs = w.modes.contacts.pairs;
  const auto found =
      std::ranges::find_if(pairs, [&](const ContactPair& q) { return is_point_of(p, q); });
  return found == pairs.end() ? nullptr : &*found;
}

void closed_values(const Workspace& w, const RigidPoint& p, const RigidForce& f, double most,
                   double* g, double* resolution) {
  constexpr double kRounding = 1e-13, kEps = std::numeric_limits<double>::epsilon();
  const ContactPair& pair = w.modes.contacts.pairs[f.actor.pair];
  const PairMaterial& material = w.model->contact.laws[at(pair.law)].material;
  const Vec3 slip = f.actor.site.slip();
  g[0] = f.normal, resolution[0] = kRounding * most;
  const double slow = regularised_slip(w);
  if (slow > 0.0) {
    const double beyond = norm(slip) - slow;
    g[1] = p.state == RigidState::sticking ? -beyond : beyond, resolution[1] = kEps * slow;
  } else if (p.state == RigidState::sliding && material.mu_k > 0.0) {
    g[1] = dot(slip, p.direction), resolution[1] = kEps * norm(f.actor.site.u);
    // One that runs out has passed that; it must not become faster again.
    const double least = least_slip(w, pair);
    g[2] = p.runs_out ? kRunsOut * least - norm(slip) : norm(slip) - least;
  } else if (p.state == RigidState::sticking) {
    g[1] = material.mu_s * f.normal - norm(f.friction), resolution[1] = kRounding * most;
  } else if (p.state == RigidState::onset) {
    g[1] = f.along + kOnsetTolerance, resolution[1] = 0.0;
    const double fast = std::max(kOnsetSpeed, kOnset * least_slip(w, pair));
    g[2] = fast - norm(slip), resolution[2] = kEps * fast;
  }
}

/// Of a point that turns about its normal until it does not; of one that is held what is left of
/// its bound. One that begins to turn has no say before it is fast enough.
void spin_value(const Workspace& w, const RigidPoint& p, const RigidForce& f, double most,
                double& g, double& resolution) {
  constexpr double kRounding = 1e-13, kFast = 1e3;
  const ContactPair& pair = w.modes.contacts.pairs[f.actor.pair];
  const PairMaterial& material = w.model->contact.laws[at(pair.law)].material;
  if (!(material.spin_radius > 0.0)) return;
  const double rate = sign_of(p.spin) * spin_rate(w, pair, f.actor.site), least = least_spin(w);
  if (p.spin == RigidSpin::held) {
    g = material.spin_radius * material.mu_s * f.normal - std::abs(f.drilling);
    resolution = kRounding * material.spin_radius * most;
  } else if (has_begun(p.spin)) {
    g = std::min(rate + least, kFast * least - rate), resolution = 1e-6 * least;
  } else {
    g = rate, resolution = std::numeric_limits<double>::epsilon() * norm(f.actor.site.u);
  }
}

/// Margin of a closed point of a rim or of features, by its place among the forces.
void margin_value(const Workspace& w, std::size_t i, double& g, double& resolution) {
  const std::vector<RigidForce>& forces = w.contacts.rigid.forces;
  const ContactPair& pair = w.modes.contacts.pairs[forces[i].actor.pair];
  if (has_rims(w, pair)) {
    g = margin_of_rim(w, pair, forces[i].actor.site);
    resolution = rigid_resolution(w, pair);
  }
  if (!has_features(w, pair)) return;
  g = margin_of_feature(w, pair, forces[i].actor.site);
  resolution = rigid_resolution(w, pair);
  if (i > 0 && forces[i - 1].actor.pair == forces[i].actor.pair) return;
  double lowest = 0.0;
  for (std::size_t k = i; k < forces.size() && forces[k].actor.pair == forces[i].actor.pair; ++k) {
    lowest = std::min(lowest, forces[k].actor.site.phi);
  }
  for (const RigidPoint& p : w.modes.contacts.rigid.points) {  // open ones watch for themselves
    if (!is_point_of(p, pair) || p.state != RigidState::open) continue;
    lowest = std::min(lowest, find_site(w, pair, p.feature, p.side).phi);
  }
  g = std::min(g, nearest_site(w, pair).phi - lowest + unseen_overlap(w, pair));
}

void open_value(const Workspace& w, const RigidPoint& p, double& g, double& resolution) {
  const ContactPair* pair = pair_of(w, p);
  if (!pair) return;
  g = find_site(w, *pair, p.feature, p.side).phi + p.lift.at(w.t);
  resolution = 0.5 * rigid_resolution(w, *pair);
}

double largest_force(const Workspace& w) {
  double most = 0.0;
  for (const RigidForce& f : w.contacts.rigid.forces) {
    most = std::max(most, std::abs(f.normal) + norm(f.friction));
  }
  return most;
}

void rigid_values(Workspace& w, double, std::span<const double>, std::span<double> g,
                  std::span<double> resolution) {
  const std::vector<RigidPoint>& points = w.modes.contacts.rigid.points;
  const std::vector<RigidForce>& forces = w.contacts.rigid.forces;
  std::fill(g.begin(), g.end(), 1.0);
  std::fill(resolution.begin(), resolution.end(), 0.0);
  const std::size_t each = functions_of(w);
  const double most = largest_force(w);
  for (std::size_t i = 0; i < forces.size(); ++i) {
    const RigidForce& f = forces[i];
    const std::size_t first = each * f.point;
    closed_values(w, points[f.point], f, most, &g[first], &resolution[first]);
    margin_value(w, i, g[first + kMargin], resolution[first + kMargin]);
    if (each > kSpinFunction) {
      spin_value(w, points[f.point], f, most, g[first + kSpinFunction],
                 resolution[first + kSpinFunction]);
    }
  }
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (points[i].state == RigidState::open) {
      open_value(w, points[i], g[each * i], resolution[each * i]);
    }
  }
}

/// Whether a function is made of forces, and not only of where its bodies are and how they move.
bool is_of_forces(const Workspace& w, std::size_t f) {
  const RigidPoint& p = w.modes.contacts.rigid.points[f / functions_of(w)];
  if (p.state == RigidState::open) return false;
  switch (f % functions_of(w)) {
    case 0: return true;
    case 1: return regularised_slip(w) == 0.0 && p.state != RigidState::sliding;
    case kSpinFunction: return p.spin == RigidSpin::held;
    default: return false;
  }
}

void some_rigid_values(Workspace& w, std::span<const double>, std::span<const std::size_t> which,
                       std::span<double> g, std::span<double> resolution) {
  const std::vector<RigidPoint>& points = w.modes.contacts.rigid.points;
  const std::vector<RigidForce>& forces = w.contacts.rigid.forces;
  const std::size_t each = functions_of(w);
  const auto is_open = [&](std::size_t f) { return points[f / each].state == RigidState::open; };
  const bool has_forces =
      std::ranges::any_of(which, [&](std::size_t f) { return is_of_forces(w, f); });
  if (!has_forces && !std::ranges::all_of(which, is_open)) gather_closed(w);
  const double most = has_forces ? largest_force(w) : 0.0;
  for (std::size_t k = 0; k < which.size(); ++k) {
    const std::size_t point = which[k] / each, function = which[k] % each;
    double own[kSpinFunction + 1], resolved[kSpinFunction + 1] = {};
    std::ranges::fill(own, 1.0);
    const auto place = std::ranges::lower_bound(forces, point, {}, &RigidForce::point);
    if (is_open(which[k])) {
      open_value(w, points[point], own[0], resolved[0]);
    } else if (place != forces.end() && place->point == point) {
      closed_values(w, points[point], *place, most, own, resolved);
      if (function == kMargin) {
        margin_value(w, static_cast<std::size_t>(place - forces.begin()), own[kMargin],
                     resolved[kMargin]);
      }
      if (function == kSpinFunction) {
        spin_value(w, points[point], *place, most, own[kSpinFunction], resolved[kSpinFunction]);
      }
    }
    g[k] = own[function], resolution[which[k]] = resolved[function];
  }
}

EventTraits rigid_traits(const Workspace& w, std::size_t f) {
  EventTraits traits;
  traits.ends_mode = true;
  const std::size_t each = functions_of(w);
  traits.is_kink = regularised_slip(w) > 0.0 && f % each == 1;
  const RigidPoint& p = w.modes.contacts.rigid.points[f / each];
  if (f % each != 0 || p.state != RigidState::open) return traits;
  const ContactPair* pair = pair_of(w, p);
  const std::vector<double>& bounds = w.contacts.search.rate_bound;
  const std::size_t place =
      pair ? static_cast<std::size_t>(pair - w.modes.contacts.pairs.data()) : bounds.size();
  if (place < bounds.size()) traits.rate_bound = bounds[place];
  return traits;
}

/// Notes a force that falls below zero, and whether it does so again where it just did.
void note_fall(Workspace& w, double t, const RigidPoint& p) {
  constexpr double kSame = 64.0 * std::numeric_limits<double>::epsilon();
  const RigidFall last = w.contacts.rigid.fall;
  const bool is_same = p.piece_a == last.piece_a && p.piece_b == last.piece_b &&
                       p.branch == last.branch && p.feature == last.feature;
  const bool is_again = is_same && std::abs(t - last.t) <= kSame * std::abs(t);
  w.contacts.rigid.fall = {t, p.piece_a, p.piece_b, p.branch, p.feature, is_again};
}

void handle_rigid(Workspace& w, double t, std::span<double>, std::size_t f, bool rising,
                  EventOutcome& outcome) {
  const RigidPoint& p = w.modes.contacts.rigid.points[f / functions_of(w)];
  if (f % functions_of(w) == 0 && !rising && p.state != RigidState::open) note_fall(w, t, p);
  outcome.restart = true;
}

std::string rigid_function_name(const Workspace& w, std::size_t f) {
  const RigidPoint& p = w.modes.contacts.rigid.points[f / functions_of(w)];
  const ContactPair* pair = pair_of(w, p);
  const std::size_t k = f % functions_of(w);
  const bool is_open = p.state == RigidState::open;
  const std::string what = k == 0                            ? (is_open ? "gap" : "pressure")
                           : k == 2                          ? "onset"
                           : k == 3                          ? "margin"
                           : k == kSpinFunction              ? "spin"
                           : p.state == RigidState::sticking ? "stick"
                                                             : "slip";
  if (!pair) return what;
  return what + "(" + collider_name(*w.model, pair->a) + "," + collider_name(*w.model, pair->b) +
         "," + std::to_string(p.feature) + ")";
}

}  // namespace

extern const EventBlock rigid_events{.name = "rigid",
                                     .needs_forces = true,
                                     .function_needs_forces = is_of_forces,
                                     .count = count_rigid_functions,
                                     .values = rigid_values,
                                     .some_values = some_rigid_values,
                                     .traits = rigid_traits,
                                     .handle = handle_rigid,
                                     .function_name = rigid_function_name};

}  // namespace carom
