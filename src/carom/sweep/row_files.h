// The workers' files in the folder of a study, and the locks that keep starts apart.
//
//   STUDY.sweep/rows/HOST/PID-N.rows     one per worker: rows one after the other (row.h)
//   STUDY.sweep/lock                     held while a sweep is at work; by shards, shared
//
// A row counts when it is whole. A kill or a power cut leaves at most one torn row at the end of a
// file, which is passed over.
#pragma once

#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "carom/sweep/row.h"

namespace carom::sweep {

/// A file that one worker appends to. Opened at the first row, so that idle workers leave none.
class RowFile {
 public:
  RowFile(std::string folder, int worker);
  ~RowFile();
  RowFile(const RowFile&) = delete;
  RowFile& operator=(const RowFile&) = delete;

  /// False, with the reason in error(), if the row is not whole on disk; what was written of it
  /// is taken back, and the file is not used any more.
  bool append(const Row& row);
  const std::string& error() const { return error_; }
  /// Waits for the disk itself; rows before are safe from a power cut.
  bool sync();

 private:
  bool fail(const char* what);

  std::string folder_, path_, error_;
  int worker_, file_ = -1;
  std::uint64_t size_ = 0;
};

/// Rows by key: of several with one key, the one of the highest attempt.
class RowStore {
 public:
  /// Reads all files below `folder`/rows; false if a file cannot be read.
  void read(const std::string& folder);
  void add(Row row);
  void reserve(std::size_t rows) { rows_.reserve(rows); }

  const Row* find(const Key& key) const;
  std::size_t size() const { return rows_.size(); }
  std::size_t torn_files() const { return torn_; }
  /// Files that could not be read, with the reason.
  const std::vector<std::string>& unreadable() const { return unreadable_; }

 private:
  void read_file(const std::string& path);

  std::unordered_map<Key, Row, KeyHash> rows_;
  std::size_t torn_ = 0;
  std::vector<std::string> unreadable_;
};

/// Holds the folder of a study. Locks vanish with their process, however it ends.
class FolderLock {
 public:
  enum class Kind { whole, shard };
  /// Makes the folder; waits at most `wait_seconds` for others, then throws std::runtime_error
  /// that says who is at work.
  FolderLock(const std::string& folder, Kind kind, const std::string& shard, double wait_seconds);
  ~FolderLock();
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;

 private:
  std::vector<int> files_;
};

}  // namespace carom::sweep
