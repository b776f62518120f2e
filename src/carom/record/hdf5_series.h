// Datasets that grow: values are appended, and counted only when they are safely in the file.
#pragma once

#include "carom/record/hdf5_layout.h"

namespace carom::hdf5 {

/// A dataset that grows, with the count of what is in it as an attribute of the file.
class Series {
 public:
  Series() = default;
  Series(Id file, const char* name, const char* counter, Handle type, std::size_t block)
      : type_(std::move(type)), shape_{0, {block, 1}, 0}, counter_(counter) {
    dataset_ = create_series(file, name, type_.id(), shape_);
    write_count_attribute(file, counter_, 0);
  }

  const Handle& dataset() const { return dataset_; }
  std::size_t size() const { return size_; }
  void append(std::size_t count, const void* data) {
    if (count == 0) return;
    append_to_series(dataset_.id(), type_.id(), shape_, size_, count, data);
    size_ += count;
  }
  /// After a flush: now a reader may trust it.
  void raise_count(Id file) const { write_count_attribute(file, counter_, size_); }

 private:
  Handle type_;
  SeriesShape shape_;
  const char* counter_ = nullptr;
  std::size_t size_ = 0;
  Handle dataset_;
};

/// Rows of a table that wait to be written to it.
class GrowingTable {
 public:
  explicit GrowingTable(TableLayout layout) : layout_(std::move(layout)) {}
  GrowingTable(const GrowingTable&) = delete;
  GrowingTable& operator=(const GrowingTable&) = delete;

  void create(Id file, const char* name, const char* counter) {
    constexpr std::size_t kBlock = 256;
    series_ = Series(file, name, counter, layout_.type(), kBlock);
    write_units(series_.dataset(), layout_);
  }
  TableRows& waiting() { return waiting_; }
  void write_out() {
    series_.append(waiting_.size(), waiting_.data());
    waiting_.clear();
  }
  void raise_count(Id file) const { series_.raise_count(file); }

 private:
  TableLayout layout_;
  TableRows waiting_{layout_};
  Series series_;
};

}  // namespace carom::hdf5
