// Bad studies: each finding names its place, the rule and a remedy.
#include <gtest/gtest.h>

#include "sweep/studies.h"

namespace carom::sweep {
namespace {

const std::string kHead = "carom_study: 1\nscene: a.yaml\n";
const std::string kRecord = "record: {q: pivot.q@end}\n";

TEST(Study, IsReadWhole) {
  Diagnostics findings;
  const auto study = read_study_text(
      kHead +
          "vary:\n  values.mu: {uniform: [0.1, 0.3]}\n  bodies.cube.velocity.0: {normal: {mean: 1, "
          "sd: 0.02}}\n  contact.law: [exact, hertz]\n"
          "design: {sobol: 4096, seed: 1}\nrecord: {rest: \"cube.position@end\"}\n"
          "per_run: {max_cpu: 60, tolerance: 1e-8}\n",
      "study.yaml", "", findings);
  ASSERT_TRUE(study) << findings_of(kHead);
  EXPECT_EQ(study->factors.size(), 3u);
  EXPECT_EQ(study->factors[2].distribution.choices, (std::vector<std::string>{"exact", "hertz"}));
  EXPECT_EQ(study->design.count, 4096u);
  EXPECT_EQ(study->design.seed, 1u);
  EXPECT_EQ(study->max_cpu, 60.0);
  EXPECT_EQ(study->settings[0].path, "run.tolerance");
}

struct Wrong {
  const char *body, *place, *words;
};

class BadStudy : public testing::TestWithParam<Wrong> {};

TEST_P(BadStudy, IsRefusedWithItsPlace) {
  const std::string findings = findings_of(kHead + GetParam().body + kRecord);
  EXPECT_NE(findings.find(GetParam().place), std::string::npos) << findings;
  EXPECT_NE(findings.find(GetParam().words), std::string::npos) << findings;
}

INSTANTIATE_TEST_SUITE_P(
    All, BadStudy,
    testing::Values(
        Wrong{"vary: {a: {uniform: [0.3, 0.1]}}\ndesign: {sobol: 4}\n", "study.yaml:3:21",
              "the lower bound comes first"},
        Wrong{"vary: {a: {unifrom: [0, 1]}}\ndesign: {sobol: 4}\n", "study.yaml:3:12",
              "did you mean 'uniform'?"},
        Wrong{"vary: {a: {uniform: [0, 1]}}\ndesign: {sobol: 0}\n", "study.yaml:4:17",
              "at least 1"},
        Wrong{"vary: {a: {uniform: [0, 1]}}\ndesign: {sobl: 4}\n", "study.yaml:4:10",
              "did you mean 'sobol'?"},
        Wrong{"vary: {a: {uniform: [0, 1]}}\ndesign: {sobol: 2.5}\n", "study.yaml:4:17",
              "whole number"},
        Wrong{"vary: {a: {uniform: [0, 1]}}\ndesign: {sobol: 4, lhs: 4}\n", "study.yaml:4:20",
              "both"},
        Wrong{"vary: {a: []}\ndesign: {sobol: 4}\n", "study.yaml:3:11", "without a value"},
        Wrong{"vary: {a: [x, x]}\ndesign: {grid: 2}\n", "study.yaml:3:15", "twice"},
        Wrong{"vary: {a: {normal: {mean: 1, sd: 0}}}\ndesign: {sobol: 4}\n", "study.yaml:3:34",
              "greater than 0"},
        Wrong{"vary: {a: {loguniform: [0, 1]}}\ndesign: {sobol: 4}\n", "study.yaml:3:24",
              "positive"},
        Wrong{"design: {sobol: 4}\n", "study.yaml:3", "varies nothing"},
        Wrong{"vary: {a: [1]}\n", "study.yaml:1", "no design"},
        Wrong{"vary: {a: [1]}\ndesign: {morris: 4, levels: 3}\n", "study.yaml:4:29", "even"},
        Wrong{"vary: {a: [1]}\ndesign: {grid: {b: 3}}\n", "study.yaml:4:17", "is not varied"},
        Wrong{"vary: {a: [1]}\ndesign: {sobol: 4}\nper_run: {max_cup: 1}\n", "study.yaml:5:11",
              "did you mean 'max_cpu'?"},
        Wrong{"vary: {a: [1]}\ndesign: {list: nowhere.csv}\n", "study.yaml:4:10", "left out"}));

TEST(BadStudy, WithoutRecordsOrAScene) {
  const std::string findings = findings_of("carom_study: 2\n");
  EXPECT_NE(findings.find("known is 1"), std::string::npos) << findings;
  EXPECT_NE(findings.find("names no scene"), std::string::npos);
  EXPECT_NE(findings.find("records nothing"), std::string::npos);
}

/// Findings of a study of the pendulum, whose channels are known.
std::string plan_findings(const std::string& vary, const std::string& record) {
  Diagnostics findings;
  const auto study = read_study_text("carom_study: 1\nscene: a.yaml\nvary: {" + vary +
                                         "}\ndesign: {sobol: 4}\nrecord: {" + record + "}\n",
                                     "study.yaml", "", findings);
  if (study) {
    if (auto document = load_document_text(kPendulum, "scene", {}, findings)) {
      Plan::make(*study, *std::move(document), findings);
    }
  }
  std::string out;
  for (const Diagnostic& d : findings.all()) out += to_string(d) + "\n";
  return out;
}

TEST(Plan, NamesUnknownPlacesChannelsAndFormulaNames) {
  const std::string good = "values.l: {uniform: [1, 2]}";
  EXPECT_EQ(plan_findings(good, "q: pivot.q@end, v: max(pivot.v), t: time@max(pivot.v)"), "");
  const std::string path = plan_findings("values.k: {uniform: [1, 2]}", "q: pivot.q@end");
  EXPECT_NE(path.find("study.yaml:3:8"), std::string::npos) << path;
  const std::string typo = plan_findings("joints.pivvot.damping: [1]", "q: pivot.q@end");
  EXPECT_NE(typo.find("did you mean 'pivot'?"), std::string::npos) << typo;
  const std::string channel = plan_findings(good, "q: pivto.q@end");
  EXPECT_NE(channel.find("study.yaml:5:13"), std::string::npos) << channel;
  EXPECT_NE(channel.find("did you mean 'pivot.q'?"), std::string::npos) << channel;
  const std::string when = plan_findings(good, "q: pivot.q@contact_begn");
  EXPECT_NE(when.find("did you mean 'contact_begin'?"), std::string::npos) << when;
  const std::string name = plan_findings(good, "q: pivot.q@end, r: \"=2*p\"");
  EXPECT_NE(name.find("neither a column"), std::string::npos) << name;
  const std::string clock = plan_findings(good, "q: statistics.cpu_seconds");
  EXPECT_NE(clock.find("differs from run to run"), std::string::npos) << clock;
}

}  // namespace
}  // namespace carom::sweep
