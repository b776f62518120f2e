// The mobile of examples/mobile.yaml against every hinge that Modia3D's authors publish.
#include <cmath>

#include "example_scenes.h"
#include "mobile_reference.h"

namespace carom {
namespace {

using testing::joint;

// Their rule: |x - ref| <= 1e-3 max(|x|, |ref|) in the 2-norm over all 188 numbers. The
// reference was itself computed at 1e-5, and the error of that is of order 1e-4.
TEST(Mobile, EndsWhereModia3dSaysInAll188States) {
  const RunResult r = testing::run_example("mobile");
  ASSERT_EQ(r.joints.size(), std::size(testing::kMobileReference));
  double difference = 0.0, size = 0.0;
  for (const testing::HingeState& h : testing::kMobileReference) {
    const JointState& j = joint(r, h.name);
    difference += std::pow(j.q[0] - h.angle, 2) + std::pow(j.v[0] - h.rate, 2);
    size += std::pow(h.angle, 2) + std::pow(h.rate, 2);
  }
  EXPECT_LE(std::sqrt(difference), 1e-3 * std::sqrt(size));
  RecordProperty("relative_difference", std::to_string(std::sqrt(difference / size)));
}

// The second referee needs no reference: an eightfold difference in method and tolerance
// moves the end by no more than the looser tolerance explains.
TEST(Mobile, EndsInTheSamePlaceByAnotherMethod) {
  const RunResult a = testing::run_example("mobile");
  const RunResult b = testing::run_example("mobile", {"run.integrator=erk5", "run.tolerance=1e-9"});
  for (std::size_t i = 0; i < a.joints.size(); ++i) {
    // Ten times the tolerance of the looser run (1e-6).
    EXPECT_NEAR(a.joints[i].q[0], b.joints[i].q[0], 1e-5) << a.joints[i].name;
    EXPECT_NEAR(a.joints[i].v[0], b.joints[i].v[0], 1e-5) << a.joints[i].name;
  }
}

}  // namespace
}  // namespace carom
