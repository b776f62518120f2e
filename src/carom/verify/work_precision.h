// Error against CPU time of every integrator, on cases whose answer is known.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace carom::verify {

struct WorkPoint {
  double setting = 0.0;      ///< tolerance, or step of fixed-step methods [s]
  double error = 0.0;        ///< of the problem's quantity
  double cpu_seconds = 0.0;  ///< least of three runs, of one where it is long
};

struct WorkCurve {
  std::string method;
  std::vector<WorkPoint> points;
};

struct WorkDiagram {
  std::string problem, title, quantity;  ///< name and title of the case, and what is compared
  std::vector<WorkCurve> curves;
};

/// A smooth motion (the double pendulum after 2 s) and an impact (a soft ball dropped on a
/// plane) by every method of the catalogue. Takes some seconds; `tell` hears what is next.
std::vector<WorkDiagram> measure_work_precision(
    const std::function<void(const std::string&)>& tell = {});

}  // namespace carom::verify
