// A text file that is written in whole lines, so that a cut leaves whole lines.
#pragma once

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>
#include <stdexcept>
#include <string>

#include "carom/record/output_path.h"

namespace carom {

class LineFile {
 public:
  explicit LineFile(const std::string& path) : path_(path) {
    check_output_path(path);
    file_.reset(std::fopen(path.c_str(), "wb"));
    if (!file_) fail();
    std::setvbuf(file_.get(), nullptr, _IONBF, 0);  // `text` is the buffer
  }

  std::string text;

  void write_out() {
    if (text.empty()) return;
    if (std::fwrite(text.data(), 1, text.size(), file_.get()) != text.size()) fail();
    text.clear();
  }

  void close() {
    write_out();
    if (std::fclose(file_.release()) != 0) fail();
  }

 private:
  [[noreturn]] void fail() const {
    throw std::runtime_error("cannot write '" + path_ + "': " + std::strerror(errno));
  }
  struct Closer {
    void operator()(std::FILE* f) const { std::fclose(f); }
  };
  std::string path_;
  std::unique_ptr<std::FILE, Closer> file_;
};

}  // namespace carom
