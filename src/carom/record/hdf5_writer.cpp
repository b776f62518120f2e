// A kill may come at any moment, and HDF5 has no journal. Three habits keep the
// file readable: all datasets exist and are flushed before the first row;
// metadata stay in memory between flushes; and the counts `rows` and
// `event_count` are raised only after a flush has put everything below them on
// disk, so that a reader who trusts the counts never sees a half-written row.
#include "carom/record/hdf5_writer.h"

#include <hdf5.h>

#include <chrono>
#include <stdexcept>

#include "carom/record/event_text.h"
#include "carom/record/hdf5_layout.h"
#include "carom/record/output_path.h"

namespace carom {

using hdf5::Handle;

namespace {

Handle create_file(const std::string& path) {
  const std::string what = "cannot write '" + path + "'";
  const Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose, what);
  // Metadata that leave the cache on their own make the file inconsistent until
  // the next flush.
  H5AC_cache_config_t cache;
  cache.version = H5AC__CURR_CACHE_CONFIG_VERSION;
  hdf5::check(H5Pget_mdc_config(access.id(), &cache), what);
  cache.evictions_enabled = false;
  cache.incr_mode = H5C_incr__off;
  cache.flash_incr_mode = H5C_flash_incr__off;
  cache.decr_mode = H5C_decr__off;
  hdf5::check(H5Pset_mdc_config(access.id(), &cache), what);
  // Some network file systems cannot lock; that is no reason to refuse a run.
  hdf5::check(H5Pset_file_locking(access.id(), true, true), what);
  // While a node of the tile index is split, a kill loses it; big nodes split rarely.
  constexpr unsigned kHalfNode = 2048;
  const Handle creation(H5Pcreate(H5P_FILE_CREATE), H5Pclose, what);
  hdf5::check(H5Pset_istore_k(creation.id(), kHalfNode), what);
  return {H5Fcreate(path.c_str(), H5F_ACC_TRUNC, creation.id(), access.id()), H5Fclose, what};
}

}  // namespace

// The open file with what waits to be written to it.
class Hdf5Writer::File {
 public:
  File(const Hdf5Writer& writer, const std::string& path, const Hdf5Options& options);

  void append(double time, std::span<const double> row);
  void append_event(const EventRecord& event);
  void finish(RunStatus status, std::string_view reason, std::string_view summary);
  void write_all();
  void write_safely();

 private:
  using Clock = std::chrono::steady_clock;

  void create_datasets(const Hdf5Writer& writer);
  void create_event_datasets();
  void write_rows(std::size_t count);
  void write_events();
  void commit();
  void commit_if_due();

  std::vector<EventColumn> event_columns_;
  hdf5::SeriesShape data_shape_;
  hdf5::SeriesShape time_shape_;
  hdf5::SeriesShape event_shape_{0, {256, 1}, 0};
  std::chrono::duration<double> period_;
  Clock::time_point last_commit_ = Clock::now();

  // Waiting rows and events; both are bounded, see append and append_event.
  std::vector<double> waiting_times_;
  std::vector<double> waiting_values_;
  std::vector<EventRecord> waiting_events_;
  std::size_t rows_ = 0;    // handed to HDF5
  std::size_t events_ = 0;  // handed to HDF5

  Handle file_;  // before the datasets: they close first
  Handle time_;
  Handle data_;
  Handle events_group_;
  Handle event_time_;
  Handle event_kind_;
  Handle event_subject_;
  Handle event_other_;
  std::vector<Handle> event_values_;
};

Hdf5Writer::File::File(const Hdf5Writer& writer, const std::string& path,
                       const Hdf5Options& options)
    : event_columns_(writer.event_columns()), period_(options.flush_seconds) {
  const hdf5::BlockShape block = hdf5::calc_block_shape(writer.width());
  data_shape_ = {writer.width(), block, options.compression};
  time_shape_ = {0, {block.rows < 128 ? 128 : block.rows, 1}, 0};
  file_ = create_file(path);
  create_datasets(writer);
  create_event_datasets();
  hdf5::check(H5Fflush(file_.id(), H5F_SCOPE_GLOBAL), "cannot write '" + path + "'");
}

