#include "carom/base/text.h"

#include <gtest/gtest.h>

namespace carom {
namespace {

TEST(Suggest, FindsTheWordThatWasMeant) {
  const std::vector<std::string> words{"radius", "length", "width"};
  EXPECT_EQ(suggest("raduis", words), "did you mean 'radius'?");
  EXPECT_EQ(suggest("zzz", words), "known: radius, length, width");
}

TEST(EditDistance, CountsASwapAsOneEdit) {
  EXPECT_EQ(edit_distance("raduis", "radius"), 1);
  EXPECT_EQ(edit_distance("", "abc"), 3);
}

TEST(JsonText, EscapesAndRoundTrips) {
  EXPECT_EQ(json_quote("a\"b\n\x01"), "\"a\\\"b\\n\\u0001\"");
  EXPECT_EQ(json_number(0.1), "0.1");
  EXPECT_EQ(json_number(1.0 / 0.0), "null");
}

}  // namespace
}  // namespace carom
