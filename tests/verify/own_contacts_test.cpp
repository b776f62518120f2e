// What is recomputed from the rows of a run agrees with it, and a falsified record is caught.
#include "carom/verify/own_contacts.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "carom/proximity/distance.h"
#include "carom/record/memory_writer.h"
#include "carom/scene/read/read.h"
#include "carom/simulation/run.h"
#include "carom/verify/own_gaps.h"

namespace carom::verify {
namespace {

// A ball bounces on a plane and meets a second one above it; nothing is lost.
const std::string kBounce = R"(
carom: 1
materials: {soft: {density: 1000, youngs_modulus: 1e6, poissons_ratio: 0.3}}
bodies:
  floor: {fixed: true, material: soft, shapes: [{half_space: {}}]}
  low: {material: soft, shapes: [{sphere: {radius: 0.05}}], position: [0, 0, 0.06]}
  high: {material: soft, shapes: [{sphere: {radius: 0.04}}], position: [0.01, 0, 0.25]}
contact: {law: hertz, friction: none, resistance: none, watch: [[floor, low], [low, high], [floor, high]]}
run: {until: 0.3, tolerance: 1e-10, output: {step: 1e-4}}
)";

struct Record {
  std::shared_ptr<const Model> model;
  Recording rows;
  std::vector<EngineEvent> events;
};

Record record_of(const std::string& text) {
  Diagnostics diagnostics;
  const auto scene = read_scene_text(text, "record.yaml", {}, diagnostics);
  Record made;
  made.model = compile(scene.value(), diagnostics);
  MemoryWriter memory;
  RunOptions options;
  options.recorder = &memory;
  made.events = run(made.model, options).events;
  made.rows = memory.take();
  return made;
}

const Record& bounce() {
  static const Record record = record_of(kBounce);
  return record;
}

// A ball in a wide bowl and a tilted box on a floor, by their areas.
const std::string kAreas = R"(
carom: 1
materials: {soft: {density: 1000, youngs_modulus: 1e6, poissons_ratio: 0.3}}
bodies:
  bowl: {fixed: true, material: soft, shapes: [{graph: {z: "x^2 + 0.5*y^2", x: [-0.3, 0.3], y: [-0.3, 0.3]}}]}
  ball: {material: soft, shapes: [{sphere: {radius: 0.05}}], position: [0.02, 0.01, 0.052]}
  floor: {fixed: true, material: soft, shapes: [{half_space: {}}], position: [0, 0, -1]}
  box: {material: soft, shapes: [{box: {size: [0.1, 0.08, 0.06]}}], position: [0, 0, -0.965], rotation: [0.05, 0.03, 0]}
contact:
  {law: hertz, friction: none, area: {layer: 0.01}, watch: [[bowl, ball], [floor, box]], exclude: [[bowl, box], [floor, ball], [ball, box], [floor, bowl]]}
run: {until: 0.05, tolerance: 1e-8, output: {step: 1e-4, channels: [all]}}
)";

const Record& pressed() {
  static const Record record = record_of(kAreas);
  return record;
}

/// Kinds and whether all of a kind agree.
std::map<std::string, bool> verdicts(const Record& r) {
  std::map<std::string, bool> out;
  for (const Recomputed& c : recompute_contacts(*r.model, r.rows, r.events)) {
    const bool agrees = c.difference <= c.tolerance;
    out[c.kind] = (out.contains(c.kind) ? out[c.kind] : true) && agrees;
  }
  return out;
}

void change(Recording& rows, const std::string& column, const std::function<double(double)>& how) {
  const std::vector<std::string> names = column_names(rows.channels);
  const auto at =
      static_cast<std::size_t>(std::find(names.begin(), names.end(), column) - names.begin());
  ASSERT_LT(at, names.size()) << column;
  for (std::size_t i = at; i < rows.values.size(); i += names.size()) {
    rows.values[i] = how(rows.values[i]);
  }
}

TEST(OwnContacts, AgreeWithAnHonestRecord) {
  const std::map<std::string, bool> expected{
      {"energy", true}, {"events", true}, {"forces", true}, {"gaps", true}};
  EXPECT_EQ(verdicts(bounce()), expected);
  const auto met = std::count_if(bounce().events.begin(), bounce().events.end(),
                                 [](const EngineEvent& e) { return e.kind == "contact_begin"; });
  EXPECT_GE(met, 3);  // the floor, the other ball, the floor again: there is something to judge
}