void Hdf5Writer::File::create_datasets(const Hdf5Writer& writer) {
  const hdf5::Id root = file_.id();
  hdf5::write_text_attribute(root, "format", hdf5::kFormatName);
  hdf5::write_count_attribute(root, "format_version", hdf5::kFormatVersion);
  hdf5::write_text_attribute(root, "carom_version", writer.meta().carom_version);
  hdf5::write_text_attribute(root, "scene_name", writer.meta().scene_name);
  hdf5::write_text_attribute(root, "created", writer.meta().created);
  hdf5::write_text_attribute(root, "status", to_string(RunStatus::running));
  hdf5::write_text_attribute(root, "reason", "");
  hdf5::write_count_attribute(root, "rows", 0);
  hdf5::write_count_attribute(root, "event_count", 0);
  hdf5::write_text_dataset(root, "scene", writer.meta().scene);
  hdf5::write_text_dataset(root, "summary", "{}");
  hdf5::write_channel_table(root, writer.channels());
  time_ = hdf5::create_series(root, "time", H5T_IEEE_F64LE, time_shape_);
  hdf5::write_text_attribute(time_.id(), "unit", "s");
  if (writer.width() > 0) {
    data_ = hdf5::create_series(root, "data", H5T_IEEE_F64LE, data_shape_);
  }
  hdf5::write_channel_views(root, writer.channels());
}

void Hdf5Writer::File::create_event_datasets() {
  events_group_ = hdf5::make_group(file_.id(), "events");
  const hdf5::Id group = events_group_.id();
  const Handle text = hdf5::text_type();
  event_time_ = hdf5::create_series(group, "time", H5T_IEEE_F64LE, event_shape_);
  hdf5::write_text_attribute(event_time_.id(), "unit", "s");
  event_kind_ = hdf5::create_series(group, "kind", text.id(), event_shape_);
  event_subject_ = hdf5::create_series(group, "subject", text.id(), event_shape_);
  event_other_ = hdf5::create_series(group, "other", text.id(), event_shape_);
  std::vector<std::string> names, units;
  for (const EventColumn& column : event_columns_) {
    names.push_back(column.name);
    units.push_back(column.unit);
    event_values_.push_back(hdf5::create_series(group, hdf5::link_name(column.name).c_str(),
                                                H5T_IEEE_F64LE, event_shape_));
    hdf5::write_text_attribute(event_values_.back().id(), "unit", column.unit);
  }
  hdf5::write_texts_attribute(group, "columns", names);
  hdf5::write_texts_attribute(group, "units", units);
}

void Hdf5Writer::File::append(double time, std::span<const double> row) {
  waiting_values_.insert(waiting_values_.end(), row.begin(), row.end());
  waiting_times_.push_back(time);
  // Rows leave at the edge of a band of tiles, so that tiles are written whole.
  if ((rows_ + waiting_times_.size()) % data_shape_.block.rows == 0) {
    const hdf5::Session session;
    write_rows(waiting_times_.size());
  }
  commit_if_due();
}

void Hdf5Writer::File::append_event(const EventRecord& event) {
  constexpr std::size_t kMaxWaiting = 4096;
  waiting_events_.push_back(event);
  if (waiting_events_.size() >= kMaxWaiting) {
    const hdf5::Session session;
    write_events();
  }
  commit_if_due();
}

void Hdf5Writer::File::write_rows(std::size_t count) {
  if (count == 0) return;
  hdf5::append_to_series(time_.id(), H5T_NATIVE_DOUBLE, time_shape_, rows_, count,
                         waiting_times_.data());
  if (data_) {
    hdf5::append_to_series(data_.id(), H5T_NATIVE_DOUBLE, data_shape_, rows_, count,
                           waiting_values_.data());
  }
  rows_ += count;
  waiting_times_.clear();
  waiting_values_.clear();
}

