#include "carom/record/output_file.h"

#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <stdexcept>

#include "carom/record/output_path.h"

namespace carom {

namespace fs = std::filesystem;

OutputFile::OutputFile(const std::string& path) : target_(path) {
  check_output_path(path);
  std::error_code code;
  // A link is a name for its target, which is what gets replaced.
  if (const fs::path target = fs::canonical(path, code); !code) target_ = target.string();
  direct_ = fs::exists(target_, code) && !fs::is_regular_file(target_, code);
  published_ = direct_;
  beside_ = target_ + ".new";
  if (!direct_) fs::remove(beside_, code);  // left by a run that was killed; not to be followed
}

OutputFile::~OutputFile() {
  std::error_code code;
  if (!published_) fs::remove(beside_, code);
}

void OutputFile::publish() {
  if (published_) return;
  if (std::rename(beside_.c_str(), target_.c_str()) != 0) {
    throw std::runtime_error("cannot write '" + target_ + "': " + std::strerror(errno));
  }
  published_ = true;
}

bool is_same_file(const std::string& a, const std::string& b) {
  std::error_code code;
  if (fs::equivalent(a, b, code) && !code) return true;
  const auto full = [&](const std::string& path) {
    return fs::weakly_canonical(fs::absolute(path, code), code);
  };
  const fs::path first = full(a);
  return !code && first == full(b) && !code;
}

void check_outputs(std::span<const std::string> outputs, std::span<const std::string> inputs) {
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    for (const std::string& input : inputs) {
      if (is_same_file(outputs[i], input)) {
        throw std::runtime_error("'" + outputs[i] + "' is read for this: it is not overwritten");
      }
    }
    for (std::size_t j = 0; j < i; ++j) {
      if (is_same_file(outputs[i], outputs[j])) {
        throw std::runtime_error("'" + outputs[i] + "' would be written twice");
      }
    }
  }
}

}  // namespace carom
