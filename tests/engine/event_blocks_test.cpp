// Every owner of event functions has a block; blocks together are what a run sees.
#include "carom/engine/events/event_blocks.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>

#include "carom/engine/events/contact_events.h"
#include "carom/scene/read/read.h"

namespace carom {
namespace {

// Something of every block: two frictions, a stop, users of each kind, a loop that opens, shapes
// that touch and shapes that are near, connected surfaces.
const char* kAll = R"yaml(
carom: 1
bodies:
  table: {fixed: true, material: steel, shapes: [{box: {size: [2, 2, 0.1]}, at: [0, 0, -0.05]}]}
  ball: {material: steel, shapes: [{sphere: {radius: 0.05}}], position: [0, 0, 0.0499999]}
  box: {material: steel, shapes: [{box: {size: [0.1, 0.1, 0.1]}}], position: [0.3, 0, 0.0501]}
  slider: {mass: 1, inertia: [1, 1, 1], joint: {prismatic: {axis: x, at: [0, 5, 0]}, name: rail, q: 0.1, v: 1, friction: {coulomb: 1, static: 2}, limits: {lower: -1, upper: 1, stiffness: 1e4}}}
  turner: {mass: 1, inertia: [1, 1, 1], joint: {revolute: {at: [0, 7, 0]}, name: pivot, v: 1, friction: {coulomb: 1, static: 2}}}
  plate: {fixed: true, material: steel, position: [5, 0, 0]}
  puck: {mass: 1, inertia: [1, 1, 1], material: steel, position: [5, 0, 0.0499999]}
  rod: {mass: 1, inertia: [1, 1, 1], position: [0, 9, 0]}
surfaces: {top: {body: plate, rectangle: {length: 1, width: 1}}, skin: {body: puck, sphere: {radius: 0.05}}}
contacts: [{between: [top, skin]}]
joints: {tie: {revolute: {parent: world, child: rod, at: [0, 9, 0]}, loop: true, active: {until: 0.5}}}
signals: {step: {step: {start: 0.25, after: 1}}}
events:
  both: {when: "rail.q - 0.5"}
  up: {when: "rail.q - 0.6", direction: rising, do: stop}
  down: {when: "rail.q + 0.5", direction: falling, do: {set: {joints.pivot.damping: 1}}}
run: {until: 1}
)yaml";

// Rigid points of every kind: corners that press, stick and slide, corners that are open, a rim, a
// ball that rolls and drills, one that is held against drilling.
const char* kRigid = R"yaml(
carom: 1
bodies:
  floor: {fixed: true, shapes: [{half_space: {}}]}
  still: {mass: 1, shapes: [{box: {size: [0.2, 0.2, 0.1]}}], position: [0, 0, 0.05]}
  on_it: {mass: 1, shapes: [{box: {size: [0.1, 0.1, 0.1]}}], position: [0.02, 0, 0.15]}
  slides: {mass: 1, shapes: [{box: {size: [0.1, 0.1, 0.1]}}], position: [1, 0, 0.05], velocity: [1, 0.2, 0]}
  leans: {mass: 1, shapes: [{box: {size: [0.1, 0.1, 0.1]}}], position: [2, 0, 0.07071067811865476], orientation: [0.92387953251128674, 0, 0.38268343236508978, 0]}
  can: {mass: 1, shapes: [{cylinder: {radius: 0.05, length: 0.1}}], position: [3, 0, 0.05]}
  rolls: {mass: 1, shapes: [{sphere: {radius: 0.05}}], position: [4, 0, 0.05], velocity: [1, 0, 0], angular_velocity: [0, 20, 3]}
  near: {mass: 1, shapes: [{sphere: {radius: 0.05}}], position: [5, 0, 0.0501]}
contact: {method: rigid, mu_k: 0.3, spin_radius: 0.01}
run: {until: 1, tolerance: 1e-9}
)yaml";

class EventBlocks : public ::testing::Test {
 protected:
  void SetUp() override { take(kAll); }
  void take(const char* scene) {
    Diagnostics diagnostics;
    const auto model = compile(read_scene_text(scene), diagnostics);
    ASSERT_TRUE(model);
    w = std::make_unique<Workspace>(model);
    x = model->initial;
    initialise_modes(*w, 0.0, x);
    x.resize(state_size(*w), 0.0);
  }
  std::size_t function(const std::string& name) const {
    const std::vector<std::string> names = event_names(*w);
    const auto found = std::ranges::find(names, name);
    EXPECT_NE(found, names.end()) << name;
    return static_cast<std::size_t>(found - names.begin());
  }
  std::vector<double> functions(double t = 0.0) {
    std::vector<double> g(event_count(*w));
    event_functions(*w, t, x, g);
    return g;
  }

  std::unique_ptr<Workspace> w;
  std::vector<double> x;
};

TEST_F(EventBlocks, NameEveryFunctionOnce) {
  const std::vector<std::string> names = event_names(*w);
  EXPECT_EQ(names.size(), event_count(*w));
  EXPECT_EQ(std::set(names.begin(), names.end()).size(), names.size());
  for (const char* name : {"friction(rail)", "friction(pivot)", "stop(rail)", "event(both)",
                           "event(up)", "phi(table,ball)", "force(table,ball)", "phi(table,box)",
                           "phi(top,skin)", "layer(top,skin)"}) {
    function(name);
  }
}

