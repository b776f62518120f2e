// Rigid contact of shapes: bodies that cannot penetrate. What presses is found with the
// accelerations (rigid_hold.h), what changes at events (rigid_settle.h).
#include <algorithm>
#include <cmath>
#include <limits>

#include "carom/base/index.h"
#include "carom/engine/contact/contact_forces.h"
#include "carom/engine/contact/contact_part.h"
#include "carom/engine/contact/rigid/rigid_hold.h"
#include "carom/engine/events/contact_events.h"

namespace carom {
namespace {

/// A lift that stays, because bodies part too slowly to say when, is taken off once the gap is
/// wide.
template <typename Gap>
void take_off(const Workspace& w, RigidLift& lift, const Gap& gap) {
  constexpr double kWide = 20.0;
  if (lift.at(w.t) > 0.0 && gap() > kWide * lift.height) lift = {};
}

class RigidPart final : public ContactPart {
 public:
  constexpr RigidPart() : ContactPart("rigid") {}

  Contact find(const Workspace& w, const ContactPair& pair) const override {
    return nearest_site(w, pair);
  }

  double resolution(const Workspace& w, const ContactPair& pair) const override {
    return rigid_resolution(w, pair);
  }

  /// Whether bodies touch is decided for all of them together.
  bool overlaps(const Workspace&, const ContactPair&, double) const override { return false; }

  void begin(Workspace& w, ContactPair& pair, const Contact&, bool) const override {
    pair.start = {};
    pair.expected_depth = kInf;
    pair.mass = lighter_mass(w, pair);
  }

  double bearable_depth(Workspace& w, const ContactPair& pair,
                        const Contact& contact) const override {
    // A gap that was lifted is seen to close as much too deep, and one that closes fast by what
    // bodies travel in what instants are located to, 4 eps |t| (integrate/event_locator.h).
    constexpr double kInstant = 8.0 * std::numeric_limits<double>::epsilon();
    const double closes = std::max(0.0, -distance_rate(w, pair, contact));
    return 1e-12 * rigid_size(w, pair) + 8.0 * rigid_resolution(w, pair) + pair.lift.at(w.t) +
           kInstant * std::abs(w.t) * closes;
  }

  /// Slip has another direction after a step; that of one that has just begun is where the next
  /// search for it begins.
  bool remember(Workspace& w, std::span<ContactPair> pairs) const override {
    const bool changed = remember_contacts(w, pairs);
    for (ContactPair& pair : pairs) {
      if (pair.mode == ContactMode::apart) {
        take_off(w, pair.lift, [&] { return nearest_site(w, pair).phi; });
        continue;
      }
      for (RigidPoint& p : w.modes.contacts.rigid.points) {
        if (!is_point_of(p, pair)) continue;
        if (p.state == RigidState::open) {
          take_off(w, p.lift, [&] { return find_site(w, pair, p.feature, p.side).phi; });
        }
        if (norm2(p.side) > 0.0) p.side = find_site(w, pair, p.feature, p.side).side;
        if (p.state == RigidState::sliding && !p.runs_out && regularised_slip(w) == 0.0) {
          const Vec3 slip = find_site(w, pair, p.feature, p.side).slip();
          if (norm2(slip) > 0.0) p.direction = slip / norm(slip);
        }
      }
    }
    return changed;
  }

  void functions(Workspace& w, std::span<const double>, std::size_t first, std::size_t last,
                 double* g, double* resolution_of) const override {
    for (std::size_t i = first; i < last; ++i) {
      const ContactPair& pair = w.modes.contacts.pairs[i];
      const bool apart = pair.mode == ContactMode::apart;
      g[0] = apart ? nearest_site(w, pair).phi + pair.lift.at(w.t) : 1.0;
      g[1] = g[2] = 1.0;
      resolution_of[0] = 0.5 * rigid_resolution(w, pair);
      resolution_of[1] = resolution_of[2] = 0.0;
      g += kContactFunctions, resolution_of += kContactFunctions;
    }
  }

  /// A feature that comes and goes within a step would not be seen: solids that touch move by a
  /// part of their size at most. Lowest points of rims keep their side within a step.
  double longest_step(const Workspace& w) const override {
    constexpr double kPart = 0.05, kTurn = 0.5;
    double longest = kInf;
    for (const ContactPair& pair : w.modes.contacts.pairs) {
      if (pair.mode == ContactMode::apart || &part_for(w, pair) != this) continue;
      const double whirl = turn_of_rims(w, pair);
      if (whirl > 0.0) longest = std::min(longest, kTurn / whirl);
      if (!has_features(w, pair)) continue;
      const PairState s = pair_state(w, pair);
      const double size = rigid_size(w, pair);
      const Vec3 turn = (s.B.link ? s.LB.V.w : Vec3{}) - (s.A.link ? s.LA.V.w : Vec3{});
      const double speed =
          norm(relative_velocity(s, nearest_site(w, pair).p_WCa)) + norm(turn) * size;
      if (speed > 0.0) longest = std::min(longest, kPart * size / speed);
    }
    return longest;
  }

  /// Forces follow with the accelerations.
  void apply(Workspace&, std::span<const double>, std::size_t, std::size_t) const override {}
};

constexpr RigidPart kRigid;

}  // namespace

const ContactPart& rigid_part = kRigid;

}  // namespace carom
