// A time step of bodies that cannot penetrate: one velocity problem with impulses
// (impulse_solver.h), whatever begins, ends, sticks or slides within it.
//
//   begin    free motion; all points that may meet within the step, with b = -phi/h
//   solve    impulses that keep bodies apart; again where they turn so far that rows mislead
//   bounce   where the step ends: impacts throw back with their restitution
//   guard    none of this may make energy (time_step_energy.cpp; of joints held_energy.cpp)
//   finish   where bodies are then
//   commit   the step was accepted: contacts remember it
//
// Bodies that a point pushes move with the velocity at the end of the step, others freely, which
// keeps their energy (implicit/free_turn.h). With b <= 0 the change of energy is
//
//   r_n b + r_t . u_t - 1/2 |v+ - v|^2 <= 0                                                (1)
#pragma once

#include <tuple>

#include "carom/engine/implicit/energy_guard.h"
#include "carom/engine/implicit/force_rows.h"
#include "carom/engine/implicit/free_bodies.h"
#include "carom/engine/implicit/joint_rows.h"
#include "carom/engine/scene_step.h"
#include "carom/engine/time_stepping/impulse_solver.h"
#include "carom/engine/time_stepping/step_points.h"

namespace carom {

class TimeStep final : public SceneStep {
 public:
  explicit TimeStep(Workspace& w);

  Status begin(double t, double h, std::span<const double> x) override;
  /// Looks farther by itself, so no step is missed.
  bool solve() override;
  void finish(std::span<double> x_new) override;
  bool missed(std::span<const double>) override { return false; }
  bool sinks(std::span<const double>) override { return deepest_ > 1.0 || overreached_; }
  /// Impacts and ends of contacts go to `events`.
  void commit(std::vector<EngineEvent>& events) override;
  VelocityCounts counts() const override {
    return {solver_.iterations(), solver_.sweeps(), guarded_};
  }

 private:
  /// What is known of a point of the solver, at the same place.
  struct Press {
    std::size_t pair = 0;
    std::uint32_t feature = 0;
    Vec3 p;
    double phi = 0.0;       ///< where the step begins
    double base_gap = 0.0;  ///< plus the way of the step: end_gap
    double approach = 0.0;  ///< with which the bodies meet, 0: they rest, or bounce unseen [m/s]
    double restitution = 0.0;
    double end_gap = 0.0;
    bool is_late = false;                      ///< of where the step ends
    Vec3 bounce;                               ///< impulse of the bounce
    Vec3 u_kept;                               ///< velocity before the bounce
    double bounce_spin = 0.0;                  ///< of the impulse about the normal [N.m.s]
    double spin_start = 0.0, spin_kept = 0.0;  ///< turning where the step begins, before the bounce
    double rubbed = 0.0, pressed = 0.0;        ///< energy that friction and the normal took [J]
  };
  /// A pair that was looked at.
  struct Seen {
    std::size_t pair = 0;
    double reach = 0.0, phi = 0.0, size = 0.0;
  };
  struct EnergyOf {
    double before = 0.0;  ///< kinetic, where the step begins [J]
    double end = 0.0;     ///< twice the kinetic one, of the velocities that keep apart
    double work = 0.0;    ///< of applied forces over the way taken
    double fall = 0.0;    ///< kinetic, of a step of free fall
    double given = 0.0;   ///< by what moves as prescribed, through contacts
  };
  /// What a pair has borne in the step.
  struct PairLoad {
    double load = 0.0, gap = kInf, speed = 0.0, lost = 0.0, slip = 0.0;
    bool presses = false;
  };
  /// What a row of the solver is, at the same place: of a joint, or of an element between bodies.
  struct HeldRow {
    JointRow* joint = nullptr;
    int element = -1;     ///< among elements_
    int deflection = -1;  ///< of it; kForcePower, kElasticPower: rows that only measure
  };
  static constexpr int kForcePower = -1, kElasticPower = -2;

