// The recorded columns of a study, checked once against the model of its first point; and the
// collector that fills them while a run goes on, without keeping its rows.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "carom/engine/model.h"
#include "carom/record/recorder.h"
#include "carom/simulation/run.h"
#include "carom/sweep/quantity.h"

namespace carom::sweep {

struct RecordColumn {
  std::string name, unit;
};

class RecordPlan {
 public:
  RecordPlan() = default;
  /// Unknown channels and names in formulas are reported where the study names them.
  RecordPlan(const Study& study, const Model& model, Diagnostics& diagnostics);

  const std::vector<RecordColumn>& columns() const { return columns_; }
  /// Channels that a run has to record; may be empty.
  const std::vector<std::string>& channels() const { return channels_; }
  bool needs_events() const { return needs_events_; }

  struct Item {
    Quantity quantity;
    std::size_t first = 0, width = 1;  ///< its columns
  };
  const std::vector<Item>& items() const { return items_; }
  /// Numbers that formulas may read besides the columns: paths that vary, by position.
  const std::vector<std::string>& factor_names() const { return factor_names_; }

 private:
  void add_channel_item(Item& item, const Model& model, Diagnostics& diagnostics);
  void check_formula(const Item& item, Diagnostics& diagnostics) const;
  bool need(const Model& model, const std::string& column, const SourcePos& where,
            std::vector<RecordColumn>& found, Diagnostics& diagnostics);

  std::vector<Item> items_;
  std::vector<RecordColumn> columns_;
  std::vector<std::string> channels_, factor_names_;
  bool needs_events_ = false;
};

/// Fills the columns of one run. Give it to run() as recorder and event callback.
class Collector final : public Recorder {
 public:
  explicit Collector(const RecordPlan& plan);
  ~Collector() override;

  void on_event(const EngineEvent& event, std::span<const double> row);
  /// After the run: all columns; `factors` are the values that vary.
  std::vector<double> finish_columns(const RunResult& result, std::span<const double> factors);

 private:
  void do_open() override;
  void do_append(double time, std::span<const double> row) override;
  void do_append_event(const EventRecord&) override {}
  void do_append_peak(const PeakRecord& peak) override;
  void do_finish(RunStatus, std::string_view, const RunEnding&) override {}

  struct Running;
  void see(Running& running, double time, std::span<const double> row);
  void integrate(Running& running, double time, std::span<const double> row);
  void keep(Running& running, double time, std::span<const double> row);
  void fill_formulas(std::span<const double> factors);

  const RecordPlan& plan_;
  std::vector<Running> running_;
  std::vector<double> values_;
  double first_time_ = 0.0, last_time_ = 0.0;
  bool any_row_ = false;
};

/// Whether an event is one that `pick` waits for; either order of the two bodies of a contact.
bool matches(const EventPick& pick, const EngineEvent& event);

}  // namespace carom::sweep
