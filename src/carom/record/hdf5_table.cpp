#include "carom/record/hdf5_table.h"

#include <hdf5.h>

#include <algorithm>
#include <cstring>
#include <stdexcept>

namespace carom::hdf5 {
namespace {

const char* const kTableDamaged = "a table is damaged";

std::string member_name(Id type, unsigned member) {
  char* raw = H5Tget_member_name(type, member);
  if (raw == nullptr) fail(kTableDamaged);
  std::string name = raw;
  H5free_memory(raw);
  return name;
}

/// The member as a column; members of other kinds are refused.
TableColumn member_column(Id type, unsigned member) {
  const Handle of_member(H5Tget_member_type(type, member), H5Tclose, kTableDamaged);
  const H5T_class_t kind = H5Tget_class(of_member.id());
  const std::size_t bytes = H5Tget_size(of_member.id());
  TableColumn column{member_name(type, member)};
  if (kind == H5T_STRING && H5Tis_variable_str(of_member.id()) == 0 && bytes > 0) {
    column.kind = TableColumn::text, column.bytes = bytes;
  } else if (kind == H5T_FLOAT && bytes == sizeof(double)) {
    column.kind = TableColumn::number;
  } else if (kind == H5T_INTEGER && bytes == sizeof(std::uint64_t)) {
    column.kind = TableColumn::count;
  } else {
    throw std::runtime_error(kTableDamaged);
  }
  return column;
}

}  // namespace

TableLayout::TableLayout(std::vector<TableColumn> columns) : columns_(std::move(columns)) {
  for (TableColumn& column : columns_) {
    if (column.kind != TableColumn::text) column.bytes = 8;
    column.bytes = std::max<std::size_t>(column.bytes, 1);
    offsets_.push_back(row_bytes_);
    row_bytes_ += column.bytes;
  }
}

Handle TableLayout::type() const {
  const char* what = "cannot make the type of a table";
  Handle type(H5Tcreate(H5T_COMPOUND, row_bytes_), H5Tclose, what);
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    const Handle text = fixed_text_type(columns_[i].bytes);
    const Id member = columns_[i].kind == TableColumn::text     ? text.id()
                      : columns_[i].kind == TableColumn::number ? H5T_NATIVE_DOUBLE
                                                                : H5T_NATIVE_UINT64;
    check(H5Tinsert(type.id(), columns_[i].name.c_str(), offsets_[i], member), what);
  }
  return type;
}

char* TableRows::place(std::size_t column) {
  return bytes_.data() + bytes_.size() - layout_->row_bytes() + layout_->offset(column);
}

const char* TableRows::place(std::size_t row, std::size_t column) const {
  return bytes_.data() + row * layout_->row_bytes() + layout_->offset(column);
}

void TableRows::text(std::size_t column, std::string_view value) {
  const std::string kept = fitted(value, layout_->columns()[column].bytes);
  std::memcpy(place(column), kept.data(), kept.size());
}

void TableRows::number(std::size_t column, double value) {
  std::memcpy(place(column), &value, sizeof value);
}

void TableRows::count(std::size_t column, std::uint64_t value) {
  std::memcpy(place(column), &value, sizeof value);
}

std::size_t TableRows::size() const {
  return layout_->row_bytes() == 0 ? 0 : bytes_.size() / layout_->row_bytes();
}

std::string TableRows::text_at(std::size_t row, std::size_t column) const {
  return without_padding(place(row, column), layout_->columns()[column].bytes);
}

double TableRows::number_at(std::size_t row, std::size_t column) const {
  double value = 0.0;
  std::memcpy(&value, place(row, column), sizeof value);
  return value;
}

std::uint64_t TableRows::count_at(std::size_t row, std::size_t column) const {
  std::uint64_t value = 0;
  std::memcpy(&value, place(row, column), sizeof value);
  return value;
}

void write_units(const Handle& table, const TableLayout& layout) {
  std::vector<std::string> units;
  for (const TableColumn& column : layout.columns()) units.push_back(column.unit);
  write_texts_attribute(table.id(), "units", units);
}

void write_table(Id parent, const char* name, const TableLayout& layout, const TableRows& rows) {
  const std::string what = std::string("cannot write '") + name + "' into the result file";
  const Handle type = layout.type();
  const hsize_t count = rows.size();
  const Handle space(H5Screate_simple(1, &count, nullptr), H5Sclose, what);
  const Handle table(
      H5Dcreate2(parent, name, type.id(), space.id(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT),
      H5Dclose, what);
  if (count == 0) return;
  check(H5Dwrite(table.id(), type.id(), H5S_ALL, H5S_ALL, H5P_DEFAULT, rows.data()), what);
}

TableLayout read_table_layout(const Handle& table, std::span<const TableColumn> expected,
                              bool more_numbers) {
  const Handle type(H5Dget_type(table.id()), H5Tclose, kTableDamaged);
  constexpr int kMaxColumns = 1000;
  const int members = H5Tget_class(type.id()) == H5T_COMPOUND ? H5Tget_nmembers(type.id()) : -1;
  const int least = static_cast<int>(expected.size());
  if (members < least || members > kMaxColumns || (!more_numbers && members != least)) {
    throw std::runtime_error(kTableDamaged);
  }
  std::vector<TableColumn> columns;
  std::size_t end = 0;
  for (int i = 0; i < members; ++i) {
    const auto member = static_cast<unsigned>(i);
    // Members that overlap or reach beyond a row would make HDF5 read wild places.
    if (H5Tget_member_offset(type.id(), member) < end) throw std::runtime_error(kTableDamaged);
    columns.push_back(member_column(type.id(), member));
    end = H5Tget_member_offset(type.id(), member) + columns.back().bytes;
    const auto at = static_cast<std::size_t>(i);
    const bool fits =
        i < least ? columns[at].name == expected[at].name && columns[at].kind == expected[at].kind
                  : columns[at].kind == TableColumn::number;
    if (!fits) throw std::runtime_error(kTableDamaged);
  }
  if (H5Tget_size(type.id()) < end) throw std::runtime_error(kTableDamaged);
  return TableLayout(std::move(columns));
}

TableRows read_table(const StoredFile& file, const Handle& table, const TableLayout& layout,
                     std::size_t rows) {
  require_rows(file, table, rows, 0, layout.row_bytes());
  TableRows out(layout);
  if (rows == 0) return out;
  out.resize(rows);
  const hsize_t start = 0, size = rows;
  const Handle source(H5Dget_space(table.id()), H5Sclose, kTableDamaged);
  check(H5Sselect_hyperslab(source.id(), H5S_SELECT_SET, &start, nullptr, &size, nullptr),
        kTableDamaged);
  const Handle target(H5Screate_simple(1, &size, nullptr), H5Sclose, kTableDamaged);
  check(H5Dread(table.id(), layout.type().id(), target.id(), source.id(), H5P_DEFAULT, out.data()),
        kTableDamaged);
  return out;
}

std::size_t table_size(const Handle& table) {
  const Handle space(H5Dget_space(table.id()), H5Sclose, kTableDamaged);
  const hssize_t count = H5Sget_simple_extent_npoints(space.id());
  if (H5Sget_simple_extent_ndims(space.id()) != 1 || count < 0)
    throw std::runtime_error(kTableDamaged);
  return static_cast<std::size_t>(count);
}

}  // namespace carom::hdf5
