// A list of points from a CSV file: the header names places of the scene, a row is a point.
//
//   values.mu,contact.law
//   0.1,hertz
//   0.2,exact
#pragma once

#include <string>
#include <vector>

#include "carom/sweep/study.h"

namespace carom::sweep {

/// Appends a factor per column, and the rows; findings name the line and column of the file.
/// Columns of numbers become numbers, others choices.
void read_point_list(const std::string& path, const SourcePos& where, std::vector<Factor>& factors,
                     std::vector<std::vector<double>>& rows, Diagnostics& diagnostics);

}  // namespace carom::sweep
