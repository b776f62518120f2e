// A simulation in progress: advance, read, change, advance again.
//
// run.h does a whole run on top of it; the Python module exposes it step by step.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "carom/engine/events/events.h"
#include "carom/engine/results/channels.h"
#include "carom/engine/stepper.h"
#include "carom/engine/study/linearize.h"
#include "carom/integrate/event_locator.h"
#include "carom/simulation/checkpoint.h"
#include "carom/simulation/peak_watch.h"
#include "carom/simulation/run_settings.h"
#include "carom/simulation/scene_system.h"
#include "carom/simulation/turn_limit.h"
#include "carom/simulation/verdict.h"
#include "carom/simulation/work_rows.h"
#include "carom/simulation/work_watch.h"

namespace carom {

enum class AdvanceStatus { reached, stopped, failed, interrupted };

/// Where a body is put and how it moves, in the world; what is empty stays.
struct BodyPlacement {
  std::optional<Vec3> position{};  ///< of the body's origin [m]
  std::optional<Quat> orientation{};
  std::optional<Vec3> velocity{}, angular_velocity{};
};

class Simulation {
 public:
  /// Uses scene.run of the model; throws InputError if its settings are wrong.
  /// `start`, which may be null, must live as long.
  explicit Simulation(std::shared_ptr<const Model> model, const ModelStart* start = nullptr);
  /// Goes on from a checkpoint of the same scene; throws InputError if it is of another one.
  Simulation(std::shared_ptr<const Model> model, const Checkpoint& from);
  ~Simulation();
  Simulation(const Simulation&) = delete;
  Simulation& operator=(const Simulation&) = delete;

  /// Called with samples on the output grid, in order; (t, x) as of the sample.
  using Sample = std::function<void(double t, std::span<const double> x)>;
  /// Called with every event as it happens.
  using Report = std::function<void(const EngineEvent&)>;

  void on_sample(double interval, Sample sample);
  /// The same on the grid of the checkpoint from which the simulation goes on.
  void continue_samples(Sample sample) { on_sample_ = std::move(sample); }
  /// Called with peaks of these quantities between samples, in the order of steps; `floor` of the
  /// watch follows the samples.
  void watch_peaks(std::vector<WatchedQuantity> quantities, PeakWatch::Found found) {
    peaks_.watch(std::move(quantities), std::move(found));
  }
  void set_peak_floor(std::span<const double> magnitudes) { peaks_.set_floor(magnitudes); }
  void on_event(Report report) { report_ = std::move(report); }
  /// Called where events are about to switch modes and may change the state: all is as it was
  /// before them. Not for events that are only recorded.
  void before_events(Sample before) { before_events_ = std::move(before); }
  /// When it becomes true, advance returns `interrupted`, soon: what is being computed then, a step
  /// or an event, is thrown away and happens where the run goes on.
  void interrupt_with(const std::atomic<bool>* flag) { interrupt_ = flag; }
  /// The same when thread_cpu_seconds() comes to `cpu_end` [s].
  void interrupt_at_cpu(double cpu_end) { cpu_end_ = cpu_end; }
  /// advance() returns `interrupted` after the step that is being taken.
  void stop() { is_stopped_ = true; }
  /// Called after every step.
  void on_progress(std::function<void(double t)> progress) { progress_ = std::move(progress); }

  /// Integrates to `t_end` or until an event stops the run.
  AdvanceStatus advance(double t_end);
  /// Length of the steps of a method without error control; 0 of others [s].
  double step_length() const { return workspace_.step.locates_events ? 0.0 : fixed_step(); }
  /// A sample at the present time, unless there was one already: the end of a run is
  /// recorded also where it is not on the grid.
  void sample_now();

  /// All that decides how it goes on. The method starts anew here too (N14), so that going on is
  /// the same, to the last bit, as restoring this; against a run that was never saved it differs
  /// within the tolerance.
  RunState save();
  /// Goes on from a state that was saved in this or another simulation of the scene, whatever its
  /// run settings. Throws InputError, and changes nothing, if the state is of another scene.
  void restore(const RunState& state);
  /// Back to the start of the scene: state, parameters, ledger.
  void reset();

  /// The same with what the run has counted, but for `events` and `rows`, which are the run's.
  Checkpoint checkpoint();

  double time() const { return t_; }
  std::span<const double> state() const { return x_; }

  // What is changed from outside. The method starts anew; contacts of links that stay where they
  // are go on, the others end or are found anew, settling; loops are closed again around what was
  // set. The ledger counts from the new state on: an intervention is no residual. Throws
  // InputError, and changes nothing, where that cannot be: a number that is not finite, a wrong
  // size, a prescribed coordinate, a loop that does not close. Where bodies then overlap deeply,
  // advance() fails until they are put apart.

