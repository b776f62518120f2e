// The tables that say each thing once: kinds of events, and rows of the ledger.
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <set>
#include <string>

#include "carom/engine/events/event_table.h"
#include "carom/engine/results/channels.h"
#include "carom/scene/read/read.h"
#include "support/project_folder.h"

namespace carom {
namespace {

TEST(EventTable, NamesEveryKindOnceWithMeaningAndUnit) {
  std::set<std::string> names;
  for (const EventKind& kind : event_kinds()) {
    EXPECT_TRUE(names.insert(kind.name).second) << kind.name;
    EXPECT_FALSE(std::string(kind.value).empty());
    EXPECT_FALSE(std::string(kind.unit).empty());
    EXPECT_EQ(find_event_kind(kind.name), &kind);
  }
  EXPECT_EQ(find_event_kind("nonsense"), nullptr);
}

TEST(EventTable, IsWhatThePageOfEventsLists) {
  std::ifstream file(testing::project_folder() / "docs/signals-and-events.md");
  const std::string page{std::istreambuf_iterator<char>(file), {}};
  for (const EventKind& kind : event_kinds()) {
    EXPECT_NE(page.find("`" + std::string(kind.name) + "`"), std::string::npos) << kind.name;
  }
}

TEST(LedgerRows, AreTheChannelsOfTheLedgerInOrder) {
  Diagnostics diagnostics;
  const auto model =
      compile(read_scene_text("carom: 1\nbodies: {a: {mass: 1, inertia: [1, 1, 1]}}\n"
                              "run: {until: 1}\n"),
              diagnostics);
  ASSERT_TRUE(model);
  std::vector<std::string> recorded, stated;
  for (const OutputChannel& c : all_channels(*model)) {
    if (c.group == "energy") recorded.push_back(c.name);
  }
  for (const LedgerRow& row : ledger_rows()) {
    if (row.is_channel) stated.push_back(std::string("energy.") + row.name);
  }
  EXPECT_EQ(recorded, stated);
}

// Every row but the residual and what is a part of another one is in the total, once.
TEST(LedgerRows, AddUpToTheTotal) {
  Ledger ledger;
  double size = 1.0, sum = 0.0;
  for (const LedgerRow& row : ledger_rows()) {
    ledger.*row.value = size;
    const std::string name = row.name;
    if (row.is_channel && name != "residual") sum += name.ends_with("_work") ? -size : size;
    size *= 2.0;
  }
  EXPECT_EQ(ledger.total(), sum);
}

}  // namespace
}  // namespace carom
