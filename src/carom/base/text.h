// Small helpers for messages: suggestions for misspelt words, numbers as text.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace carom {

/// Edits (insert, delete, replace, swap of neighbours) that turn `a` into `b`.
int edit_distance(std::string_view a, std::string_view b);

/// The candidate nearest to `word`, or empty if none is near enough to be meant.
std::string nearest(std::string_view word, std::span<const std::string> candidates);

/// "did you mean 'radius'?" or, without a near candidate, "known: a, b, c".
std::string suggest(std::string_view word, std::span<const std::string> candidates);

/// Shortest text that reads back as the same double.
std::string number_text(double value);
/// Four digits: for a measured value in a sentence.
std::string rounded_text(double value);

/// `text` as a JSON string literal, quotes included.
std::string json_quote(std::string_view text);

/// `value` as a JSON number; non-finite values become null.
std::string json_number(double value);

}  // namespace carom
