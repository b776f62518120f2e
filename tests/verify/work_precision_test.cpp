// The diagrams of error against CPU time: all integrators are in them, and they show convergence.
#include "carom/verify/work_precision.h"

#include <gtest/gtest.h>

#include <set>

#include "carom/integrate/integrator.h"

namespace carom::verify {
namespace {

TEST(WorkPrecision, ShowsEveryIntegratorConverge) {
  std::size_t told = 0;
  const std::vector<WorkDiagram> diagrams =
      measure_work_precision([&](const std::string&) { ++told; });
  ASSERT_EQ(diagrams.size(), 2u);
  EXPECT_EQ(told, 2 * method_catalogue().size());
  std::set<std::string> seen;
  for (const WorkDiagram& diagram : diagrams) {
    for (const WorkCurve& curve : diagram.curves) {
      seen.insert(curve.method);
      ASSERT_GE(curve.points.size(), 3u) << diagram.problem << ", " << curve.method;
      // Three tolerances of a hundredth each, or steps 33 times finer: first order gives 33.
      EXPECT_LT(curve.points.back().error, curve.points.front().error / 20.0)
          << diagram.problem << ", " << curve.method;
      for (const WorkPoint& p : curve.points) EXPECT_GT(p.cpu_seconds, 0.0);
    }
  }
  EXPECT_EQ(seen.size(), method_catalogue().size());
}

}  // namespace
}  // namespace carom::verify
