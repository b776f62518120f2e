#include "carom/base/contact_name.h"

namespace carom {
namespace {

constexpr std::string_view kHead = "contact(";

}  // namespace

std::string contact_name(std::string_view first, std::string_view second) {
  std::string name(kHead);
  name.append(first).append(",").append(second).append(")");
  return name;
}

std::optional<ContactName> split_contact_name(std::string_view text) {
  const std::size_t comma = text.find(','), close = text.find(')');
  if (!text.starts_with(kHead) || comma >= close || close == std::string_view::npos) return {};
  return ContactName{std::string(text.substr(kHead.size(), comma - kHead.size())),
                     std::string(text.substr(comma + 1, close - comma - 1)),
                     text.substr(close + 1)};
}

std::size_t find_contact_name(std::string_view text, std::size_t from) {
  return text.find(kHead, from);
}

}  // namespace carom
