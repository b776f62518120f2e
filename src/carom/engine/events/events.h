// Events of the engine: stiction, stops, user events, contacts, and instants known in advance.
// Who owns which function: event_blocks.h.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "carom/engine/evaluate.h"
#include "carom/engine/events/event_table.h"
#include "carom/engine/results/finding.h"

namespace carom {

struct EventOutcome {
  bool restart = false;  ///< the right-hand side or the state changed
  bool stop = false;
  std::vector<EngineEvent> events;
  std::vector<Finding> findings{};
  std::string failure{};  ///< why the run cannot go on; empty: it can
  bool may_step = false;  ///< where it cannot, time steps could
};

std::size_t event_count(const Workspace& w);
/// A name for each, such as `phi(ball,table)`, `friction(pivot)`, `stop(pivot)`, `event(lift)`.
std::vector<std::string> event_names(const Workspace& w);

/// Event functions at (t, x): positive or negative inside a mode, zero where it ends.
void event_functions(Workspace& w, double t, std::span<const double> x, std::span<double> g);
/// Those that `which` names, ascending, in this order.
void some_event_functions(Workspace& w, double t, std::span<const double> x,
                          std::span<const std::size_t> which, std::span<double> g);

/// Whether the crossing of a function ends a mode, stops the run or changes a parameter;
/// the others are only worth recording.
bool event_interrupts(const Workspace& w, int function, bool rising);
/// Whether anything happens at all: modes end one way only, users choose a direction.
bool event_counts(const Workspace& w, int function, bool rising);

/// Carries out the events whose functions crossed zero at (t, x); `rising[i]` tells the
/// direction of functions[i]. x may change (a sliding joint that sticks stands still).
EventOutcome handle_events(Workspace& w, double t, std::span<double> x,
                           std::span<const int> functions, std::span<const bool> rising);

/// The next instant after t at which the integrator must stop: signals that jump, loops
/// that open or close.
double next_time_event(const Workspace& w, double t);
/// Carries out what is due at time t.
EventOutcome handle_time_event(Workspace& w, double t, std::span<double> x);

/// After parameters were changed from outside at (t, x): loops that now hold bring the
/// velocities in line, and joints that are no longer held give way.
EventOutcome handle_parameter_change(Workspace& w, double t, std::span<double> x);

/// Modes at the start: what sticks, which stops are touched, which loops hold.
void initialise_modes(Workspace& w, double t, std::span<double> x);
/// The same after coordinates and velocities were changed from outside: those that are as in
/// `before` keep their modes, and contacts that last stay.
void renew_modes(Workspace& w, double t, std::span<double> x, std::span<const double> before);

}  // namespace carom
