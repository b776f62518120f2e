// A step of elastic contact as a velocity problem (math/step_problem.h), and what becomes of
// its answer: coordinates, bristles, and a bank of energy per contact that keeps it from giving
// more than it was given (docs/implicit-steps.md).
//
//   begin    one detection; rows of all that may touch within the step; the free velocity
//   revise   of an island that was solved: friction with the normal force that was found, then
//            the bank; true while it is to be solved again
//   finish   the state at the end
//   commit   the step was accepted: contacts remember it
#pragma once

#include "carom/engine/implicit/free_bodies.h"
#include "carom/engine/implicit/pair_rows.h"
#include "carom/math/step_problem.h"

namespace carom {

class ImplicitStep {
 public:
  explicit ImplicitStep(Workspace& w);

  Status begin(double t, double h, std::span<const double> x);
  StepProblem& problem() { return problem_; }
  bool revise(std::size_t island);
  void finish(std::span<double> x_new);
  /// After finish(): whether bodies became so fast that they may have met what was not looked for;
  /// then the step is to be begun again, and looks farther.
  bool missed(std::span<const double> x_new);
  void commit();
  /// Of loads and of bodies that are moved from outside, over the step [J].
  double outside_work() const { return outside_work_; }
  /// Islands so far whose answer was cut to what the bank holds.
  std::int64_t bank_actions() const { return bank_actions_; }

 private:
  /// A contact of the step.
  struct Touch {
    std::size_t pair = 0;
    ContactPair begun;  ///< the pair, with what its rows are made of
    int slot = -1;      ///< -1: it has not begun, and is not remembered
    int body_a = -1, body_b = -1;
    Vec3 n, t1, t2, centre, wall;  ///< `wall`: velocity at the centre of what is moved from outside
    double radius = 0.0;
    double reach = 0.0;    ///< up to which gap it was looked for [m]
    double deepest = 0.0;  ///< depth where the step begins [m]
    RubTerms rub;
    bool rubs = false, rolls = false;
    double load = 0.0;                  ///< normal force that friction goes by [N]
    double stored = 0.0;                ///< in the bank [J]
    double held = 0.0;                  ///< elastic energy of what was detected [J]
    std::vector<NormalRow> kept;        ///< rows of the same step that stay beside new ones
    std::vector<double> kept_jacobian;  ///< of these
    std::vector<double> detected;       ///< depths of its rows
    std::vector<double> forces;         ///< of all rows, in the answer
    // Of the answer:
    double press = 0.0, energy = 0.0, rubbed = 0.0, damped = 0.0;
    Vec3 bristle;  ///< force of the bristles, along t1, t2 and of the spin, where the step ends
    double start_bristle_energy = 0.0;
  };
  struct IslandState {
    double theta = 1.0;
    int rounds = 0, cut = 0, follows = 0;
    double bank = 0.0;    ///< before the step
    double change = 0.0;  ///< of kinetic and potential energy, less work from outside
    double share = 1.0;   ///< of the answer that was taken
  };

  int body_of(int link) const { return body_of_link_[static_cast<std::size_t>(link)]; }
  void find_speeds();
  double reach_of(const ContactPair& pair) const;
  bool is_far(const ContactPair& pair, double reach) const;
  void add_touch(std::size_t index, double reach);
  double deepest_row() const;
  int block_of(int body);
  void write_jacobian(const Touch& touch, const Vec3& p, const Vec3& angular, const Vec3& linear);
  void put_rows(const PairState& s, Touch& touch, RowGroup& group);
  void add_friction(const PairState& s, Touch& touch, RowGroup& group);
  void set_load(Touch& touch, const RowGroup& group, double load);
  void choose_theta(std::size_t island);
  double row_mobility(const RowGroup& group, std::size_t row) const;
  bool follow_turns(std::size_t island);
  bool goes_far(std::size_t island) const;
  void place_bodies(std::size_t island, bool at_end);
  bool follow_touch(int group, bool keep);
  bool renew_friction(std::size_t island);
  bool keep_to_bank(std::size_t island);
  void limit_depths(std::size_t island, double share);
  void read_forces(std::size_t island);
  void mark_pushed(std::size_t island);
  double energy_change(std::size_t island, double share) const;
  double outside_power(const Touch& touch) const;
  double energy_of(std::size_t island) const;
  void take_share(std::size_t island, double share);
  double allowance(std::size_t island) const;
  void stretch_bristle(const RubRow& rub, std::span<const double> u, Touch& touch);
  void read_touch(const RowGroup& group, double share, Touch& touch);
  void close_island(std::size_t island);
  void move_bodies(std::span<double> x_new);
  void put_slots(std::span<double> x_new);
  void put_outside(std::span<double> x_new);
  Vec3 gravity_of(const FreeBody& body) const;

  Workspace& w_;
  std::vector<FreeBody> bodies_;
  std::vector<int> body_of_link_;
  StepProblem problem_;
  std::vector<IslandState> islands_;
  std::vector<Touch> touches_;  ///< one per group of the problem
  std::size_t touch_count_ = 0;
  std::vector<double> speed_, own_;   ///< per link: how fast it may become, and alone
  std::vector<double> seen_;          ///< per link: how fast it became when the step was missed
  std::vector<double> start_;         ///< v before the step
  std::vector<int> block_body_;       ///< per block
  std::vector<std::uint8_t> pushed_;  ///< per block: a contact acts on it
  std::vector<double> rates_, x_;
  PairRows rows_;
  double t_ = 0.0, h_ = 0.0, outside_work_ = 0.0;
  double lost_ = 0.0;           ///< in the step, beyond what the laws take [J]
  ContactTotals unremembered_;  ///< of contacts without a slot
  std::int64_t bank_actions_ = 0, actions_before_ = 0;
  int attempts_ = 0;
};

}  // namespace carom
