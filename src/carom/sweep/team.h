// A sweep by several processes: the first hands out and also computes, the others compute.
#pragma once

#include <string>
#include <vector>

#include "carom/sweep/sweep.h"
#include "carom/sweep/transport.h"

namespace carom::sweep {

/// What happened between the processes, for the report.
struct TeamReport {
  std::vector<std::string> remarks;       ///< who was refused, who was lost
  bool all_here = true;                   ///< every process has said good-bye
  std::uint64_t messages = 0, bytes = 0;  ///< of the master, both ways
  std::uint64_t handed_twice = 0;
};

/// Rank 0: computes place.to_do() together with the workers, and takes in their rows.
TeamReport lead(Workplace& place, Transport& transport, const SweepOptions& options);

/// How a worker ended.
struct FollowEnd {
  std::string reason;     ///< why it ended early; empty if the master sent it home
  bool all_here = false;  ///< every process is still there
};

/// Any other rank.
FollowEnd follow(std::shared_ptr<const Plan> plan, const std::string& folder, Transport& transport,
                 const SweepOptions& options);

}  // namespace carom::sweep
