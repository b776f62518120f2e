// Islands of links against brute force, and that they follow contacts that begin and end.
#include "carom/engine/islands.h"

#include <gtest/gtest.h>

#include <random>

#include "carom/engine/events/events.h"
#include "carom/engine/part_states.h"
#include "carom/scene/read/read.h"

namespace carom {
namespace {

std::shared_ptr<const Model> islands_model(const std::string& text) {
  Diagnostics diagnostics;
  return compile(read_scene_text(text), diagnostics);
}

/// Free bodies b0, b1, …; every third hangs on the one before it, some are joined by springs.
std::string bodies(int count) {
  std::string text = "carom: 1\nbodies:\n", forces;
  for (int i = 0; i < count; ++i) {
    const std::string name = "b" + std::to_string(i);
    text += "  " + name + ": {mass: 1, inertia: [1, 1, 1]";
    text += i % 3 == 2 ? ", joint: {revolute: {parent: b" + std::to_string(i - 1) + "}}"
                       : ", position: [" + std::to_string(i) + ", 0, 0]";
    text += "}\n";
    if (i % 5 == 4) {
      forces += "  s" + std::to_string(i) + ": {spring: {from: b" + std::to_string(i - 4) +
                ", to: " + name + ", length: 1, stiffness: 1}}\n";
    }
  }
  return text + "forces:\n" + forces + "run: {until: 1}\n";
}

TEST(IslandsOfLinks, AreTheClosureOfWhatJoinsThem) {
  const auto model = islands_model(bodies(24));
  ASSERT_TRUE(model);
  const auto n = model->tree.links.size();
  std::mt19937 random(5);
  for (int round = 0; round < 50; ++round) {
    std::vector<LinkPair> joined;
    for (std::size_t k = random() % 12; k > 0; --k) {
      joined.push_back({static_cast<int>(random() % n), static_cast<int>(random() % n)});
    }
    const Islands islands = find_islands(*model, joined);
    // Warshall's closure over joints, springs and what was joined; the world joins nothing.
    std::vector<std::vector<bool>> reach(n, std::vector<bool>(n, false));
    const auto join = [&](int a, int b) {
      if (a == 0 || b == 0) return;
      reach[static_cast<std::size_t>(a)][static_cast<std::size_t>(b)] = true;
      reach[static_cast<std::size_t>(b)][static_cast<std::size_t>(a)] = true;
    };
    for (std::size_t i = 1; i < n; ++i) {
      join(static_cast<int>(i), static_cast<int>(i));
      join(static_cast<int>(i), model->tree.links[i].parent);
    }
    for (const ForceElement& e : model->forces) join(e.from.link, e.to.link);
    for (const LinkPair& p : joined) join(p.a, p.b);
    for (std::size_t k = 0; k < n; ++k) {
      for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t j = 0; j < n; ++j) {
          if (reach[i][k] && reach[k][j]) reach[i][j] = true;
        }
      }
    }
    std::size_t members = 0;
    for (const std::vector<int>& links : islands.links) members += links.size();
    EXPECT_EQ(members, n - 1);
    for (std::size_t i = 1; i < n; ++i) {
      for (std::size_t j = 1; j < n; ++j) {
        EXPECT_EQ(islands.joins(static_cast<int>(i), static_cast<int>(j)), reach[i][j])
            << "round " << round << ": " << i << ", " << j;
      }
    }
  }
}

TEST(IslandsOfLinks, AreRemadeWhereContactsBeginAndEnd) {
  const auto model = islands_model(R"yaml(
carom: 1
gravity: [0, 0, 0]
bodies:
  a: {material: steel, shapes: [{sphere: {radius: 0.05}}]}
  b: {material: steel, shapes: [{sphere: {radius: 0.05}}], position: [0.09999, 0, 0]}
run: {until: 1}
)yaml");
  ASSERT_TRUE(model);
  Workspace w(model);
  std::vector<double> x = model->initial;
  initialise_modes(w, 0.0, x);
  x.resize(state_size(w), 0.0);
  EXPECT_EQ(current_islands(w).links.size(), 1u);
  const std::vector<std::string> names = event_names(w);
  const auto f = static_cast<int>(std::ranges::find(names, "phi(a,b)") - names.begin());
  std::vector<double> apart = x;
  for (double& value : apart) {
    if (value == 0.09999) value = 0.11;
  }
  const bool falling[] = {false};
  EXPECT_EQ(handle_events(w, 0.0, apart, {&f, 1}, falling).events.size(), 1u);
  EXPECT_EQ(current_islands(w).links.size(), 2u);
  EXPECT_FALSE(current_islands(w).joins(1, 2));
  EXPECT_EQ(handle_events(w, 0.0, x, {&f, 1}, falling).events.size(), 1u);
  EXPECT_TRUE(current_islands(w).joins(1, 2));
}

}  // namespace
}  // namespace carom
