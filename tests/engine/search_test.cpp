// The search for near pairs against brute force, under random sweeps: what overlaps anywhere on
// the way of a step is watched, however long the step and however old the candidate list.
#include "carom/engine/contact/contact_search.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <random>
#include <set>

#include "carom/engine/contact/contact_forces.h"
#include "carom/engine/events/events.h"
#include "carom/engine/part_states.h"
#include "carom/engine/study/tangent.h"
#include "carom/proximity/piece_contacts.h"
#include "carom/scene/read/read.h"

namespace carom {
namespace {

using Draw = std::uniform_real_distribution<double>;

/// Free bodies of every kind of shape, between a floor and a wall; they begin far apart.
std::string swarm(std::mt19937& random, int count) {
  const char* shapes[] = {"{sphere: {radius: 0.08}}", "{box: {size: [0.1, 0.2, 0.15]}}",
                          "{capsule: {radius: 0.05, length: 0.2}}",
                          "{cylinder: {radius: 0.07, length: 0.1}}",
                          "{sphere: {radius: 0.05}}, {box: {size: [0.3, 0.02, 0.02]}}"};
  std::string text = R"yaml(
carom: 1
gravity: [0, 0, 0]
bodies:
  floor: {fixed: true, material: steel, shapes: [{half_space: {}}]}
  wall: {fixed: true, material: steel, shapes: [{box: {size: [0.1, 4, 4]}}], position: [2, 0, 2]}
)yaml";
  for (int i = 0; i < count; ++i) {
    text += "  b" + std::to_string(i) + ": {material: steel, shapes: [" + shapes[random() % 5] +
            "], position: [" + std::to_string(0.6 * (i % 4) - 1.2) + ", " +
            std::to_string(0.6 * (i / 4) - 1.2) + ", 1]}\n";
  }
  return text + "run: {until: 1}\n";
}

/// Pairs of colliders whose shapes overlap at the state x.
std::set<std::pair<std::uint32_t, std::uint32_t>> overlapping(Workspace& w,
                                                              std::span<const double> x) {
  evaluate_kinematics(w, 0.0, x);
  const Model& model = *w.model;
  std::set<std::pair<std::uint32_t, std::uint32_t>> found;
  const auto pose = [&](const Collider& c) {
    const LinkState& L = w.tree.links[static_cast<std::size_t>(c.link)];
    return Pose{L.R_WL, L.p_WL} * c.X_LS;
  };
  const auto shape = [&](const Collider& c) -> const Shape& {
    return model.scene.bodies[static_cast<std::size_t>(c.body)]
        .shapes[static_cast<std::size_t>(c.shape)]
        .shape;
  };
  const auto& all = model.contact.colliders;
  for (std::uint32_t a = 0; a < all.size(); ++a) {
    for (std::uint32_t b = a + 1; b < all.size(); ++b) {
      if (all[a].link == all[b].link || (all[a].link == 0 && all[b].link == 0)) continue;
      const Contact c =
          nearest_contact(shape(all[a]), pose(all[a]), shape(all[b]), pose(all[b])).contact;
      if (c.status == Status::ok && c.phi < 0.0) found.insert({a, b});
    }
  }
  return found;
}

TEST(ContactSearch, WatchesWhateverMeetsOnTheWayOfAStep) {
  int met = 0, widened = 0;
  for (const unsigned seed : {1u, 2u, 3u}) {
    std::mt19937 random(seed);
    Diagnostics diagnostics;
    const auto model = compile(read_scene_text(swarm(random, 12)), diagnostics);
    ASSERT_TRUE(model);
    Workspace w(model), brute(model);
    std::vector<double> x = model->initial;
    initialise_modes(w, 0.0, x);
    Draw speed(-4.0, 4.0), spin(-6.0, 6.0), length(0.001, 0.15);
    for (int step = 0; step < 25; ++step) {
      // Straight ways and steady turns, some of them across several bodies.
      const double h = length(random);
      for (std::size_t i = 0; i < model->nv(); ++i) {
        x[model->nq() + i] = i % 6 < 3 ? spin(random) : speed(random);
      }
      find_near_pairs(w, 0.0, x);
      std::vector<double> end;
      std::set<std::pair<std::uint32_t, std::uint32_t>> meeting;
      constexpr int kLooks = 12;
      for (int look = 0; look <= kLooks; ++look) {
        std::vector<double> way(x.begin() + static_cast<std::ptrdiff_t>(model->nq()), x.end());
        for (double& d : way) d *= h * look / kLooks;
        end = x;
        move_positions(model->tree, way, std::span(end).first(model->nq()));
        meeting.merge(overlapping(brute, end));
      }
      const std::size_t before = w.modes.contacts.pairs.size();
      const bool grew = widen_near_pairs(w, 0.0, end, h);
      EXPECT_EQ(grew, w.modes.contacts.pairs.size() > before);
      widened += grew;
      std::set<std::pair<std::uint32_t, std::uint32_t>> watched;
      for (std::size_t i = 0; i < w.modes.contacts.pairs.size(); ++i) {
        const ContactPair& pair = w.modes.contacts.pairs[i];
        watched.insert({pair.a, pair.b});
        const double rate = distance_rate(w, pair, find_contact(w, pair));
        EXPECT_LE(std::abs(rate), w.contacts.search.rate_bound[i]);
      }
      for (const auto& pair : meeting) {
        EXPECT_TRUE(watched.contains(pair)) << "seed " << seed << ", step " << step;
      }
      met += static_cast<int>(meeting.size());
      x = end;
    }
  }
  EXPECT_GT(met, 50);  // otherwise it would show nothing
  EXPECT_GT(widened, 20);
}

/// Whether a step of `h` from the model's start is seen to bring the first two bodies together.
bool sees_meeting(const std::string& bodies, double h) {
  Diagnostics diagnostics;
  const auto model =
      compile(read_scene_text("carom: 1\ngravity: off\nbodies:\n" + bodies + "run: {until: 1}\n"),
              diagnostics);
  if (!model) return false;
  Workspace w(model);
  std::vector<double> x = model->initial;
  initialise_modes(w, 0.0, x);
  find_near_pairs(w, 0.0, x);
  EXPECT_TRUE(w.modes.contacts.pairs.empty()) << "they are near without a step";
  std::vector<double> way(x.begin() + static_cast<std::ptrdiff_t>(model->nq()), x.end());
  for (double& d : way) d *= h;
  move_positions(model->tree, way, std::span(x).first(model->nq()));
  widen_near_pairs(w, h, x, h);
  return !w.modes.contacts.pairs.empty();
}

TEST(ContactSearch, SeesWhatIsPassedEarlyInALongStep) {
  for (const char* way : {"[10, 0, 0]", "[-10, 0, 0]", "[0, 10, 0]", "[0, 0, -10]"}) {
    const std::string velocity = way;
    // A sixth of the way, where neither the box of the end nor its reach comes to.
    std::string post = velocity;
    for (std::size_t i; (i = post.find("10")) != std::string::npos;) post.replace(i, 2, "0.16");
    EXPECT_TRUE(sees_meeting(
        "  ball: {material: steel, shapes: [{sphere: {radius: 0.02}}], velocity: " + velocity +
            "}\n  post: {fixed: true, material: steel, shapes: [{sphere: "
            "{radius: 0.02}}], position: " +
            post + "}\n",
        0.1))
        << velocity;
  }
}

TEST(ContactSearch, SeesWhatABarHitsThatTurnsHalfWayRound) {
  // Where the step begins and ends it lies along x; in between it sweeps a disc.
  EXPECT_TRUE(
      sees_meeting("  bar: {material: steel, shapes: [{capsule: {radius: 0.01, length: 1}}], "
                   "angular_velocity: [0, 0, 31.41592653589793]}\n"
                   "  post: {fixed: true, material: steel, shapes: [{sphere: {radius: 0.02}}], "
                   "position: [0, 0.4, 0]}\n",
                   0.1));
}

TEST(ContactSearch, NeverForgetsAContact) {
  Diagnostics diagnostics;
  const auto model = compile(read_scene_text(R"yaml(
carom: 1
gravity: off
bodies:
  a: {material: steel, shapes: [{sphere: {radius: 0.1}}]}
  b: {material: steel, shapes: [{sphere: {radius: 0.1}}], position: [0.2, 0, 0]}
run: {until: 1}
)yaml"),
                             diagnostics);
  ASSERT_TRUE(model);
  Workspace w(model);
  std::vector<double> x = model->initial;
  initialise_modes(w, 0.0, x);
  find_near_pairs(w, 0.0, x);
  ASSERT_EQ(w.modes.contacts.pairs.size(), 1u);
  w.modes.contacts.pairs[0].mode = ContactMode::touching;
  std::vector<double> way(model->nv(), 0.0);
  way[6 + 3] = 3.0;
  move_positions(model->tree, way, std::span(x).first(model->nq()));
  find_near_pairs(w, 0.0, x);
  ASSERT_EQ(w.modes.contacts.pairs.size(), 1u) << "its end is an event";
  w.modes.contacts.pairs[0].mode = ContactMode::apart;
  w.contacts.search.list = {};
  find_near_pairs(w, 0.0, x);
  EXPECT_TRUE(w.modes.contacts.pairs.empty());
}

TEST(ContactSearch, FindsNewNeighboursAfterAJump) {
  Diagnostics diagnostics;
  const auto model = compile(read_scene_text(R"yaml(
carom: 1
gravity: off
bodies:
  a: {material: steel, shapes: [{sphere: {radius: 0.1}}]}
  b: {material: steel, shapes: [{sphere: {radius: 0.1}}], position: [0.205, 0, 0]}
  c: {material: steel, shapes: [{sphere: {radius: 0.1}}], position: [5, 0, 0]}
run: {until: 1}
)yaml"),
                             diagnostics);
  ASSERT_TRUE(model);
  Workspace w(model);
  std::vector<double> x = model->initial;
  initialise_modes(w, 0.0, x);
  find_near_pairs(w, 0.0, x);
  ASSERT_EQ(w.modes.contacts.pairs.size(), 1u);
  std::vector<double> way(model->nv(), 0.0);
  way[12 + 3] = 0.41 - 5.0;  // c comes beside b
  move_positions(model->tree, way, std::span(x).first(model->nq()));
  find_near_pairs(w, 0.0, x);
  EXPECT_EQ(w.modes.contacts.pairs.size(), 2u);
}

TEST(ContactSearch, KeepsPairsInOrderAndWhatTheyRemember) {
  std::mt19937 random(9);
  Diagnostics diagnostics;
  const auto model = compile(read_scene_text(swarm(random, 12)), diagnostics);
  ASSERT_TRUE(model);
  Workspace w(model);
  std::vector<double> x = model->initial;
  initialise_modes(w, 0.0, x);
  Draw move(-0.3, 0.3);
  double mark = 1.0;
  for (int step = 0; step < 30; ++step) {
    std::vector<double> way(model->nv());
    for (double& d : way) d = move(random);
    move_positions(model->tree, way, std::span(x).first(model->nq()));
    std::set<std::pair<std::uint32_t, std::uint32_t>> known;
    for (ContactPair& pair : w.modes.contacts.pairs) {
      if (pair.begun == 0.0) pair.begun = mark++;
      known.insert({pair.piece_a, pair.piece_b});
    }
    find_near_pairs(w, 0.0, x);
    const std::vector<ContactPair>& pairs = w.modes.contacts.pairs;
    for (std::size_t i = 0; i < pairs.size(); ++i) {
      const bool stayed = known.contains({pairs[i].piece_a, pairs[i].piece_b});
      EXPECT_EQ(pairs[i].begun > 0.0, stayed);
      EXPECT_EQ(model->contact.pieces[pairs[i].piece_a].collider, pairs[i].a);
      if (i == 0) continue;
      EXPECT_LT(std::pair(pairs[i - 1].piece_a, pairs[i - 1].piece_b),
                std::pair(pairs[i].piece_a, pairs[i].piece_b));
    }
  }
}

/// A square plate of 2 m, at z = 0, of two triangles that meet in a seam through its middle.
std::string plate_stl() {
  const char* corners[] = {"-1 -1 0", "1 -1 0", "1 1 0", "-1 1 0"};
  std::string text = "solid plate\n";
  for (const auto& facet : {std::array{0, 1, 2}, std::array{0, 2, 3}}) {
    text += "facet normal 0 0 1\nouter loop\n";
    for (const int i : facet) text += std::string("vertex ") + corners[i] + "\n";
    text += "endloop\nendfacet\n";
  }
  return text + "endsolid plate\n";
}

TEST(ContactSearch, HasOneColliderPerShapeAndASitePerPairOfPieces) {
  const std::string mesh = plate_stl();
  ReadOptions options;
  options.carried = {{"plate.stl", mesh}};
  const Scene scene = read_scene_text(R"yaml(
carom: 1
gravity: [0, 0, 0]
bodies:
  plate: {fixed: true, material: steel, shapes: [{triangle_mesh: {file: plate.stl}, mass: off}]}
  ball: {material: steel, shapes: [{sphere: {radius: 0.2}}], position: [0, 0, 0.21]}
contact: {method: elastic}
run: {until: 1}
)yaml",
                                      "plate", options);
  Diagnostics diagnostics;
  const auto model = compile(scene, diagnostics);
  ASSERT_TRUE(model);
  const ContactModel& contact = model->contact;
  ASSERT_EQ(contact.colliders.size(), 2u);
  EXPECT_EQ(contact.colliders[0].count, 2u);
  EXPECT_EQ(contact.pieces.size(), 3u);
  Workspace w(model);
  std::vector<double> x = model->initial;
  initialise_modes(w, 0.0, x);
  const std::vector<ContactPair>& pairs = w.modes.contacts.pairs;
  ASSERT_EQ(pairs.size(), 2u);  // above the seam: one branch for each triangle
  EXPECT_EQ(pairs[0].a, pairs[1].a);
  EXPECT_EQ(pairs[0].b, pairs[1].b);
  EXPECT_NE(pairs[0].piece_a, pairs[1].piece_a);
}

}  // namespace
}  // namespace carom
