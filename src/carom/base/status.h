// Outcome of a numerical evaluation. The three values are exactly what
// SUNDIALS expects of a right-hand side: 0, +1 (try a smaller step), -1.
#pragma once

namespace carom {

enum class Status : int { ok = 0, recoverable = 1, fatal = -1 };

inline Status worse(Status a, Status b) {
  if (a == Status::fatal || b == Status::fatal) return Status::fatal;
  return a == Status::recoverable || b == Status::recoverable ? Status::recoverable : Status::ok;
}

}  // namespace carom
