// Exit codes of the command: a contract with scripts.
#pragma once

namespace carom::cli {

enum ExitCode {
  kDone = 0,
  kFailed = 1,  ///< the simulation failed; partial results are kept
  kWrongUsage = 2,
  kInvalidScene = 3,
  kNotVerified = 4,
  kInterrupted = 130  ///< partial results are kept
};

}  // namespace carom::cli
