#include "carom/base/text.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdio>

namespace carom {

int edit_distance(std::string_view a, std::string_view b) {
  const std::size_t n = b.size();
  std::vector<int> before(n + 1), last(n + 1), now(n + 1);
  for (std::size_t j = 0; j <= n; ++j) last[j] = static_cast<int>(j);
  for (std::size_t i = 1; i <= a.size(); ++i) {
    now[0] = static_cast<int>(i);
    for (std::size_t j = 1; j <= n; ++j) {
      const int replace = last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      now[j] = std::min({last[j] + 1, now[j - 1] + 1, replace});
      const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped) now[j] = std::min(now[j], before[j - 2] + 1);
    }
    std::swap(before, last);
    std::swap(last, now);
  }
  return last[n];
}

std::string nearest(std::string_view word, std::span<const std::string> candidates) {
  std::string best;
  constexpr std::size_t kLongestWord = 200;  // nobody misspells more; bounds the work
  if (word.size() > kLongestWord) return best;
  // A third of the letters may be wrong; beyond that a suggestion misleads.
  int best_distance = std::max(1, static_cast<int>(word.size()) / 3) + 1;
  for (const std::string& candidate : candidates) {
    const std::size_t least = candidate.size() > word.size() ? candidate.size() - word.size()
                                                             : word.size() - candidate.size();
    if (least >= static_cast<std::size_t>(best_distance)) continue;
    const int distance = edit_distance(word, candidate);
    if (distance < best_distance) {
      best_distance = distance;
      best = candidate;
    }
  }
  return best;
}

std::string suggest(std::string_view word, std::span<const std::string> candidates) {
  const std::string near = nearest(word, candidates);
  if (!near.empty()) return "did you mean '" + near + "'?";
  if (candidates.empty()) return {};
  std::string list = "known: ";
  constexpr std::size_t kShown = 24;  // longer lists are unreadable in a terminal
  for (std::size_t i = 0; i < candidates.size() && i < kShown; ++i) {
    if (i > 0) list += ", ";
    list += candidates[i];
  }
  if (candidates.size() > kShown) list += ", …";
  return list;
}

std::string number_text(double value) {
  char buffer[40];
  const auto end = std::to_chars(buffer, buffer + sizeof buffer, value);
  return std::string(buffer, end.ptr);
}

std::string rounded_text(double value) {
  char buffer[40];
  const auto end =
      std::to_chars(buffer, buffer + sizeof buffer, value, std::chars_format::general, 4);
  return std::string(buffer, end.ptr);
}

std::size_t utf8_length(std::string_view text, std::size_t i) {
  const auto byte = [&](std::size_t k) { return static_cast<unsigned char>(text[k]); };
  const unsigned lead = byte(i);
  const std::size_t length = lead < 0x80                   ? 1
                             : lead >= 0xC2 && lead < 0xE0 ? 2
                             : lead >= 0xE0 && lead < 0xF0 ? 3
                             : lead >= 0xF0 && lead < 0xF5 ? 4
                                                           : 0;
  if (length == 0 || i + length > text.size()) return 0;
  for (std::size_t k = 1; k < length; ++k) {
    if ((byte(i + k) & 0xC0) != 0x80) return 0;
  }
  const unsigned second = length > 2 ? byte(i + 1) : 0;
  const bool overlong = (lead == 0xE0 && second < 0xA0) || (lead == 0xF0 && second < 0x90);
  const bool surrogate = lead == 0xED && second >= 0xA0;
  const bool beyond = lead == 0xF4 && second >= 0x90;
  return overlong || surrogate || beyond ? 0 : length;
}

bool is_utf8(std::string_view text) {
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t length = utf8_length(text, i);
    if (length == 0) return false;
    i += length;
  }
  return true;
}

namespace {

/// The code of a control character that takes `length` bytes at `i`; -1 if it is none.
int control_code(std::string_view text, std::size_t i, std::size_t length) {
  const auto byte = [&](std::size_t k) { return static_cast<unsigned char>(text[i + k]); };
  if (length == 1) return byte(0) < 0x20 || byte(0) == 0x7F ? byte(0) : -1;
  if (length == 2 && byte(0) == 0xC2 && byte(1) < 0xA0) return byte(1);  // C1, as CSI
  return -1;
}

}  // namespace

std::string printable(std::string_view text, bool one_line) {
  std::string out;
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t length = utf8_length(text, i);
    const int control = length == 0 ? -1 : control_code(text, i, length);
    const bool layout = !one_line && (text[i] == '\n' || text[i] == '\t');
    if (length == 0) {
      out += "\uFFFD";
    } else if (control >= 0 && !layout) {
      char escape[16];
      std::snprintf(escape, sizeof escape, "\\x%02x", static_cast<unsigned>(control));
      out += escape;
    } else {
      out += text.substr(i, length);
    }
    i += std::max<std::size_t>(length, 1);
  }
  return out;
}

std::string shortened(std::string_view text, std::size_t most) {
  if (text.size() <= most) return std::string(text);
  while (most > 0 && (static_cast<unsigned char>(text[most]) & 0xC0) == 0x80) --most;
  return std::string(text.substr(0, most)) + "…";
}

std::string json_quote(std::string_view text) {
  std::string out = "\"";
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    switch (c) {
      case '"': out += "\\\""; break;
      case '\\': out += "\\\\"; break;
      case '\n': out += "\\n"; break;
      case '\r': out += "\\r"; break;
      case '\t': out += "\\t"; break;
      default:
        const std::size_t length = utf8_length(text, i);
        const int control = length == 0 ? -1 : control_code(text, i, length);
        if (control >= 0) {
          char escape[16];
          std::snprintf(escape, sizeof escape, "\\u%04x", static_cast<unsigned>(control));
          out += escape;
        } else if (length == 0) {
          out += "\uFFFD";  // JSON is UTF-8
        } else {
          out += text.substr(i, length);
        }
        i += std::max<std::size_t>(length, 1) - 1;
    }
  }
  return out + '"';
}

std::string json_number(double value) { return std::isfinite(value) ? number_text(value) : "null"; }

}  // namespace carom
