#include "carom/sweep/record_plan.h"

#include <algorithm>
#include <set>

#include "carom/base/contact_name.h"
#include "carom/base/text.h"
#include "carom/engine/results/channels.h"
#include "carom/math/formula.h"

namespace carom::sweep {
namespace {

using What = Quantity::What;
using When = Quantity::When;
using Fold = Quantity::Fold;

std::string component(const OutputChannel& c, int k) {
  return c.components.empty() ? "" : "." + c.components[static_cast<std::size_t>(k)];
}

/// Columns of a table have units; those of counts are "-".
std::string unit_of(const Quantity& q, const std::string& channel_unit) {
  return q.what == What::time ? "s" : q.what == What::event_impulse ? "N.s" : channel_unit;
}

/// A pair of bodies has one channel, in the order of the scene. What is the same seen from either
/// body (the normal force, the distance, the slip) may be named in either order; forces and torques
/// are those on the second body, so for them the order is part of the question.
std::string in_the_order_of(const Model& model, const std::string& name) {
  const auto pair = split_contact_name(name);
  if (!pair) return name;
  const std::string other = contact_name(pair->second, pair->first) + std::string(pair->rest);
  const std::vector<OutputChannel> channels = all_channels(model);
  const bool same = std::ranges::any_of(
      channels, [&](const OutputChannel& c) { return c.width == 1 && c.name == other; });
  return same ? other : name;
}

}  // namespace

/// Finds a channel, or one column of it, and notes that it has to be recorded.
bool RecordPlan::need(const Model& model, const std::string& name, const SourcePos& where,
                      std::vector<RecordColumn>& found, Diagnostics& out) {
  std::vector<std::string> known;
  for (const OutputChannel& c : all_channels(model)) {
    known.push_back(c.name);
    for (int k = 0; k < c.width; ++k) {
      const std::string column = c.name + component(c, k);
      if (c.name != name && column != name) continue;
      found.push_back({c.name == name ? component(c, k) : "", c.unit});
    }
    if (found.empty()) continue;
    if (std::find(channels_.begin(), channels_.end(), c.name) == channels_.end()) {
      channels_.push_back(c.name);
    }
    return true;
  }
  out.error(where, "'" + name + "' is not a channel of the scene", suggest(name, known));
  return false;
}

void RecordPlan::add_channel_item(Item& item, const Model& model, Diagnostics& out) {
  Quantity& q = item.quantity;
  q.channel = in_the_order_of(model, q.channel);
  q.of = in_the_order_of(model, q.of);
  std::vector<RecordColumn> found;
  if (q.what == What::channel && !need(model, q.channel, q.where, found, out)) return;
  if (!q.of.empty()) {
    std::vector<RecordColumn> extreme;
    if (!need(model, q.of, q.where, extreme, out)) return;
    if (extreme.size() != 1) {
      out.error(q.where, "'" + q.of + "' is a vector, its extreme is not one instant",
                "name one component, as in " + q.of + extreme[0].name);
      return;
    }
  }
  if (found.empty()) found.push_back({"", "-"});
  item.width = found.size();
  for (const RecordColumn& c : found) columns_.push_back({q.name + c.name, unit_of(q, c.unit)});
  needs_events_ |= q.when == When::event || q.fold != Fold::none || !q.of.empty();
}

void RecordPlan::check_formula(const Item& item, Diagnostics& out) const {
  FormulaError error;
  const std::vector<FormulaUse> names = find_formula_names(item.quantity.text, error);
  if (!error.empty()) {
    out.error(item.quantity.where, "record." + item.quantity.name + ": " + error.message, {},
              show_formula_place(item.quantity.text, error.at));
    return;
  }
  std::vector<std::string> known = factor_names_;
  for (std::size_t i = 0; i < item.first; ++i) known.push_back(columns_[i].name);
  for (const auto& [name, at] : names) {
    if (std::find(known.begin(), known.end(), name) != known.end()) continue;
    out.error(item.quantity.where,
              "record." + item.quantity.name + ": '" + name +
                  "' is neither a column before this one nor a number that varies",
              suggest(name, known), show_formula_place(item.quantity.text, at));
  }
}

RecordPlan::RecordPlan(const Study& study, const Model& model, Diagnostics& out) {
  const int errors = out.error_count();
  for (const Factor& f : study.factors) {
    const bool number = !f.distribution.is_choice() || !f.distribution.numbers.empty();
    factor_names_.push_back(number ? f.path : "");
  }
  for (const RecordSpec& spec : study.records) {
    std::optional<Quantity> q = parse_quantity(spec, out);
    if (!q) continue;
    Item item{*std::move(q), columns_.size(), 1};
    if (item.quantity.what == What::formula) {
      check_formula(item, out);
      columns_.push_back({item.quantity.name, "-"});
    } else if (item.quantity.what == What::statistic) {
      const bool energy = item.quantity.text.rfind("energy.", 0) == 0;
      columns_.push_back({item.quantity.name, energy ? "J" : "-"});
    } else {
      add_channel_item(item, model, out);
    }
    items_.push_back(std::move(item));
  }
  if (out.error_count() > errors) return;  // what is not known has no columns
  std::set<std::string> seen;
  for (const Factor& f : study.factors) seen.insert(f.path);
  for (const char* word : {"point", "status", "verdict", "reason", "time", "seed", "key"}) {
    seen.insert(word);
  }
  for (const Item& item : items_) {
    for (std::size_t i = 0; i < item.width && item.first + i < columns_.size(); ++i) {
      const std::string& name = columns_[item.first + i].name;
      if (seen.insert(name).second) continue;
      out.error(item.quantity.where, "two columns of the table are called '" + name + "'",
                "give one of them another name");
    }
  }
}

bool matches(const EventPick& pick, const EngineEvent& e) {
  if (pick.kind != e.kind) return false;
  if (pick.subject.empty()) return true;
  if (pick.other.empty()) return pick.subject == e.subject || pick.subject == e.other;
  return (pick.subject == e.subject && pick.other == e.other) ||
         (pick.subject == e.other && pick.other == e.subject);
}

}  // namespace carom::sweep
