#include "carom/scene/read/document.h"

#include <gtest/gtest.h>

#include "scene/scene_helpers.h"

namespace carom {
namespace {

std::optional<Node> load(const std::string& text, Diagnostics& findings, LoadLimits limits = {}) {
  Document document;
  document.files.push_back({"test.yaml", ""});
  return load_yaml(text, 0, document, findings, limits);
}

std::string load_error(const std::string& text, LoadLimits limits = {}) {
  Diagnostics findings;
  load(text, findings, limits);
  return all_findings(findings);
}

TEST(Document, KnowsThePlaceOfKeysAndValues) {
  Diagnostics findings;
  const auto root = load("a: 1\nlist: [x, 'y']\nblock:\n  inner: 2\nempty:\nlast: 3\n", findings);
  ASSERT_TRUE(root && !findings.has_errors());
  EXPECT_EQ(root->find("a")->where.line, 1);
  EXPECT_EQ(root->find("a")->where.column, 4);
  EXPECT_EQ(root->find("list")->items[1].where.column, 11);
  EXPECT_TRUE(root->find("list")->items[1].quoted);
  EXPECT_FALSE(root->find("list")->items[0].quoted);
  // A block map and an empty value stand where their keys do.
  EXPECT_EQ(root->find("block")->where.line, 3);
  EXPECT_EQ(root->find("empty")->where.line, 5);
  EXPECT_TRUE(root->find("empty")->is_null());
  EXPECT_EQ(root->find_entry("last")->where.line, 6);
}

TEST(Document, ReportsRepeatedKeysAndStillGivesTheRest) {
  Diagnostics findings;
  const auto root = load("a: 1\nb: 2\na: 3\n", findings);
  ASSERT_TRUE(root);
  EXPECT_EQ(findings.error_count(), 1);
  EXPECT_EQ(to_string(findings.all()[0]).rfind("test.yaml:3:1: error: the key 'a'", 0), 0u);
  EXPECT_EQ(root->find("a")->text, "1");
  EXPECT_EQ(root->find("b")->text, "2");
}

TEST(Document, FillsInAliasesButRefusesCyclesAndBombs) {
  Diagnostics findings;
  const auto root = load("a: &x {p: 1}\nb: *x\n", findings);
  ASSERT_TRUE(root);
  EXPECT_EQ(root->find("b")->find("p")->text, "1");
  EXPECT_EQ(root->find("b")->where.line, 2);
  EXPECT_NE(load_error("a: &x [1, *x]\n").find("inside the value that it names"),
            std::string::npos);
  std::string bomb = "a0: &a0 [1, 1]\n";
  for (int i = 1; i < 60; ++i) {
    const std::string before = "*a" + std::to_string(i - 1);
    const std::string name = "a" + std::to_string(i);
    bomb += name + ": &" + name + " [" + before + ", " + before + "]\n";
  }
  EXPECT_NE(load_error(bomb).find("values"), std::string::npos);
}

TEST(Document, BoundsNestingCountAndSize) {
  const std::string open(100, '['), close(100, ']');
  EXPECT_NE(load_error(open + close).find("test.yaml:1:65: error: lists and maps are nested"),
            std::string::npos);
  std::string block;
  for (std::size_t i = 0; i < 100; ++i) block += std::string(i, ' ') + "a:\n";
  EXPECT_NE(load_error(block).find("nested deeper than 64"), std::string::npos);
  for (const char bracket : {'[', '{'}) {
    EXPECT_NE(load_error(std::string(100000, bracket)), "");
    EXPECT_NE(load_error(std::string(3000000, bracket)).find("brackets and commas"),
              std::string::npos);
  }
  LoadLimits small;
  small.nodes = 10;
  EXPECT_NE(load_error("- 1\n- 2\n- 3\n- 4\n- 5\n- 6\n- 7\n- 8\n- 9\n- 10\n- 11", small)
                .find("test.yaml:11:3: error: the scene has more than 10 values"),
            std::string::npos);
  small.bytes = 5;
  EXPECT_NE(load_error("[1, 2, 3]", small).find("9 bytes"), std::string::npos);
}

TEST(Document, TurnsSyntaxErrorsIntoDiagnosticsWithPlaces) {
  for (const char* text : {"a: [1, 2", "a: {b: ", "a: 'x", "a: b: c", "\ta: 1", "a: 1\nb\nc: 2",
                           "a: @x", "? [1]\n: 2", ": 3", "--- 1\n--- 2", "a: !tag 3", "*x"}) {
    const std::string error = load_error(text);
    EXPECT_EQ(error.rfind("test.yaml:", 0), 0u) << text << "\n" << error;
    EXPECT_NE(error.find("error:"), std::string::npos) << text;
  }
}

TEST(Document, RefusesWhatIsNotText) {
  EXPECT_NE(load_error(std::string("a: \0b", 5)).find("control character"), std::string::npos);
  EXPECT_NE(load_error("a: \xff\xfe").find("not UTF-8"), std::string::npos);
  EXPECT_NE(load_error("ok: 1\nb: \xc3\x28").find("test.yaml:2:4"), std::string::npos);
  EXPECT_EQ(load_error("name: K\xc3\xb6rper\n"), "");
}

TEST(Include, LaysTheIncludingFileOverTheIncludedOnes) {
  const TemporaryFolder folder;
  folder.write("parts/base.yaml", "carom: 1\nvalues: {a: 1, b: 2}\nbodies: {p: {mass: 1}}\n");
  folder.write("more.yaml", "values: {b: 3, c: 4}\n");
  const std::string path =
      folder.write("scene.yaml", "include: [parts/base.yaml, more.yaml]\nvalues: {c: 5}\n");
  Diagnostics findings;
  const auto scene = read_scene_file(path, ReadOptions{}, findings);
  ASSERT_TRUE(scene) << all_findings(findings);
  const std::vector<std::pair<std::string, double>> expected{{"a", 1}, {"b", 3}, {"c", 5}};
  EXPECT_EQ(scene->values, expected);
  EXPECT_EQ(scene->bodies.at(0).name, "p");
}

TEST(Include, NamesTheIncludedFileInMessages) {
  const TemporaryFolder folder;
  folder.write("base.yaml", "carom: 1\nbodies:\n  p: {mass: -1}\n");
  const std::string path = folder.write("scene.yaml", "include: base.yaml\n");
  Diagnostics findings;
  read_scene_file(path, ReadOptions{}, findings);
  EXPECT_NE(all_findings(findings).find("base.yaml:3:13: error: bodies.p.mass is -1"),
            std::string::npos)
      << all_findings(findings);
}

TEST(Include, StaysBelowTheSceneUnlessAllowed) {
  const TemporaryFolder folder;
  folder.write("outside.yaml", "carom: 1\nbodies: {p: {mass: 1}}\n");
  const std::string path = folder.write("inner/scene.yaml", "include: ../outside.yaml\n");
  std::filesystem::create_symlink("../outside.yaml", folder.path() + "/inner/link.yaml");
  const std::string by_link = folder.write("inner/linked.yaml", "include: link.yaml\n");
  for (const std::string& file : {path, by_link}) {
    Diagnostics findings;
    EXPECT_FALSE(read_scene_file(file, ReadOptions{}, findings));
    EXPECT_NE(all_findings(findings).find("outside the scene's folder"), std::string::npos);
    ReadOptions options;
    options.allow_outside = true;
    Diagnostics allowed;
    EXPECT_TRUE(read_scene_file(file, options, allowed)) << all_findings(allowed);
  }
  EXPECT_NE(findings_of("carom: 1\ninclude: /etc/passwd\n").find("has no folder"),
            std::string::npos);
}

TEST(Include, RefusesCyclesAndMissingFiles) {
  const TemporaryFolder folder;
  folder.write("a.yaml", "include: b.yaml\n");
  folder.write("b.yaml", "include: a.yaml\n");
  const std::string path = folder.write("scene.yaml", "carom: 1\ninclude: a.yaml\n");
  Diagnostics findings;
  EXPECT_FALSE(read_scene_file(path, ReadOptions{}, findings));
  EXPECT_NE(all_findings(findings).find("includes itself"), std::string::npos);
  const std::string other = folder.write("other.yaml", "carom: 1\ninclude: nothing.yaml\n");
  Diagnostics missing;
  EXPECT_FALSE(read_scene_file(other, ReadOptions{}, missing));
  EXPECT_NE(all_findings(missing).find("other.yaml:2:10: error: '"), std::string::npos)
      << all_findings(missing);
}

TEST(SceneFile, MissingFilesAndFoldersAreDiagnosed) {
  Diagnostics findings;
  EXPECT_FALSE(read_scene_file("/nowhere/scene.yaml", ReadOptions{}, findings));
  EXPECT_FALSE(read_scene_file("/tmp", ReadOptions{}, findings));
  EXPECT_EQ(findings.error_count(), 2);
  EXPECT_THROW(read_scene_file("/nowhere/scene.yaml"), InputError);
}

}  // namespace
}  // namespace carom
