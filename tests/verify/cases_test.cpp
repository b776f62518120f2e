// The verification cases as data: each is readable, every row of every catalogue has one, and
// what a case claims to cover is in its scene.
#include <gtest/gtest.h>

#include <algorithm>
#include <regex>
#include <set>

#include "carom/verify/coverage.h"

namespace carom::verify {
namespace {

std::vector<Case> all_cases() {
  std::vector<Case> cases;
  for (const CarriedCase& c : carried_cases()) cases.push_back(read_case(c.name, c.text));
  return cases;
}

TEST(Cases, AreAtLeastSixty) { EXPECT_GE(carried_cases().size(), 60u); }

TEST(Cases, CoverEveryRowOfEveryCatalogue) {
  for (const CoverageRow& row : coverage(all_cases())) {
    EXPECT_FALSE(row.cases.empty())
        << row.catalogue << ": '" << row.row << "' has no verification case";
  }
}

TEST(Cases, CoverOnlyWhatIsThere) {
  std::set<std::string> rows, catalogues;
  for (const CoverageRow& row : coverage({})) {
    rows.insert(row.catalogue + "." + row.row);
    catalogues.insert(row.catalogue);
  }
  for (const Case& c : all_cases()) {
    for (const auto& [catalogue, names] : c.covers) {
      EXPECT_TRUE(catalogues.count(catalogue)) << c.name << ": " << catalogue;
      for (const std::string& name : names) {
        EXPECT_TRUE(rows.count(catalogue + "." + name)) << c.name << ": " << name;
      }
    }
  }
}

// Kernels of pairs have no word in a scene, and shapes from C++ none either.
TEST(Cases, UseWhatTheyCover) {
  for (const Case& c : all_cases()) {
    std::string text = c.scene;
    for (const Variant& run : c.runs) {
      for (const std::string& change : run.overrides) text += "\n" + change;
    }
    for (const auto& [catalogue, names] : c.covers) {
      if (catalogue == "pairs") continue;
      for (const std::string& name : names) {
        if (name == "custom") continue;
        EXPECT_TRUE(std::regex_search(text, std::regex("\\b" + name + "\\b")))
            << c.name << " does not use " << name;
      }
    }
  }
}

TEST(Cases, NameTheirSources) {
  for (const Case& c : all_cases()) EXPECT_GE(c.source.size(), 10u) << c.name;
}

TEST(Cases, RefuseWordsTheyDoNotKnow) {
  const std::string good =
      "title: t\nsource: a source\ncheck: [{what: a, computed: 1, expected: 1, tolerance: 1}]\n";
  EXPECT_NO_THROW(read_case("x", good + "---\ncarom: 1\n"));
  EXPECT_THROW(read_case("x", good), InputError);
  EXPECT_THROW(read_case("x", good + "chekc: []\n---\ncarom: 1\n"), InputError);
  EXPECT_THROW(read_case("x", good + "read: {a: {lsat: b}}\n---\ncarom: 1\n"), InputError);
  EXPECT_THROW(read_case("x", good + "read: {a: {last: b, max: b}}\n---\ncarom: 1\n"), InputError);
}

}  // namespace
}  // namespace carom::verify
