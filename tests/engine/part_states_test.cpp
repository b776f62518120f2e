// What contacts tell error control and sparsity, against what is counted by hand and by brute
// force.
#include "carom/engine/part_states.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>

#include "carom/engine/events/events.h"
#include "carom/scene/read/read.h"

namespace carom {
namespace {

std::unique_ptr<Workspace> started(const std::string& text, std::vector<double>& x) {
  Diagnostics diagnostics;
  const auto model = compile(read_scene_text(text), diagnostics);
  auto w = std::make_unique<Workspace>(model);
  x = model->initial;
  initialise_modes(*w, 0.0, x);
  x.resize(state_size(*w), 0.0);
  return w;
}

/// Balls of 0.1 m at random places of a lattice, a little into their neighbours along x.
std::string row_of_balls(std::mt19937& random, std::vector<int>& place) {
  std::string text = "carom: 1\ngravity: [0, 0, 0]\nbodies:\n";
  for (int i = 0, x = 0; i < 12; ++i) {
    x += random() % 2 == 0 ? 1 : 3;
    place.push_back(x);
    text += "  b" + std::to_string(i) + ": {material: steel, shapes: [{sphere: {radius: 0.05}}], " +
            "position: [" + std::to_string(0.0999 * x) + ", 0, 0]}\n";
  }
  return text + "contact: {friction: lugre}\nrun: {until: 1}\n";
}

TEST(Islands, AreWhatContactsConnect) {
  std::mt19937 random(11);
  for (int round = 0; round < 20; ++round) {
    std::vector<int> place;
    std::vector<double> x;
    const auto w = started(row_of_balls(random, place), x);
    const Islands& islands = current_islands(*w);
    EXPECT_FALSE(islands.joins(0, 0));  // the world joins nobody
    const auto of = [&](std::size_t i) {
      return islands.of_link[static_cast<std::size_t>(w->model->bodies[i].link)];
    };
    for (std::size_t i = 0; i < place.size(); ++i) {
      bool is_joined = true;
      for (std::size_t k = i + 1; k < place.size(); ++k) {
        is_joined = is_joined && place[k] - place[k - 1] == 1;
        EXPECT_EQ(of(i) == of(k), is_joined) << "round " << round << ": " << i << ", " << k;
      }
    }
  }
}

/// A body of this shape a little into what lies at the origin, of this material and friction.
std::string pressed(const std::string& shape, const std::string& base, const std::string& friction,
                    double height) {
  return "carom: 1\nbodies:\n  base: {fixed: true, material: steel, shapes: [{" + base +
         "}]}\n  body: {material: steel, shapes: [{" + shape + "}], position: [0, 0, " +
         std::to_string(height) + "]}\ncontact: {friction: " + friction + "}\nrun: {until: 1}\n";
}

TEST(PartStates, HideKinksWhereEdgesMayLiftOffOrFrictionMayTurn) {
  const std::string ball = "sphere: {radius: 0.1}", box = "box: {size: [0.2, 0.2, 0.2]}",
                    capsule = "capsule: {radius: 0.1, length: 0.1}", plane = "half_space: {}",
                    plate = "box: {size: [1, 1, 0.0002]}";
  struct Case {
    std::string shape, base, friction;
    double height;
    bool hides;
  };
  const std::vector<Case> cases{
      {ball, plane, "none", 0.09999, false},    // one point, no friction: smooth
      {ball, ball, "none", 0.19999, false},     //
      {ball, plane, "coulomb", 0.09999, true},  // friction turns
      {ball, ball, "lugre", 0.19999, true},     //
      {box, plane, "none", 0.09999, true},      // its corners lift off one by one
      {capsule, plane, "none", 0.09999, true},  // and its ends
      {ball, plate, "none", 0.10009, true},     // the ball rolls over an edge
      {ball, plane, "coulomb", 0.2, false},     // apart: nothing presses
      {box, plane, "none", 0.2, false},         //
  };
  for (const Case& c : cases) {
    std::vector<double> x;
    const auto w = started(pressed(c.shape, c.base, c.friction, c.height), x);
    const std::string what = c.shape + " on " + c.base + ", " + c.friction;
    EXPECT_EQ(w->contacts.touching.empty(), c.height > 0.19 && c.base == plane) << what;
    EXPECT_EQ(may_hide_kinks(*w), c.hides) << what;
  }
}

/// Scales of the bristles, which stand behind the integrals of the contact.
std::vector<double> scales_of_bristles(const std::string& friction) {
  std::vector<double> x;
  const auto w = started(pressed("sphere: {radius: 0.1}", "half_space: {}", friction, 0.09999), x);
  const PartStates states = calc_part_states(*w);
  std::vector<double> out;
  for (std::size_t i = 0; i < states.scale.size(); ++i) {
    if (states.group[i] >= 0 && states.follows[i] == 0) out.push_back(states.scale[i]);
  }
  return out;
}

TEST(PartStates, CountBristlesAgainstWhatTheyBearUnlessTheyHaveABorder) {
  const auto lugre = scales_of_bristles("{lugre: {mu_k: 0.4, mu_s: 0.5, stiffness: 2e4}}");
  ASSERT_EQ(lugre.size(), 4u);
  for (const double scale : lugre) EXPECT_DOUBLE_EQ(scale, 25.0 * 0.5 / 2e4);
  const auto border =
      scales_of_bristles("{elasto_plastic: {mu_k: 0.4, mu_s: 0.5, stiffness: 2e4}}");
  ASSERT_EQ(border.size(), 4u);
  for (const double scale : border) EXPECT_DOUBLE_EQ(scale, 1e-6);
}

TEST(PartStates, NameOneGroupOfIntegralsAndOneOfMemoryPerContact) {
  std::mt19937 random(12);
  std::vector<int> place;
  std::vector<double> x;
  const auto w = started(row_of_balls(random, place), x);
  const PartStates states = calc_part_states(*w);
  ASSERT_EQ(states.group.size(), x.size() - w->model->size());
  std::vector<int> block_of(states.group.size(), -1);
  for (std::size_t b = 0; b < states.blocks.size(); ++b) {
    const PartStates::Block& block = states.blocks[b];
    EXPECT_NE(block.a, block.b);
    for (std::size_t k = 0; k < block.count; ++k) block_of[block.first + k] = static_cast<int>(b);
  }
  std::set<int> groups;
  for (std::size_t i = 0; i < states.group.size(); ++i) {
    EXPECT_EQ(states.group[i] < 0, block_of[i] < 0);
    EXPECT_GT(states.scale[i], 0.0);
    if (states.group[i] < 0) continue;
    EXPECT_EQ(states.follows[i] != 0, states.group[i] % 2 == 0);
    groups.insert(states.group[i] / 2);
  }
  EXPECT_EQ(groups.size(), w->contacts.touching.size());
  EXPECT_EQ(states.blocks.size(), w->contacts.touching.size());
  EXPECT_GT(std::ranges::count(states.group, 1), 0);  // bristles are memory
  EXPECT_TRUE(rests_on_contacts(*w));                 // as all that touches at the start
}

}  // namespace
}  // namespace carom
