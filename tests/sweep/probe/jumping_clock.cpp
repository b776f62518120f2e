// Preloaded, this makes the clocks of a process jump: the time of day by hours either way, as when
// somebody sets it, the steady clock ahead by minutes, as after a machine has slept.
#include <dlfcn.h>
#include <sys/time.h>
#include <time.h>

#include <atomic>
#include <cstdint>

namespace {

std::atomic<std::uint64_t> calls{0}, ahead{0};

/// Seconds by which the time of day is off at this call.
std::int64_t off() {
  const std::uint64_t n = calls.fetch_add(1);
  const std::uint64_t mixed = (n + 1) * 0x9E3779B97F4A7C15u >> 40;
  return static_cast<std::int64_t>(mixed % 200'000) - 100'000;
}

template <class Function>
Function* real(const char* name) {
  return reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
}

}  // namespace

extern "C" {

int clock_gettime(clockid_t which, struct timespec* now) noexcept {
  static auto* const next = real<int(clockid_t, struct timespec*)>("clock_gettime");
  const int result = next(which, now);
  if (result != 0) return result;
  if (which == CLOCK_REALTIME || which == CLOCK_REALTIME_COARSE) now->tv_sec += off();
  if (which == CLOCK_MONOTONIC) {
    constexpr std::uint64_t kCallsPerSleep = 97, kSleep = 600;
    const std::uint64_t n = ahead.fetch_add(1);
    now->tv_sec += static_cast<std::int64_t>(n / kCallsPerSleep * kSleep);
  }
  return 0;
}

int gettimeofday(struct timeval* now, void* zone) noexcept {
  static auto* const next = real<int(struct timeval*, void*)>("gettimeofday");
  const int result = next(now, zone);
  if (result == 0) now->tv_sec += off();
  return result;
}

time_t time(time_t* now) noexcept {
  static auto* const next = real<time_t(time_t*)>("time");
  const time_t told = next(nullptr) + off();
  if (now) *now = told;
  return told;
}

}  // extern "C"
