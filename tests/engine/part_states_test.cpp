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
