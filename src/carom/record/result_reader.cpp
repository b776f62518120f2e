#include "carom/record/result_reader.h"

#include <hdf5.h>

#include <stdexcept>

#include "carom/record/hdf5_layout.h"
#include "carom/record/hdf5_run_tables.h"
#include "carom/record/result_format1.h"
#include "carom/record/result_seal.h"

namespace carom {

using hdf5::Handle;

struct ResultReader::Contents {
  explicit Contents(const std::string& file_path) : path(file_path) {}
  ~Contents() {
    const hdf5::Session session;
    data = Handle();
    stored.file = Handle();
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
  hdf5::Id root() const { return stored.file.id(); }

  hdf5::StoredFile stored;
  bool is_format1 = false;
  Handle data;     // absent when nothing but time was recorded
  Recording head;  // all but time, values and events
  std::size_t width = 0;
  std::size_t rows = 0;
  std::size_t event_count = 0;
};

namespace {

Recording read_head(const hdf5::StoredFile& file) {
  const hdf5::Id root = file.file.id();
  if (H5Aexists(root, "format") <= 0 ||
      hdf5::read_text_attribute(root, "format") != hdf5::kFormatName) {
    throw std::runtime_error("it is an HDF5 file, but not a result of Carom");
  }
  const std::uint64_t version = hdf5::read_count_attribute(root, "format_version");
  if (version != hdf5::kFormatVersion) {
    throw std::runtime_error("its format version is " + std::to_string(version) +
                             ", this Carom reads up to " + std::to_string(hdf5::kFormatVersion));
  }
  Recording head;
  head.meta.carom_version = hdf5::read_text_attribute(root, "carom_version");
  head.meta.scene_name = hdf5::read_text_attribute(root, "scene_name");
  head.meta.fingerprint = hdf5::read_text_attribute(root, "fingerprint");
  head.meta.created = hdf5::read_text_attribute(root, "created");
  head.meta.scene = hdf5::read_fixed_text(file, root, "scene");
  head.status = run_status_from(hdf5::read_text_attribute(root, "status"));
  head.reason = hdf5::read_text_attribute(root, "reason");
  const auto json = [&](const char* name, const char* counter) {
    const std::size_t bytes = hdf5::read_count_attribute(root, counter);
    return bytes == 0 ? "{}" : hdf5::read_bytes(file, hdf5::open_stored(root, name), bytes);
  };
  head.summary = json("summary", "summary_bytes");
  head.verdict = json("verdict", "verdict_bytes");
  head.channels = hdf5::read_channel_table(file);
  head.event_columns = hdf5::read_event_columns(root);
  head.meta.peaks = true;
  return head;
}

}  // namespace

ResultReader::ResultReader(const std::string& path) : contents_(std::make_unique<Contents>(path)) {
  Contents& c = *contents_;
  c.guarded([&] {
    const Seal seal = read_seal(path);
    if (seal == Seal::broken) {
      throw std::runtime_error("it was damaged or changed: its digest does not fit");
    }
    c.is_format1 = seal == Seal::none;
    c.stored = hdf5::open_stored_file(path);
    c.head = c.is_format1 ? format1::read_head(c.stored) : read_head(c.stored);
    c.width = c.head.width();
    c.rows = hdf5::read_count_attribute(c.root(), "rows");
    c.event_count = hdf5::read_count_attribute(c.root(), "event_count");
    hdf5::require_rows(c.stored, hdf5::open_stored(c.root(), "time"), c.rows, 0, sizeof(double));
    if (c.width > 0) {
      c.data = hdf5::open_stored(c.root(), "data");
      hdf5::require_rows(c.stored, c.data, c.rows, c.width, sizeof(double));
    }
  });
}

ResultReader::~ResultReader() = default;
ResultReader::ResultReader(ResultReader&&) noexcept = default;
ResultReader& ResultReader::operator=(ResultReader&&) noexcept = default;

const Recording& ResultReader::head() const { return contents_->head; }
std::size_t ResultReader::rows() const { return contents_->rows; }

std::vector<double> ResultReader::time() const {
  const Contents& c = *contents_;
  return c.guarded(
      [&] { return hdf5::read_numbers(c.stored, hdf5::open_stored(c.root(), "time"), c.rows); });
}

std::vector<double> ResultReader::block(std::size_t first_row, std::size_t row_count,
                                        std::size_t first_column, std::size_t column_count) const {
  const Contents& c = *contents_;
  return c.guarded([&] {
    const bool rows_fit = first_row <= c.rows && row_count <= c.rows - first_row;
    const bool columns_fit = first_column <= c.width && column_count <= c.width - first_column;
    if (!rows_fit || !columns_fit) throw std::runtime_error("the block reaches beyond the data");
    if (row_count == 0 || column_count == 0) return std::vector<double>();
    return hdf5::read_rectangle(c.data, {first_row, first_column}, {row_count, column_count});
  });
}

std::vector<EventRecord> ResultReader::events() const {
  const Contents& c = *contents_;
  return c.guarded([&] {
    return c.is_format1 ? format1::read_events(c.stored, c.head.event_columns, c.event_count)
                        : hdf5::read_events(c.stored, c.head.event_columns, c.event_count);
  });
}

std::vector<PeakRecord> ResultReader::peaks() const {
  const Contents& c = *contents_;
  if (c.is_format1) return {};
  return c.guarded([&] {
    const std::size_t count = hdf5::read_count_attribute(c.root(), "peak_count");
    return hdf5::read_peaks(c.stored, count, c.width, c.head.status == RunStatus::running);
  });
}

std::vector<MapRecord> ResultReader::maps() const {
  const Contents& c = *contents_;
  if (c.is_format1) return {};
  return c.guarded([&] { return hdf5::read_maps(c.stored, c.head.status == RunStatus::running); });
}

std::vector<ContactSummary> ResultReader::contacts() const {
  const Contents& c = *contents_;
  if (c.is_format1) return {};
  return c.guarded([&] {
    return hdf5::read_contacts(c.stored, hdf5::read_count_attribute(c.root(), "contact_count"));
  });
}

}  // namespace carom