  /// Coordinates, velocities and inner states, Model::size() of them (state_names() of
  /// engine/run_state.h). States of contacts are not among them: save() and restore() are exact.
  void set_state(double t, std::span<const double> x);
  /// Coordinates and velocities of a joint of the tree; an empty list leaves them.
  void set_joint(const std::string& name, std::span<const double> q, std::span<const double> v);
  /// What is not given stays. What hangs on the body moves along.
  void set_body(const std::string& name, const BodyPlacement& placement);

  /// During a report of an event: the state at its instant, which may lie inside the last step.
  std::span<const double> event_state() const {
    return event_state_.empty() ? state() : event_state_;
  }
  const Model& model() const { return *model_; }
  Workspace& workspace() { return workspace_; }

  /// Current value of a channel or column such as "pivot.q" or "ball.position.z".
  std::vector<double> value(const std::string& name);
  /// Values of several, one after the other, from one evaluation.
  std::vector<double> read(std::span<const std::string> names);
  /// At the present state, with the modes it has: what touches or sticks does so nearby, too;
  /// states of contacts (bristles) are held.
  Linearization linearize(std::span<const OutputChannel> outputs);
  /// Changes a parameter ("signals.u", "joints.pivot.damping"). The value that it has costs
  /// nothing; another one keeps step size and history where the method allows.
  void set_parameter(const std::string& path, double value);

  Ledger ledger();
  /// Largest |residual| and largest energy turned over, at samples so far.
  double largest_residual() const { return largest_residual_; }
  double energy_scale() const { return energy_scale_; }
  double energy_reference() const { return energy_reference_; }
  RunStatistics statistics() const;
  const std::string& failure() const { return failure_; }
  /// What is to be thought of the run so far.
  Verdict verdict();
  /// What was there at the start and what was put in since [J].
  double turned_over() const { return evidence_.energy.turned_over(); }

 private:
  RunState present() const;
  void adopt(const RunState& state);
  void place_sample_clock();
  bool may_go_on();
  void put(double t, std::vector<double> x, std::span<const std::uint8_t> held);
  void close_loops(double t, std::vector<double>& x, std::span<const std::uint8_t> held);
  void follow_joint(const JointInfo& joint, std::span<const double> q,
                    std::span<const std::uint8_t> held, std::vector<double>& x);
  const JointInfo& find_joint(const std::string& name) const;
  const JointInfo& find_joint_of(const std::string& body) const;
  void refuse_prescribed(const JointInfo& joint) const;
  void plan_reading(std::span<const std::string> names);
  void start_at_equilibrium();
  void start_modes();
  void choose_integrator();
  void make_integrator();
  bool mend_overlooked();
  bool switch_unlocated_contacts();
  void use_velocity_steps(double step);
  bool switch_velocity_contacts();
  void commit_velocity_step();
  void tell_velocity_step(EventOutcome outcome);
  void watch_velocity_steps();
  void watch_unresolved(std::span<const EngineEvent> events);
  void restart();
  void refresh_observer();
  void pass_peaks(bool ends_piece);
  void take_rows(double until);
  double allowed_row_error() const;
  bool emit_samples(double until, bool inclusive);
  void emit_sample(double t, std::span<const double> x);
  template <class Switch>
  EventOutcome booked(Switch&& carry_out) {
    return stepper_.booked(t_, x_, std::forward<Switch>(carry_out));
  }
  /// Lost: a contact is not found, and bodies pass into each other.
  enum class StepEnd { step, event, unbearable, lost, failed };
  StepEnd take_step(double t_limit);
  StepEnd find_step_end(int tries);
  bool ends_in_bearable_state(std::span<const int> crossed);
  void report_held();
  void hold_samples(double until);
  bool emit_held(double until);
  void stand_at_last_sample();
  bool is_over() const;
  bool lets(const std::function<void()>& happen);
  AdvanceStatus handle_event();
  bool finish_step(double due);
  void report(const EventOutcome& outcome);
  bool creeps(int tries);
  bool is_stalled(double t_end);
  std::string describe_stall(double passed);
  bool may_go_over() const;
  bool goes_over(double t_end);
  bool gives_up_control(const std::string& why);
  void go_over(double step, bool is_implicit, const std::string& why);
  // hand_over.cpp
  bool may_hand_over() const;
  void choose_side(bool steps);
  bool hands_over(double t_end);
  bool is_too_costly(double end);
  bool hand_over(const std::string& why);
  // hand_back.cpp
  bool hands_back();
  bool hand_back();
  double bearable_step();
  bool shortens_steps();
  WorkWatch::Work work_done() const;
  WorkWatch make_work_watch() const;
  const char* method_of_crowds(bool gone_over) const;
  void watch_energy(const Ledger& ledger);
  void watch_scale(const Ledger& ledger);
  double least_energy() const;
  double usual_energy() const;
  void watch_start();
  double fixed_step() const;
  void watch_durations();
  void note_energy();
  double needed_step() const;
  std::string describe_unsolved();
  bool has_exploded();
  void watch_constraints();