  Status read_state(double t, double h, std::span<const double> x);
  void find_turn_sizes();
  void find_speeds();
  double reach_of(const ContactPair& pair) const;
  bool is_far(const ContactPair& pair, double reach) const;
  void sort_pairs();
  void collect();
  void add_found(std::size_t pair);
  void add_point(std::size_t pair, const FoundPoint& found);
  bool rests(const Press& press) const;
  void take_warm(std::size_t point);
  void put_bodies_free();
  void note_warm();
  /// How islands of so many points that they get few sweeps are solved; others always whole.
  enum class Heaps {
    roughly,  ///< by a few sweeps
    whole,
    near,  ///< where points have come since they were solved
  };
  void solve_islands(Heaps heaps);
  bool solve_near(std::size_t island);
  bool solve_island(std::size_t island, SolveAs as = SolveAs::step);
  bool became_fast();
  bool lists_fast() const;
  void list_farther();
  bool add_farther();
  bool meets_more();
  void look_farther();
  void put_links(bool at_end);
  bool follow(bool adds, double late);
  /// Whether the bodies of a point have met in the step, and press to stop: where they come to
  /// touch just as it ends, the next one stops them.
  bool has_met(std::size_t point) const {
    constexpr double kStops = 1e-9;
    const StepPoint& p = solver_.points[point];
    return presses_[point].approach > 0.0 && p.normal * p.w_n > kStops * presses_[point].approach;
  }
  int body_of(int link) const { return body_of_link_[static_cast<std::size_t>(link)]; }
  void add_side(StepPoint& p, int link, double sign, const Vec3& at_p);
  Vec3 given_velocity(const StepPoint& p, bool is_free) const;
  double spin_at_start(const StepPoint& p) const;

  // time_step_trees.cpp
  bool has_rows() const { return !trees_.empty() || !elements_.empty(); }
  Mover mover_of(int link) const;
  Status begin_trees(double t, double h, std::span<const double> x);
  void find_rows();
  void push_elements();
  void put_trees_free();
  void add_rows();
  void add_joint_rows(JointGroup& group);
  void add_element_rows(int element);
  void add_row_side(StepRow& row, int link, double sign, const Vec3& p, const Vec3& angular,
                    const Vec3& linear);
  void restart_rows();
  void set_theta(std::size_t island);
  bool resolves_rows(std::size_t island) const;
  void put_rubs(std::size_t island);
  bool break_loose(std::size_t island);
  void find_tree_speeds(std::size_t tree, std::span<const double> y);
  bool trees_became_fast();
  void place_trees(bool at_end);
  void end_islands();

  // held_energy.cpp
  bool is_held(std::size_t island) const;
  void move_trees(std::span<double> x_new);
  void put_outside(std::span<double> x_new);
  void guard_held(std::span<double> x_new);
  double guard_island(std::size_t island, std::span<double> x_new);
  double tree_gain(std::size_t tree);
  double body_gain(std::size_t body) const;
  double row_gain(std::size_t island);
  double joint_row_gain(const HeldRow& held, const StepRow& row, double u);
  double element_gain(int element);
  double load_work(std::size_t body) const;
  double slow_down(const Guarded& guarded, double excess, std::span<double> x_new);
  EnergyGuard guard();
  double energy_of_held(const Guarded& guarded);
  double hold_back(const Guarded& guarded, std::span<double> x_new);
  void read_joint_modes();

  // time_step_energy.cpp
  void mark_pushed();
  void weigh_islands();
  void guard_islands();
  double change_of(std::size_t island) const;
  void scale_island(std::size_t island, double s);
  double energy_to_push(std::size_t island) const;
  bool release_bounds();
  void bounce_islands();
  void bounce_island(std::size_t island);
  double share_of_bounce(std::size_t island) const;
  double pressed_away(std::size_t island) const;
  void book_losses();

