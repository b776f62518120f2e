#include "carom/record/event_text.h"

#include <algorithm>
#include <charconv>
#include <limits>

#include "carom/base/text.h"

namespace carom {

std::vector<double> event_columns_of(const EventRecord& event,
                                     std::span<const EventColumn> columns) {
  std::vector<double> out(columns.size(), std::numeric_limits<double>::quiet_NaN());
  for (std::size_t i = 0; i < columns.size(); ++i) {
    for (const NamedValue& v : event.values) {
      if (v.name == columns[i].name) out[i] = v.value;
    }
  }
  return out;
}

std::string other_values_text(const EventRecord& event, std::span<const EventColumn> columns) {
  std::string text;
  for (const NamedValue& v : event.values) {
    const auto is_this = [&](const EventColumn& c) { return c.name == v.name; };
    if (std::any_of(columns.begin(), columns.end(), is_this)) continue;
    if (!text.empty()) text += ';';
    text += v.name + '=' + number_text(v.value);
  }
  return text;
}

std::vector<NamedValue> parse_other_values(std::string_view text) {
  std::vector<NamedValue> values;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(';'), text.size());
    const std::string_view part = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    const std::size_t equals = part.find('=');
    if (equals == std::string_view::npos) continue;
    NamedValue v{std::string(part.substr(0, equals)), 0.0};
    const char* last = part.data() + part.size();
    const auto read = std::from_chars(part.data() + equals + 1, last, v.value);
    if (read.ec == std::errc() && read.ptr == last) values.push_back(std::move(v));
  }
  return values;
}

}  // namespace carom
