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

/// Length of the UTF-8 character at `i`, 0 if there is none: surrogates, overlong forms and
/// what lies beyond U+10FFFF are no characters.
std::size_t utf8_length(std::string_view text, std::size_t i);
bool is_utf8(std::string_view text);

/// `text` for a terminal: control characters become visible (\x1b), what is not UTF-8 becomes
/// U+FFFD. Lines end and tabs stay, unless it has to be one line.
std::string printable(std::string_view text, bool one_line = false);

/// The first `most` bytes at whole characters, and "…" where something is left out.
std::string shortened(std::string_view text, std::size_t most);

/// `text` as a JSON string literal, quotes included.
std::string json_quote(std::string_view text);

/// `value` as a JSON number; non-finite values become null.
std::string json_number(double value);

}  // namespace carom
