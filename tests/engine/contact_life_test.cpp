// The life of contacts in the engine: where they begin and end, what mends those that no event
// announced, and slots of states that come and go.
#include <gtest/gtest.h>

#include <set>

#include "carom/engine/contact/contact_forces.h"
#include "carom/engine/contact/contact_slot.h"
#include "carom/engine/events/contact_events.h"
#include "carom/engine/stepper.h"
#include "carom/scene/read/read.h"

namespace carom {
namespace {

/// Balls of 0.1 m in a row, 2 mm apart, without gravity.
class Row {
 public:
  explicit Row(int count) {
    std::string text = "carom: 1\ngravity: [0, 0, 0]\nbodies:\n";
    for (int i = 0; i < count; ++i) {
      text += "  b" + std::to_string(i) +
              ": {material: steel, shapes: [{sphere: {radius: 0.05}}], position: [" +
              std::to_string(0.102 * i) + ", 0, 0]}\n";
    }
    Diagnostics diagnostics;
    model = compile(read_scene_text(text + "run: {until: 1}\n"), diagnostics);
    w = std::make_unique<Workspace>(model);
    x = model->initial;
    Stepper(*w).start(0.0, x);
  }
  /// Places ball i so that it is `gap` away from the one before it, and moves it at `speed`.
  void place(int i, double gap, double speed = 0.0) {
    x[coordinate(i)] = x[coordinate(i - 1)] + 0.1 + gap;
    x[model->nq() + static_cast<std::size_t>(link(i).v0) + 3] = speed;
  }
  ContactPair& pair(int i) {
    for (ContactPair& p : w->modes.contacts.pairs) {
      if (collider_name(*model, p.b) == "b" + std::to_string(i) &&
          collider_name(*model, p.a) == "b" + std::to_string(i - 1)) {
        return p;
      }
    }
    throw std::logic_error("no such pair");
  }
  std::vector<double> functions() {
    std::vector<double> g(event_count(*w));
    event_functions(*w, 0.0, x, g);
    return g;
  }
  /// Lets the distance of the pair that ends with ball i pass zero.
  EventOutcome cross(int i, double t = 0.0) {
    const std::vector<std::string> names = event_names(*w);
    const std::string name = "phi(b" + std::to_string(i - 1) + ",b" + std::to_string(i) + ")";
    const auto f = static_cast<int>(std::ranges::find(names, name) - names.begin());
    const bool falling[] = {false};
    EventOutcome outcome = Stepper(*w).handle(t, x, {&f, 1}, falling);
    Stepper(*w).begin(t, x);
    return outcome;
  }
  std::shared_ptr<const Model> model;
  std::unique_ptr<Workspace> w;
  std::vector<double> x;

