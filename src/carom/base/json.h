// The writer of JSON: objects and lists under construction.
//
//   JsonObject().text("name", "ball").number("mass", 0.3).put("at", json_numbers({1, 2, 3})).str()
//   {"name": "ball", "mass": 0.3, "at": [1,2,3]}
//
// Numbers that JSON has no word for are null.
#pragma once

#include <concepts>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>

#include "carom/base/text.h"

namespace carom {

class JsonObject {
 public:
  /// Compact: for programs alone, without blanks.
  enum class Style { spaced, compact };
  explicit JsonObject(Style style = Style::spaced) : is_compact_(style == Style::compact) {}

  JsonObject& text(std::string_view name, std::string_view value) {
    return put(name, json_quote(value));
  }
  JsonObject& number(std::string_view name, double value) { return put(name, json_number(value)); }
  template <std::integral Count>
  JsonObject& count(std::string_view name, Count value) {
    return put(name, std::to_string(value));
  }
  JsonObject& flag(std::string_view name, bool value) {
    return put(name, value ? "true" : "false");
  }
  /// A value that is JSON already.
  JsonObject& put(std::string_view name, std::string_view json);
  /// What another object holds.
  JsonObject& all_of(const JsonObject& other) {
    return other.body_.empty() ? *this : add(other.body_);
  }
  /// The next value begins a line, behind so many blanks.
  JsonObject& line(int blanks);

  std::string str() const { return "{" + body_ + "}"; }

 private:
  JsonObject& add(std::string_view entries);

  std::string body_, break_;
  bool is_compact_;
};

inline JsonObject compact_object() { return JsonObject(JsonObject::Style::compact); }

/// [x, y, …] of what `write` makes of each item; `between` separates them.
template <class Items, class Write>
std::string json_list(const Items& items, Write&& write, std::string_view between = ", ") {
  std::string out = "[";
  bool is_first = true;
  for (const auto& item : items) {
    if (!is_first) out += between;
    is_first = false;
    out += write(item);
  }
  return out + "]";
}

/// Values that are JSON already, a line each.
std::string json_rows(std::span<const std::string> rows);
/// [1,2,3]
std::string json_numbers(std::span<const double> values, std::string_view between = ",");
/// ["a", "b"]
std::string json_texts(std::span<const std::string> texts, std::string_view between = ", ");

}  // namespace carom
