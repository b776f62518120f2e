#include "carom/sweep/quantity.h"

#include <algorithm>
#include <charconv>

#include "carom/base/text.h"
#include "carom/engine/events/event_table.h"

namespace carom::sweep {
namespace {

constexpr const char* kFolds[] = {"max", "min", "absmax", "mean", "rms"};
constexpr const char* kStatistics[] = {"statistics.steps",
                                       "statistics.rejected_steps",
                                       "statistics.rhs_evaluations",
                                       "statistics.jacobian_evaluations",
                                       "statistics.restarts",
                                       "statistics.events",
                                       "statistics.constraint_error",
                                       "statistics.redundant_constraints",
                                       "energy.largest_residual",
                                       "energy.turned_over",
                                       "warnings"};

std::string trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) return {};
  return std::string(text.substr(first, text.find_last_not_of(" \t") - first + 1));
}

/// Without blanks, as channels are named: "contact(a, b)" is "contact(a,b)".
std::string compact(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c != ' ' && c != '\t') out += c;
  }
  return out;
}

/// The inside of "name(inside)"; nothing if `text` is not of that form.
std::optional<std::string> call_of(const std::string& text, std::string_view name) {
  if (text.size() < name.size() + 2 || text.compare(0, name.size(), name) != 0 ||
      text[name.size()] != '(' || text.back() != ')') {
    return {};
  }
  return text.substr(name.size() + 1, text.size() - name.size() - 2);
}

class Parser {
 public:
  Parser(const RecordSpec& spec, Diagnostics& out) : spec_(spec), out_(out) {
    q_.name = spec.name;
    q_.where = spec.where;
  }

  std::optional<Quantity> parse() {
    const std::string text = trimmed(spec_.text);
    if (!text.empty() && text[0] == '=') {
      q_.what = Quantity::What::formula;
      q_.text = text.substr(1);
      return q_;
    }
    return parse_plain(compact(text)) ? std::optional(q_) : std::nullopt;
  }

 private:
  bool fail(const std::string& message, const std::string& remedy = {}) {
    out_.error(spec_.where, "record." + spec_.name + ": " + message, remedy);
    return false;
  }

  bool parse_plain(const std::string& text) {
    if (text == "statistics.cpu_seconds" || text == "statistics.real_time_factor") {
      return fail("'" + text + "' differs from run to run, so the table would too",
                  "record statistics.steps or statistics.rhs_evaluations");
    }
    const auto known = [&](const char* s) { return text == s; };
    if (std::any_of(std::begin(kStatistics), std::end(kStatistics), known)) {
      q_.what = Quantity::What::statistic;
      q_.text = text;
      return true;
    }
    if (text.rfind("statistics.", 0) == 0) {
      return fail("'" + text + "' is not known", suggest(text, statistic_names()));
    }
    if (const auto inside = call_of(text, "count")) {
      q_.what = Quantity::What::count;
      return parse_event(*inside);
    }
    if (const auto inside = call_of(text, "peak")) return parse_plain("max(" + *inside + ")");
    for (std::size_t i = 0; i < std::size(kFolds); ++i) {
      const auto inside = call_of(text, kFolds[i]);
      if (!inside || text.find(")@") != std::string::npos) continue;
      q_.fold = static_cast<Quantity::Fold>(i + 1);
      q_.channel = *inside;
      return !inside->empty() || fail(std::string(kFolds[i]) + "() is of nothing");
    }
    return parse_at(text);
  }

  bool parse_at(const std::string& text) {
    const std::size_t sign = text.rfind('@');
    const std::string what = text.substr(0, sign);
    if (what.empty()) return fail("'" + text + "' names no channel", "as in cube.position@end");
    if (sign != std::string::npos && !parse_when(text.substr(sign + 1))) return false;
    if (what == "time") q_.what = Quantity::What::time;
    if (what == "value") q_.what = Quantity::What::event_value;
    if (what == "impulse") q_.what = Quantity::What::event_impulse;
    q_.channel = what;
    const bool of_event = what == "value" || what == "impulse";
    if (of_event && q_.when != Quantity::When::event) {
      return fail("'" + what + "' belongs to an event", "as in " + what + "@contact_begin(a,b)");
    }
    return true;
  }

  bool parse_when(const std::string& when) {
    if (when == "end" || when == "start") {
      q_.when = when == "end" ? Quantity::When::end : Quantity::When::start;
      return true;
    }
    for (const char* fold : {"max", "min"}) {
      if (const auto inside = call_of(when, fold)) {
        q_.when = fold[1] == 'a' ? Quantity::When::max : Quantity::When::min;
        q_.of = *inside;
        return !q_.of.empty() || fail(when + " is of nothing");
      }
    }
    q_.when = Quantity::When::event;
    return parse_event(when);
  }

  bool parse_event(std::string text) {
    if (const std::size_t hash = text.rfind('#'); hash != std::string::npos) {
      const std::string number = text.substr(hash + 1);
      const char* end = number.data() + number.size();
      q_.event.number = 0;
      const auto parsed = std::from_chars(number.data(), end, q_.event.number);
      if (number != "last" &&
          (parsed.ec != std::errc() || parsed.ptr != end || q_.event.number < 1)) {
        return fail("'#" + number + "' must be #1, #2, … or #last");
      }
      text.resize(hash);
    }
    const std::size_t open = std::min(text.find('('), text.size());
    q_.event.kind = text.substr(0, open);
    if (!find_event_kind(q_.event.kind)) {
      std::vector<std::string> words{"end", "start", "max(…)", "min(…)"};
      for (const EventKind& kind : event_kinds()) words.emplace_back(kind.name);
      return fail("'" + q_.event.kind + "' is neither an instant nor a kind of event",
                  suggest(q_.event.kind, words));
    }
    if (open == text.size()) return true;
    if (text.back() != ')') return fail("'" + text + "' lacks a closing parenthesis");
    const std::string inside = text.substr(open + 1, text.size() - open - 2);
    const std::size_t comma = inside.find(',');
    q_.event.subject = inside.substr(0, comma);
    if (comma != std::string::npos) q_.event.other = inside.substr(comma + 1);
    return true;
  }

  const RecordSpec& spec_;
  Diagnostics& out_;
  Quantity q_;
};

}  // namespace

std::vector<std::string> statistic_names() {
  return {std::begin(kStatistics), std::end(kStatistics)};
}

std::optional<Quantity> parse_quantity(const RecordSpec& spec, Diagnostics& out) {
  return Parser(spec, out).parse();
}

}  // namespace carom::sweep
