// A plain RFC 4180 reader, written against the standard and not against the
// writer: the second referee of the CSV tests.
#pragma once

#include <string>
#include <vector>

namespace carom::test {

using CsvTable = std::vector<std::vector<std::string>>;

inline CsvTable parse_csv(const std::string& text) {
  CsvTable table(1);
  std::string field;
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quoted) {
      if (c != '"') {
        field += c;
      } else if (i + 1 < text.size() && text[i + 1] == '"') {
        field += '"';
        ++i;
      } else {
        quoted = false;
      }
    } else if (c == '"') {
      quoted = true;
    } else if (c == ',' || c == '\n') {
      table.back().push_back(std::move(field));
      field.clear();
      if (c == '\n') table.emplace_back();
    } else {
      field += c;
    }
  }
  if (field.empty() && table.back().empty()) {
    table.pop_back();  // the text ended with a line break, as it should
  } else {
    table.back().push_back(field);
  }
  return table;
}

}  // namespace carom::test
