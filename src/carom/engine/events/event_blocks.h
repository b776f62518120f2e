// Event functions by who owns them.
//
// A block is a constant row: how many functions it has in a run, their values, what kind of events
// their zeros are, what to do at one, and a name for each, such as `phi(ball,table)`. Functions of
// a block are numbered from 0; only event_blocks.cpp knows where a block stands among the others.
#pragma once

#include <span>
#include <string>

#include "carom/engine/events/events.h"

namespace carom {

/// What a zero crossing of a function is.
struct EventTraits {
  int direction = -1;        ///< that counts: +1 rising, -1 falling, 0 both; modes end by falling
  bool interrupts = true;    ///< it ends a mode, stops the run or changes a parameter
  bool ends_mode = false;    ///< positive as long as a mode lasts, up to what it resolves
  bool is_kink = false;      ///< the right-hand side has a kink there
  double rate_bound = kInf;  ///< of its derivative in the last step; infinite: unknown
};

struct EventBlock {
  const char* name;
  bool needs_forces = false;  ///< its functions are made of more than kinematics
  /// Whether function f is; null: all are, where any is. Forces may cost a hundred times as much.
  bool (*function_needs_forces)(const Workspace& w, std::size_t f) = nullptr;
  std::size_t (*count)(const Workspace& w);
  /// All functions at (t, x), which is evaluated, and what they resolve.
  void (*values)(Workspace& w, double t, std::span<const double> x, std::span<double> g,
                 std::span<double> resolution) = nullptr;
  /// Those that `which` names, ascending, into g in this order; null: all are evaluated. Forces are
  /// known if one of them needs any. What they resolve goes to their places in `resolution`, which
  /// has count() entries.
  void (*some_values)(Workspace& w, std::span<const double> x, std::span<const std::size_t> which,
                      std::span<double> g, std::span<double> resolution) = nullptr;
  EventTraits (*traits)(const Workspace& w, std::size_t f) = nullptr;
  /// Carries out the crossing of function f at (t, x), after kinematics.
  void (*handle)(Workspace& w, double t, std::span<double> x, std::size_t f, bool rising,
                 EventOutcome& outcome) = nullptr;
  std::string (*function_name)(const Workspace& w, std::size_t f) = nullptr;
  /// Of what happens at instants known in advance: the next one after t, and what is due at t.
  double (*next_instant)(const Workspace& w, double t) = nullptr;
  void (*pass_instant)(Workspace& w, double t, std::span<double> x,
                       EventOutcome& outcome) = nullptr;
};

// In the order of their functions.
extern const EventBlock friction_events;  // joints that stick and slide
extern const EventBlock stop_events;
extern const EventBlock user_events;
extern const EventBlock loop_events;     // instants only
extern const EventBlock rigid_events;    // points of rigid contacts that touch
extern const EventBlock contact_events;  // last: a step may bring more pairs

/// A function as its block numbers it.
struct EventPlace {
  const EventBlock* block;
  std::size_t f;
};
EventPlace place_of(const Workspace& w, std::size_t function);
EventTraits event_traits(const Workspace& w, std::size_t function);

/// The part of g, one value for each function of all blocks, that belongs to a block.
std::span<const double> part_of(const Workspace& w, const EventBlock& block,
                                std::span<const double> g);

/// Lets their blocks handle the functions that crossed zero at (t, x), and what is due at t.
void handle_crossings(Workspace& w, double t, std::span<double> x, std::span<const int> functions,
                      std::span<const bool> rising, EventOutcome& outcome);
void pass_instants(Workspace& w, double t, std::span<double> x, EventOutcome& outcome);

}  // namespace carom
