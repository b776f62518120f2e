// A file that takes the place of an older one only when it is fit to.
//
//   OutputFile out("run.h5");
//   … write to out.writing() …            run.h5.new
//   out.publish();                        now it is run.h5
//
// Until publish() what stood under the name stays as it was, also after a kill; without publish()
// nothing is left behind. Pipes and devices cannot be replaced: they are written to directly.
#pragma once

#include <span>
#include <string>

namespace carom {

class OutputFile {
 public:
  /// Throws std::runtime_error if `path` cannot be written.
  explicit OutputFile(const std::string& path);
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  /// Where to write now.
  const std::string& writing() const { return published_ ? target_ : beside_; }
  bool is_direct() const { return direct_; }
  void publish();

 private:
  std::string target_, beside_;
  bool direct_ = false, published_ = false;
};

/// Whether two paths lead to the same file, existing or not.
bool is_same_file(const std::string& a, const std::string& b);

/// Throws std::runtime_error if an output is an input, or stands twice.
void check_outputs(std::span<const std::string> outputs, std::span<const std::string> inputs);

}  // namespace carom
