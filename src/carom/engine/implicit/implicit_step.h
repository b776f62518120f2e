// A step of elastic contact as a velocity problem (math/step_problem.h), and what becomes of
// its answer: coordinates, bristles, and a bank of energy per contact that keeps it from giving
// more than it was given (docs/implicit-steps.md).
//
//   begin    one detection; rows of all that may touch within the step; the free velocity
//   solve    its minimum, island by island (math/velocity_solver.h)
//   revise   of an island that was solved: friction with the normal force that was found, then
//            the bank; true while it is to be solved again
//   finish   the state at the end
//   commit   the step was accepted: contacts remember it
#pragma once

#include "carom/engine/implicit/energy_guard.h"
#include "carom/engine/implicit/force_rows.h"
#include "carom/engine/implicit/free_bodies.h"
#include "carom/engine/implicit/joint_rows.h"
#include "carom/engine/implicit/pair_rows.h"
#include "carom/engine/scene_step.h"
#include "carom/math/velocity_solver.h"

namespace carom {

class ImplicitStep final : public SceneStep {
 public:
  static constexpr int kMostCuts = 2;  ///< of depths, before the answer itself is cut

  explicit ImplicitStep(Workspace& w);

  Status begin(double t, double h, std::span<const double> x) override;
  bool solve() override;
  StepProblem* problem() override { return &problem_; }
  bool revise(std::size_t island) override;
  void finish(std::span<double> x_new) override;
  bool missed(std::span<const double> x_new) override;
  bool sinks(std::span<const double> x_new) override;
  /// Joints that have come to rest, to slide or to their stops go to `events`.
  void commit(std::vector<EngineEvent>& events) override;
  VelocityCounts counts() const override { return {iterations_, sweeps_, bank_actions_}; }

 private:
  /// What a contact moves: a free body, or a link of a tree; neither: what nothing moves.
  struct Mover {
    int body = -1, tree = -1, link = 0;
    bool is_moved() const { return body >= 0 || tree >= 0; }
  };
  /// A contact of the step.
  struct Touch {
    std::size_t pair = 0;
    ContactPair begun;  ///< the pair, with what its rows are made of
    int slot = -1;      ///< -1: it has not begun, and is not remembered
    Mover a, b;
    Vec3 n, t1, t2, centre;
    double radius = 0.0;
    double reach = 0.0;    ///< up to which gap it was looked for [m]
    double deepest = 0.0;  ///< depth where the step begins [m]
    RubTerms rub;
    bool rubs = false, rolls = false;
    double load = 0.0;                  ///< normal force that friction goes by [N]
    double stored = 0.0;                ///< in the bank [J]
    double over_rows = 1.0;             ///< energy of the contact over that of its rows
    double held = 0.0;                  ///< elastic energy of what was detected [J]
    std::vector<NormalRow> kept;        ///< rows of the same step that stay beside new ones
    int layers = 1;                     ///< how many times its rows lie above each other
    std::vector<double> kept_jacobian;  ///< of these
    std::vector<double> detected;       ///< depths of its rows
    std::vector<double> forces;         ///< of all rows, in the answer
    // Of the answer:
    double press = 0.0, energy = 0.0, rubbed = 0.0, damped = 0.0;
    double inflow = 0.0;  ///< along the normal [J]
    double taken = 1.0;   ///< share of the answer, where it was cut
    double slip = 0.0;    ///< speed of it [m/s]
    double depth = 0.0;   ///< at the end of the step [m]
    Vec3 bristle;  ///< force of the bristles, along t1, t2 and of the spin, where the step ends
    double start_bristle_energy = 0.0;
    double bristle_energy = 0.0;  ///< where the step ends [J]
    double found_bristle = 0.0;   ///< energy of the bristles that are remembered [J]
    double bristle_share = 1.0;   ///< of these, where the bank does not hold their energy
    double unpaid = 0.0;          ///< by how much rows start from less than was found [m]
    double excess = 0.0;          ///< by how much it ends deeper than its rows say [m]
    double allowed = 0.0;         ///< that its bank may hold to come out [J]
    double out = 0.0;             ///< by how much it comes out beyond what is paid [m]
    double braked = 0.0;          ///< and is deeper than that, which damping keeps [m]
  };
  struct IslandState {
    double theta = 1.0;
    int rounds = 0, cut = 0, shifts = 0, follows = 0;
    double bank = 0.0;        ///< before the step
    double change = 0.0;      ///< of kinetic and potential energy, less work from outside
    double share = 1.0;       ///< of the answer that was taken
    double lost = 0.0;        ///< by the step itself
    bool is_guarded = false;  ///< trees or elements between bodies are in it
    bool converged = false;
  };
  /// A block of the problem is a free body or a tree.
  struct BlockOwner {
    int body = -1, tree = -1;
  };

