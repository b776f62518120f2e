// Meshes that are not as they should be, and starts that nobody would want: a clear message or a
// right result each, never a crash, never a burst of energy.
#include <cmath>
#include <limits>
#include <sstream>

#include "carom/simulation/simulation.h"
#include "contact_runs.h"
#include "proximity/surface_meshes.h"
#include "support/mesh_texts.h"

namespace carom {
namespace {

using testing::body;

TriangleMesh round_mesh(int times, double radius) {
  TriangleMesh m = test::icosphere(0, [&](const Vec3&) { return radius; });
  for (; times > 0; --times) {
    test::subdivide(m, 1);
    for (Vec3& v : m.vertices) v = radius * normalized(v);
  }
  return m;
}

struct Told {
  std::shared_ptr<const Model> model;
  std::string findings;
};
Told compile_odd(const std::string& text, const std::string& mesh) {
  ReadOptions options;
  options.carried = {{"mesh.obj", mesh}};
  Diagnostics diagnostics;
  Told told;
  try {
    const Scene scene = read_scene_text(text, "odd", options);
    told.model = compile(scene, diagnostics);
  } catch (const InputError& e) {
    for (const Diagnostic& d : e.diagnostics().all())
      told.findings += d.message + " | " + d.remedy + "\n";
  }
  for (const Diagnostic& d : diagnostics.all()) {
    told.findings += d.message + " | " + d.remedy + "\n";
  }
  return told;
}

std::string one_on_floor(const std::string& how = "") {
  return R"yaml(
carom: 1
materials: {soft: {density: 1250, youngs_modulus: 2.1e6, poissons_ratio: 0.3}}
bodies:
  floor: {fixed: true, material: soft, shapes: [{half_space: {}}]}
  cube: {material: soft, shapes: [{box: {size: [0.2, 0.2, 0.2]}}], position: [1, 0, 0.099]}
  thing: {material: soft, shapes: [{triangle_mesh: {file: mesh.obj)yaml" +
         how + R"yaml(}}], position: [0, 0, 0.12]}
contact: {method: triangles, restitution: 0.3}
run: {until: 0.2}
)yaml";
}

Vec3 where_it_ends(const std::string& mesh) {
  const Told told = compile_odd(one_on_floor(), mesh);
  EXPECT_TRUE(told.model) << told.findings;
  if (!told.model) return {};
  const RunResult r = run(told.model);
  EXPECT_EQ(r.status, RunStatus::completed) << r.reason;
  EXPECT_NE(r.verdict.grade(), Grade::broken);
  return body(r, "thing").position;
}

TEST(OddMesh, WithRepairedTrianglesFallsLikeASoundOne) {
  const TriangleMesh sound = round_mesh(2, 0.1);
  const Vec3 expected = where_it_ends(testing::obj_text(sound));
  EXPECT_GT(expected.z, 0.08);
  TriangleMesh odd = sound;
  for (std::uint32_t i = 0; i < 40; ++i) odd.triangles.push_back({i, i, i + 1});  // without area
  EXPECT_EQ(where_it_ends(testing::obj_text(odd)), expected);
  odd = sound;
  for (std::size_t i = 0; i < 80; ++i) odd.triangles.push_back(sound.triangles[i]);  // twice
  EXPECT_EQ(where_it_ends(testing::obj_text(odd)), expected);
  odd = sound;
  for (Triangle& t : odd.triangles) std::swap(t[1], t[2]);  // inside out
  EXPECT_EQ(where_it_ends(testing::obj_text(odd)), expected);
  odd = sound;
  for (std::size_t i = 0; i < 300; i += 3) std::swap(odd.triangles[i][1], odd.triangles[i][2]);
  EXPECT_EQ(where_it_ends(testing::obj_text(odd)), expected);
}

TEST(OddMesh, ThatSaysNothingIsRefused) {
  std::string text = testing::obj_text(round_mesh(1, 0.1));
  const auto refused = [](const std::string& mesh, const std::string& why) {
    const Told told = compile_odd(one_on_floor(), mesh);
    EXPECT_FALSE(told.model);
    EXPECT_NE(told.findings.find(why), std::string::npos) << told.findings;
    // One fault is told once: what its mass would be is not known.
    EXPECT_EQ(told.findings.find("has no mass"), std::string::npos) << told.findings;
  };
  refused("", "it has no triangles");
  refused(text.substr(0, text.find("f ")), "it has no triangles");
  for (const char* bad : {"nan", "inf", "-inf", "1e400", "1e300", "-1e95", "1e12"}) {
    std::string broken = text;
    const std::size_t at = broken.find("v ", 40) + 2;
    broken.replace(at, broken.find(' ', at) - at, bad);
    refused(broken, "mesh file 'mesh.obj': ");
  }
  refused("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 9\n", "mesh file 'mesh.obj': ");
}

// A thousand times too large: in millimetres. A thousand times too small: metres read as such.
TEST(OddMesh, OfAnotherUnitIsSuspected) {
  const Told large = compile_odd(one_on_floor(), testing::obj_text(round_mesh(1, 100.0)));
  EXPECT_FALSE(large.model);  // it lies around the cube
  EXPECT_NE(large.findings.find("scale: 0.001"), std::string::npos) << large.findings;
  EXPECT_NE(large.findings.find("'thing'"), std::string::npos) << large.findings;
  const Told small =
      compile_odd(one_on_floor(", scale: 0.001"), testing::obj_text(round_mesh(1, 0.1)));
  ASSERT_TRUE(small.model) << small.findings;
  EXPECT_NE(small.findings.find("leave the scale out"), std::string::npos) << small.findings;
  const RunResult r = run(small.model);
  EXPECT_EQ(r.status, RunStatus::completed) << r.reason;
  EXPECT_NE(r.verdict.grade(), Grade::broken);
  const Told right = compile_odd(one_on_floor(), testing::obj_text(round_mesh(1, 0.1)));
  EXPECT_EQ(right.findings.find("scale"), std::string::npos) << right.findings;
}

/// Two meshes that overlap from the start: by how much b is smaller, and where it is.
std::string two_in_one_place(double scale, double aside, double bearable, const std::string& how) {
  std::ostringstream text;
  text << R"yaml(
carom: 1
bodies:
  floor: {fixed: true, material: dry_wood, shapes: [{half_space: {}}]}
  a: {material: dry_wood, shapes: [{triangle_mesh: {file: mesh.obj}}], position: [0, 0, 0.3]}
  b: {material: dry_wood, shapes: [{triangle_mesh: {file: mesh.obj, scale: )yaml"
       << scale << "}}], position: [" << aside << R"yaml(, 0, 0.3]}
contact: {method: triangles, deepest_start: )yaml"
       << bearable << "}\nrun: {until: 0.3" << how << "}\n";
  return text.str();
}

TEST(OddStart, InDeepOverlapIsRefusedWithBothNames) {
  const std::string mesh = testing::obj_text(round_mesh(2, 0.1));
  for (const double scale : {1.0, 0.5}) {     // one inside the other
    for (const double aside : {0.0, 0.08}) {  // in the same place, in deep overlap
      const Told told = compile_odd(two_in_one_place(scale, aside, 0.05, ""), mesh);
      EXPECT_FALSE(told.model);
      EXPECT_NE(told.findings.find("'a' and 'b' overlap by"), std::string::npos) << told.findings;
    }
  }
}

// Who insists gets a run that never gains energy, and a verdict that says what it is worth.
TEST(OddStart, ThatIsInsistedOnIsNoBurstOfEnergy) {
  const std::string mesh = testing::obj_text(round_mesh(2, 0.1));
  for (const double scale : {1.0, 0.5}) {
    for (const double aside : {0.0, 0.02, 0.1}) {
      for (const char* step : {"0.001", "0.005", "0.01"}) {
        const std::string how = std::string(", integrator: implicit_contact, step: ") + step;
        SCOPED_TRACE(std::to_string(scale) + " " + std::to_string(aside) + how);
        const Told told = compile_odd(two_in_one_place(scale, aside, 10.0, how), mesh);
        ASSERT_TRUE(told.model) << told.findings;
        Simulation s(told.model);
        double most = s.ledger().stored();
        const double least = 1e-9 * std::abs(most);
        for (double t = 0.02; t < 0.31; t += 0.02) {
          ASSERT_EQ(s.advance(t), AdvanceStatus::reached) << s.failure();
          EXPECT_LE(s.ledger().stored(), most + least) << t;
          most = std::min(most, s.ledger().stored());
        }
      }
    }
  }
}

TEST(OddStart, ThatIsInsistedOnIsToldInTheVerdict) {
  const std::string mesh = testing::obj_text(round_mesh(2, 0.1));
  for (const double aside : {0.0, 0.1}) {
    const Told told = compile_odd(
        two_in_one_place(0.5, aside, 10.0, ", integrator: implicit_contact, step: 0.005"), mesh);
    ASSERT_TRUE(told.model) << told.findings;
    const RunResult r = run(told.model);
    EXPECT_EQ(r.status, RunStatus::completed) << r.reason;
    EXPECT_EQ(r.verdict.grade(), Grade::broken);
    ASSERT_FALSE(r.verdict.reasons.empty());
    const Finding& first = r.verdict.reasons.front();
    EXPECT_EQ(first.name, "depth");
    EXPECT_NE(first.subject.find("'a' and 'b'"), std::string::npos);
    EXPECT_LT(first.value, 0.2);  // no deeper than the smaller one is wide, and a half more
  }
}

// Two bodies in one place fall on the floor: the list of pairs is put into order anew where that
// comes near, while as many touch. What was read of one contact must not be booked for another.
TEST(OddStart, DoesNotMixUpThePeaksOfItsContacts) {
  const Told told = compile_odd(two_in_one_place(0.5, 0.0, 10.0, ", tolerance: 1e-4"),
                                testing::obj_text(round_mesh(2, 0.1)));
  ASSERT_TRUE(told.model) << told.findings;
  const RunResult r = run(told.model);
  EXPECT_EQ(r.status, RunStatus::completed) << r.reason;
  int floors = 0;
  double inside = 0.0;
  std::vector<double> on_floor;
  for (const ContactSummary& c : r.contact_pairs) {
    const bool is_floor = c.first == "floor" || c.second == "floor";
    floors += is_floor;
    if (is_floor) {
      EXPECT_LT(c.peak_depth, 1e-3);
      EXPECT_GT(c.peak_force, 100.0);
      on_floor.push_back(c.peak_force);
    } else {
      EXPECT_GT(c.peak_depth, 0.05);
      inside = c.peak_force;
    }
  }
  for (const double force : on_floor) EXPECT_NE(inside, force);
  EXPECT_EQ(floors, 2);
}

// An explicit step that is far too long ends with the reason, it does not go on with the energy.
TEST(OddStart, IsStoppedWhereAnExplicitStepMakesEnergyOfIt) {
  const Told told = compile_odd(two_in_one_place(0.5, 0.1, 10.0, ", integrator: rk4, step: 1e-4"),
                                testing::obj_text(round_mesh(2, 0.1)));
  ASSERT_TRUE(told.model) << told.findings;
  const RunResult r = run(told.model);
  EXPECT_EQ(r.status, RunStatus::failed);
  EXPECT_NE(r.reason.find("energy from nothing"), std::string::npos) << r.reason;
  EXPECT_NE(r.reason.find("'a' and 'b'"), std::string::npos) << r.reason;
}

// A cone rattles on its rim until the contact has given back all it held. What was let out is then
// held back; what comes in again must not be, or the cone goes through the table as through air.
TEST(OddPatch, ThatHasGivenAllStillCarries) {
  const RunResult r = testing::run_text(R"yaml(
carom: 1
contact: {method: triangles, restitution: 0.4, mu_k: 0.3}
bodies:
  table: {fixed: true, material: steel, shapes: [{box: {size: [1, 1, 0.1]}, at: [0, 0, -0.05]}]}
  cone: {material: steel, position: [0, 0, 0.05], rotation: [0.1, 0.2, 0], velocity: [0.2, 0, 0], angular_velocity: [0, 0, 30], shapes: [{cone: {radius: 0.03, length: 0.06}}]}
run: {until: 0.16}
)yaml");
  EXPECT_EQ(r.verdict.grade(), Grade::sound);
  EXPECT_GT(body(r, "cone").position.z, 0.026);
}

// A tenth of the size is the end of the law, and said with the two names; so is a corner that has
// come out of a thin plate.
TEST(OddDepth, IsToldWithTheNamesOfThePair) {
  const auto press = [](const std::string& plate, double z) {
    std::ostringstream text;
    text << R"yaml(
carom: 1
gravity: off
materials: {soft: {density: 1250, youngs_modulus: 2.1e5, poissons_ratio: 0.3}}
bodies:
  plate: {fixed: true, material: soft, shapes: [{box: {size: )yaml"
         << plate << R"yaml(}}]}
  cube: {material: soft, shapes: [{box: {size: [0.2, 0.2, 0.2]}}], rotation: [0.9553, 0, 0.7854], position: [0, 0, )yaml"
         << z << R"yaml(], velocity: [0, 0, -3]}
contact: {method: triangles, friction: none, restitution: 0.5, law: hertz}
run: {until: 0.06}
)yaml";
    return testing::run_text(text.str()).verdict;
  };
  const auto has = [](const Verdict& v, const std::string& name) {
    for (const Finding& f : v.reasons) {
      if (f.name != name) continue;
      EXPECT_NE(f.text.find("'plate' and 'cube'"), std::string::npos) << f.text;
      return true;
    }
    return false;
  };
  const Verdict thin = press("[1, 1, 0.01]", 0.2);
  EXPECT_TRUE(has(thin, "through_wall"));
  EXPECT_NE(thin.grade(), Grade::sound);
  const Verdict thick = press("[1, 1, 1]", 0.7);
  EXPECT_FALSE(has(thick, "through_wall"));
  EXPECT_TRUE(has(thick, "depth"));
}

}  // namespace
}  // namespace carom
