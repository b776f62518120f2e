// Reads a result file written by Hdf5Writer, finished or cut off.
//
//   const ResultFile run("run.h5");
//   const std::vector<double> t = run.time(), z = run.column("ball.position.z");
//
// Every error (no such file, not HDF5, not Carom's, cut short, damaged) is a
// std::runtime_error whose text names the file. Rows are read when asked for. The digest of a
// finished file is compared first, which reads it once. HDF5 itself works in another process
// (result_process.h), so that no file of a stranger harms this one.
#pragma once

#include <memory>

#include "carom/record/recording.h"

namespace carom {

class ResultFile {
 public:
  explicit ResultFile(const std::string& path);
  ~ResultFile();
  ResultFile(ResultFile&&) noexcept;
  ResultFile& operator=(ResultFile&&) noexcept;

  const RunMeta& meta() const;
  RunStatus status() const;
  const std::string& reason() const;
  const std::string& summary() const;  ///< JSON
  const std::string& verdict() const;  ///< JSON; "{}" in files of format 1
  const std::vector<Channel>& channels() const;
  const std::vector<EventColumn>& event_columns() const;

  std::size_t rows() const;   ///< samples in time
  std::size_t width() const;  ///< columns of a row

  std::vector<double> time() const;                          ///< [s]
  std::vector<double> column(std::string_view name) const;   ///< "ball.position.z"
  std::vector<double> channel(std::string_view name) const;  ///< rows x width, row by row
  /// A rectangle of /data, row by row; throws if it reaches beyond the file's rows or columns.
  std::vector<double> block(std::size_t first_row, std::size_t row_count, std::size_t first_column,
                            std::size_t column_count) const;
  std::vector<EventRecord> events() const;
  std::vector<PeakRecord> peaks() const;         ///< none in files of format 1
  std::vector<ContactSummary> contacts() const;  ///< none in files of format 1
  std::vector<MapRecord> maps() const;           ///< none where they were not asked for

  /// Everything at once.
  Recording load() const;

 private:
  struct Contents;
  std::unique_ptr<Contents> contents_;
};

}  // namespace carom
