#include <cmath>
#include <filesystem>
#include <fstream>
#include <unordered_set>

#include "carom/base/version.h"
#include "carom/sweep/sweep.h"

namespace carom::sweep {
namespace {

FolderLock::Kind lock_kind(const SweepOptions& o) {
  return o.shard ? FolderLock::Kind::shard : FolderLock::Kind::whole;
}

std::string shard_name(const SweepOptions& o) {
  if (!o.shard) return "";
  return std::to_string(o.shard->index) + "-of-" + std::to_string(o.shard->count);
}

bool is_failure(const Row& row) { return row.status != RowStatus::completed; }

}  // namespace

std::string folder_of(const std::string& study_file) {
  return std::filesystem::path(study_file).replace_extension(".sweep").string();
}

Workplace::Workplace(std::shared_ptr<const Plan> plan, std::string folder,
                     const SweepOptions& options)
    : plan_(std::move(plan)),
      folder_(std::move(folder)),
      shard_(options.shard),
      lock_(folder_, lock_kind(options), shard_name(options), options.wait_seconds) {
  const std::uint64_t n = plan_->design().size();
  keys_.reserve(n);
  for (std::uint64_t i = 0; i < n; ++i) keys_.push_back(plan_->key(i));
  store_.reserve(n);
  store_.read(folder_);
  find_to_do(options.retry_failed);
  note_remarks();
}

bool Workplace::in_shard(std::uint64_t point) const {
  return !shard_ || point % shard_->count == shard_->index - 1;
}

void Workplace::find_to_do(bool retry_failed) {
  to_do_.clear();
  progress_.total = progress_.done = progress_.failed = 0;
  std::unordered_set<Key, KeyHash> seen;
  seen.reserve(keys_.size());
  for (std::uint64_t i = 0; i < keys_.size(); ++i) {
    if (!in_shard(i)) continue;
    ++progress_.total;
    const Row* row = store_.find(keys_[i]);
    const bool again =
        row && (row->status == RowStatus::error || (retry_failed && is_failure(*row)));
    const bool first = seen.insert(keys_[i]).second;
    if (!row || again) {
      if (first) to_do_.push_back(i);
      if (!first) --progress_.total;
    } else {
      ++progress_.done;
      progress_.failed += is_failure(*row);
    }
  }
}

void Workplace::note_remarks() {
  const std::string manifest = folder_ + "/plan";
  std::string before;
  std::ifstream(manifest) >> before;
  if (!before.empty() && before != plan_->digest()) {
    remarks_.push_back(
        "the scene, a file it reads, the settings or the recorded quantities have changed since "
        "the "
        "last start: every run has a new key and is done anew");
  }
  if (before != plan_->digest()) std::ofstream(manifest) << plan_->digest() << "\n";
  const std::unordered_set<Key, KeyHash> known(keys_.begin(), keys_.end());
  std::size_t used = 0;
  for (const Key& key : known) used += store_.find(key) != nullptr;
  if (store_.size() > used) {
    remarks_.push_back(std::to_string(store_.size() - used) + " rows in '" + folder_ +
                       "' are of other points or of other versions of this study; they are kept, "
                       "not used");
  }
  if (store_.torn_files() > 0) {
    remarks_.push_back(std::to_string(store_.torn_files()) +
                       " files of rows end in a row that is not whole; its run is done again");
  }
  for (const std::string& file : store_.unreadable()) remarks_.push_back(file);
}

std::uint32_t Workplace::attempt(std::uint64_t point) const {
  const std::lock_guard lock(mutex_);
  const Row* row = store_.find(keys_[point]);
  return row ? row->attempt + 1 : 1;
}

void Workplace::add(Row row) {
  const std::lock_guard lock(mutex_);
  ++progress_.run;
  ++progress_.done;
  progress_.failed += is_failure(row);
  store_.add(std::move(row));
}

void Workplace::count(std::uint64_t rows, std::uint64_t failed) {
  const std::lock_guard lock(mutex_);
  progress_.run += rows;
  progress_.done += rows;
  progress_.failed += failed;
}

void Workplace::read_rows() {
  const std::lock_guard lock(mutex_);
  store_.read(folder_);
}

SweepProgress Workplace::progress() const {
  const std::lock_guard lock(mutex_);
  return progress_;
}

std::vector<std::uint64_t> Workplace::missing() const {
  std::vector<std::uint64_t> points;
  for (std::uint64_t i = 0; i < keys_.size(); ++i) {
    if (in_shard(i) && !store_.find(keys_[i])) points.push_back(i);
  }
  return points;
}

Table Workplace::table() const {
  return make_table(*plan_, [&](std::uint64_t i) -> const Row& { return *store_.find(keys_[i]); });
}

}  // namespace carom::sweep
