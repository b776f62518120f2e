// What makes the result of a run doubtful, or breaks it: a number beside its limit, and what it is
// about.
#pragma once

#include <string>

namespace carom {

struct Finding {
  std::string name;     ///< of the rule: "depth", "residual", …
  std::string subject;  ///< the contact, or "" for the whole run
  double value = 0.0, limit = 0.0;
  bool is_broken = false;  ///< not only doubtful
  std::string text;        ///< the same as a sentence
};

}  // namespace carom
