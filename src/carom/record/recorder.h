// Where a run's rows and events go: open, append…, finish.
//
// open() and finish() throw std::runtime_error with a text for the user.
// append() and append_event() never throw: the first error sticks, later rows
// are dropped, what was written before stays, and finish() reports it. A
// simulation may thus run on without looking, or look at ok() now and then.
#pragma once

#include <atomic>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "carom/record/recording.h"

namespace carom {

class Recorder {
 public:
  virtual ~Recorder() = default;
  Recorder(const Recorder&) = delete;
  Recorder& operator=(const Recorder&) = delete;

  /// Starts a recording. Events may carry values beyond `event_columns`; those
  /// are kept too, but not as columns of their own.
  void open(RunMeta meta, std::vector<Channel> channels,
            std::vector<EventColumn> event_columns = {});

  /// Before open(): what stands under the name of a file stays until publish(), so that what an
  /// older run has left can be written again first.
  void hold_back() { held_back_ = true; }
  /// The files take the place of older ones. open() does it by itself unless held back.
  void publish();
  /// Before open(): waiting for the reader of a pipe ends when this becomes true. May be null.
  void interrupt_with(const std::atomic<bool>* flag) { interrupt_ = flag; }

  /// One row: all channels side by side, total_width(channels) doubles.
  void append(double time, std::span<const double> row) noexcept;

  void append_event(const EventRecord& event) noexcept;

  /// A peak between the last row and the next, in the order of time.
  void append_peak(const PeakRecord& peak) noexcept;

  /// A map of the row that was appended last. Files of tables (.csv) have no place for it.
  void append_map(const MapRecord& map) noexcept;

  /// Puts everything so far on disk, where there is one: what was appended before survives a
  /// kill. Errors stick as those of append().
  void flush() noexcept;

  /// Ends the recording; JSON is kept as it is.
  void finish(RunStatus status, std::string_view reason = {}, const RunEnding& ending = {});

  bool ok() const { return error().empty(); }
  /// The first error of append or append_event; empty while all is well.
  virtual const std::string& error() const { return error_; }

 protected:
  Recorder() = default;

  /// What open() was given, checked.
  const RunMeta& meta() const { return meta_; }
  const std::vector<Channel>& channels() const { return channels_; }
  const std::vector<EventColumn>& event_columns() const { return event_columns_; }
  std::size_t width() const { return width_; }
  const std::atomic<bool>* interrupt() const { return interrupt_; }

 private:
  // May throw; the public functions turn that into the contract above.
  virtual void do_open() = 0;
  virtual void do_publish() {}
  virtual void do_append(double time, std::span<const double> row) = 0;
  virtual void do_append_event(const EventRecord& event) = 0;
  virtual void do_append_peak(const PeakRecord&) {}
  virtual void do_append_map(const MapRecord&) {}
  virtual void do_flush() {}
  virtual void do_finish(RunStatus status, std::string_view reason, const RunEnding& ending) = 0;

  template <class Action>
  void guarded(Action&& action) noexcept;
  void fail(const char* text) noexcept;

  enum class Phase { fresh, open, finished };
  Phase phase_ = Phase::fresh;
  bool held_back_ = false, published_ = false;
  const std::atomic<bool>* interrupt_ = nullptr;
  std::string error_;
  RunMeta meta_;
  std::vector<Channel> channels_;
  std::vector<EventColumn> event_columns_;
  std::size_t width_ = 0;
};

/// Seconds of wall clock between two writes to disk, for all file writers: what
/// a power cut or kill may cost.
inline constexpr double kDefaultFlushSeconds = 0.5;

/// A writer for `path` by its extension: .h5, .hdf5 or .csv; throws
/// std::runtime_error for any other.
std::unique_ptr<Recorder> make_file_recorder(const std::string& path);
/// Whether make_file_recorder knows the ending of `path`.
bool names_result_format(const std::string& path);

}  // namespace carom
