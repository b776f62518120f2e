#include "carom/record/result_file.h"

#include <hdf5.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <stdexcept>

#include "carom/record/event_text.h"
#include "carom/record/hdf5_layout.h"

namespace carom {

using hdf5::Handle;

struct ResultFile::Contents {
  explicit Contents(const std::string& file_path) : path(file_path) {}
  ~Contents() {
    const hdf5::Session session;
    data = Handle();
    file = Handle();
  }

  // Runs `action`; an error names the file.
  template <class Action>
  auto guarded(Action&& action) const {
    const hdf5::Session session;
    try {
      return action();
    } catch (const std::exception& e) {
      throw std::runtime_error("cannot read '" + path + "': " + e.what());
    }
  }

  std::string path;
  Handle file;
  Handle data;     // absent when nothing but time was recorded
  Recording head;  // all but time, values and events
  std::unique_ptr<ColumnIndex> index;
  std::size_t width = 0;
  std::size_t rows = 0;
  std::size_t event_count = 0;
};

namespace {

Handle open_file(const std::string& path) {
  if (!std::filesystem::exists(path)) throw std::runtime_error("there is no such file");
  if (std::filesystem::is_directory(path)) throw std::runtime_error("it is a folder");
  if (H5Fis_hdf5(path.c_str()) <= 0) {
    throw std::runtime_error("it is not an HDF5 file, or it was cut off before its first rows");
  }
  const Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose, "HDF5 failed");
  // Without a lock a run that is still being written can be looked at.
  hdf5::check(H5Pset_file_locking(access.id(), false, true), "HDF5 failed");
  return {H5Fopen(path.c_str(), H5F_ACC_RDONLY, access.id()), H5Fclose, "the file is damaged"};
}

void check_format(hdf5::Id root) {
  if (H5Aexists(root, "format") <= 0 ||
      hdf5::read_text_attribute(root, "format") != hdf5::kFormatName) {
    throw std::runtime_error("it is an HDF5 file, but not a result of Carom");
  }
  const std::uint64_t version = hdf5::read_count_attribute(root, "format_version");
  if (version > hdf5::kFormatVersion) {
    throw std::runtime_error("its format version is " + std::to_string(version) +
                             ", this Carom reads up to " + std::to_string(hdf5::kFormatVersion));
  }
}

// The dataset must hold at least `rows` rows of `columns` (0: one-dimensional),
// and enough bytes for them: a damaged size must not take all memory, and a
// tile that the index has lost must not be read as zeros.
void require_rows(const Handle& dataset, std::size_t rows, std::size_t columns,
                  std::size_t value_bytes) {
  const Handle space(H5Dget_space(dataset.id()), H5Sclose, "a dataset is damaged");
  hsize_t size[2] = {0, 0};
  const int rank = H5Sget_simple_extent_ndims(space.id());
  if (rank != (columns == 0 ? 1 : 2)) throw std::runtime_error("a dataset has the wrong shape");
  hdf5::check(H5Sget_simple_extent_dims(space.id(), size, nullptr), "a dataset is damaged");
  if (size[0] < rows || size[1] != columns) {
    throw std::runtime_error("a dataset has the wrong size");
  }
  const Handle creation(H5Dget_create_plist(dataset.id()), H5Pclose, "a dataset is damaged");
  // Deflate shrinks at most 1032 times.
  const double packing = H5Pget_nfilters(creation.id()) > 0 ? 1032.0 : 1.0;
  const double needed = static_cast<double>(rows) *
                        static_cast<double>(std::max<std::size_t>(columns, 1)) *
                        static_cast<double>(value_bytes);
  if (static_cast<double>(H5Dget_storage_size(dataset.id())) * packing < needed) {
    throw std::runtime_error("rows are missing from a dataset");
  }
}

std::vector<double> read_numbers(const Handle& dataset, std::size_t count) {
  require_rows(dataset, count, 0, sizeof(double));
  std::vector<double> numbers(count);
  if (count == 0) return numbers;
  const hsize_t start = 0, size = count;
  const Handle source(H5Dget_space(dataset.id()), H5Sclose, "a dataset is damaged");
  hdf5::check(H5Sselect_hyperslab(source.id(), H5S_SELECT_SET, &start, nullptr, &size, nullptr),
              "a dataset is damaged");
  const Handle target(H5Screate_simple(1, &size, nullptr), H5Sclose, "HDF5 failed");
  hdf5::check(H5Dread(dataset.id(), H5T_NATIVE_DOUBLE, target.id(), source.id(), H5P_DEFAULT,
                      numbers.data()),
              "a dataset is damaged");
  return numbers;
}

std::vector<std::string> read_texts(const Handle& dataset, std::size_t count) {
  const char* what = "the events are damaged";
  constexpr std::size_t kTextReferenceBytes = 16;
  require_rows(dataset, count, 0, kTextReferenceBytes);
  const Handle stored(H5Dget_type(dataset.id()), H5Tclose, what);
  if (H5Tis_variable_str(stored.id()) <= 0) throw std::runtime_error(what);
  if (count == 0) return {};
  std::vector<char*> raw(count, nullptr);
  const hsize_t start = 0, size = count;
  const Handle source(H5Dget_space(dataset.id()), H5Sclose, what);
  hdf5::check(H5Sselect_hyperslab(source.id(), H5S_SELECT_SET, &start, nullptr, &size, nullptr),
              what);
  const Handle target(H5Screate_simple(1, &size, nullptr), H5Sclose, what);
  const Handle type = hdf5::text_type();
  hdf5::check(H5Dread(dataset.id(), type.id(), target.id(), source.id(), H5P_DEFAULT, raw.data()),
              what);
  std::vector<std::string> texts;
  for (const char* text : raw) texts.emplace_back(text == nullptr ? "" : text);
  H5Dvlen_reclaim(type.id(), target.id(), H5P_DEFAULT, raw.data());
  return texts;
}

void read_head(hdf5::Id root, Recording& head) {
  head.meta.carom_version = hdf5::read_text_attribute(root, "carom_version");
  head.meta.scene_name = hdf5::read_text_attribute(root, "scene_name");
  head.meta.created = hdf5::read_text_attribute(root, "created");
  head.meta.scene = hdf5::read_text_dataset(root, "scene");
  head.status = run_status_from(hdf5::read_text_attribute(root, "status"));
  head.reason = hdf5::read_text_attribute(root, "reason");
  head.summary = hdf5::read_text_dataset(root, "summary");
  head.channels = hdf5::read_channel_table(root);
  const Handle events(H5Gopen2(root, "events", H5P_DEFAULT), H5Gclose, "the events are missing");
  const std::vector<std::string> names = hdf5::read_texts_attribute(events.id(), "columns");
  const std::vector<std::string> units = hdf5::read_texts_attribute(events.id(), "units");
  if (names.size() != units.size()) throw std::runtime_error("the events are damaged");
  for (std::size_t i = 0; i < names.size(); ++i) head.event_columns.push_back({names[i], units[i]});
}

}  // namespace

