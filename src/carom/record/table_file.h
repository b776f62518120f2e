// A table of columns as HDF5 and as CSV: the result of a study.
//
//   /point, /status, /key, …      one dataset per column, in the root or in the column's group
//   /vary/values.mu, /record/rest.x
//
// Numbers are doubles, texts UTF-8 of fixed length; every dataset has the attribute `unit`. The
// file holds no dates, so that the same table gives the same bytes. Carom itself never reads one:
// what it needs is in the rows, and a stranger's HDF5 file is nothing to open in this process.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace carom {

struct TableColumn {
  std::string group;  ///< "" for the root
  std::string name, unit;
  bool is_text = false;
  std::vector<double> numbers;
  std::vector<std::string> texts;

  std::size_t rows() const { return is_text ? texts.size() : numbers.size(); }
};

struct Table {
  std::vector<std::pair<std::string, std::string>> attributes;  ///< texts about the whole
  std::vector<TableColumn> columns;

  std::size_t rows() const { return columns.empty() ? 0 : columns[0].rows(); }
  /// Null if there is none.
  const TableColumn* find(const std::string& name) const;
};

/// Write beside and rename: what stands at `path` is always whole. Throw std::runtime_error.
void write_table_hdf5(const Table& table, const std::string& path);
void write_table_csv(const Table& table, const std::string& path);

}  // namespace carom
