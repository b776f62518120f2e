// One run of a study: from the index of a point to its row. One per thread.
#pragma once

#include <atomic>
#include <optional>

#include "carom/engine/study/model_starts.h"
#include "carom/sweep/plan.h"

namespace carom::sweep {

class PointRunner {
 public:
  explicit PointRunner(std::shared_ptr<const Plan> plan);

  /// Nothing if `interrupt` (may be null) became true before its end. Never throws for what the
  /// run does: a failure is a row.
  std::optional<Row> run(std::uint64_t index, const std::atomic<bool>* interrupt);
  /// Scene and model of a point, with its overrides in the scene's text; throws InputError.
  std::shared_ptr<const Model> model(std::uint64_t index, bool for_page);

 private:
  const ModelStart* start(std::uint64_t index);
  void simulate(std::shared_ptr<const Model> model, const ModelStart* start,
                const std::atomic<bool>* interrupt, Row& row, bool& interrupted);

  std::shared_ptr<const Plan> plan_;
  Document document_;  ///< with the overrides of the last point; the next one's replace them
  std::vector<double> point_, numbers_;
  std::optional<ModelStarts> starts_;  ///< of the plan's shared model
};

}  // namespace carom::sweep
