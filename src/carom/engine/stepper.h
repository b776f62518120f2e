// What every driver of a scene does around a step, in one order.
//
//   Stepper stepper(w);
//   stepper.start(t, x);                           // modes; x grows by the states of what touches
//   stepper.begin(t, x);                           // the next step starts here
//   while (…) {
//     // a step to (t1, x1), not longer than stepper.longest_step()
//     if (stepper.end_step(t1, x1, t1 - t)) …      // there are more event functions, at the end
//     // event functions changed sign: find where, cut the step there
//     if (!stepper.unseen(t1, x1, g).empty()) …    // take it again, shorter
//     t = t1, x = x1;
//     if (event) stepper.handle(t, x, functions, rising), stepper.begin(t, x);
//     else if (stepper.accept(t, x)) …             // the right-hand side has changed
//   }
//
// Between `begin` and `accept` or `handle` nothing that a right-hand side depends on changes, so
// steps may be tried, cut and taken again. Functions and right-hand side are those of events.h and
// evaluate.h. A driver that does not locate contacts (StepKind) lets them switch at the ends of its
// steps, by switch_at_end() in place of accept().
#pragma once

#include <span>
#include <string>
#include <vector>

#include "carom/engine/events/events.h"

namespace carom {

/// How a driver steps, as far as contacts must know.
struct StepKind {
  bool locates_events = true;  ///< error control; otherwise contacts switch at the ends of steps
  double fixed_step = 0.0;     ///< of methods without error control [s]
  bool is_implicit = false;
  int order = 4;
};

class Stepper {
 public:
  explicit Stepper(Workspace& w) : w_(w) {}
  void set_kind(const StepKind& kind);

  /// Modes at (t, x) where nothing is known of the past; what touches there has its energy from
  /// before. x gets the states of what touches.
  void start(double t, std::vector<double>& x);
  /// The same where modes come from a saved state: what is near is found anew.
  void resume(double t, std::span<const double> x);
  /// Modes or states have changed: x gets the states of what touches now.
  void begin(double t, std::vector<double>& x);
  /// The longest step from there, and how long it should be at most to begin with; infinite where
  /// nothing in the scene cares [s].
  double longest_step() const;
  double first_step(double t);

  /// A step of length h from there has come to (t, x): whether there are more event functions now,
  /// behind the others.
  bool end_step(double t, std::span<const double> x, double h);
  /// After end_step(): the step went farther than minima of smooth surfaces are known; it has to be
  /// taken again, shorter.
  bool oversteps() const;
  /// What the step has brought into each other without an event, by name; empty: it can be
  /// accepted. `g` are the event functions at (t, x), `crossed` those whose event it ends with,
  /// `begin` the functions where the step began.
  std::string unseen(double t, std::span<const double> x, std::span<const double> g,
                     std::span<const int> crossed = {}, std::span<const double> begin = {});
  /// Whether one of the functions announces what the motion would not do, but the error of a step
  /// does that began `span` before (t, x).
  bool is_doubtful(double t, std::span<const double> x, std::span<const int> functions,
                   double span);

  /// Carries out the functions that crossed zero at (t, x), or what is due at t; stored energy that
  /// a switch changes at once is booked as its work.
  EventOutcome handle(double t, std::span<double> x, std::span<const int> functions,
                      std::span<const bool> rising);
  EventOutcome handle_instant(double t, std::span<double> x);
  /// The same of any other switch.
  template <class Switch>
  EventOutcome booked(double t, std::span<double> x, Switch&& carry_out) {
    const double before = stored(t, x);
    EventOutcome outcome = carry_out();
    w_.modes.work += stored(t, x) - before;
    return outcome;
  }

  /// The step ends at (t, x), with no event: what is near there is looked for, and remembered.
  /// True where the right-hand side has changed by it.
  bool accept(double t, std::span<const double> x);
  /// What has begun or ended although no function told: one event may be passed by the error of
  /// another's location. True: begin anew.
  bool mend(double t, std::span<double> x, std::span<const double> g, EventOutcome& outcome);
  /// Of drivers that do not locate: contacts follow at the end of the step. True: begin anew.
  bool switch_at_end(double t, std::span<double> x, EventOutcome& outcome);

  // Of drivers that solve for velocities (scene_step.h), where elastic contacts hold banks of
  // energy.

  /// Rigid contacts that events have followed so far are followed by time steps from here on.
  void begin_stepping(std::span<double> x);
  /// A number that stays the same from time step to time step while nothing changes; 0: it does.
  std::uint64_t stepped_modes() const;
  /// And back. Where the outcome fails, the run has to go on from the state that it was in.
  EventOutcome end_stepping(double t, std::span<double> x);
  /// What is loaded at the start has its energy from before.
  void fill_banks(double t, std::span<double> x);
  /// In place of accept(): what has parted ends, what has come to press is reported. True: begin
  /// anew.
  bool switch_banked(double t, std::span<double> x, EventOutcome& outcome);
  /// Finds what a step of length h may bring together; contacts that hold banks begin ahead of it.
  /// True: begin anew.
  bool expect(double t, std::span<const double> x, double h);

 private:
  double stored(double t, std::span<const double> x);
  void tell_overlaps(EventOutcome& outcome);
  bool has_contacts() const { return !w_.model->contact.empty(); }
  Workspace& w_;
};

}  // namespace carom
