// Runs a scene with drives and holds their row of the ledger against what the rows show.
#pragma once

#include <string>
#include <vector>

#include "campaign.h"

namespace carom::campaign {

/// A drive by its channels: force and velocity.
struct DriveChannels {
  std::string force, velocity;
};

/// The measure is the larger of the residual and the difference of `drive_work` from
///
///   the sum over drives of Simpson's integral of recorded force times recorded velocity      (1)
///
/// and its limit 100 tolerances of the energy turned over, or 1e-4 of it if that is more. Forces
/// may jump at the times `jumps`, in any order: what lies between two of them is integrated by
/// itself.
Outcome judge_drive_work(const std::string& label, const std::string& scene,
                         const std::vector<DriveChannels>& drives, std::vector<double> jumps = {});

}  // namespace carom::campaign
