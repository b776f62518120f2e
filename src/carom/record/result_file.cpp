#include "carom/record/result_file.h"

#include <cstring>
#include <stdexcept>

#include "carom/record/recording_bytes.h"
#include "carom/record/result_process.h"

namespace carom {

struct ResultFile::Contents {
  explicit Contents(const std::string& file_path) : path(file_path), process(file_path) {}

  /// The answer as values; one that does not fit is damage like any other.
  template <class... T>
  void ask(ResultQuestion::What what, T&... values) {
    const std::string bytes = process.ask({what});
    try {
      ArchiveReader in(bytes);
      in(values...);
      in.finish();
    } catch (const std::exception& error) {
      throw std::runtime_error("cannot read '" + path + "': " + error.what());
    }
  }

  std::string path;
  ResultProcess process;
  Recording head;  // all but time, values and events
  std::unique_ptr<ColumnIndex> index;
  std::uint64_t rows = 0;
};

ResultFile::ResultFile(const std::string& path) : contents_(std::make_unique<Contents>(path)) {
  Contents& c = *contents_;
  c.ask(ResultQuestion::What::head, c.rows, c.head);
  constexpr std::size_t kMostColumns = 1 << 21;  // of which every one gets a name
  double columns = 0.0;
  for (const Channel& channel : c.head.channels) columns += channel.width;
  if (!(columns <= static_cast<double>(kMostColumns))) {
    throw std::runtime_error("cannot read '" + path + "': it has too many columns");
  }
  check_channels(c.head.channels);
  c.index = std::make_unique<ColumnIndex>(c.head.channels);
}

ResultFile::~ResultFile() = default;
ResultFile::ResultFile(ResultFile&&) noexcept = default;
ResultFile& ResultFile::operator=(ResultFile&&) noexcept = default;

const RunMeta& ResultFile::meta() const { return contents_->head.meta; }
RunStatus ResultFile::status() const { return contents_->head.status; }
const std::string& ResultFile::reason() const { return contents_->head.reason; }
const std::string& ResultFile::summary() const { return contents_->head.summary; }
const std::string& ResultFile::verdict() const { return contents_->head.verdict; }
const std::vector<Channel>& ResultFile::channels() const { return contents_->head.channels; }
const std::vector<EventColumn>& ResultFile::event_columns() const {
  return contents_->head.event_columns;
}
std::size_t ResultFile::rows() const { return contents_->rows; }
std::size_t ResultFile::width() const { return contents_->head.width(); }

std::vector<double> ResultFile::time() const {
  std::vector<double> time;
  contents_->ask(ResultQuestion::What::time, time);
  if (time.size() != rows()) throw std::runtime_error("cannot read '" + contents_->path + "'");
  return time;
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
  const std::string problem = "cannot read '" + contents_->path + "': ";
  const bool rows_fit = first_row <= rows() && row_count <= rows() - first_row;
  const bool columns_fit = first_column <= width() && column_count <= width() - first_column;
  if (!rows_fit || !columns_fit) {
    throw std::runtime_error(problem + "the block reaches beyond the data");
  }
  if (row_count == 0 || column_count == 0) return {};
  const std::string bytes = contents_->process.ask(
      {ResultQuestion::What::block, first_row, row_count, first_column, column_count});
  if (bytes.size() != row_count * column_count * sizeof(double)) {
    throw std::runtime_error(problem + "the rows are damaged");
  }
  std::vector<double> values(row_count * column_count);
  std::memcpy(values.data(), bytes.data(), bytes.size());
  return values;
}

std::vector<EventRecord> ResultFile::events() const {
  std::vector<EventRecord> events;
  contents_->ask(ResultQuestion::What::events, events);
  return events;
}

std::vector<PeakRecord> ResultFile::peaks() const {
  std::vector<PeakRecord> peaks;
  contents_->ask(ResultQuestion::What::peaks, peaks);
  return peaks;
}

std::vector<ContactSummary> ResultFile::contacts() const {
  std::vector<ContactSummary> contacts;
  contents_->ask(ResultQuestion::What::contacts, contacts);
  return contacts;
}

std::vector<MapRecord> ResultFile::maps() const {
  std::vector<MapRecord> maps;
  contents_->ask(ResultQuestion::What::maps, maps);
  for (const MapRecord& map : maps) {
    if (map.points.size() % kMapNumbers == 0) continue;
    throw std::runtime_error("cannot read '" + contents_->path + "': the maps are damaged");
  }
  // Of a run that was cut off, the last rows may have stayed behind.
  std::erase_if(maps, [this](const MapRecord& map) { return map.row >= rows(); });
  return maps;
}

Recording ResultFile::load() const {
  Recording all = contents_->head;
  all.time = time();
  all.values = block(0, rows(), 0, width());
  all.events = events();
  all.peaks = peaks();
  all.contacts = contacts();
  all.maps = maps();
  return all;
}

}  // namespace carom
