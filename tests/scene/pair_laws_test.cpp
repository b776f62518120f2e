#include "carom/scene/pair_laws.h"

#include <gtest/gtest.h>

#include "carom/scene/read/read.h"
#include "scene/scene_helpers.h"

namespace carom {
namespace {

const char* kBodies =
    "carom: 1\n"
    "materials: {foam: {density: 30}}\n"
    "bodies:\n"
    "  a: {material: steel, shapes: [{sphere: {radius: 0.1}, name: skin}]}\n"
    "  b: {material: dry_wood, shapes: [{sphere: {radius: 0.1}}]}\n"
    "  c: {material: steel, shapes: [{sphere: {radius: 0.1}}, {sphere: {radius: 0.1}, contact: "
    "off}]}\n"
    "  d: {mass: 1, shapes: [{sphere: {radius: 0.1}}]}\n"
    "  f: {material: foam, shapes: [{sphere: {radius: 0.1}}]}\n";

enum { kA, kB, kC, kD, kF };

Scene scene_with(const std::string& contact) {
  return read_scene_text(std::string(kBodies) + "contact: " + contact + "\n");
}

TEST(PairLaws, WithoutAWordTheyAreTheDefaultsOfThePalette) {
  const Scene scene = scene_with("{}");
  std::string note;
  const PairLaw law = resolve_pair_law(scene, {kA, 0}, {kC, 0}, note);
  EXPECT_STREQ(law.normal->name, "exact");
  EXPECT_STREQ(law.friction->name, "coulomb");
  EXPECT_STREQ(law.resistance->name, "modia3d");
  EXPECT_EQ(note, "");
  EXPECT_EQ(law.material.restitution.value, 0.7);
  EXPECT_NEAR(law.material.modulus, 200e9 / (2.0 * (1.0 - 0.09)), 1e-3);
}

TEST(PairLaws, MissingPairsTakeTheMeansAndSaySo) {
  const Scene scene = scene_with("{}");
  std::string note;
  const PairLaw law = resolve_pair_law(scene, {kA, 0}, {kB, 0}, note);
  EXPECT_DOUBLE_EQ(law.material.restitution.value, 0.65);
  EXPECT_DOUBLE_EQ(law.material.mu_k, 0.4);
  EXPECT_NE(note.find("steel on dry_wood"), std::string::npos) << note;
}

TEST(PairLaws, NarrowerChoicesWinFieldByField) {
  const Scene scene = scene_with(
      "{mu_k: 0.1, mu_s: 0.9, k_red: 0.01, material_pairs: [{between: [dry_wood, steel], mu_k: "
      "0.2, "
      "restitution: 0.4}], groups: {g: [b]}, pairs: [{between: [g, a.skin], restitution: 0.3, "
      "law: {kelvin_voigt: {stiffness: 5e4}}, friction: makkar}]}");
  std::string note;
  const PairLaw law = resolve_pair_law(scene, {kA, 0}, {kB, 0}, note);
  EXPECT_EQ(law.material.mu_k, 0.2);
  EXPECT_EQ(law.material.mu_s, 0.2);  // that of the wider choice went with its mu_k
  EXPECT_EQ(law.material.restitution.value, 0.3);
  EXPECT_STREQ(law.normal->name, "kelvin_voigt");
  EXPECT_EQ(law.normal_params[0], 5e4);
  EXPECT_EQ(law.friction_params.size(), law.friction->fields.size() + law.friction->derived);
  const PairLaw other = resolve_pair_law(scene, {kC, 0}, {kB, 0}, note);
  EXPECT_STREQ(other.normal->name, "exact");
  EXPECT_EQ(other.material.restitution.value, 0.4);
  EXPECT_NE(law_classes(scene)[kA][0], law_classes(scene)[kC][0]);
}

TEST(PairLaws, WhatMayNotTouchDoesNot) {
  const Scene scene = scene_with("{exclude: [[a, b]]}");
  EXPECT_FALSE(may_touch(scene, {kA, 0}, {kB, 0}));
  EXPECT_TRUE(may_touch(scene, {kC, 0}, {kB, 0}));
  EXPECT_FALSE(may_touch(scene, {kC, 1}, {kB, 0}));  // contact: off
  EXPECT_FALSE(may_touch(scene, {kD, 0}, {kB, 0}));  // no material
  EXPECT_FALSE(may_touch(scene, {kF, 0}, {kB, 0}));  // no stiffness
  EXPECT_TRUE(may_touch(scene_with("{law: otter}"), {kF, 0}, {kB, 0}));
  EXPECT_FALSE(may_touch(scene_with("off"), {kC, 0}, {kB, 0}));
}

TEST(PairLaws, UnknownNamesGetSuggestions) {
  const auto finding = [](const std::string& contact) {
    return findings_of(std::string(kBodies) + "contact: " + contact + "\n");
  };
  EXPECT_NE(finding("{law: exct}").find("did you mean 'exact'?"), std::string::npos);
  EXPECT_NE(finding("{method: elstic}").find("elastic"), std::string::npos);
  EXPECT_EQ(finding("{method: elstic}").find("there is no contact method"), std::string::npos)
      << "told twice";
  EXPECT_NE(finding("{pairs: [{between: [a, b], method: rigit}]}").find("elastic"),
            std::string::npos);
  EXPECT_NE(finding("{material_pairs: [{between: [stel, dry_wood]}]}").find("'steel'"),
            std::string::npos);
  EXPECT_NE(finding("{exclude: [[a, q]]}").find("no body, shape or group 'q'"), std::string::npos);
  EXPECT_NE(finding("{law: {formula: {force: \"k*dd\"}}}").find("there is no 'dd'"),
            std::string::npos);
}

const char* kRecords =
    "carom: 1\n"
    "materials:\n"
    "  felt: {density: 300, surface: {c: 3e5, d: 60, d_w: 0.002, mu: 0.5, v_min: 0.02, w_min: "
    "0.04}}\n"
    "  cork: {density: 200, surface: {c: 6e5, d: 40, mu: 0.3}}\n"
    "  stone: {density: 2600, youngs_modulus: 5e10, surface: {}}\n"
    "bodies:\n"
    "  a: {material: felt, shapes: [{sphere: {radius: 0.1}}]}\n"
    "  b: {material: cork, shapes: [{sphere: {radius: 0.1}}]}\n"
    "  c: {material: stone, shapes: [{sphere: {radius: 0.1}}]}\n"
    "  d: {material: steel, shapes: [{sphere: {radius: 0.1}}]}\n";

Scene scene_with_records(const std::string& contact) {
  return read_scene_text(std::string(kRecords) + "contact: " + contact + "\n");
}

TEST(SurfaceRecords, GiveAPairItsLawsWithSpringsInSeriesAndMeansOfTheRest) {
  const Scene scene = scene_with_records("{}");
  ASSERT_TRUE(may_touch(scene, {0, 0}, {1, 0}));
  std::string note;
  const PairLaw law = resolve_pair_law(scene, {0, 0}, {1, 0}, note);
  EXPECT_EQ(note, "");
  EXPECT_STREQ(law.normal->name, "otter");
  EXPECT_EQ(law.normal_params, (std::vector<double>{3e5, 60, 6e5, 40}));
  EXPECT_STREQ(law.friction->name, "coulomb_otter");
  EXPECT_EQ(law.friction_params[0], 0.4);
  EXPECT_DOUBLE_EQ(law.friction_params[1], 0.0105);  // with the 1e-3 of the paper's table
  EXPECT_STREQ(law.resistance->name, "otter");
  EXPECT_EQ(law.resistance_params[0] + law.resistance_params[2], 0.002);
  EXPECT_DOUBLE_EQ(law.resistance_params[1], 0.0205);
  EXPECT_EQ(law.material.mu_k, 0.4);
  // The force that two springs in series and the mean of two dampers exert.
  NormalInput in;
  in.depth = 1e-3, in.depth_rate = 0.2, in.weight = 1.0;
  NormalOutput out;
  law.normal->evaluate({&in, 1}, law.material, law.normal_params,
                       std::array<double, kNormalConstants>{}, {&out, 1});
  EXPECT_DOUBLE_EQ(out.force, 2e5 * 1e-3 + 50 * 0.2);
}

TEST(SurfaceRecords, CompleteALawOfThePaperAndLeaveOthersAlone) {
  std::string note;
  const PairLaw series =
      resolve_pair_law(scene_with_records("{law: otter_series}"), {0, 0}, {1, 0}, note);
  EXPECT_STREQ(series.normal->name, "otter_series");
  EXPECT_EQ(series.normal_params, (std::vector<double>{3e5, 60, 6e5, 40}));
  const Scene said = scene_with_records(
      "{law: {otter: {stiffness: 1e4}}, friction: {coulomb_otter: {mu: 0.9}}, resistance: none}");
  const PairLaw own = resolve_pair_law(said, {0, 0}, {1, 0}, note);
  EXPECT_EQ(own.normal_params, (std::vector<double>{1e4, 0, 1e4, 0}));
  EXPECT_EQ(own.friction_params[0], 0.9);
  EXPECT_DOUBLE_EQ(own.friction_params[1], 0.0105);
  EXPECT_STREQ(own.resistance->name, "none");
  const PairLaw exact = resolve_pair_law(scene_with_records("{law: exact}"), {2, 0}, {2, 0}, note);
  EXPECT_STREQ(exact.normal->name, "exact");
  EXPECT_NE(note, "");  // its restitution is a general figure
}

TEST(SurfaceRecords, OfOneMaterialAloneIsSaid) {
  const Scene scene = scene_with_records("{}");
  std::string note;
  const PairLaw law = resolve_pair_law(scene, {2, 0}, {3, 0}, note);
  EXPECT_STREQ(law.normal->name, "exact");
  EXPECT_NE(note.find("'stone' has the record of a surface and 'steel' has none"),
            std::string::npos)
      << note;
  EXPECT_FALSE(may_touch(scene, {0, 0}, {3, 0}));  // felt has no modulus to go by
}

TEST(SurfaceRecords, HaveTheRangesOfTheirTable) {
  const std::string all = findings_of(
      "carom: 1\nmaterials: {felt: {density: 300, surface: {c: 0, mu: -1, stiffness: 2}}}\n");
  EXPECT_NE(all.find("materials.felt.surface.c"), std::string::npos) << all;
  EXPECT_NE(all.find("materials.felt.surface.mu"), std::string::npos) << all;
  EXPECT_NE(all.find("stiffness"), std::string::npos) << all;
}

}  // namespace
}  // namespace carom
