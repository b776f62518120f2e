// Ctrl-C while C++ works without Python's lock.
//
// Python's own handler only takes note of a signal; somebody has to ask. The watch asks
// a few times a second from the progress callback, stops the work by its flag, and raises
// afterwards what the handler raised (KeyboardInterrupt, unless the program has set
// another handler).
#pragma once

#include <pybind11/pybind11.h>

#include <atomic>
#include <chrono>
#include <optional>

namespace carom::python {

class SignalWatch {
 public:
  /// To be called without Python's lock, as often as convenient.
  void poll() {
    const auto now = Clock::now();
    if (raised_ || now - last_ < kInterval) return;
    last_ = now;
    const pybind11::gil_scoped_acquire lock;
    if (PyErr_CheckSignals() == 0) return;
    raised_.emplace();
    stop_ = true;
  }

  const std::atomic<bool>* flag() const { return &stop_; }
  bool raised() const { return raised_.has_value(); }
  /// The exception object, to hang results on.
  pybind11::object exception() const { return raised_->value(); }
  [[noreturn]] void raise() const { throw pybind11::error_already_set(*raised_); }

 private:
  using Clock = std::chrono::steady_clock;
  static constexpr std::chrono::milliseconds kInterval{50};

  Clock::time_point last_ = Clock::now();
  std::atomic<bool> stop_{false};
  std::optional<pybind11::error_already_set> raised_;
};

}  // namespace carom::python