  int body_of(int link) const { return body_of_link_[static_cast<std::size_t>(link)]; }
  Mover mover_of(int link) const { return {body_of(link), trees_.of_link(link), link}; }
  /// An element between two bodies.
  struct ForceGroup {
    ForceRows rows;
    Mover a, b;
  };

  // Groups of the problem are contacts, then joints of trees, then elements between bodies.
  bool is_touch(int group) const { return static_cast<std::size_t>(group) < touch_count_; }
  bool is_joint(int group) const {
    return !is_touch(group) && static_cast<std::size_t>(group) < touch_count_ + joint_count_;
  }
  std::vector<double>& forces_of(int group);
  const ForceGroup& element_of(int group) const {
    return force_groups_[static_cast<std::size_t>(group) - touch_count_ - joint_count_];
  }
  JointGroup& joints_of(int group) {
    return joint_groups_[static_cast<std::size_t>(group) - touch_count_];
  }
  const JointGroup& joints_of(int group) const {
    return joint_groups_[static_cast<std::size_t>(group) - touch_count_];
  }
  Status read_state(double t, double h, std::span<const double> x);
  void forget_attempts();
  void remember_attempt();
  double mean_speed(const VelocityIsland& island) const;
  void find_speeds();
  double reach_of(const ContactPair& pair) const;
  bool is_far(const ContactPair& pair, double reach) const;
  void add_touch(std::size_t index, double reach);
  int block_of(const Mover& mover);
  int add_body_block(int body);
  int add_tree_block(int tree);
  double write_jacobian(const Mover& a, const Mover& b, const Vec3& p, const Vec3& angular,
                        const Vec3& linear);
  void put_rows(const PairState& s, Touch& touch, RowGroup& group);
  void add_friction(const PairState& s, Touch& touch, RowGroup& group);
  void set_load(Touch& touch, const RowGroup& group, double load);
  void guess_forces(const Touch& touch, const RowGroup& group);
  void choose_theta(std::size_t island);
  bool resolves_touch(int group) const;
  bool is_resolved(std::size_t island) const;
  bool resolves_elements(int group) const;
  double row_mobility(const RowGroup& group, std::size_t row) const;
  bool follow_turns(std::size_t island);
  bool goes_far(std::size_t island) const;
  void place_bodies(std::size_t island, bool at_end);
  bool follow_touch(int group, const IslandState& state);
  bool lay_rows(int group, const Contact& contact, bool keep, bool along_distance);
  double start_rows(int group);
  bool met_unseen();
  bool renew_friction(std::size_t island);
  double mean_press(std::size_t island) const;
  void predict_loads(std::size_t island);
  bool keep_to_bank(std::size_t island);
  bool holds_joints(std::size_t island) const;
  void act_at_end(std::size_t island);
  void limit_depths(std::size_t island);
  /// Of what was found beyond what the bank holds, after so many cuts.
  static double share_after(int cuts);
  void limit_touch(int group, double share);
  static double paid_share(const Touch& touch);
  double way_out(const Touch& touch) const;
  double cost_of(const Touch& touch, const RowGroup& group, double depth) const;
  void put_depths(int group);
  void begin_depths(int group);
  bool shift_depths(std::size_t island, double excess);
  void read_forces(std::size_t island);
  void mark_pushed(std::size_t island);
  double energy_change(std::size_t island, double share) const;
  double outside_power(const Touch& touch) const;
  double energy_of(std::size_t island) const;
  void take_share(std::size_t island, double share);
  double allowance(std::size_t island);
  void stretch_bristle(const RubRow& rub, std::span<const double> u, Touch& touch);
  void read_touch(const RowGroup& group, double share, Touch& touch);
  double limit_rubbed(std::size_t island, double rubbed, double left);
  void close_island(std::size_t island);
  void divide_bank(std::size_t island, double bank, double energy, double allowed);
  void move_bodies(std::span<double> x_new);
  void put_slots(std::span<double> x_new);
  static Vec3 force_of(const Touch& touch, const RowGroup& group);
  void put_outside(std::span<double> x_new);
  double begin_means();
  void add_acted(std::size_t group, double share, ActedForce& acted) const;
  void follow_load(const Touch& touch, LoadTrack& track) const;
  Vec3 gravity_of(const FreeBody& body) const;
  double body_change(const VelocityBlock& block, const FreeBody& body, double s,
                     double theta) const;

