// Every number of a scene, made wrong in turn by the range that the tables of the grammar state for
// it, is found by validate() under its path; and the walk over the numbers misses no range.
#include "carom/scene/validate/validate.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <optional>
#include <set>

#include "carom/base/text.h"
#include "carom/scene/read/read.h"
#include "carom/scene/scene_values.h"
#include "scene/everything.h"

namespace carom {
namespace {

/// A value that the site must not have; nothing if this kind of mistake cannot be made there.
using Spoil = std::optional<double> (*)(const ValueSite&);

constexpr Spoil kSpoils[] = {
    [](const ValueSite& s) -> std::optional<double> {
      if (s.unset == Unset::nan) return {};
      return std::nan("");
    },
    [](const ValueSite& s) -> std::optional<double> {
      if (s.field.may_be_infinite) return {};
      return kInf;
    },
    [](const ValueSite& s) -> std::optional<double> {
      if (s.field.min == -kInf || s.unset == Unset::negative) return {};
      return s.field.min - 1.0;
    },
    [](const ValueSite& s) -> std::optional<double> {
      if (s.field.min == -kInf || !s.field.open || s.unset == Unset::zero) return {};
      return s.field.min;
    },
    [](const ValueSite& s) -> std::optional<double> {
      if (s.field.max == kInf) return {};
      return s.field.max + 1e-3;
    },
};

TEST(ValidateValues, FindEveryNumberOutOfItsRangeByItsPath) {
  const Scene good = read_scene_text(kEverything, "everything");
  Diagnostics none;
  validate(good, none);
  ASSERT_FALSE(none.has_errors()) << to_string(none.all()[0]);
  for (const Spoil spoil : kSpoils) {
    Scene scene = good;
    std::vector<std::string> spoiled;
    const auto visit = [&](const ValueSite& site, double& number) {
      const std::optional<double> wrong = spoil(site);
      if (!wrong) return;
      number = *wrong;
      spoiled.push_back(site.path + " is " + number_text(*wrong) + ", it must be ");
    };
    SceneValues(visit).walk(scene);
    EXPECT_GT(spoiled.size(), 10u);
    Diagnostics found;
    check_values(scene, found);
    ASSERT_EQ(found.all().size(), std::min(spoiled.size(), Diagnostics::kMost));
    for (std::size_t i = 0; i < found.all().size(); ++i) {
      EXPECT_TRUE(found.all()[i].message.starts_with(spoiled[i])) << found.all()[i].message;
    }
  }
}

/// Numbers that a Scene does not hold as such: the version, and counts that are no doubles.
const std::set<std::string> kNotInAScene{"scene.carom", "run.max_steps", "contact.segments",
                                         "control.axis"};

TEST(ValidateValues, KnowTheRangeOfSegments) {
  for (const long segments : {2L, 3L, 4096L, 4097L}) {
    Scene scene = read_scene_text("carom: 1\nrun: {until: 1}\n");
    scene.contact.segments = segments;
    Diagnostics found;
    validate(scene, found);
    EXPECT_EQ(found.has_errors(), segments < 3 || segments > 4096) << segments;
  }
}

TEST(ValidateValues, KnowTheAxesOfAGamepad) {
  for (const int axis : {-2, -1, 0, 31, 32}) {
    Scene scene = read_scene_text("carom: 1\nsignals: {u: 0}\nrun: {until: 1}\n");
    scene.controls.push_back({"u", "a", "b", axis, -1.0, 1.0, {}});
    Diagnostics found;
    validate(scene, found);
    EXPECT_EQ(found.has_errors(), axis < -1 || axis > 31) << axis;
  }
}

TEST(ValidateValues, MissNoRangeOfTheGrammar) {
  Scene scene = read_scene_text(kEverything, "everything");
  scene.surface_contacts.push_back({});  // the rest of what may be said
  ContactChoice& choice = scene.surface_contacts.back().choice;
  choice = scene.contact.all;
  choice.area = scene.contact.pairs[0].choice.area;
  for (ContactPairSpec* pair : {&scene.contact.pairs[0], &scene.contact.material_pairs[0]}) {
    pair->choice = choice;
  }
  std::set<const Field*> visited;
  SceneValues([&](const ValueSite& site, double&) { visited.insert(&site.field); }).walk(scene);
  for (const Record& record : scene_records()) {
    // Rows of catalogues are visited by copies of their fields.
    const std::string head = record.name.substr(0, record.name.find('.') + 1);
    if (std::set<std::string>{"shape.", "force.", "law.", "friction.", "surface.", "resistance."}
            .contains(head)) {
      continue;
    }
    if (record.name == "surface_contact_law" || record.name == "surface_contact_friction") continue;
    for (const Field& field : record.fields) {
      if (field.min == -kInf && field.max == kInf) continue;
      if (kNotInAScene.contains(record.name + "." + field.name)) continue;
      if (field.kind == FieldKind::restitution || record.name == "restitution.regularised")
        continue;
      EXPECT_TRUE(visited.contains(&field)) << record.name << "." << field.name;
    }
  }
}

JointSpec& joint_of(Scene& scene, const std::string& name) {
  for (JointSpec& joint : scene.joints) {
    if (joint.name == name) return joint;
  }
  throw std::runtime_error("no joint " + name);
}

TEST(ValidateRules, WithinOnePartAreFound) {
  const std::pair<const char*, std::function<void(Scene&)>> cases[] = {
      {"joints.elbow.limits: lower", [](Scene& s) { joint_of(s, "elbow").dofs[0].lower = 5.0; }},
      {"joints.elbow.friction: static",
       [](Scene& s) { joint_of(s, "elbow").dofs[0].stiction = 0.1; }},
      {"joints.closing.active ends", [](Scene& s) { joint_of(s, "closing").active_until = -1.0; }},
      {"bodies.ball.com is given without", [](Scene& s) { s.bodies[1].com = Vec3{}; }},
      {"bodies.table.velocity is given", [](Scene& s) { s.bodies[0].velocity = Vec3{}; }},
      {"bodies.ball.orientation is a quaternion",
       [](Scene& s) {
         s.bodies[1].orientation = Quat{2, 0, 0, 0};
       }},
      {"bodies.ball.shapes.0 is no rotation",
       [](Scene& s) { s.bodies[1].shapes[0].X_BS.R.m[0] = 2; }},
      {"bodies.ball.shapes.0 has no kind", [](Scene& s) { s.bodies[1].shapes[0].shape = {}; }},
      {"run.max_steps is -1", [](Scene& s) { s.run.max_steps = -1; }},
      {"contact.restitution.table.1: speeds",
       [](Scene& s) {
         s.contact.all.restitution->kind = Restitution::Kind::table;
         s.contact.all.restitution->table = {{1.0, 0.5}, {0.5, 0.4}};
       }},
  };
  const Scene good = read_scene_text(kEverything, "everything");
  for (const auto& [text, spoil] : cases) {
    Scene scene = good;
    spoil(scene);
    Diagnostics found;
    check_values(scene, found);
    ASSERT_TRUE(found.has_errors()) << text;
    EXPECT_TRUE(found.all()[0].message.starts_with(text)) << found.all()[0].message;
    EXPECT_GT(found.all()[0].where.line, 0) << text;  // where the part stands in its file
  }
}

}  // namespace
}  // namespace carom
