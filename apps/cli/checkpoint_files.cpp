#include "checkpoint_files.h"
#include "talk.h"

#include <filesystem>
#include <stdexcept>

#include "carom/record/result_file.h"
#include "carom/simulation/fingerprint.h"

namespace carom::cli {

namespace fs = std::filesystem;

CheckpointFiles::CheckpointFiles(const std::vector<std::string>& results,
                                 const std::string& default_output)
    : has_results_(!results.empty()) {
  for (const std::string& file : results) {
    const std::string ending = fs::path(file).extension().string();
    if (result_.empty() && (ending == ".h5" || ending == ".hdf5")) result_ = file;
  }
  const std::string named = !result_.empty() ? result_ : has_results_ ? results[0] : default_output;
  path_ = fs::path(named).replace_extension(".checkpoint").string();
}

bool CheckpointFiles::restore(const Scene& scene) {
  if (!fs::exists(path_)) {
    tell("  there is no checkpoint '{}': starting at the beginning\n", path_);
    return false;
  }
  checkpoint_ = load_checkpoint(path_);
  if (checkpoint_->scene != scene_fingerprint(scene)) {
    throw std::runtime_error("'" + path_ + "' is of another scene, or of other run settings");
  }
  if (has_results_ && result_.empty()) {
    throw std::runtime_error("--resume continues results in .h5 files only: give one with -o");
  }
  // A run that was cut off before its first checkpoint, or whose results were moved away.
  if (!result_.empty() && !fs::exists(result_)) {
    throw std::runtime_error("'" + result_ + "' with the rows up to the checkpoint is missing");
  }
  if (!result_.empty()) recorded_ = ResultFile(result_).load();
  tell("  resuming at t = {:.6g} s\n", checkpoint_->state.time);
  return true;
}

void CheckpointFiles::forget() const { fs::remove(path_); }

void CheckpointFiles::save(const Checkpoint& here) const { save_checkpoint(here, path_); }

}  // namespace carom::cli
