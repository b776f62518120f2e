// What the user should know of a run: a number beside its limit, and what it is about. Most of it
// makes the result doubtful, or breaks it.
#pragma once

#include <cstdint>
#include <string>

namespace carom {

enum class Grade : std::uint8_t { sound, doubtful, broken };
const char* to_string(Grade grade);

struct Finding {
  std::string name;     ///< of the rule: "depth", "residual", …
  std::string subject;  ///< the contact, or "" for the whole run
  double value = 0.0, limit = 0.0;
  Grade grade = Grade::doubtful;  ///< sound: worth knowing, and no reason to doubt
  std::string text;               ///< the same as a sentence
};

}  // namespace carom
