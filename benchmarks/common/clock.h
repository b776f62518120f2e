// CPU time of the calling thread, and the order statistics that the tables print.
#pragma once

#include <ctime>

#include <algorithm>
#include <cstddef>
#include <vector>

namespace carom::bench {

/// CPU time of this thread [s]: time taken by other processes does not count.
inline double thread_cpu_seconds() {
  timespec t{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

/// The `fraction` quantile of `samples` (nearest rank).
inline double quantile(std::vector<double> samples, double fraction) {
  std::sort(samples.begin(), samples.end());
  const auto last = static_cast<double>(samples.size() - 1);
  return samples[static_cast<std::size_t>(fraction * last + 0.5)];
}

/// A setting of a peer that needs more CPU time than this [s] is stopped; its row says how far
/// it came.
inline constexpr double kCpuLimit = 7.0, kHeapCpuLimit = 12.0;

/// Adds up the CPU time between start and stop.
class Stopwatch {
 public:
  void start() { begin_ = thread_cpu_seconds(); }
  void stop() { total_ += thread_cpu_seconds() - begin_; }
  double seconds() const { return total_; }

 private:
  double begin_ = 0.0, total_ = 0.0;
};

}  // namespace carom::bench