void Hdf5Writer::File::write_events() {
  const std::size_t count = waiting_events_.size();
  if (count == 0) return;
  const auto write_numbers = [&](const Handle& series, const std::vector<double>& numbers) {
    hdf5::append_to_series(series.id(), H5T_NATIVE_DOUBLE, event_shape_, events_, count,
                           numbers.data());
  };
  const auto write_texts = [&](const Handle& series, const std::vector<std::string>& texts) {
    std::vector<const char*> raw;
    for (const std::string& text : texts) raw.push_back(text.c_str());
    hdf5::append_to_series(series.id(), hdf5::text_type().id(), event_shape_, events_, count,
                           raw.data());
  };
  std::vector<double> times;
  std::vector<std::string> kinds, subjects, others;
  std::vector<std::vector<double>> values(event_columns_.size());
  for (const EventRecord& event : waiting_events_) {
    times.push_back(event.time);
    kinds.push_back(event.kind);
    subjects.push_back(event.subject);
    others.push_back(other_values_text(event, event_columns_));
    const std::vector<double> row = event_columns_of(event, event_columns_);
    for (std::size_t i = 0; i < row.size(); ++i) values[i].push_back(row[i]);
  }
  write_numbers(event_time_, times);
  write_texts(event_kind_, kinds);
  write_texts(event_subject_, subjects);
  write_texts(event_other_, others);
  for (std::size_t i = 0; i < values.size(); ++i) write_numbers(event_values_[i], values[i]);
  events_ += count;
  waiting_events_.clear();
}

void Hdf5Writer::File::commit() {
  const char* what = "cannot write the result file";
  write_events();
  hdf5::check(H5Fflush(file_.id(), H5F_SCOPE_GLOBAL), what);
  hdf5::write_count_attribute(file_.id(), "rows", rows_);
  hdf5::write_count_attribute(file_.id(), "event_count", events_);
  hdf5::check(H5Fflush(file_.id(), H5F_SCOPE_GLOBAL), what);
}

void Hdf5Writer::File::commit_if_due() {
  if (Clock::now() - last_commit_ >= period_) write_safely();
}

void Hdf5Writer::File::write_safely() {
  const hdf5::Session session;
  // A compressed tile that is written twice moves, and its old place is used
  // again before the index on disk knows: only whole bands are safe.
  if (data_shape_.compression == 0) write_rows(waiting_times_.size());
  commit();
  last_commit_ = Clock::now();
}

void Hdf5Writer::File::write_all() {
  write_rows(waiting_times_.size());
  commit();
}

void Hdf5Writer::File::finish(RunStatus status, std::string_view reason, std::string_view summary) {
  write_all();
  hdf5::write_text_dataset(file_.id(), "summary", summary);
  hdf5::write_text_attribute(file_.id(), "reason", reason);
  hdf5::write_text_attribute(file_.id(), "status", to_string(status));
  hdf5::check(H5Fflush(file_.id(), H5F_SCOPE_GLOBAL), "cannot write the result file");
}

Hdf5Writer::Hdf5Writer(std::string path, Hdf5Options options)
    : path_(std::move(path)), options_(options) {}

Hdf5Writer::~Hdf5Writer() {
  if (!file_) return;
  const hdf5::Session session;
  try {
    file_->write_all();
  } catch (const std::exception&) {
    // Nobody is left to tell; finish() is the place where errors are reported.
  }
  file_.reset();
}

void Hdf5Writer::do_open() {
  if (options_.compression < 0 || options_.compression > 9) {
    throw std::runtime_error("compression is " + std::to_string(options_.compression) +
                             ", it must be from 0 to 9");
  }
  check_output_path(path_);
  const hdf5::Session session;
  file_ = std::make_unique<File>(*this, path_, options_);
}

void Hdf5Writer::do_append(double time, std::span<const double> row) { file_->append(time, row); }

void Hdf5Writer::do_append_event(const EventRecord& event) { file_->append_event(event); }

void Hdf5Writer::do_flush() { file_->write_safely(); }

void Hdf5Writer::do_finish(RunStatus status, std::string_view reason, std::string_view summary) {
  const hdf5::Session session;
  const std::unique_ptr<File> file = std::move(file_);
  file->finish(status, reason, summary);
}

}  // namespace carom
