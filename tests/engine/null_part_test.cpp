// A formulation that does nothing, and what it takes to add it: this file.
//
// It finds its pairs by the distance of the shapes, has events where they meet and part, and exerts
// no force: bodies of it pass through each other, and the run tells when.
#include <gtest/gtest.h>

#include "carom/engine/contact/contact_forces.h"
#include "carom/engine/contact/contact_part.h"
#include "carom/engine/events/contact_events.h"
#include "carom/engine/run_state.h"
#include "carom/scene/read/read.h"

namespace carom {
namespace {

class NullPart final : public ContactPart {
 public:
  constexpr NullPart() : ContactPart("null") {}

  Contact find(const Workspace& w, const ContactPair& pair) const override {
    return find_contact(pair_state(w, pair));
  }
  double resolution(const Workspace& w, const ContactPair& pair) const override {
    return distance_resolution(w, pair, false);
  }
  void functions(Workspace& w, std::span<const double> x, std::size_t first, std::size_t last,
                 double* g, double* resolves) const override {
    for (std::size_t i = first; i < last; ++i) {
      const PairState s = pair_state(w, w.modes.contacts.pairs[i]);
      calc_pair_functions(w, s, x, find_contact(s), resolution(w, s.pair), g, resolves);
      g += kContactFunctions, resolves += kContactFunctions;
    }
  }
  void apply(Workspace& w, std::span<const double>, std::size_t first,
             std::size_t last) const override {
    for (std::size_t k = first; k < last; ++k) {
      w.contacts.readings[k].phi = find(w, w.modes.contacts.pairs[w.contacts.touching[k]]).phi;
    }
  }
};

constexpr NullPart kNull;

// One ball of each formulation is in the table by 10 um.
const char* kTwoBalls = R"yaml(
carom: 1
bodies:
  table: {fixed: true, material: steel, shapes: [{box: {size: [2, 2, 0.1]}, at: [0, 0, -0.05]}]}
  hard: {material: steel, shapes: [{sphere: {radius: 0.05}}], position: [0, 0, 0.04999]}
  ghost: {material: dry_wood, shapes: [{sphere: {radius: 0.05}}], position: [0.5, 0, 0.04999]}
run: {until: 1}
)yaml";

class TwoParts : public ::testing::Test {
 protected:
  /// What the compiler does for a method of the catalogue.
  void SetUp() override {
    Diagnostics diagnostics;
    compiled = compile(read_scene_text(kTwoBalls), diagnostics);
    ASSERT_TRUE(compiled);
    auto own = std::make_shared<Model>(*compiled);
    ContactModel& contact = own->contact;
    contact.parts.push_back(&kNull);
    const auto collider = [&](const char* name) {
      std::uint32_t i = 0;
      while (collider_name(*own, i) != name) ++i;
      return i;
    };
    contact.part_of_law[static_cast<std::size_t>(
        contact.law_of(collider("table"), collider("ghost")))] = 1;
    model = own;
    w = std::make_unique<Workspace>(model);
    x = model->initial;
    initialise_modes(*w, 0.0, x);
    x.resize(state_size(*w), 0.0);
  }
  double acceleration(const char* body) {
    EXPECT_EQ(evaluate(*w, 0.0, x), Status::ok);
    for (const BodyInfo& info : model->bodies) {
      if (info.name != body) continue;
      const Link& link = model->tree.links[static_cast<std::size_t>(info.link)];
      return w->tree.vdot[static_cast<std::size_t>(link.v0) + 5];
    }
    return 0.0;
  }

  std::shared_ptr<const Model> compiled, model;  // colliders point into the compiled scene
  std::unique_ptr<Workspace> w;
  std::vector<double> x;
};

TEST_F(TwoParts, LiveInOneScene) {
  ASSERT_EQ(w->contacts.touching.size(), 2u);
  EXPECT_GT(acceleration("hard"), 100.0);           // pressed out
  EXPECT_NEAR(acceleration("ghost"), -9.81, 1e-9);  // falls on
}

TEST_F(TwoParts, ShareNamesEventsAndReadings) {
  const std::vector<std::string> names = event_names(*w);
  EXPECT_NE(std::ranges::find(names, "phi(table,ghost)"), names.end());
  EXPECT_NE(std::ranges::find(names, "phi(table,hard)"), names.end());
  acceleration("ghost");
  ASSERT_EQ(w->contacts.readings.size(), 2u);
  for (const ContactReading& r : w->contacts.readings) {
    const bool is_null = &part_for(*w, w->modes.contacts.pairs[r.pair]) == &kNull;
    EXPECT_NEAR(r.phi, -1e-5, 1e-11);
    EXPECT_EQ(r.normal_force > 0.0, !is_null);
  }
}

TEST_F(TwoParts, EndTheirContactsWhereBodiesPart) {
  std::vector<double> apart = x;
  for (std::size_t i = 0; i < model->nq(); ++i) {
    if (std::abs(apart[i] - 0.04999) < 1e-12) apart[i] = 0.06;
  }
  const std::vector<std::string> names = event_names(*w);
  std::vector<int> functions;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (names[i].starts_with("phi(table")) functions.push_back(static_cast<int>(i));
  }
  const bool rising[] = {false, false};
  ASSERT_EQ(functions.size(), 2u);
  const EventOutcome outcome = handle_events(*w, 0.0, apart, functions, rising);
  EXPECT_EQ(outcome.events.size(), 2u);
  for (const EngineEvent& event : outcome.events) EXPECT_EQ(event.kind, "contact_end");
  EXPECT_TRUE(w->contacts.touching.empty());
}

TEST_F(TwoParts, AreSavedWithTheRun) {
  RunState state;
  state.x = x, state.parameters = w->parameters, state.modes = w->modes;
  const RunState again = run_state_from_bytes(to_bytes(state));
  EXPECT_EQ(state_problem(*model, again), "");
  EXPECT_NE(state_problem(*compiled, again), "");  // which knows one part
}

}  // namespace
}  // namespace carom
