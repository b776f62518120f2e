// Processor time of the calling thread, which other programs do not lengthen.
#pragma once

#include <time.h>

namespace carom {

/// [s], from any origin.
inline double thread_cpu_seconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

}  // namespace carom
