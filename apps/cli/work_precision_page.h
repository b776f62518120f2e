// Work-precision diagrams as SVG: error over CPU time, both on logarithmic axes.
#pragma once

#include <string>

#include "carom/verify/work_precision.h"

namespace carom::cli {

std::string work_precision_svg(const verify::WorkDiagram& diagram);

}  // namespace carom::cli
