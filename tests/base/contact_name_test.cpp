#include "carom/base/contact_name.h"

#include <gtest/gtest.h>

namespace carom {
namespace {

TEST(ContactName, IsTakenApartAsItWasPutTogether) {
  const std::string name = contact_name("table", "ball.left");
  EXPECT_EQ(name, "contact(table,ball.left)");
  const std::string column = name + ".force.x";
  const auto parts = split_contact_name(column);
  ASSERT_TRUE(parts);
  EXPECT_EQ(parts->first, "table");
  EXPECT_EQ(parts->second, "ball.left");
  EXPECT_EQ(parts->rest, ".force.x");
}

TEST(ContactName, IsNotSeenWhereThereIsNone) {
  for (const char* text : {"", "contact", "contact(", "contact(a)", "contact(a,b", "ball.position",
                           "contact)a,b(", "xcontact(a,b)"}) {
    EXPECT_FALSE(split_contact_name(text)) << text;
  }
}

TEST(ContactName, IsFoundInAFormula) {
  const std::string text = "max(contact(a,b).phi) + contact(c,d).phi";
  const std::size_t first = find_contact_name(text, 0);
  EXPECT_EQ(first, 4u);
  EXPECT_EQ(split_contact_name(text.substr(find_contact_name(text, first + 1)))->first, "c");
  EXPECT_EQ(find_contact_name("nothing", 0), std::string::npos);
}

}  // namespace
}  // namespace carom
