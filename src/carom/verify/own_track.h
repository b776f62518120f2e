// One body as a run recorded it. Internal to verify.
#pragma once

#include <string>
#include <vector>

#include "carom/geometry/mass_properties.h"
#include "carom/math/pose.h"
#include "carom/record/recording.h"

namespace carom::verify {

struct Track {
  std::vector<double> p[3], q[4], v[3], w[3];
};

/// Centre of mass, angular velocity and angular momentum about it at a row.
struct Moment {
  Vec3 p, v, w;
  Vec3 spin;  ///< I w
};

bool has_column(const Recording& rows, const std::string& name);

/// False if the rows lack a column of it.
bool read_track(const Recording& rows, const std::string& body, Track& track);

Pose pose_at(const Track& track, std::size_t row);
Moment moment_at(const Track& track, const MassProperties& mass, std::size_t row);

}  // namespace carom::verify