 private:
  const Link& link(int i) const {
    return model->tree
        .links[static_cast<std::size_t>(model->bodies[static_cast<std::size_t>(i)].link)];
  }
  std::size_t coordinate(int i) const { return static_cast<std::size_t>(link(i).q0) + 4; }
};

TEST(ContactLife, BeginsAndEndsWhereItsEventSaysSo) {
  Row row(2);
  row.place(1, -1e-15, -0.5);
  const EventOutcome begun = row.cross(1);
  ASSERT_EQ(begun.events.size(), 1u);
  EXPECT_EQ(begun.events[0].kind, "contact_begin");
  EXPECT_NEAR(begun.events[0].value, 0.5, 1e-12);
  EXPECT_TRUE(begun.restart);
  EXPECT_EQ(row.pair(1).mode, ContactMode::touching);
  EXPECT_GE(row.pair(1).slot, 0);
  row.place(1, 1e-3, 0.4);
  const EventOutcome ended = row.cross(1);
  ASSERT_EQ(ended.events.size(), 1u);
  EXPECT_EQ(ended.events[0].kind, "contact_end");
  EXPECT_NEAR(ended.events[0].value, 0.4, 1e-12);
  EXPECT_EQ(row.pair(1).mode, ContactMode::apart);
  EXPECT_EQ(row.pair(1).slot, -1);
}

TEST(ContactLife, IsToldWhenItEndsAndAddedToThoseBefore) {
  Row row(2);
  for (const double t : {1.0, 3.0}) {
    row.place(1, -1e-15, -0.5);
    row.cross(1, t);
    EXPECT_EQ(row.pair(1).track.peak_force, 0.0);  // nothing of the contact before
    row.pair(1).track.peak_force = 7.0;
    row.place(1, 1e-3, 0.4);
    const EventOutcome ended = row.cross(1, t + 0.25);
    ASSERT_EQ(ended.events.size(), 1u);
    EXPECT_EQ(ended.events[0].duration, 0.25);
    EXPECT_EQ(ended.events[0].peak_force, 7.0);
  }
  ASSERT_EQ(row.w->modes.contacts.history.size(), 1u);
  EXPECT_EQ(row.w->modes.contacts.history[0].count, 2);
  EXPECT_EQ(row.w->modes.contacts.history[0].duration, 0.5);
}

// A body that moves away may be found in overlap because a step errs, and does not begin to touch.
TEST(ContactLife, BeginsByErrorWhereBodiesMoveApart) {
  Row row(2);
  const std::vector<std::string> names = event_names(*row.w);
  const auto f = static_cast<int>(std::ranges::find(names, "phi(b0,b1)") - names.begin());
  row.place(1, -1e-15, 0.5);
  EXPECT_TRUE(Stepper(*row.w).is_doubtful(0.0, row.x, {&f, 1}, 0.01));
  row.place(1, -1e-15, -0.5);
  EXPECT_FALSE(Stepper(*row.w).is_doubtful(0.0, row.x, {&f, 1}, 0.01));
}

// An event whose state says otherwise changes nothing: location errs by rounding.
TEST(ContactLife, DoesNotBeginApartNorEndInOverlap) {
  Row row(2);
  row.place(1, 1e-6, -0.5);
  EXPECT_TRUE(row.cross(1).events.empty());
  EXPECT_EQ(row.pair(1).mode, ContactMode::apart);
  row.place(1, -1e-15, -0.5);
  row.cross(1);
  row.place(1, -1e-6, 0.5);
  EXPECT_TRUE(row.cross(1).events.empty());
  EXPECT_EQ(row.pair(1).mode, ContactMode::touching);
}

TEST(ContactLife, MendsWhatNoEventHasAnnounced) {
  Row row(3);
  // One pair has come together unseen, the other overlaps deeply: that must not be accepted.
  row.place(1, -1e-12, -0.5);
  std::vector<double> g = row.functions();
  EXPECT_EQ(Stepper(*row.w).unseen(0.0, row.x, g), "");
  EventOutcome outcome;
  EXPECT_TRUE(Stepper(*row.w).mend(0.0, row.x, g, outcome));
  ASSERT_EQ(outcome.events.size(), 1u);
  EXPECT_EQ(outcome.events[0].kind, "contact_begin");
  EXPECT_EQ(row.w->contacts.touching.size(), 1u);  // and acts from now on
  Stepper(*row.w).begin(0.0, row.x);
  g = row.functions();
  EXPECT_FALSE(Stepper(*row.w).mend(0.0, row.x, g, outcome));
  // It parts, and the event is passed over: only what moves apart ends.
  row.place(1, 1e-4, -0.1);
  g = row.functions();
  EXPECT_FALSE(Stepper(*row.w).mend(0.0, row.x, g, outcome));
  row.place(1, 1e-4, 0.1);
  g = row.functions();
  EXPECT_TRUE(Stepper(*row.w).mend(0.0, row.x, g, outcome));
  EXPECT_EQ(outcome.events.back().kind, "contact_end");
}

TEST(ContactLife, RefusesAStepThatEndsDeepInAContactThatHasNotBegun) {
  Row row(2);
  row.place(1, -1e-3, -0.5);
  const std::vector<double> g = row.functions();
  EXPECT_EQ(Stepper(*row.w).unseen(0.0, row.x, g), "'b0' and 'b1'");
}

TEST(ContactSlots, AreReusedAndBeginWithZeros) {
  Row row(6);
  std::set<int> slots;
  for (int i = 1; i < 4; ++i) {
    row.place(i, -1e-15, -0.5);
    row.cross(i);
    slots.insert(row.pair(i).slot);
    // States of the contact, as if it had worked.
    const std::size_t width = static_cast<std::size_t>(row.model->contact.slot.width);
    const std::size_t first =
        row.model->size() + static_cast<std::size_t>(row.pair(i).slot) * width;
    for (std::size_t k = 0; k < width; ++k) row.x[first + k] = 1.0 + static_cast<double>(k);
  }
  EXPECT_EQ(slots.size(), 3u);  // each has its own
  for (int i = 1; i < 4; ++i) {
    const auto offset = static_cast<std::size_t>(row.pair(i).slot * row.model->contact.slot.width);
    const SlotView view = slot_view(*row.w, row.pair(i), row.x);
    EXPECT_EQ(view.state, row.x.data() + row.model->size() + offset);
    EXPECT_EQ(view.rate, row.w->contacts.slot_rates.data() + offset);
  }
  const int freed = row.pair(2).slot;
  const double lost = row.w->modes.contacts.ended.normal;
  row.place(2, 1e-3, 0.5), row.place(3, -1e-15, 0.0);
  EXPECT_EQ(row.cross(2).events.size(), 1u);
  EXPECT_EQ(row.w->modes.contacts.ended.normal, lost + 2.0);  // what it held is kept
  const std::size_t size = row.x.size();
  row.place(4, -1e-15, -0.5);
  row.cross(4);
  EXPECT_EQ(row.pair(4).slot, freed);
  EXPECT_EQ(row.x.size(), size);  // no more room was needed
  const std::size_t width = static_cast<std::size_t>(row.model->contact.slot.width);
  for (std::size_t k = 0; k < width; ++k) {
    EXPECT_EQ(row.x[row.model->size() + static_cast<std::size_t>(freed) * width + k], 0.0);
  }
}

TEST(ContactSlots, GrowByHalfAndNeverBeyondThePairs) {
  Row row(12);
  std::set<int> slots;
  std::set<std::size_t> sizes;
  for (int i = 1; i < 12; ++i) {
    row.place(i, -1e-15, -0.5);
    row.cross(i);
    slots.insert(row.pair(i).slot);
    sizes.insert(row.x.size());
  }
  EXPECT_EQ(slots.size(), 11u);
  EXPECT_LT(sizes.size(), 6u);  // the method restarts wherever it grows
  EXPECT_LE(row.w->modes.contacts.slot_count, static_cast<int>(row.w->modes.contacts.pairs.size()));
}

}  // namespace
}  // namespace carom
