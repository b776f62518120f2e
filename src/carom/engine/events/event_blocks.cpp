#include "carom/engine/events/event_blocks.h"

#include <algorithm>
#include <array>

#include "carom/engine/evaluate.h"

namespace carom {
namespace {

constexpr std::array kBlocks{&friction_events, &stop_events,  &user_events,
                             &loop_events,     &rigid_events, &contact_events};

bool needs_forces(const Workspace& w, std::size_t function) {
  const auto [block, f] = place_of(w, function);
  if (!block || !block->needs_forces) return false;
  return !block->function_needs_forces || block->function_needs_forces(w, f);
}

/// What the functions are made of.
void evaluate_for_events(Workspace& w, double t, std::span<const double> x, bool with_forces) {
  w.events.resolution.resize(event_count(w));
  if (with_forces) {
    evaluate(w, t, x);
  } else {
    evaluate_kinematics(w, t, x);
  }
}

bool counts(const EventTraits& traits, bool rising) {
  return traits.direction == 0 || (traits.direction > 0) == rising;
}

}  // namespace

EventPlace place_of(const Workspace& w, std::size_t function) {
  for (const EventBlock* block : kBlocks) {
    const std::size_t count = block->count(w);
    if (function < count) return {block, function};
    function -= count;
  }
  return {nullptr, 0};
}

std::span<const double> part_of(const Workspace& w, const EventBlock& block,
                                std::span<const double> g) {
  std::size_t first = 0;
  for (const EventBlock* other : kBlocks) {
    if (other == &block) break;
    first += other->count(w);
  }
  return g.subspan(first, block.count(w));
}

std::size_t event_count(const Workspace& w) {
  std::size_t sum = 0;
  for (const EventBlock* block : kBlocks) sum += block->count(w);
  return sum;
}

std::vector<std::string> event_names(const Workspace& w) {
  std::vector<std::string> names;
  for (const EventBlock* block : kBlocks) {
    for (std::size_t f = 0; f < block->count(w); ++f) {
      names.push_back(block->function_name(w, f));
    }
  }
  return names;
}

void event_functions(Workspace& w, double t, std::span<const double> x, std::span<double> g) {
  evaluate_for_events(w, t, x, std::ranges::any_of(kBlocks, [&](const EventBlock* b) {
                        return b->needs_forces && b->count(w) > 0;
                      }));
  std::size_t first = 0;
  for (const EventBlock* block : kBlocks) {
    const std::size_t count = block->count(w);
    if (count == 0) continue;
    block->values(w, t, x, g.subspan(first, count),
                  std::span(w.events.resolution).subspan(first, count));
    first += count;
  }
}

void some_event_functions(Workspace& w, double t, std::span<const double> x,
                          std::span<const std::size_t> which, std::span<double> g) {
  const auto is_of_forces = [&](std::size_t function) { return needs_forces(w, function); };
  evaluate_for_events(w, t, x, std::ranges::any_of(which, is_of_forces));
  std::size_t first = 0, next = 0;
  std::vector<std::size_t> own;
  std::vector<double> all;
  for (const EventBlock* block : kBlocks) {
    const std::size_t count = block->count(w);
    own.clear();
    while (next + own.size() < which.size() && which[next + own.size()] < first + count) {
      own.push_back(which[next + own.size()] - first);
    }
    const std::span<double> asked = g.subspan(next, own.size());
    const auto resolution = std::span(w.events.resolution).subspan(first, count);
    first += count;
    next += own.size();
    if (own.empty()) continue;
    if (block->some_values) {
      block->some_values(w, x, own, asked, resolution);
      continue;
    }
    all.resize(count);
    block->values(w, t, x, all, resolution);
    for (std::size_t k = 0; k < own.size(); ++k) asked[k] = all[own[k]];
  }
}

EventTraits event_traits(const Workspace& w, std::size_t function) {
  const auto [block, f] = place_of(w, function);
  return block->traits(w, f);
}

bool event_counts(const Workspace& w, int function, bool rising) {
  return counts(event_traits(w, static_cast<std::size_t>(function)), rising);
}

bool event_interrupts(const Workspace& w, int function, bool rising) {
  const EventTraits traits = event_traits(w, static_cast<std::size_t>(function));
  return traits.interrupts && counts(traits, rising);
}

void handle_crossings(Workspace& w, double t, std::span<double> x, std::span<const int> functions,
                      std::span<const bool> rising, EventOutcome& outcome) {
  for (std::size_t i = 0; i < functions.size(); ++i) {
    const auto [block, f] = place_of(w, static_cast<std::size_t>(functions[i]));
    if (counts(block->traits(w, f), rising[i])) block->handle(w, t, x, f, rising[i], outcome);
  }
}

double next_time_event(const Workspace& w, double t) {
  double next = kInf;
  for (const EventBlock* block : kBlocks) {
    if (block->next_instant) next = std::min(next, block->next_instant(w, t));
  }
  return next;
}

void pass_instants(Workspace& w, double t, std::span<double> x, EventOutcome& outcome) {
  for (const EventBlock* block : kBlocks) {
    if (block->pass_instant) block->pass_instant(w, t, x, outcome);
  }
}

}  // namespace carom
