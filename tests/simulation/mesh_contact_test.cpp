// Contact with meshes that are not convex: a body falls into a channel and stays there.
#include <array>
#include <sstream>

#include "scene_runs.h"

namespace carom {
namespace {

using Corner = std::array<double, 2>;

/// A U profile in (y, z): floor at z = 0.03, walls at |y| = 0.06, extruded along x.
std::string channel_stl() {
  const Corner p[] = {{-0.1, 0},    {0.1, 0},      {0.1, 0.15},   {0.06, 0.15},
                      {0.06, 0.03}, {-0.06, 0.03}, {-0.06, 0.15}, {-0.1, 0.15}};
  constexpr std::size_t n = std::size(p);
  std::ostringstream out;
  out << "solid channel\n";
  const auto vertex = [&](double x, const Corner& c) {
    out << "vertex " << x << " " << c[0] << " " << c[1] << "\n";
  };
  const auto facet = [&](auto&& corners) {
    out << "facet normal 0 0 0\nouter loop\n";
    corners();
    out << "endloop\nendfacet\n";
  };
  for (std::size_t i = 0; i < n; ++i) {
    const Corner &a = p[i], &b = p[(i + 1) % n];
    facet([&] { vertex(-0.2, a), vertex(-0.2, b), vertex(0.2, b); });
    facet([&] { vertex(-0.2, a), vertex(0.2, b), vertex(0.2, a); });
  }
  const std::size_t caps[][3] = {{0, 1, 4}, {0, 4, 5}, {1, 2, 3}, {1, 3, 4}, {0, 5, 6}, {0, 6, 7}};
  for (const auto& [a, b, c] : caps) {
    facet([&] { vertex(0.2, p[a]), vertex(0.2, p[b]), vertex(0.2, p[c]); });
    facet([&] { vertex(-0.2, p[a]), vertex(-0.2, p[c]), vertex(-0.2, p[b]); });
  }
  out << "endsolid channel\n";
  return out.str();
}

RunResult drop_into_channel(const std::string& kind) {
  const std::string mesh = channel_stl();
  ReadOptions options;
  options.carried = {{"channel.stl", mesh}};
  const Scene scene = read_scene_text(R"yaml(
carom: 1
bodies:
  channel: {fixed: true, material: steel, shapes: [{)yaml" +
                                          kind +
                                          R"yaml(: {file: channel.stl}, mass: off}]}
  ball: {material: steel, shapes: [{sphere: {radius: 0.04}}], position: [0.05, 0.01, 0.25]}
contact: {restitution: 0.3, method: elastic}
run: {until: 1.5, tolerance: 1e-6}
)yaml",
                                      "channel", options);
  Diagnostics diagnostics;
  const auto model = compile(scene, diagnostics);
  if (!model) throw InputError(std::move(diagnostics));
  return run(model);
}

TEST(MeshContact, LetsABallRestInAChannelOfTriangles) {
  const RunResult r = drop_into_channel("triangle_mesh");
  ASSERT_EQ(r.status, RunStatus::completed) << r.reason;
  const BodyState& ball = testing::body(r, "ball");
  EXPECT_NEAR(ball.position.z, 0.07, 1e-5);  // floor and radius, less what it sinks in
  EXPECT_LE(norm(ball.velocity), 1e-9);
  ASSERT_EQ(r.contacts.size(), 1u);
  // 4/3 pi 0.04³ of steel, 8000 kg/m³
  EXPECT_NEAR(r.contacts[0].reading.force.z, 2.1446605848506 * 9.81, 1e-4);
}

TEST(MeshContact, IsOnTheHullOfAMeshThatWasGivenAsConvex) {
  const RunResult r = drop_into_channel("mesh");
  EXPECT_NEAR(testing::body(r, "ball").position.z, 0.15 + 0.04, 1e-5);  // over the channel
}

}  // namespace
}  // namespace carom
