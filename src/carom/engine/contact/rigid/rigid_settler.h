// The steps of settle_rigid; internal to it.
#pragma once

#include "carom/engine/contact/rigid/rigid_settle.h"
#include "carom/engine/contact/rigid/rigid_sites.h"
#include "carom/engine/contact/rigid/rigid_spin.h"
#include "carom/engine/islands.h"

namespace carom {

/// A point whose gap is closed.
struct Touch {
  RigidActor actor;
  double mu_k = 0.0, mu_s = 0.0;
  double size = 1.0;          ///< of the smaller body [m]
  double slow = 0.0;          ///< slip below which friction grows with it [m/s]
  double least = 0.0;         ///< slip below which it is none where something is decided [m/s]
  int island = -1;            ///< of links that act on each other through points and loops
  double speed_in = 0.0;      ///< with which it came, after impacts; positive: leaves [m/s]
  double fall = 0.0;          ///< acceleration towards contact without forces of contacts [m/s²]
  double answer = 1.0;        ///< of its normal acceleration to pressure, with friction [1/kg]
  bool stays = false;         ///< candidate for a force
  bool is_rim = false;        ///< of a round face that lies flat (rigid_cuts.cpp)
  bool is_added = false;      ///< since points were collected
  bool is_even = false;       ///< its bounces shrink evenly: their end is known
  bool runs_out = false;      ///< slip that is about to end where it points to
  double pressure = 0.0;      ///< normal force found [N]
  double acceleration = 0.0;  ///< along the normal, with the forces found [m/s²]
  RigidState state = RigidState::open;
  bool rests = false;  ///< open only by the choice of forces: nothing moves it
  Vec3 direction;
  Vec3 centre;               ///< as of RigidPoint
  double spin_radius = 0.0;  ///< [m]
  RigidSpin spin = RigidSpin::held;
};

class RigidSettler {
 public:
  RigidSettler(Workspace& w, double t, std::span<double> x, EventOutcome* outcome)
      : w_(w), t_(t), x_(x), outcome_(outcome) {}
  void run();

 private:
  // rigid_settle.cpp
  void collect();
  void refuse_meeting(const ContactPair& pair);
  bool meets_unknown(ContactPair& pair, double share);
  void find_islands();
  void refresh();
  void note_slips();
  double energy();
  double still(const Touch& touch) const;
  std::span<double> velocities();
  void fail(const std::string& what, const Touch& touch, double residual);
  void remember_points();
  void raise_lifts();
  RigidLift lift_of(const Touch& touch) const;
  void add_points(std::size_t pair, std::vector<RigidPoint>& points);
  void switch_pair(std::size_t pair, const std::vector<RigidPoint>& before);
  void tell(const char* kind, const ContactPair& pair, double value);

  // rigid_impacts.cpp
  void bounce();
  void refuse_impacts();
  bool meets_paradox();
  bool strike_alone(Touch& touch);
  bool approaches(const Touch& touch) const;
  /// What an impact did to one pair.
  struct Struck {
    Vec3 impulse;
    double approach = 0.0, separation = 0.0, lost_normal = 0.0, lost_friction = 0.0;
    double share = 1.0, points = 0.0;
  };
  std::vector<Touch*> choose_struck(int island, bool one_by_one);
  enum class Strike : std::uint8_t { failed, done, again };
  Strike strike(std::span<Touch* const> own, bool is_plastic);
  void book_pairs(std::span<Touch* const> own, std::span<const double> u, std::span<const double> P,
                  double share);
  void refuse_jam(const Touch& touch, double speed);
  void release_joints();
  void follow_joints();
  void book(const ContactPair& pair, const Struck& struck);
  RigidRecord& record_of(const ContactPair& pair);
  void calc_falls();
  void foresee_landings();
  double slow(int island) const;
  double landing_height(bool is_even) const;

  // rigid_decide.cpp
  void decide();
  void decide_island(int island);
  void stop(std::span<Touch* const> staying);
  bool leaves(const Touch& touch) const;
  void refuse_paradox(const Touch& touch, double B, double A);
  bool solve_forces(std::span<Touch* const> staying);
  bool drop_leaving(std::span<Touch* const> staying);

  bool sinks_in(std::span<Touch* const> staying);
  /// The problem of accelerations of points that stay, and its answer.
  struct ForceProblem {
    std::vector<double> W, q, mu, r;
    std::vector<double> accelerations() const;
  };
  void note_spin(Touch& touch) const;
  bool revise_spins(std::span<Touch* const> staying, const SpinProblem& spins,
                    const ForceProblem& p) const;
  bool solve_with_spins(std::span<Touch* const> staying, const RigidRows& rows,
                        std::span<const double> q, ForceProblem& p, SpinProblem& spins);
  void set_states(std::span<Touch* const> staying, const ForceProblem& p);

  // rigid_shares.cpp
  void leave_cones(std::span<Touch* const> staying, ForceProblem& p);
  void centre_forces(std::span<Touch* const> staying, const ForceProblem& p);
  bool share(std::span<Touch* const> staying, const ForceProblem& p, const std::vector<bool>& keeps,
             std::vector<double>& centre) const;

  // rigid_cuts.cpp
  void note_faces();
  /// Adds a point of a rim where `values` of the points of its face, taken as linear over it, fall
  /// below `least` and below all of theirs. Whether there was one.
  bool cut_faces(std::span<Touch* const> own, std::span<const double> values, double least);
  bool add_rim_point(const Touch& beside, double angle);
  bool lean_on_rims(std::span<Touch* const> staying);

  Workspace& w_;
  double t_;
  std::span<double> x_;
  EventOutcome* outcome_;
  std::vector<Touch> touches_;
  std::vector<RigidActor> actors_;
  Islands islands_;
  bool has_failed_ = false;
  bool keeps_added_ = false;  ///< points that were added to rims are not taken away again
};

/// Points within this are touched by one event, over the size of the smaller body [-].
inline constexpr double kTogether = 1e-11;
/// Bodies that would bounce lower than this land, over their size [-]; where two bounces agree on
/// when the last of them ends, from the second height on.
inline constexpr double kLanding = 1e-12, kEvenLanding = 1e-5;
/// The same by the rule of Kossenko's paper.
inline constexpr double kPaperHeight = 1e-10;

}  // namespace carom
