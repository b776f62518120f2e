// Every scene on every page compiles and runs.
#include <filesystem>
#include <fstream>
#include <sstream>

#include "scene_runs.h"
#include "support/project_folder.h"

namespace carom {
namespace {

struct Snippet {
  std::string page, text;
};

std::string text_of(const std::filesystem::path& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

/// The ```yaml blocks of a page that are whole scenes.
void add_snippets(const std::filesystem::path& page, std::vector<Snippet>& snippets) {
  const std::string text = text_of(page), open = "```yaml\n", close = "\n```";
  for (std::size_t at = text.find(open); at != std::string::npos; at = text.find(open, at)) {
    at += open.size();
    const std::string block = text.substr(at, text.find(close, at) - at) + "\n";
    if (block.starts_with("carom: 1")) snippets.push_back({page.filename().string(), block});
  }
}

std::vector<Snippet> all_snippets() {
  std::vector<Snippet> snippets;
  add_snippets(testing::project_folder() / "README.md", snippets);
  for (const auto& entry :
       std::filesystem::recursive_directory_iterator(testing::project_folder() / "docs")) {
    if (entry.path().extension() == ".md") add_snippets(entry.path(), snippets);
  }
  return snippets;
}

TEST(Documentation, ShowsScenesThatCompileAndBeginToRun) {
  const std::vector<Snippet> snippets = all_snippets();
  EXPECT_GE(snippets.size(), 8u);
  for (const Snippet& snippet : snippets) {
    SCOPED_TRACE(snippet.page + "\n" + snippet.text);
    try {
      const RunResult result =
          testing::run_text(snippet.text, {"run.until=0.05", "run.output.step=0.01"});
      EXPECT_LE(result.largest_residual, 1e-4 * result.energy_scale + 1e-12);
    } catch (const std::exception& error) {
      ADD_FAILURE() << error.what();
    }
  }
}

}  // namespace
}  // namespace carom