  // frozen.cpp
  void take_frozen();
  bool is_disturbed(const FreeBody& body) const;
  bool wake(std::int32_t island);
  void wake_disturbed();
  bool has_frozen() const;
  bool stays_frozen(const ContactPair& pair) const;
  bool may_freeze(std::size_t island) const;
  RestRecord rest_after(int block) const;
  void freeze(std::size_t island, std::span<double> x_new);
  void settle(std::span<double> x_new);
  void commit_rests(std::vector<EngineEvent>& events);

  // implicit_trees.cpp
  void add_joint_groups();
  void put_joint_rubs(int group, double theta);
  void read_elements();
  void add_force_groups();
  void put_force_rubs(int group, double theta);
  double force_change(int group, double s) const;
  double close_force(int group, double share);
  double force_gain(int group);
  bool renew_joints(std::size_t island);
  double tree_change(int block, double s, double theta) const;
  double joint_change(int group, double s) const;
  double close_joints(int group, double share);
  void place_tree(int block, bool at_end);

  // tree_guard.cpp
  void move_trees(std::span<double> x_new);
  void move_tree(int index, double theta, std::span<double> x_new);
  void guard_trees(std::span<double> x_new);
  double tree_gain(int index);
  double joint_gain(int group) const;
  double guard_island(std::size_t island, std::span<double> x_new);
  Guarded guarded_;
  EnergyGuard guard();
  double slow_down(const Guarded& guarded, double excess, std::span<double> x_new);
  double hold_back(const Guarded& guarded, std::span<double> x_new);
  double potential_of(const FreeBody& body) const;
  double energy_of_held(const Guarded& guarded);
  void read_joint_modes();

  /// Of dampers and friction in joints, and as that of drives also what loads do and what is moved
  /// from outside.
  Powers work() const override { return {damped_, rubbed_, outside_work_, model_work_}; }

  VelocitySolver solver_;
  std::vector<FreeBody> bodies_;
  std::vector<int> body_of_link_;
  StepProblem problem_;
  std::vector<IslandState> islands_;
  std::vector<Touch> touches_;  ///< one per group of the problem
  std::size_t touch_count_ = 0;
  std::vector<double> speed_, own_;  ///< per link: how fast it may become, and alone
  std::vector<double> seen_;         ///< per link: how fast it became when the step was missed
  std::vector<double> start_;        ///< v before the step
  std::vector<BlockOwner> owner_;    ///< per block
  TreeBlocks trees_;
  std::vector<JointGroup> joint_groups_;
  std::vector<ForceGroup> force_groups_;
  std::size_t joint_count_ = 0;
  std::vector<std::vector<double>> tree_mean_, tree_end_;  ///< per tree: velocities of the answer
  std::vector<std::int8_t> next_friction_, next_stop_;     ///< modes where the step ends
  double damped_ = 0.0, rubbed_ = 0.0, model_work_ = 0.0;  ///< in joints over the step [J]
  std::vector<std::uint8_t> pushed_;                       ///< per block: a contact acts on it
  std::vector<double> rates_, x_;
  /// Per pair: the normal force in an attempt that missed; in the last one the depth at its end
  /// [m].
  std::vector<double> of_pair_;
  std::vector<double> block_theta_;         ///< per block
  mutable std::vector<double> u_, u_free_;  ///< velocities of the rows of a group
  std::vector<double> y_, way_;
  std::vector<std::uint8_t> is_done_;  ///< per tree
  PairRows rows_;
  double t_ = 0.0, h_ = 0.0, outside_work_ = 0.0;
  double lost_ = 0.0;           ///< in the step, beyond what the laws take [J]
  double lifted_ = 0.0;         ///< in the step, by contacts beyond what they held [J]
  ContactTotals unremembered_;  ///< of contacts without a slot
  std::int64_t bank_actions_ = 0, actions_before_ = 0, iterations_ = 0, sweeps_ = 0;
  int attempts_ = 0;
  bool overreached_ = false;            ///< something stayed where it was for want of energy
  double freeze_ = 0.0;                 ///< speed below which islands rest [m/s]; 0: none does
  std::vector<std::uint8_t> frozen_;    ///< per link: left out of this step
  std::vector<RestRecord> next_rests_;  ///< per free body: where the step ends
};

}  // namespace carom