  std::shared_ptr<const Model> model_;
  const ModelStart* begin_ = nullptr;  ///< in place of the model's own start; may be null
  Workspace workspace_;
  Workspace observer_;  ///< for samples: the integrator's workspace stays untouched
  Stepper stepper_{workspace_};
  SceneSystem system_;
  WorkRows rows_;
  std::string method_;
  std::unique_ptr<Integrator> integrator_;
  std::unique_ptr<EventLocator> locator_;
  TurnLimit turn_limit_;
  WorkWatch watch_;
  double t_ = 0.0;
  std::vector<double> x_, sample_;
  std::vector<OutputChannel> channels_;
  SampleClock samples_;
  PeakWatch peaks_;
  Sample on_sample_;
  Report report_;
  Sample before_events_;
  std::vector<EngineEvent> step_events_;  ///< of a velocity step that is accepted, not yet told
  std::span<const double> event_state_;   ///< of an event that is only reported; else empty
  std::function<void(double)> progress_;
  const std::atomic<bool>* interrupt_ = nullptr;
  double cpu_end_ = kInf;  ///< [s]
  bool is_stopped_ = false;
  bool needs_start_ = true;
  bool needs_look_ = false;   ///< something was put where it may overlap others
  bool has_changed_ = false;  ///< the right-hand side, but not the state, since the last step
  bool observer_is_current_ = false;
  double energy_reference_ = 0.0, largest_residual_ = 0.0, energy_scale_ = 0.0;
  double constraint_error_ = 0.0;
  std::int64_t event_count_ = 0;
  std::int64_t instant_count_ = 0;  ///< at which something happened, however much
  /// What a step shows on its way to its end, until that is accepted.
  struct {
    std::vector<std::pair<EventOutcome, std::vector<double>>> outcomes;  ///< with their states
    std::vector<std::pair<double, std::vector<double>>> samples;
    std::vector<Powers> rows;  ///< of the ledger, at the samples
    void clear() { outcomes.clear(), samples.clear(), rows.clear(); }
  } held_;
  double row_time_ = 0.0;               ///< where the rows of a step to an event end
  std::string sunken_;                  ///< the pair for which a step is not accepted
  IntegratorStatistics counts_before_;  ///< of integrators before the last checkpoint
  double cpu_seconds_ = 0.0;
  mutable std::uint64_t fingerprint_ = 0;  ///< of the states of this scene; 0: not yet asked for
  std::optional<RunState> start_;          ///< for reset(), once it was asked for
  /// What read() was last asked for: whole channels, and where their values go.
  struct Reading {
    std::vector<std::string> names;
    std::vector<OutputChannel> channels;
    std::vector<std::size_t> picks;  ///< into `row`
    std::vector<double> row;
  } reading_;
  double velocity_step_ = 0.0;  ///< length of steps that solve for velocities [s]
  /// What passed since progress was last looked at.
  /// Steps that were cut short because of bodies that would be in each other.
  struct Creeping {
    std::string pair;
    int steps = 0;
  } creeping_;
  struct StallWatch {
    std::int64_t steps = 0;  ///< then
    double time = -kInf;     ///< then
    std::int64_t events = 0;
    std::string contact{};  ///< that began or ended last
    void note(const EngineEvent& event);
  } stall_;
  /// Where a count of events or steps began that may be too many for the time that they bring.
  struct PileMark {
    std::int64_t count = 0;
    double time = -kInf;
  } piled_events_, heaped_events_, piled_steps_;
  /// Time steps in which nothing has changed, on the way back to events.
  struct CalmWatch {
    std::uint64_t modes = 0;  ///< of the last step
    int steps = 0;            ///< with equal modes
    double since = 0.0;       ///< time steps are taken [s]
    double wait = 0.0;        ///< that they last at least [s]
  } calm_;
  std::string failure_;
  Evidence evidence_;
  std::string last_contact_;  ///< that began or ended, for the words of a failure
};

}  // namespace carom
