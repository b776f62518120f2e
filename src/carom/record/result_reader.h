// Reads a result file with HDF5. The library does not survive every file that a stranger can
// make, so this runs in a process of its own only: see result_process.h, and ResultFile for what
// programs use.
//
// Every error is a std::runtime_error whose text names the file. The digest of a finished file
// is compared first, which reads it once.
#pragma once

#include <memory>

#include "carom/record/recording.h"

namespace carom {

class ResultReader {
 public:
  explicit ResultReader(const std::string& path);
  ~ResultReader();
  ResultReader(ResultReader&&) noexcept;
  ResultReader& operator=(ResultReader&&) noexcept;

  const Recording& head() const;  ///< all but time, values, events, peaks and contacts
  std::size_t rows() const;       ///< samples in time

  std::vector<double> time() const;  ///< [s]
  /// A rectangle of /data, row by row; throws if it reaches beyond the file's rows or columns.
  std::vector<double> block(std::size_t first_row, std::size_t row_count, std::size_t first_column,
                            std::size_t column_count) const;
  std::vector<EventRecord> events() const;
  std::vector<PeakRecord> peaks() const;         ///< none in files of format 1
  std::vector<ContactSummary> contacts() const;  ///< none in files of format 1
  std::vector<MapRecord> maps() const;           ///< none where they were not asked for

 private:
  struct Contents;
  std::unique_ptr<Contents> contents_;
};

}  // namespace carom
