// What a scene may say about idealised surfaces, and what it is told where that makes no sense.
#include <gtest/gtest.h>

#include "scene/scene_helpers.h"

namespace carom {
namespace {

std::string surfaces_scene(const std::string& surfaces, const std::string& contacts) {
  return "carom: 1\nbodies:\n"
         "  ball: {mass: 1, inertia: [1, 1, 1], shapes: [{sphere: {radius: 1}, name: skin}]}\n"
         "surfaces:\n" +
         surfaces + "contacts:\n" + contacts + "run: {until: 1}\n";
}

constexpr const char* kTwo =
    "  round: {body: ball, sphere: {radius: 0.1}}\n  desk: {rectangle: {length: 1, width: 1}}\n";

TEST(Surfaces, AreSuggestedWhereTheyAreMisspelt) {
  const auto said = [](const std::string& surfaces, const std::string& contacts) {
    return findings_of(surfaces_scene(surfaces, contacts));
  };
  EXPECT_NE(said(kTwo, "  - {between: [round, dask]}\n").find("did you mean 'desk'"),
            std::string::npos);
  EXPECT_NE(said("  round: {body: bal, sphere: {radius: 0.1}}\n", "").find("'ball'"),
            std::string::npos);
  EXPECT_NE(said("  round: {body: ball, spere: {radius: 0.1}}\n", "").find("sphere"),
            std::string::npos);
  EXPECT_NE(said("  round: {body: ball, shape: skim}\n", "").find("did you mean 'skin'"),
            std::string::npos);
}

TEST(Surfaces, OfNoExtentAreRefused) {
  for (const char* kind :
       {"sphere: {radius: 0}", "circle: {radius: 0}", "cylinder: {radius: 0.1, length: 0}",
        "rectangle: {length: 0.1, width: 0}"}) {
    const std::string found =
        findings_of(surfaces_scene(std::string("  flat: {body: ball, ") + kind + "}\n", ""));
    EXPECT_NE(found.find("greater than 0"), std::string::npos) << kind << ": " << found;
  }
}

TEST(Surfaces, ThatCannotMeetAreRefused) {
  const std::string same = findings_of(surfaces_scene(
      "  a: {body: ball, sphere: {radius: 0.1}}\n  b: {body: ball, circle: {radius: 0.1}}\n",
      "  - {between: [a, b]}\n"));
  EXPECT_NE(same.find("same body"), std::string::npos) << same;
  const std::string twice = findings_of(
      surfaces_scene(kTwo, "  - {between: [round, desk]}\n  - {between: [desk, round]}\n"));
  EXPECT_NE(twice.find("connected twice"), std::string::npos) << twice;
  const std::string soft =
      findings_of(surfaces_scene(kTwo, "  - {between: [round, desk], law: auto}\n"));
  EXPECT_NE(soft.find("needs the material of"), std::string::npos) << soft;
}

TEST(Surfaces, TakeTheLettersOfThePaper) {
  const Scene scene = read_scene_text(surfaces_scene(
      kTwo, "  - {between: [round, desk], law: {c: 2, d: 3, n: 1.1, m: 1.2, t: 4}}\n"));
  const SurfaceContactSpec& c = scene.surface_contacts.at(0);
  EXPECT_EQ(c.choice.normal->kind, "power");
  EXPECT_EQ(c.choice.normal->params, (std::vector<double>{2, 3, 1.1, 1.2}));
  EXPECT_EQ(c.layer, 4.0);
}

}  // namespace
}  // namespace carom
