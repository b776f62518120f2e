// A kill may come at any moment, and HDF5 has no journal. Three habits keep the
// file readable: all datasets exist and are flushed before the first row;
// metadata stay in memory between flushes; and the counts `rows` and
// `event_count` are raised only after a flush has put everything below them on
// disk, so that a reader who trusts the counts never sees a half-written row.
#include "carom/record/hdf5_writer.h"

#include <hdf5.h>

#include <algorithm>
#include <chrono>
#include <stdexcept>

#include "carom/record/hdf5_layout.h"
#include "carom/record/hdf5_run_tables.h"
#include "carom/record/hdf5_series.h"
#include "carom/record/result_seal.h"

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
  hdf5::check(H5Pset_userblock(creation.id(), kSealBytes), what);
  return {H5Fcreate(path.c_str(), H5F_ACC_EXCL, creation.id(), access.id()), H5Fclose, what};
}

/// A text that stays as it is.
void write_fixed_text(hdf5::Id parent, const char* name, std::string text) {
  const std::string what = std::string("cannot write '") + name + "' into the result file";
  const Handle type = hdf5::fixed_text_type(text.size());
  text.resize(std::max<std::size_t>(text.size(), 1));
  const Handle dataset(H5Dcreate2(parent, name, type.id(), hdf5::scalar_space().id(), H5P_DEFAULT,
                                  H5P_DEFAULT, H5P_DEFAULT),
                       H5Dclose, what);
  hdf5::check(H5Dwrite(dataset.id(), type.id(), H5S_ALL, H5S_ALL, H5P_DEFAULT, text.data()), what);
}

}  // namespace

// The open file with what waits to be written to it.
class Hdf5Writer::File {
 public:
  File(const Hdf5Writer& writer, const std::string& path, const Hdf5Options& options);

  void append(double time, std::span<const double> row);
  void append_event(const EventRecord& event);
  void append_peak(const PeakRecord& peak);
  void append_map(const MapRecord& map);
  void finish(RunStatus status, std::string_view reason, const RunEnding& ending);
  void write_all();
  void write_safely();

 private:
  using Clock = std::chrono::steady_clock;

  void write_head(const Hdf5Writer& writer);
  void create_datasets(const Hdf5Writer& writer);
  void write_rows(std::size_t count);
  void write_tables();
  void write_tables_if_many(const hdf5::TableRows& waiting);
  void commit();
  void commit_if_due();

  std::vector<EventColumn> event_columns_;
  hdf5::SeriesShape data_shape_;
  hdf5::SeriesShape time_shape_;
  std::chrono::duration<double> period_;
  Clock::time_point last_commit_ = Clock::now();

  // Waiting rows; bounded, as the rows of tables are, see append and write_tables_if_many.
  std::vector<double> waiting_times_;
  std::vector<double> waiting_values_;
  std::vector<double> waiting_peak_values_;
  std::vector<double> waiting_map_values_;
  std::size_t rows_ = 0;         // handed to HDF5
  std::size_t peak_values_ = 0;  // appended
  std::size_t map_values_ = 0;   // appended
  bool has_maps_ = false;

  Handle file_;  // before the datasets: they close first
  Handle time_;
  Handle data_;
  hdf5::GrowingTable events_, peaks_, contacts_, maps_;
  hdf5::Series peak_columns_, map_points_, summary_, verdict_;
};

Hdf5Writer::File::File(const Hdf5Writer& writer, const std::string& path,
                       const Hdf5Options& options)
    : event_columns_(writer.event_columns()),
      period_(options.flush_seconds),
      events_(hdf5::event_layout(event_columns_, writer.meta().name_room)),
      peaks_(hdf5::peak_layout(writer.meta().name_room)),
      contacts_(hdf5::contact_layout(writer.meta().name_room)),
      maps_(hdf5::map_layout(writer.meta().name_room)) {
  has_maps_ = writer.meta().maps;
  const hdf5::BlockShape block = hdf5::calc_block_shape(writer.width());
  data_shape_ = {writer.width(), block, options.compression};
  time_shape_ = {0, {block.rows < 128 ? 128 : block.rows, 1}, 0};
  file_ = create_file(path);
  write_head(writer);
  create_datasets(writer);
  hdf5::check(H5Fflush(file_.id(), H5F_SCOPE_GLOBAL), "cannot write '" + path + "'");
  write_open_seal(path);
}

void Hdf5Writer::File::write_head(const Hdf5Writer& writer) {
  constexpr std::size_t kNameRoom = 4096, kStatusRoom = 16;
  const hdf5::Id root = file_.id();
  const RunMeta& meta = writer.meta();
  hdf5::write_text_attribute(root, "format", hdf5::kFormatName);
  hdf5::write_count_attribute(root, "format_version", hdf5::kFormatVersion);
  hdf5::write_text_attribute(root, "carom_version", meta.carom_version);
  hdf5::write_text_attribute(root, "scene_name", hdf5::fitted(meta.scene_name, kNameRoom));
  hdf5::write_text_attribute(root, "fingerprint", meta.fingerprint);
  hdf5::write_text_attribute(root, "created", meta.created);
  hdf5::write_text_attribute(root, "status", to_string(RunStatus::running), kStatusRoom);
  hdf5::write_text_attribute(root, "reason", "", hdf5::kReasonRoom);
  hdf5::write_count_attribute(root, "rows", 0);
  write_fixed_text(root, "scene", meta.scene);
}