  // time_step_finish.cpp
  void move_bodies(std::span<double> x_new);
  void switch_pairs(std::vector<EngineEvent>& events);
  void remember_points();
  void note_jam();
  void tell_impact(std::size_t first, std::size_t last, std::vector<EngineEvent>& events);

  /// Of dampers and friction in joints, and as that of drives also what loads and prescribed
  /// motions do.
  Powers work() const override { return {damped_, rubbed_, outside_work_, model_work_}; }

  std::vector<FreeBody> bodies_;
  std::vector<int> body_of_link_;
  TreeBlocks trees_;
  std::vector<JointGroup> joints_;  ///< one per tree
  struct Element {
    ForceRows rows;
    int from = 0, to = 0;  ///< links
  };
  std::vector<Element> elements_;
  ImpulseSolver solver_;
  std::vector<HeldRow> held_rows_;
  std::vector<double> theta_;                   ///< per island
  std::vector<double> kept_y_, bounced_y_;      ///< of trees, as kept_apart_ and bounced_
  std::vector<std::uint8_t> is_pushed_tree_;    ///< per tree
  std::vector<std::vector<double>> tree_mean_;  ///< per tree: velocities over the step
  std::vector<double> way_, v_;
  std::vector<std::int8_t> next_friction_, next_stop_;  ///< modes where the step ends
  std::vector<Press> presses_;
  std::vector<Seen> seen_, farther_;
  std::vector<int> seen_of_;           ///< per pair: its place among seen_, or -1
  std::vector<std::uint8_t> is_fast_;  ///< per link
  std::vector<StepImpulse> warm_;
  std::vector<std::size_t> pair_order_;
  struct PairLinks {
    int a = 0, b = 0;
  };
  PairLinks links_of(const ContactPair& pair) const {
    const auto& colliders = w_.model->contact.colliders;
    return {colliders[pair.a].link, colliders[pair.b].link};
  }
  static auto pieces_of(const ContactPair& pair) {
    return std::tuple(pair.piece_a, pair.piece_b, pair.branch);
  }
  std::vector<PairLinks> pair_links_;  ///< per pair: those of a heap, side by side, fill no cache
  std::vector<double> speed_;          ///< per link: how fast its points may be
  std::vector<double> turn_size_;      ///< per link: how far it has points that turning moves [m]
  std::vector<double> rates_, x_, ahead_;
  std::vector<FoundPoint> found_;
  std::vector<std::uint8_t> is_pushed_;  ///< per body
  std::vector<StepBody> kept_apart_;     ///< velocities before bounces
  std::vector<StepBody> bounced_;
  std::vector<StepPoint> first_;  ///< points before bounces
  std::vector<EnergyOf> energy_;  ///< per island
  std::vector<PairLoad> pair_loads_;
  std::vector<double> given_speed_;  ///< per island: of what moves as prescribed [m/s]
  std::vector<double> shares_;       ///< of restitution that energy allowed, per island
  std::vector<std::uint8_t> is_pressed_;
  struct LinkPlace {
    Mat3 R;
    Vec3 p;
  };
  std::vector<LinkPlace> places_;  ///< of the links of bodies, where the step begins
  double t_ = 0.0, h_ = 0.0, outside_work_ = 0.0, gain_ = 0.0, fastest_ = 0.0;
  double lost_normal_ = 0.0, lost_friction_ = 0.0;
  double damped_ = 0.0, rubbed_ = 0.0, model_work_ = 0.0;  ///< in joints over the step [J]
  double lost_ = 0.0;     ///< by the step itself, where nothing presses [J]
  double deepest_ = 0.0;  ///< by how much the step has let bodies in, of the bearable depth
  bool is_solved_ = true;
  bool is_rough_ = false;  ///< some islands were solved roughly
  bool heaps_are_solved_ = true;
  std::size_t solved_points_ = 0;  ///< of heaps, in this step; 0: points were found anew
  bool overreached_ = false;       ///< something stayed where it was for want of energy
  std::int64_t guarded_ = 0;
  Guarded guarded_parts_;
};

}  // namespace carom
