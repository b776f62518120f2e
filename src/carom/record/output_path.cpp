#include "carom/record/output_path.h"

#include <unistd.h>

#include <filesystem>
#include <stdexcept>
#include <system_error>

namespace carom {

void check_output_path(const std::string& path) {
  namespace fs = std::filesystem;
  const auto refuse = [&](const std::string& why) {
    throw std::runtime_error("cannot write '" + path + "': " + why);
  };
  if (path.empty()) refuse("the file name is empty");
  std::error_code error;
  const fs::path target(path);
  if (fs::is_directory(target, error)) refuse("it is a folder");
  const fs::path folder = target.has_parent_path() ? target.parent_path() : fs::path(".");
  if (!fs::exists(folder, error)) refuse("the folder '" + folder.string() + "' does not exist");
  if (!fs::is_directory(folder, error)) refuse("'" + folder.string() + "' is not a folder");
  const bool present = fs::exists(target, error);
  if (present && ::access(path.c_str(), W_OK) != 0) refuse("the file is write-protected");
  const bool replaced = !present || fs::is_regular_file(target, error);
  if (replaced && ::access(folder.c_str(), W_OK) != 0) {
    refuse("the folder '" + folder.string() + "' is write-protected");
  }
}

}  // namespace carom
