#include "carom/base/patience.h"

#include <gtest/gtest.h>

namespace carom {
namespace {

void work_for(double seconds) {
  const double end = thread_cpu_seconds() + seconds;
  while (thread_cpu_seconds() < end) {
  }
}

TEST(Patience, LastsWhereNobodyHoldsIt) { EXPECT_FALSE(Patience::is_over()); }

TEST(Patience, EndsWithTheFlag) {
  std::atomic<bool> over = false;
  const Patience patience(&over);
  EXPECT_FALSE(Patience::is_over());
  over = true;
  EXPECT_TRUE(Patience::is_over());
}

TEST(Patience, EndsWithTheProcessorTime) {
  const Patience patience(nullptr, thread_cpu_seconds() + 0.02);
  EXPECT_FALSE(Patience::is_over());
  work_for(0.05);
  EXPECT_TRUE(Patience::is_over());
  EXPECT_TRUE(Patience::is_over());
}

TEST(Patience, IsThatOfTheInnermost) {
  std::atomic<bool> over = true;
  const Patience outer(&over);
  {
    const Patience inner(nullptr);
    EXPECT_FALSE(Patience::is_over());
  }
  EXPECT_TRUE(Patience::is_over());
}

}  // namespace
}  // namespace carom