TEST(OwnContacts, CatchAGapThatIsOffByANanometre) {
  Record r = bounce();
  change(r.rows, "contact(floor,low).phi", [](double phi) { return phi + 1e-9; });
  EXPECT_FALSE(verdicts(r)["gaps"]);
}

TEST(OwnContacts, CatchElasticEnergyThatIsOffByAMillionth) {
  Record r = bounce();
  change(r.rows, "energy.elastic", [](double energy) { return energy * (1.0 + 1e-6); });
  EXPECT_FALSE(verdicts(r)["energy"]);
}

TEST(OwnContacts, CatchAForceThatIsOffByAPerCent) {
  Record r = bounce();
  change(r.rows, "low.contact_force.z", [](double force) { return 1.01 * force; });
  change(r.rows, "contact(floor,low).force.z", [](double force) { return 1.01 * force; });
  change(r.rows, "contact(low,high).force.z", [](double force) { return 1.01 * force; });
  EXPECT_FALSE(verdicts(r)["forces"]);
}

TEST(OwnContacts, AreasAgreeWithAnotherQuadrature) {
  std::size_t values = 0;
  for (const Recomputed& c : recompute_contacts(*pressed().model, pressed().rows, {})) {
    if (c.kind != "areas") continue;
    EXPECT_LE(c.difference, c.tolerance) << c.what;
    values += c.values;
  }
  EXPECT_GT(values, 40u);  // areas and forces of both pairs: there is something to judge
}

TEST(OwnContacts, CatchAnAreaOrItsForceThatIsOffByAPerCent) {
  for (const char* pair : {"contact(bowl,ball)", "contact(floor,box)"}) {
    for (const char* column : {".contact_area", ".force.normal"}) {
      Record r = pressed();
      change(r.rows, std::string(pair) + column, [](double x) { return 1.01 * x; });
      EXPECT_FALSE(verdicts(r)["areas"]) << pair << column;
    }
  }
}

TEST(OwnContacts, CatchAReactionThatIsNotTheAction) {
  Record r = bounce();
  change(r.rows, "contact(low,high).force.z", [](double force) { return -force; });
  EXPECT_FALSE(verdicts(r)["forces"]);
}

TEST(OwnContacts, CatchAnInstantThatIsTwoRowsOff) {
  for (const double shift : {-2e-4, 2e-4}) {
    for (std::size_t i = 0; i < bounce().events.size(); ++i) {
      Record r = bounce();
      r.events[i].time += shift;
      EXPECT_FALSE(verdicts(r)["events"]) << r.events[i].kind << " moved by " << shift;
    }
  }
}

TEST(OwnContacts, CatchAnEventThatIsMissing) {
  for (std::size_t i = 0; i + 1 < bounce().events.size(); ++i) {
    Record r = bounce();
    r.events.erase(r.events.begin() + static_cast<std::ptrdiff_t>(i));
    EXPECT_FALSE(verdicts(r)["events"]) << i;
  }
}

TEST(OwnContacts, CatchAPoseThatIsNotWhereTheForcesAre) {
  Record r = bounce();
  change(r.rows, "low.position.z", [](double z) { return z + 1e-6; });
  EXPECT_FALSE(verdicts(r)["gaps"]);
  EXPECT_FALSE(verdicts(r)["energy"]);
}

// Two algorithms: the closed forms, and the general distance of convex bodies.
TEST(OwnGaps, AreTheDistancesOfTheGeneralSearch) {
  const auto shape = [](const char* kind, std::vector<double> params) {
    return make_shape({.kind = find_shape_kind(kind), .params = std::move(params)});
  };
  const Shape shapes[] = {shape("half_space", {}),       shape("sphere", {0.1}),
                          shape("capsule", {0.05, 0.3}), shape("box", {0.4, 0.3, 0.2}),
                          shape("cylinder", {0.1, 0.3}), shape("ellipsoid", {0.3, 0.2, 0.1})};
  int compared = 0;
  for (const Shape& a : shapes) {
    for (const Shape& b : shapes) {
      if (!has_own_gap(a, b)) continue;
      for (const double height : {0.2, 0.45, 1.0}) {
        Pose X = Pose::rotation(to_matrix(normalized(Quat{0.8, 0.1, -0.5, 0.3})));
        X.p = {0.3, -0.2, height};
        const auto own = own_gap(a, {}, b, X);
        if (!own) continue;
        EXPECT_NEAR(*own, distance(a.core, {}, b.core, X).phi, 1e-13)
            << a.kind->name << " and " << b.kind->name;
        ++compared;
      }
    }
  }
  EXPECT_GT(compared, 30);
}

}  // namespace
}  // namespace carom::verify