TEST_F(EventBlocks, OfAPlaceGiveThePartsOfTheWhole) {
  const std::vector<double> g = functions();
  const std::vector<std::string> names = event_names(*w);
  for (std::size_t i = 0; i < g.size(); ++i) {
    const auto [block, f] = place_of(*w, i);
    ASSERT_TRUE(block);
    EXPECT_EQ(block->function_name(*w, f), names[i]);
    EXPECT_EQ(part_of(*w, *block, g)[f], g[i]);
    EXPECT_EQ(part_of(*w, *block, g).size(), block->count(*w));
  }
}

TEST_F(EventBlocks, SayWhatTheirFunctionsAre) {
  const std::vector<double> g = functions();
  EXPECT_DOUBLE_EQ(g[function("friction(rail)")], 1.0);  // it slides at 1 m/s
  EXPECT_DOUBLE_EQ(g[function("event(both)")], 0.1 - 0.5);
  EXPECT_NEAR(g[function("stop(rail)")], 0.9, 1e-15);
  EXPECT_NEAR(g[function("phi(table,box)")], 1e-4, 1e-12);  // apart by the distance
  // While touching it is the depth, and the gap at which surfaces count as parted, 3e-12 m here.
  EXPECT_NEAR(g[function("phi(table,ball)")], 1e-7, 1e-11);
  const auto traits = [&](const char* name) { return event_traits(*w, function(name)); };
  EXPECT_EQ(traits("event(both)").direction, 0);
  EXPECT_FALSE(traits("event(both)").interrupts);
  EXPECT_EQ(traits("event(up)").direction, 1);
  EXPECT_TRUE(traits("event(up)").interrupts);
  EXPECT_EQ(traits("event(down)").direction, -1);
  EXPECT_TRUE(traits("phi(table,ball)").is_kink);
  EXPECT_FALSE(traits("phi(table,box)").is_kink);
  EXPECT_EQ(traits("force(table,ball)").direction, 0);
}

// Narrowing an event asks for some functions: the same numbers, whatever is asked together and
// whatever state was looked at before.
TEST_F(EventBlocks, GiveSomeFunctionsAsTheyGiveAll) {
  for (const char* scene : {kAll, kRigid}) {
    take(scene);
    const std::vector<double> g = functions(), resolution = w->events.resolution;
    const std::vector<double> here = x;
    const std::vector<std::string> names = event_names(*w);
    std::mt19937 random(7);
    for (int round = 0; round < 200; ++round) {
      std::vector<std::size_t> which;
      const bool is_one = round % 2 == 0;  // one alone may need no forces
      for (std::size_t i = 0; i < g.size(); ++i) {
        if (is_one ? i == static_cast<std::size_t>(round / 2) % g.size() : random() % 3 == 0) {
          which.push_back(i);
        }
      }
      for (std::size_t k = 0; k < x.size(); ++k) x[k] += 1e-3 * static_cast<double>(k % 5);
      functions();
      x = here;
      std::vector<double> some(which.size());
      some_event_functions(*w, 0.0, x, which, some);
      for (std::size_t k = 0; k < which.size(); ++k) {
        EXPECT_EQ(some[k], g[which[k]]) << names[which[k]];
        EXPECT_EQ(w->events.resolution[which[k]], resolution[which[k]]) << names[which[k]];
      }
    }
  }
}

TEST_F(EventBlocks, HandleTheirOwnFunctionsOnly) {
  const auto cross = [&](const std::string& name, bool rising) {
    const int f = static_cast<int>(function(name));
    return handle_events(*w, 0.0, x, {&f, 1}, {&rising, 1});
  };
  EXPECT_TRUE(cross("event(up)", true).stop);
  EXPECT_TRUE(cross("event(up)", false).events.empty());  // it counts rising only
  const EventOutcome stick = cross("friction(pivot)", false);
  ASSERT_EQ(stick.events.size(), 1u);
  EXPECT_EQ(stick.events[0].kind, "stick");
  EXPECT_EQ(stick.events[0].subject, "pivot");
  EXPECT_EQ(w->modes.friction[1], 0);
  EXPECT_EQ(w->modes.friction[0], 1);
  // A contact whose surfaces overlap does not end, whoever says so.
  EXPECT_TRUE(cross("phi(table,ball)", false).events.empty());
}

TEST_F(EventBlocks, KnowTheirInstants) {
  EXPECT_DOUBLE_EQ(next_time_event(*w, 0.0), 0.25);  // the signal
  EXPECT_DOUBLE_EQ(next_time_event(*w, 0.25), 0.5);  // the loop
  EXPECT_EQ(next_time_event(*w, 0.5), kInf);
  const EventOutcome outcome = handle_time_event(*w, 0.5, x);
  ASSERT_EQ(outcome.events.size(), 1u);
  EXPECT_EQ(outcome.events[0].kind, "loop_open");
}

TEST_F(EventBlocks, WithoutLocationContactsHaveNoFunctions) {
  const std::size_t contacts = contact_events.count(*w), all = event_count(*w);
  EXPECT_GT(contacts, 0u);
  w->step.locates_events = false;
  EXPECT_EQ(contact_events.count(*w), 0u);
  EXPECT_EQ(event_count(*w), all - contacts);
}

}  // namespace
}  // namespace carom
