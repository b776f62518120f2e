// What event functions note of contacts for the step that ends there.
#include <gtest/gtest.h>

#include <algorithm>

#include "carom/engine/contact/contact_forces.h"
#include "carom/engine/contact/contact_points.h"
#include "carom/engine/events/contact_events.h"
#include "carom/engine/events/event_blocks.h"
#include "carom/engine/events/events.h"
#include "carom/engine/stepper.h"
#include "carom/proximity/finder.h"
#include "carom/scene/read/read.h"

namespace carom {
namespace {

/// Boxes and hulls on and beside each other; every pair asks an iteration for its distance.
class NotedContactsTest : public ::testing::Test {
 protected:
  NotedContactsTest() {
    Diagnostics diagnostics;
    model_ = compile(read_scene_text(R"(
carom: 1
bodies:
  floor: {fixed: true, material: steel, shapes: [{box: {size: [1, 1, 0.1]}}]}
  a: {material: steel, shapes: [{box: {size: [0.1, 0.1, 0.1]}}], position: [0, 0, 0.09999]}
  b: {material: steel, shapes: [{box: {size: [0.1, 0.1, 0.1]}}], position: [0.02, 0.01, 0.19998], rotation: [0, 0, 0.3]}
  c: {material: steel, shapes: [{cylinder: {radius: 0.05, length: 0.1}}], position: [0.02, 0.16, 0.12], rotation: [0.4, 0.2, 0]}
run: {until: 1}
)"),
                     diagnostics);
    w_ = std::make_unique<Workspace>(model_);
    w_->step.locates_events = true;
    x_ = model_->initial;
    Stepper stepper(*w_);
    stepper.start(0.0, x_);
    stepper.begin(0.0, x_);
    w_->contacts.noted = {};
  }

  std::vector<ContactPair>& pairs() { return w_->modes.contacts.pairs; }
  void evaluate_functions(const std::vector<double>& x) {
    std::vector<double> g(event_count(*w_));
    event_functions(*w_, 0.0, x, g);
  }

  std::shared_ptr<const Model> model_;
  std::unique_ptr<Workspace> w_;
  std::vector<double> x_;
};

bool are_same(const DistanceCache& a, const DistanceCache& b) {
  if (!(a.n_A == b.n_A) || a.count != b.count || a.apart != b.apart) return false;
  for (int i = 0; i < a.count; ++i) {
    if (a.piece[i][0] != b.piece[i][0] || a.piece[i][1] != b.piece[i][1]) return false;
  }
  return true;
}

TEST_F(NotedContactsTest, AreWhatAskingOnceMoreWouldGive) {
  ASSERT_GE(pairs().size(), 3u);
  evaluate_functions(x_);
  std::vector<DistanceCache> asked;
  for (std::size_t i = 0; i < pairs().size(); ++i) {
    const PairState s = pair_state(*w_, pairs()[i]);
    DistanceCache warm = pairs()[i].warm;
    const Contact contact = finder_of(s.PA, s.PB).remember(place_a(s), place_b(s), warm);
    ASSERT_TRUE(w_->contacts.noted.of_pair[i].is_known) << i;
    EXPECT_EQ(w_->contacts.noted.of_pair[i].contact.phi, contact.phi) << i;
    EXPECT_EQ(contact.phi, find_contact(s).phi) << i;
    asked.push_back(warm);
  }
  remember_contacts(*w_);
  for (std::size_t i = 0; i < pairs().size(); ++i) EXPECT_TRUE(are_same(pairs()[i].warm, asked[i]));
}

TEST_F(NotedContactsTest, CountOnlyWhereTheyWereAsked) {
  const Vec3 mark{0.6, 0.0, 0.8};
  evaluate_functions(x_);
  for (NotedContacts::Note& note : w_->contacts.noted.of_pair) note.warm.n_A = mark;
  std::vector<double> moved = x_;
  moved[4] += 1e-9;
  evaluate_kinematics(*w_, 0.0, moved);
  remember_contacts(*w_);
  for (const ContactPair& pair : pairs()) EXPECT_FALSE(pair.warm.n_A == mark);
  evaluate_kinematics(*w_, 0.0, x_);
  remember_contacts(*w_);
  for (const ContactPair& pair : pairs()) EXPECT_TRUE(pair.warm.n_A == mark);
}

}  // namespace
}  // namespace carom
