// Every scene on every page of the documentation is a valid one.
#include <gtest/gtest.h>

#include "scene/scene_helpers.h"
#include "support/project_folder.h"

namespace carom {
namespace {

/// The contents of the ```yaml blocks of a page.
std::vector<std::string> yaml_blocks(const std::string& page) {
  std::vector<std::string> blocks;
  const std::string open = "```yaml\n", close = "```";
  for (std::size_t at = page.find(open); at != std::string::npos; at = page.find(open, at)) {
    at += open.size();
    blocks.push_back(page.substr(at, page.find(close, at) - at));
  }
  return blocks;
}

TEST(Documentation, HasValidScenesOnly) {
  int count = 0;
  for (const auto& entry :
       std::filesystem::recursive_directory_iterator(testing::project_folder() / "docs")) {
    if (entry.path().extension() != ".md") continue;
    for (const std::string& block : yaml_blocks(file_text(entry.path().string()))) {
      EXPECT_EQ(findings_of(block), "") << entry.path() << "\n" << block;
      ++count;
    }
  }
  EXPECT_GE(count, 4);
}

}  // namespace
}  // namespace carom
