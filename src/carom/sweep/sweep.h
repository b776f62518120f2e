// A sweep: what is missing of a study, computed by the threads of this process.
//
//   Workplace place(plan, "study.sweep", options);    // locks, reads what is done
//   run_on_threads(place, options);
//   Table table = place.table();                      // if place.missing() is empty
//
// The table depends on the plan and the rows alone: not on who computed them, in which order, or
// in how many starts.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>

#include "carom/record/table_file.h"
#include "carom/sweep/plan.h"
#include "carom/sweep/row_files.h"

namespace carom::sweep {

/// Part `index` (from 1) of `count`: the points whose number is index - 1 modulo count.
struct Shard {
  std::uint64_t index = 1, count = 1;
};

struct SweepProgress {
  std::uint64_t total = 0, done = 0, failed = 0;  ///< done: with those of earlier starts
  std::uint64_t run = 0;                          ///< by this start
  double seconds = 0.0;                           ///< since it began
};

struct SweepOptions {
  int threads = 0;  ///< 0: all cores
  std::optional<Shard> shard;
  bool retry_failed = false;
  double wait_seconds = 10.0;  ///< for another sweep of the study to end
  const std::atomic<bool>* interrupt = nullptr;
  std::function<void(const SweepProgress&)> progress;  ///< a few times a second
  std::function<void(const std::string&)> remark;      ///< what a user should know at once
};

/// The folder of a study, locked, and what is known of its rows.
class Workplace {
 public:
  /// Throws std::runtime_error if the folder cannot be used.
  Workplace(std::shared_ptr<const Plan> plan, std::string folder, const SweepOptions& options);

  const Plan& plan() const { return *plan_; }
  std::shared_ptr<const Plan> shared_plan() const { return plan_; }
  const std::string& folder() const { return folder_; }
  std::uint64_t total() const { return keys_.size(); }
  const Key& key(std::uint64_t point) const { return keys_[point]; }

  /// Finds to_do() anew: what has no row, or `retry_failed` also what failed.
  void find_to_do(bool retry_failed);
  /// Points to be computed, one per key: without a row, or to be tried again.
  const std::vector<std::uint64_t>& to_do() const { return to_do_; }
  std::uint32_t attempt(std::uint64_t point) const;
  /// Takes in a row; any thread.
  void add(Row row);
  /// Counts rows that others have put on disk; read_rows() takes them in.
  void count(std::uint64_t rows, std::uint64_t failed);
  void read_rows();
  /// The row of a point; null if there is none yet.
  const Row* row(std::uint64_t point) const { return store_.find(keys_[point]); }

  /// Points without a row, of this shard if there is one.
  std::vector<std::uint64_t> missing() const;
  SweepProgress progress() const;
  /// What a user should know: rows of other versions, torn files.
  const std::vector<std::string>& remarks() const { return remarks_; }
  /// All rows in the order of the design; every point must have one.
  Table table() const;

 private:
  bool in_shard(std::uint64_t point) const;
  void note_remarks();

  std::shared_ptr<const Plan> plan_;
  std::string folder_;
  std::optional<Shard> shard_;
  FolderLock lock_;
  std::vector<Key> keys_;
  RowStore store_;
  std::vector<std::uint64_t> to_do_;
  std::vector<std::string> remarks_;
  mutable std::mutex mutex_;
  SweepProgress progress_;
};

/// Computes place.to_do(); stops early when interrupted. Throws std::runtime_error if no row can
/// be written any more.
void run_on_threads(Workplace& place, const SweepOptions& options);

/// All points without a folder: nothing is kept but the table. Points of an interrupted start have
/// no row; nothing is given back then.
std::optional<Table> run_in_memory(const std::shared_ptr<const Plan>& plan,
                                   const SweepOptions& options);

/// The table of a plan, given the row of every point.
Table make_table(const Plan& plan, const std::function<const Row&(std::uint64_t point)>& row_of);

/// "study.yaml" -> "study.sweep", beside it.
std::string folder_of(const std::string& study_file);

}  // namespace carom::sweep