ResultFile::ResultFile(const std::string& path) : contents_(std::make_unique<Contents>(path)) {
  Contents& c = *contents_;
  c.guarded([&] {
    c.file = open_file(path);
    const hdf5::Id root = c.file.id();
    check_format(root);
    read_head(root, c.head);
    c.index = std::make_unique<ColumnIndex>(c.head.channels);
    c.width = c.head.width();
    c.rows = hdf5::read_count_attribute(root, "rows");
    c.event_count = hdf5::read_count_attribute(root, "event_count");
    require_rows(hdf5::open_dataset(root, "time"), c.rows, 0, sizeof(double));
    if (c.width > 0) {
      c.data = hdf5::open_dataset(root, "data");
      require_rows(c.data, c.rows, c.width, sizeof(double));
    }
  });
}

ResultFile::~ResultFile() = default;
ResultFile::ResultFile(ResultFile&&) noexcept = default;
ResultFile& ResultFile::operator=(ResultFile&&) noexcept = default;

const RunMeta& ResultFile::meta() const { return contents_->head.meta; }
RunStatus ResultFile::status() const { return contents_->head.status; }
const std::string& ResultFile::reason() const { return contents_->head.reason; }
const std::string& ResultFile::summary() const { return contents_->head.summary; }
const std::vector<Channel>& ResultFile::channels() const { return contents_->head.channels; }
const std::vector<EventColumn>& ResultFile::event_columns() const {
  return contents_->head.event_columns;
}
std::size_t ResultFile::rows() const { return contents_->rows; }
std::size_t ResultFile::width() const { return contents_->width; }

