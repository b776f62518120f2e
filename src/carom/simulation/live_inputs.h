// Signals set from outside while a run goes on.
//
// A run with live inputs advances in periods. At the beginning of each it asks for inputs; those
// hold from there on, so what is read at t acts in the step that begins at t. Every input is
// recorded as an event with the instant from which it holds: given again at these instants
// (RecordedInputs), the run has the same bits.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "carom/record/recorder.h"

namespace carom {

struct LiveInput {
  std::string signal;  ///< a constant signal of the scene
  double value = 0.0;
};

/// How a run kept pace with the clock.
struct DeadlineReport {
  double period = 0.0;      ///< [s]
  std::size_t periods = 0;  ///< that were timed
  std::size_t missed = 0;   ///< of them, those that ended after their time
  double worst = 0.0;       ///< how late the latest one was [s]
  double most = 0.0;        ///< what 99 % of the periods took at most, waiting left out [s]
};

class LiveInputs {
 public:
  LiveInputs() = default;
  LiveInputs(const LiveInputs&) = delete;
  LiveInputs& operator=(const LiveInputs&) = delete;
  virtual ~LiveInputs() = default;

  /// Time between two looks [s]; `step` is that of a method of fixed steps, 0 of others.
  virtual double period(double step) const = 0;
  /// What holds from `t` on, appended to `out`. May wait until `t` is due.
  virtual void take(double t, std::vector<LiveInput>& out) = 0;
  /// None: it does not go by the clock.
  virtual std::optional<DeadlineReport> deadlines() const { return {}; }
};

/// Those of a recorded run. Throws std::runtime_error if it had none.
class RecordedInputs final : public LiveInputs {
 public:
  explicit RecordedInputs(const std::vector<EventRecord>& events);
  double period(double) const override { return period_; }
  void take(double t, std::vector<LiveInput>& out) override;

 private:
  struct Stamped {
    double time;
    LiveInput input;
  };
  double period_ = 0.0;
  std::vector<Stamped> inputs_;
  std::size_t next_ = 0;
};

/// Kinds of events in which they are recorded: the period at the start, then every input.
inline constexpr const char* kPeriodEvent = "period";
inline constexpr const char* kInputEvent = "input";

}  // namespace carom
