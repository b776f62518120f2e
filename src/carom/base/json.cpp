#include "carom/base/json.h"

namespace carom {

JsonObject& JsonObject::put(std::string_view name, std::string_view json) {
  std::string entry = json_quote(name);
  entry.append(is_compact_ ? ":" : ": ").append(json);
  return add(entry);
}

JsonObject& JsonObject::add(std::string_view entries) {
  if (!body_.empty()) body_ += is_compact_ || !break_.empty() ? "," : ", ";
  body_.append(break_).append(entries);
  break_.clear();
  return *this;
}

JsonObject& JsonObject::line(int blanks) {
  break_ = "\n" + std::string(static_cast<std::size_t>(blanks), ' ');
  return *this;
}

std::string json_numbers(std::span<const double> values, std::string_view between) {
  return json_list(values, json_number, between);
}

std::string json_rows(std::span<const std::string> rows) {
  return json_list(
      rows, [](const std::string& row) { return row; }, ",\n ");
}

std::string json_texts(std::span<const std::string> texts, std::string_view between) {
  return json_list(
      texts, [](const std::string& text) { return json_quote(text); }, between);
}

}  // namespace carom
