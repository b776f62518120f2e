#include "carom/base/json.h"

#include <gtest/gtest.h>

#include <limits>

namespace carom {
namespace {

TEST(Json, WritesObjectsInTheOrderGiven) {
  JsonObject object;
  object.text("a", "x\"y").number("b", 0.5).count("c", 3).flag("d", true);
  object.number("e", std::numeric_limits<double>::infinity());
  EXPECT_EQ(object.str(), R"({"a": "x\"y", "b": 0.5, "c": 3, "d": true, "e": null})");
  EXPECT_EQ(JsonObject().str(), "{}");
}

TEST(Json, BreaksLinesWhereAsked) {
  JsonObject object;
  object.count("a", 1).line(2).count("b", 2).count("c", 3);
  EXPECT_EQ(object.str(), "{\"a\": 1,\n  \"b\": 2, \"c\": 3}");
}

TEST(Json, JoinsObjectsAndSavesBlanks) {
  const JsonObject inner = compact_object().count("b", 2).count("c", 3);
  EXPECT_EQ(compact_object().count("a", 1).all_of(inner).str(), R"({"a":1,"b":2,"c":3})");
  EXPECT_EQ(compact_object().all_of(JsonObject()).str(), "{}");
}

TEST(Json, WritesLists) {
  const double values[] = {1.0, -0.5};
  EXPECT_EQ(json_numbers(values), "[1,-0.5]");
  const std::string texts[] = {"a", "b"};
  EXPECT_EQ(json_texts(texts), R"(["a", "b"])");
  EXPECT_EQ(json_numbers({}), "[]");
}

}  // namespace
}  // namespace carom
