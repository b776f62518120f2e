// The event functions of contacts, pair by pair.
#include <array>

#include "carom/base/index.h"
#include "carom/engine/contact/contact_part.h"
#include "carom/engine/events/contact_events.h"
#include "carom/engine/events/event_blocks.h"

namespace carom {
namespace {

ContactPlace place_in_block(std::size_t f) {
  return {f / kContactFunctions, static_cast<ContactFunction>(f % kContactFunctions)};
}

std::size_t count_functions(const Workspace& w) {
  return w.step.locates_events ? kContactFunctions * w.modes.contacts.pairs.size() : 0;
}

void contact_values(Workspace& w, double, std::span<const double> x, std::span<double> g,
                    std::span<double> resolution) {
  const std::vector<ContactPair>& pairs = w.modes.contacts.pairs;
  w.contacts.noted.begin(w.q, pairs.size());
  for_runs(
      w, pairs.size(), [&](std::size_t i) -> const ContactPair& { return pairs[i]; },
      [&](const ContactPart& part, std::size_t first, std::size_t last) {
        const std::size_t f = kContactFunctions * first;
        part.functions(w, x, first, last, &g[f], &resolution[f]);
      });
  w.contacts.noted.end();
}

void some_contact_values(Workspace& w, std::span<const double> x,
                         std::span<const std::size_t> which, std::span<double> g,
                         std::span<double> resolution) {
  std::array<double, kContactFunctions> functions{};
  std::size_t known = static_cast<std::size_t>(-1);
  for (std::size_t k = 0; k < which.size(); ++k) {
    const ContactPlace place = place_in_block(which[k]);
    if (place.pair != known) {
      double* resolves = &resolution[kContactFunctions * place.pair];
      part_for(w, w.modes.contacts.pairs[place.pair])
          .functions(w, x, place.pair, place.pair + 1, functions.data(), resolves);
      known = place.pair;
    }
    g[k] = functions[static_cast<std::size_t>(place.function)];
  }
}

EventTraits contact_traits(const Workspace& w, std::size_t f) {
  const ContactPlace place = place_in_block(f);
  EventTraits traits;
  // Forces have a kink either way; it ends the step, not the mode.
  if (place.function == ContactFunction::force) traits.direction = 0;
  if (place.function != ContactFunction::distance) return traits;
  const bool is_apart = w.modes.contacts.pairs[place.pair].mode == ContactMode::apart;
  traits.ends_mode = true;
  // A contact that has not begun exerts no force in a trial step, so its begin is smooth; one
  // that ends is clamped beyond.
  traits.is_kink = !is_apart;
  // Only a contact that begins must not be missed; one that ends does so by a change of sign.
  const std::vector<double>& bounds = w.contacts.search.rate_bound;
  if (is_apart && place.pair < bounds.size()) traits.rate_bound = bounds[place.pair];
  return traits;
}

void handle_contact(Workspace& w, double t, std::span<double> x, std::size_t f, bool,
                    EventOutcome& outcome) {
  const ContactPlace place = place_in_block(f);
  handle_contact_event(w, t, x, w.modes.contacts.pairs[place.pair], place.function, outcome);
}

std::string function_name(const Workspace& w, std::size_t f) {
  constexpr std::array kNames{"phi", "force", "layer"};
  const ContactPlace place = place_in_block(f);
  const ContactPair& pair = w.modes.contacts.pairs[place.pair];
  return std::string(kNames[static_cast<std::size_t>(place.function)]) + "(" +
         collider_name(*w.model, pair.a) + "," + collider_name(*w.model, pair.b) + ")";
}

}  // namespace

std::optional<ContactPlace> contact_place(const Workspace& w, std::size_t f) {
  const EventPlace place = place_of(w, f);
  if (place.block != &contact_events) return {};
  return place_in_block(place.f);
}

extern const EventBlock contact_events{.name = "contacts",
                                       .count = count_functions,
                                       .values = contact_values,
                                       .some_values = some_contact_values,
                                       .traits = contact_traits,
                                       .handle = handle_contact,
                                       .function_name = function_name};

}  // namespace carom