std::vector<double> ResultFile::time() const {
  const Contents& c = *contents_;
  return c.guarded([&] { return read_numbers(hdf5::open_dataset(c.file.id(), "time"), c.rows); });
}

std::vector<double> ResultFile::column(std::string_view name) const {
  return block(0, rows(), contents_->index->column(name), 1);
}

std::vector<double> ResultFile::channel(std::string_view name) const {
  const ColumnIndex::Range range = contents_->index->channel(name);
  return block(0, rows(), range.first, range.width);
}

std::vector<double> ResultFile::block(std::size_t first_row, std::size_t row_count,
                                      std::size_t first_column, std::size_t column_count) const {
  const Contents& c = *contents_;
  return c.guarded([&] {
    const bool rows_fit = first_row <= c.rows && row_count <= c.rows - first_row;
    const bool columns_fit = first_column <= c.width && column_count <= c.width - first_column;
    if (!rows_fit || !columns_fit) throw std::runtime_error("the block reaches beyond the data");
    std::vector<double> values(row_count * column_count);
    if (values.empty()) return values;
    const char* what = "the rows are damaged";
    const hsize_t start[2] = {first_row, first_column};
    const hsize_t size[2] = {row_count, column_count};
    const Handle source(H5Dget_space(c.data.id()), H5Sclose, what);
    hdf5::check(H5Sselect_hyperslab(source.id(), H5S_SELECT_SET, start, nullptr, size, nullptr),
                what);
    const Handle target(H5Screate_simple(2, size, nullptr), H5Sclose, what);
    hdf5::check(H5Dread(c.data.id(), H5T_NATIVE_DOUBLE, target.id(), source.id(), H5P_DEFAULT,
                        values.data()),
                what);
    return values;
  });
}

std::vector<EventRecord> ResultFile::events() const {
  const Contents& c = *contents_;
  return c.guarded([&] {
    const Handle group(H5Gopen2(c.file.id(), "events", H5P_DEFAULT), H5Gclose,
                       "the events are missing");
    const auto series = [&](const std::string& name) {
      return hdf5::open_dataset(group.id(), hdf5::link_name(name).c_str());
    };
    const std::vector<double> times = read_numbers(series("time"), c.event_count);
    const std::vector<std::string> kinds = read_texts(series("kind"), c.event_count);
    const std::vector<std::string> subjects = read_texts(series("subject"), c.event_count);
    const std::vector<std::string> others = read_texts(series("other"), c.event_count);
    std::vector<EventRecord> events(c.event_count);
    for (std::size_t i = 0; i < events.size(); ++i) {
      events[i] = {times[i], kinds[i], subjects[i], {}};
    }
    for (const EventColumn& column : c.head.event_columns) {
      const std::vector<double> values = read_numbers(series(column.name), c.event_count);
      for (std::size_t i = 0; i < events.size(); ++i) {
        if (!std::isnan(values[i])) events[i].values.push_back({column.name, values[i]});
      }
    }
    for (std::size_t i = 0; i < events.size(); ++i) {
      for (NamedValue& value : parse_other_values(others[i])) {
        events[i].values.push_back(std::move(value));
      }
    }
    return events;
  });
}

Recording ResultFile::load() const {
  Recording all = contents_->head;
  all.time = time();
  all.values = block(0, rows(), 0, width());
  all.events = events();
  return all;
}

}  // namespace carom
