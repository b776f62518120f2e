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

TEST(Surfaces, OfListsMeetEachWithEach) {
  const std::string surfaces =
      "  a: {body: ball, sphere: {radius: 0.1}}\n  b: {body: ball, circle: {radius: 0.1}}\n"
      "  c: {rectangle: {length: 1, width: 1}}\n  d: {rectangle: {length: 1, width: 1}, normal: "
      "x}\n";
  const Scene scene =
      read_scene_text(surfaces_scene(surfaces, "  - {between: [[a, b], [c, d]], law: {c: 7}}\n"));
  ASSERT_EQ(scene.surface_contacts.size(), 4u);
  EXPECT_EQ(scene.surface_contacts[2].first + scene.surface_contacts[2].second, "bc");
  for (const auto& c : scene.surface_contacts) EXPECT_EQ(c.choice.normal->params[0], 7.0);
  // What lies on one body passes by; alone it is refused as ever.
  EXPECT_EQ(read_scene_text(surfaces_scene(surfaces, "  - {between: [[a, b, c], [b, c]]}\n"))
                .surface_contacts.size(),
            2u);
  EXPECT_NE(findings_of(surfaces_scene(surfaces, "  - {between: [[a, x], c]}\n"))
                .find("there is no surface 'x'"),
            std::string::npos);
}

// Each face lies on the side its name says: its centre is half a size away along its normal.
TEST(Surfaces, OfABoxAreItsSixFaces) {
  const std::string text =
      "carom: 1\nbodies:\n"
      "  crate: {mass: 1, inertia: [1, 1, 1], shapes: [{box: {size: [1, 2, 4]}, scale: [1, 1, "
      "0.5], "
      "name: wood, at: [5, 6, 7]}]}\n"
      "surfaces:\n  skin: {body: crate, faces: wood}\n  desk: {circle: {radius: 1}}\n"
      "contacts: [{between: [skin, desk]}]\nrun: {until: 1}\n";
  const Scene scene = read_scene_text(text);
  ASSERT_EQ(scene.surfaces.size(), 7u);
  EXPECT_EQ(scene.surface_contacts.size(), 6u);
  const Vec3 half{0.5, 1, 1}, centre{5, 6, 7};
  double area = 0.0;
  for (const SurfaceSpec& s : scene.surfaces) {
    if (s.name == "desk") continue;
    const std::size_t k = static_cast<std::size_t>(s.name.back() - 'x');
    const double sign = s.name.find("plus") != std::string::npos ? 1.0 : -1.0;
    Vec3 n;
    n[k] = sign;
    EXPECT_EQ(s.X_BS.R.col(2), n) << s.name;
    EXPECT_EQ(s.X_BS.p, centre + half[k] * n) << s.name;
    EXPECT_EQ(cross(s.X_BS.R.col(0), s.X_BS.R.col(1)), n) << s.name;
    // Along its length and across it the face is as long as the box.
    for (const std::size_t c : {0u, 1u}) {
      const Vec3 along = s.X_BS.R.col(static_cast<int>(c));
      EXPECT_EQ(s.params[c], 2.0 * std::abs(dot(along, half))) << s.name;
    }
    area += s.params[0] * s.params[1];
  }
  EXPECT_EQ(area, 2.0 * (1 * 2 + 2 * 2 + 1 * 2));
}

TEST(Surfaces, OfACylinderAreItsSideAndItsEnds) {
  const char* body = "carom: 1\nbodies:\n  can: {mass: 1, inertia: [1, 1, 1], shapes: [";
  const std::string rest = "]}\nsurfaces:\n  skin: {body: can, faces: tin}\nrun: {until: 1}\n";
  const Scene scene = read_scene_text(
      body + std::string("{cylinder: {radius: 0.1, length: 0.4}, name: tin, axis: z}") + rest);
  ASSERT_EQ(scene.surfaces.size(), 3u);
  EXPECT_EQ(scene.surfaces[0].name, "skin_side");
  EXPECT_EQ(scene.surfaces[0].params, (std::vector<double>{0.1, 0.4}));
  EXPECT_EQ(scene.surfaces[0].X_BS.R.col(0), (Vec3{0, 0, 1}));
  EXPECT_EQ(scene.surfaces[2].kind, "circle");
  EXPECT_NEAR(norm(scene.surfaces[2].X_BS.p - Vec3{0, 0, 0.2}), 0.0, 1e-16);
  const std::string cone =
      findings_of(body + std::string("{cone: {radius: 0.1, length: 0.4}, name: tin}") + rest);
  EXPECT_NE(cone.find("no faces are known of a cone"), std::string::npos) << cone;
  const std::string none =
      findings_of(body + std::string("{cone: {radius: 0.1, length: 0.4}, name: ton}") + rest);
  EXPECT_NE(none.find("did you mean 'ton'"), std::string::npos) << none;
}

TEST(LawFormulas, WithKinksAreNotedWithThePlace) {
  const auto said = [](const std::string& force) {
    return findings_of(
        "carom: 1\nbodies:\n  ball: {mass: 1, inertia: [1, 1, 1]}\n"
        "contact: {law: {formula: {force: \"" +
        force + "\"}}}\nrun: {until: 1}\n");
  };
  for (const char* kink : {"max", "abs"}) {
    const std::string name = kink;
    const std::string found = said(name == "abs" ? "k*abs(d)" : "k*max(d, 0)");
    EXPECT_NE(found.find("has a kink or jump: '" + name + "'"), std::string::npos) << found;
    EXPECT_NE(found.find(":4:"), std::string::npos) << found;
  }
  EXPECT_EQ(said("k*d*(1 + 0.1*v)").find("kink"), std::string::npos);
}

}  // namespace
}  // namespace carom
