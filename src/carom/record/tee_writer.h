// Sends one recording to several recorders. One that fails is left behind; the
// others go on, and the first error is reported.
#pragma once

#include "carom/record/recorder.h"

namespace carom {

class TeeWriter final : public Recorder {
 public:
  explicit TeeWriter(std::vector<std::unique_ptr<Recorder>> recorders)
      : recorders_(std::move(recorders)) {}

  Recorder& at(std::size_t i) { return *recorders_.at(i); }
  std::size_t size() const { return recorders_.size(); }
  const std::string& error() const override;

 private:
  void do_open() override;
  void do_publish() override;
  void do_append(double time, std::span<const double> row) override;
  void do_append_event(const EventRecord& event) override;
  void do_append_peak(const PeakRecord& peak) override;
  void do_append_map(const MapRecord& map) override;
  void do_flush() override;
  void do_finish(RunStatus status, std::string_view reason, const RunEnding& ending) override;

  std::vector<std::unique_ptr<Recorder>> recorders_;
};

}  // namespace carom
