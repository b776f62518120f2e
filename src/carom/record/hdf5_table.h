// Tables of a result file: rows of texts of fixed length, numbers and counts, as one dataset
// of a compound type, which h5py shows as a structured array.
//
//   TableLayout layout({{"time", TableColumn::number}, {"kind", TableColumn::text, 32}});
//   TableRows rows(layout);
//   rows.add();
//   rows.number(0, 1.5), rows.text(1, "impact");
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "carom/record/hdf5_stored.h"

namespace carom::hdf5 {

struct TableColumn {
  enum Kind { text, number, count };
  std::string name;
  Kind kind = number;
  std::size_t bytes = 8;  ///< of a text
  std::string unit{};     ///< of a number
};

class TableLayout {
 public:
  TableLayout() = default;
  explicit TableLayout(std::vector<TableColumn> columns);

  const std::vector<TableColumn>& columns() const { return columns_; }
  std::size_t offset(std::size_t column) const { return offsets_[column]; }
  std::size_t row_bytes() const { return row_bytes_; }
  Handle type() const;

 private:
  std::vector<TableColumn> columns_;
  std::vector<std::size_t> offsets_;
  std::size_t row_bytes_ = 0;
};

/// Rows as they lie in the file. Columns are filled and read by their place.
class TableRows {
 public:
  explicit TableRows(const TableLayout& layout) : layout_(&layout) {}

  void add() { bytes_.resize(bytes_.size() + layout_->row_bytes()); }
  /// Of the row added last; a text that is too long is cut.
  void text(std::size_t column, std::string_view value);
  void number(std::size_t column, double value);
  void count(std::size_t column, std::uint64_t value);

  std::size_t size() const;
  std::string text_at(std::size_t row, std::size_t column) const;
  double number_at(std::size_t row, std::size_t column) const;
  std::uint64_t count_at(std::size_t row, std::size_t column) const;

  char* data() { return bytes_.data(); }
  const char* data() const { return bytes_.data(); }
  void clear() { bytes_.clear(); }
  void resize(std::size_t rows) { bytes_.resize(rows * layout_->row_bytes()); }

 private:
  char* place(std::size_t column);
  const char* place(std::size_t row, std::size_t column) const;

  const TableLayout* layout_;
  std::vector<char> bytes_;
};

/// A table of all its rows, which does not grow.
void write_table(Id parent, const char* name, const TableLayout& layout, const TableRows& rows);
/// Unit of every column, as an attribute of the table.
void write_units(const Handle& table, const TableLayout& layout);

/// The layout of a stored table, which must have these columns in this order; texts have the
/// length that the file gives them. Further columns of numbers may follow `expected`.
TableLayout read_table_layout(const Handle& table, std::span<const TableColumn> expected,
                              bool more_numbers = false);
/// Rows of a stored table; `layout` is the one that was read.
TableRows read_table(const StoredFile& file, const Handle& table, const TableLayout& layout,
                     std::size_t rows);
/// How many rows a stored table has.
std::size_t table_size(const Handle& table);

}  // namespace carom::hdf5
