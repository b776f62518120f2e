// The name of what two objects have in common, "contact(table,ball)": put together and taken apart
// here alone.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace carom {

struct ContactName {
  std::string first, second;
  std::string_view rest;  ///< what follows: ".force.x"
};

std::string contact_name(std::string_view first, std::string_view second);

/// The parts of a text that begins with such a name; none if it does not.
std::optional<ContactName> split_contact_name(std::string_view text);

/// Where the next such name begins in a text, from `from` on; npos: nowhere.
std::size_t find_contact_name(std::string_view text, std::size_t from);

}  // namespace carom
