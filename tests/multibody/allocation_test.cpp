// The right-hand side's share of multibody allocates nothing once TreeData exists.
#include <gtest/gtest.h>

#include <memory>

#include "random_tree.h"
#include "support/allocation_counter.h"

namespace carom {
namespace {

using testing::allocation_count;
using testing::random_tree;
using testing::RandomTree;

#define SKIP_WITHOUT_COUNTER() \
  if (!testing::can_count_allocations()) GTEST_SKIP() << "the sanitizer owns the allocator"

TEST(AllocationCounter, SeesWhatVectorsAndMallocTake) {
  SKIP_WITHOUT_COUNTER();
  const long before = allocation_count();
  const auto vector = std::make_unique<std::vector<double>>(1000);
  void* volatile block = std::malloc(64);
  std::free(block);
  EXPECT_EQ(allocation_count() - before, 3);  // the vector, its elements, the block
}

TEST(RandomTrees, AThousandEvaluationsAllocateNothing) {
  SKIP_WITHOUT_COUNTER();
  std::mt19937 gen(20260107);
  const RandomTree r = random_tree(gen, 40);  // every joint kind, several times
  TreeData data(r.tree);
  ResponseScratch scratch(r.tree);
  std::vector<double> q = r.q, qdot(q.size()), response(r.v.size());
  std::vector<double> tau(r.v.size(), 0.1), M(r.v.size() * r.v.size());
  const std::vector<int> links = all_links(r.tree);
  bool solved = true;
  const long before = allocation_count();
  for (int i = 0; i < 1000; ++i) {
    q[0] += 1e-6;
    calc_kinematics(r.tree, q, r.v, data);
    calc_position_rates(r.tree, q, r.v, qdot);
    clear_forces(data);
    apply_wrench(data, 1, Vec3{0.1, 0.2, 0.3}, {{1, 2, 3}, {4, 5, 6}});
    solved &= forward_dynamics(r.tree, data) == Status::ok;
    apply_inverse_mass(r.tree, data, links, tau, scratch, response);
    inverse_dynamics(r.tree, data.vdot, data, tau);
    calc_mass_matrix(r.tree, data, M);
    solved &= factor_mass(r.tree, data) == Status::ok;
  }
  EXPECT_EQ(allocation_count() - before, 0);
  EXPECT_TRUE(solved);
}

}  // namespace
}  // namespace carom