void Hdf5Writer::File::create_datasets(const Hdf5Writer& writer) {
  constexpr std::size_t kTextBlock = 4096, kValueBlock = 1024;
  const hdf5::Id root = file_.id();
  hdf5::write_channel_table(root, writer.channels());
  time_ = hdf5::create_series(root, "time", H5T_IEEE_F64LE, time_shape_);
  hdf5::write_text_attribute(time_.id(), "unit", "s");
  if (writer.width() > 0) {
    data_ = hdf5::create_series(root, "data", H5T_IEEE_F64LE, data_shape_);
  }
  events_.create(root, "events", "event_count");
  peaks_.create(root, "peaks", "peak_count");
  contacts_.create(root, "contacts", "contact_count");
  const auto numbers = [] { return hdf5::copied_type(H5T_NATIVE_DOUBLE); };
  const auto bytes = [] { return hdf5::copied_type(H5T_NATIVE_UINT8); };
  peak_columns_ = hdf5::Series(root, "peak_values", "peak_value_count", numbers(), kValueBlock);
  if (has_maps_) {
    maps_.create(root, "maps", "map_count");
    map_points_ = hdf5::Series(root, "map_points", "map_point_numbers", numbers(), kValueBlock);
  }
  summary_ = hdf5::Series(root, "summary", "summary_bytes", bytes(), kTextBlock);
  verdict_ = hdf5::Series(root, "verdict", "verdict_bytes", bytes(), kTextBlock);
  hdf5::write_channel_views(root, writer.channels());
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
  hdf5::add_event(events_.waiting(), event, event_columns_);
  write_tables_if_many(events_.waiting());
  commit_if_due();
}

void Hdf5Writer::File::append_peak(const PeakRecord& peak) {
  hdf5::add_peak(peaks_.waiting(), peak, peak_values_);
  waiting_peak_values_.insert(waiting_peak_values_.end(), peak.columns.begin(), peak.columns.end());
  peak_values_ += peak.columns.size();
  write_tables_if_many(peaks_.waiting());
  commit_if_due();
}

void Hdf5Writer::File::append_map(const MapRecord& map) {
  if (!has_maps_) return;
  hdf5::add_map(maps_.waiting(), map, map_values_);
  waiting_map_values_.insert(waiting_map_values_.end(), map.points.begin(), map.points.end());
  map_values_ += map.points.size();
  write_tables_if_many(maps_.waiting());
  commit_if_due();
}

void Hdf5Writer::File::write_tables_if_many(const hdf5::TableRows& waiting) {
  constexpr std::size_t kMaxWaiting = 4096;
  if (waiting.size() < kMaxWaiting) return;
  const hdf5::Session session;
  write_tables();
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

void Hdf5Writer::File::write_tables() {
  events_.write_out();
  peaks_.write_out();
  peak_columns_.append(waiting_peak_values_.size(), waiting_peak_values_.data());
  waiting_peak_values_.clear();
  if (!has_maps_) return;
  maps_.write_out();
  map_points_.append(waiting_map_values_.size(), waiting_map_values_.data());
  waiting_map_values_.clear();
}

void Hdf5Writer::File::commit() {
  const char* what = "cannot write the result file";
  write_tables();
  hdf5::check(H5Fflush(file_.id(), H5F_SCOPE_GLOBAL), what);
  hdf5::write_count_attribute(file_.id(), "rows", rows_);
  events_.raise_count(file_.id());
  peak_columns_.raise_count(file_.id());
  peaks_.raise_count(file_.id());
  if (has_maps_) map_points_.raise_count(file_.id()), maps_.raise_count(file_.id());
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

void Hdf5Writer::File::finish(RunStatus status, std::string_view reason, const RunEnding& ending) {
  const char* what = "cannot write the result file";
  for (const ContactSummary& contact : ending.contacts) {
    hdf5::add_contact(contacts_.waiting(), contact);
  }
  contacts_.write_out();
  summary_.append(ending.summary.size(), ending.summary.data());
  verdict_.append(ending.verdict.size(), ending.verdict.data());
  write_all();
  const hdf5::Id root = file_.id();
  contacts_.raise_count(root), summary_.raise_count(root), verdict_.raise_count(root);
  hdf5::write_text_attribute(root, "reason", reason);
  hdf5::write_text_attribute(root, "status", to_string(status));
  hdf5::check(H5Fflush(root, H5F_SCOPE_GLOBAL), what);
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
  output_ = std::make_unique<OutputFile>(path_);
  if (output_->is_direct()) {
    throw std::runtime_error("cannot write '" + path_ + "': HDF5 needs a regular file");
  }
  const hdf5::Session session;
  file_ = std::make_unique<File>(*this, output_->writing(), options_);
}

void Hdf5Writer::do_publish() { output_->publish(); }

void Hdf5Writer::do_append(double time, std::span<const double> row) { file_->append(time, row); }

void Hdf5Writer::do_append_event(const EventRecord& event) { file_->append_event(event); }

void Hdf5Writer::do_append_peak(const PeakRecord& peak) { file_->append_peak(peak); }

void Hdf5Writer::do_append_map(const MapRecord& map) { file_->append_map(map); }

void Hdf5Writer::do_flush() { file_->write_safely(); }

void Hdf5Writer::do_finish(RunStatus status, std::string_view reason, const RunEnding& ending) {
  const hdf5::Session session;
  std::unique_ptr<File> file = std::move(file_);
  file->finish(status, reason, ending);
  file.reset();  // now all is there to be sealed
  write_whole_seal(output_->writing());
}

}  // namespace carom
