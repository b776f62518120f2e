// A text file that is written in whole lines, so that a cut leaves whole lines.
//
// It may be a pipe whose reader comes late, reads slowly or goes away: waiting for it ends where
// the run is interrupted.
#pragma once

#include <atomic>
#include <string>

#include "carom/record/output_file.h"

namespace carom {

class LineFile {
 public:
  /// Waits for the reader of a pipe. `interrupt` may be null. Throws std::runtime_error.
  LineFile(const std::string& path, const std::atomic<bool>* interrupt);
  ~LineFile();
  LineFile(const LineFile&) = delete;
  LineFile& operator=(const LineFile&) = delete;

  std::string text;

  void write_out();
  void publish() { output_.publish(); }
  void close();

 private:
  [[noreturn]] void fail(const std::string& why) const;
  void wait_for_room();

  std::string path_;
  OutputFile output_;
  const std::atomic<bool>* interrupt_;
  int file_ = -1;
};

}  // namespace carom
