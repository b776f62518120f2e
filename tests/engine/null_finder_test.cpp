// A way of finding contact that finds none, one that gives every point its own normal, and what it
// takes to add them: this file.
//
// The null finder sees every pair far apart: bodies of it fall through each other. The groove is
// two planes in one site: a ball in it must be held as by two half spaces, one contact each.
#include <gtest/gtest.h>

#include <cmath>

#include "carom/engine/events/contact_events.h"
#include "carom/engine/events/events.h"
#include "carom/proximity/finder.h"
#include "carom/scene/read/read.h"

namespace carom {
namespace {

bool handles(const ShapePiece&, const ShapePiece&) { return true; }
bool is_closed_form(const ShapePiece&, const ShapePiece&) { return true; }
BoundingBox everywhere(const Place&, bool) { return {{-kInf, -kInf, -kInf}, {kInf, kInf, kInf}}; }

Contact find_nothing(const Place& a, const Place& b, const DistanceCache&, Manifold* points) {
  if (points) points->count = 0;
  Contact contact;
  contact.phi = 1.0;
  contact.n_AB_W = {0, 0, 1};
  contact.p_WCa = a.X_WS.p, contact.p_WCb = b.X_WS.p;
  return contact;
}
void no_points(const Place&, const Place&, const Contact&, Manifold& points) { points.count = 0; }

constexpr ContactFinder kNullFinder{.name = "null",
                                    .doc = "finds nothing",
                                    .rank = 9,
                                    .handles = handles,
                                    .is_closed_form = is_closed_form,
                                    .box = everywhere,
                                    .find = find_nothing,
                                    .find_points = no_points};

constexpr double kSlope = 0.6;  // of both planes of the groove [rad]

void groove_points(const Place& a, const Place& b, const Contact& contact, Manifold& out) {
  const double radius = b.piece.core.rounding;
  out.count = 2;
  out.has_normals = true;
  out.springs = 2.0;
  out.area = out.length = out.width = 0.0;
  out.n_AB_W = contact.n_AB_W;
  for (const int side : {0, 1}) {
    const double s = side == 0 ? 1.0 : -1.0;
    const Vec3 n{s * std::sin(kSlope), 0.0, std::cos(kSlope)};
    const double phi = dot(n, b.X_WS.p - a.X_WS.p) - radius;
    out.points[static_cast<std::size_t>(side)] = {b.X_WS.p - (radius + 0.5 * phi) * n, phi, 0.5,
                                                  static_cast<std::uint32_t>(side), n};
  }
}

Contact find_groove(const Place& a, const Place& b, const DistanceCache&, Manifold* points) {
  Manifold own;
  Manifold& m = points ? *points : own;
  Contact contact;
  contact.n_AB_W = {0, 0, 1};
  groove_points(a, b, contact, m);
  const ManifoldPoint& deepest = m.points[m.points[0].phi < m.points[1].phi ? 0 : 1];
  contact.phi = deepest.phi;
  contact.p_WCa = deepest.p_WC - 0.5 * contact.phi * contact.n_AB_W;
  contact.p_WCb = deepest.p_WC + 0.5 * contact.phi * contact.n_AB_W;
  return contact;
}

constexpr ContactFinder kGroove{.name = "groove",
                                .doc = "two planes in one site",
                                .rank = 9,
                                .handles = handles,
                                .is_closed_form = is_closed_form,
                                .box = everywhere,
                                .find = find_groove,
                                .find_points = groove_points};

// The ball is 10 um in the planes, not in the middle, and slides along and across them.
std::string ball_on(const std::string& floor) {
  return R"yaml(
carom: 1
bodies:
  floor: {fixed: true, material: steel, shapes: [)yaml" +
         floor + R"yaml(]}
  ball:
    material: steel
    mass: 0.3
    inertia: [3e-4, 3e-4, 3e-4]
    shapes: [{sphere: {radius: 0.05}}]
    position: [2e-6, 0, )yaml" +
         std::to_string((0.05 - 1e-5) / std::cos(kSlope)) + R"yaml(]
    velocity: [0.01, 0.2, -0.03]
    angular_velocity: [1, 2, 3]
contact: {law: {kelvin_voigt: {stiffness: 1e6, damping: 50}}, friction: coulomb}
run: {until: 1}
)yaml";
}

struct Standing {
  explicit Standing(const std::string& text, const ContactFinder* finder = nullptr) {
    Diagnostics diagnostics;
    compiled = compile(read_scene_text(text), diagnostics);
    if (!compiled) return;
    auto own = std::make_shared<Model>(*compiled);
    if (finder) own->contact.pieces[0].finder = finder;
    model = own;
    w = std::make_unique<Workspace>(model);
    x = model->initial;
    initialise_modes(*w, 0.0, x);
    x.resize(state_size(*w), 0.0);
    EXPECT_EQ(evaluate(*w, 0.0, x), Status::ok);
  }
  std::shared_ptr<const Model> compiled, model;  // pieces point into the compiled scene
  std::unique_ptr<Workspace> w;
  std::vector<double> x;
};

TEST(NullFinder, LetsBodiesFallThroughEachOther) {
  const Standing s(ball_on("{half_space: {}}"), &kNullFinder);
  ASSERT_TRUE(s.model);
  ASSERT_EQ(s.w->modes.contacts.pairs.size(), 1u);  // watched, and never near
  EXPECT_TRUE(s.w->contacts.touching.empty());
  EXPECT_NEAR(s.w->tree.vdot[5], -9.81, 1e-12);
}

TEST(GrooveFinder, HoldsABallAsTwoHalfSpacesDo) {
  const Standing groove(ball_on("{half_space: {}}"), &kGroove);
  const std::string tilt = std::to_string(kSlope);
  const Standing planes(ball_on("{half_space: {}, rotation: [0, " + tilt +
                                ", 0]}, {half_space: {}, rotation: [0, -" + tilt + ", 0]}"));
  ASSERT_TRUE(groove.model && planes.model);
  ASSERT_EQ(groove.w->contacts.touching.size(), 1u);
  ASSERT_EQ(planes.w->contacts.touching.size(), 2u);
  // Depths of 10 um come out of positions of 0.06 m: 1e6 N/m times a rounding of 1e-17 m, and the
  // scene texts state six digits alike for both.
  for (std::size_t i = 0; i < 6; ++i) {
    EXPECT_NEAR(groove.w->tree.vdot[i], planes.w->tree.vdot[i], 1e-7) << i;
  }
  EXPECT_GT(groove.w->tree.vdot[5], 10.0);
  const ContactReading& r = groove.w->contacts.readings.front();
  EXPECT_EQ(r.points, 2);
  // Two normals: what presses is more than what carries.
  EXPECT_GT(r.normal_force, 1.1 * dot(r.force, r.normal));
}

TEST(FinderCatalogue, HandlesWhatItsPiecesAreMadeFor) {
  EXPECT_GE(finder_catalogue().size(), 2u);
  const ShapePiece ball = make_piece(make_point_core({}, 0.1), false);
  EXPECT_EQ(&finder_of(ball, ball), &finder_convex);
  for (const ContactFinder* finder : finder_catalogue()) {
    EXPECT_TRUE(finder->handles && finder->box && finder->find && finder->find_points);
  }
  EXPECT_TRUE(finder_convex.handles(ball, ball));
  EXPECT_FALSE(finder_connected.handles(ball, ball));
}

}  // namespace
}  // namespace carom
