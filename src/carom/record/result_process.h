// A process that reads one result file and answers questions about it.
//
// HDF5 follows what a file says: damaged or crafted structures make it crash, hang, take all
// memory or write where it should not. Here all of that happens to a process of its own, which
// has no other file open and can open none, writes nothing, and has bounded memory and time. What
// it sends back is plain values, checked again (recording_bytes.h).
#pragma once

#include <cstdint>
#include <memory>
#include <string>

namespace carom {

struct ResultQuestion {
  enum class What : std::uint8_t { head, time, block, events, peaks, contacts, maps };
  What what = What::head;
  /// Of a block: its first row and column, and how many of them.
  std::uint64_t first_row = 0, rows = 0, first_column = 0, columns = 0;
};

class ResultProcess {
 public:
  /// Throws std::runtime_error if no process can be started. What is wrong with the file is the
  /// answer to the first question.
  explicit ResultProcess(const std::string& path);
  ~ResultProcess();
  ResultProcess(const ResultProcess&) = delete;
  ResultProcess& operator=(const ResultProcess&) = delete;

  /// The bytes of the answer; throws std::runtime_error with what is wrong with the file.
  std::string ask(const ResultQuestion& question);

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace carom
