// Where `run --checkpoint` keeps its checkpoint, and what `--resume` finds there.
//
// The checkpoint stands beside the results: run.h5 and run.checkpoint. A resumed run writes
// its result file anew, beginning with the rows of the old one, which stays in its place until
// they are safe in the new one (record/output_file.h): whenever a kill comes, run.h5 has all that
// the checkpoint counts on.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "carom/record/recording.h"
#include "carom/simulation/checkpoint.h"

namespace carom::cli {

class CheckpointFiles {
 public:
  /// `results` are the files of the run; without any, the name comes from `default_output`.
  CheckpointFiles(const std::vector<std::string>& results, const std::string& default_output);

  /// Reads the checkpoint and the results up to it. False (and says so) if there is none.
  /// Throws std::runtime_error where it cannot be used, before it touches any file.
  bool restore(const Scene& scene);
  /// A run begins anew: an older checkpoint no longer belongs to its results.
  void forget() const;
  /// After the results are on disk.
  void save(const Checkpoint& here) const;

  const std::string& path() const { return path_; }
  const Checkpoint* checkpoint() const { return checkpoint_ ? &*checkpoint_ : nullptr; }
  const Recording* recorded() const { return recorded_ ? &*recorded_ : nullptr; }

 private:
  std::string path_;    ///< of the checkpoint
  std::string result_;  ///< the .h5 file; empty if there is none
  bool has_results_ = false;
  std::optional<Checkpoint> checkpoint_;
  std::optional<Recording> recorded_;
};

}  // namespace carom::cli
