// Force and moment of formula surfaces, by their area and by points, over poles and seams of a
// parametric egg on a plane and over crests and valleys of a graph under a ball: a hundred
// poses each along a random way, at a depth that stays.
//
// A step of force or moment beyond what the two neighbours let expect is looked at in a hundred
// poses more, and judged by the accuracy that is stated of areas; no reference is needed.
#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>
#include <vector>

#include "campaign.h"
#include "carom/geometry/shape.h"
#include "carom/math/rotation.h"
#include "carom/proximity/area/area_patch.h"
#include "carom/proximity/finder.h"

namespace carom::campaign {
namespace {

constexpr double kAccuracy = 1e-3;  // docs/contact-area.md
constexpr int kPoses = 100;

ShapePiece area_piece(const Shape& shape) {
  ShapePiece piece =
      shape.surface ? make_piece(*shape.surface, shape.core) : make_piece(shape.core, false);
  piece.has_area = true;
  return piece;
}

/// Force and moment about the middle of B, per stiffness.
struct SweptLoad {
  Vec3 force, moment;
};
struct SweptLoads {
  SweptLoad area, point;
};

std::vector<Contact> contacts_at(const ShapePiece& A, const ShapePiece& B, const Pose& X_WB) {
  constexpr double kMargin = 0.05;
  const Pose X_WA;
  std::vector<Contact> contacts;
  const ContactFinder& finder = finder_of(A, B);
  std::vector<DistanceCache> sites(1);
  if (finder.find_sites) {
    sites.clear();
    finder.find_sites({A, X_WA}, {B, X_WB}, kMargin, sites);
  }
  for (const DistanceCache& site : sites) {
    contacts.push_back(finder.find({A, X_WA}, {B, X_WB}, site, nullptr));
  }
  return contacts;
}

SweptLoads loads_of(const ShapePiece& A, const ShapePiece& B, const Pose& X_WB,
                    std::vector<Contact> contacts) {
  const Pose X_WA;
  std::erase_if(contacts, [](const Contact& c) { return !(c.phi < 0.0); });
  SweptLoads out;
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    const Contact& c = contacts[i];
    const Vec3 f = std::pow(-c.phi, 1.5) * c.n_AB_W;
    out.point.force += f;
    out.point.moment += cross(0.5 * (c.p_WCa + c.p_WCb) - X_WB.p, f);
    std::vector<AreaRival> rivals;
    for (std::size_t k = 0; k < contacts.size(); ++k) {
      if (k != i) rivals.push_back(rival_of(contacts[k], std::min(A.reach, B.reach)));
    }
    AreaPatch patch;
    find_area({A.core, X_WA, A.centre, A.reach, A.smooth},
              {B.core, X_WB, B.centre, B.reach, B.smooth}, c, 8, patch, rivals);
    for (std::size_t k = 0; k < static_cast<std::size_t>(patch.count); ++k) {
      const AreaPoint& p = patch.points[k];
      const Vec3 g = (p.u * p.area) * c.n_AB_W;
      out.area.force += g, out.area.moment += cross(p.p_W - X_WB.p, g);
    }
  }
  return out;
}

/// B along z until the deepest contact is `depth` deep, by Newton's method.
SweptLoads pressed(const ShapePiece& A, const ShapePiece& B, Pose& X_WB, double depth) {
  std::vector<Contact> contacts;
  for (int i = 0; i < 40; ++i) {
    contacts = contacts_at(A, B, X_WB);
    const auto deepest =
        std::min_element(contacts.begin(), contacts.end(),
                         [](const Contact& a, const Contact& b) { return a.phi < b.phi; });
    if (deepest == contacts.end()) {
      X_WB.p.z -= 0.02;
      continue;
    }
    if (std::abs(deepest->phi + depth) < 1e-9 * depth) break;
    X_WB.p.z -= (deepest->phi + depth) / deepest->n_AB_W.z;
  }
  return loads_of(A, B, X_WB, std::move(contacts));
}

/// The largest step of a course beyond what its neighbours let expect, where it is, and the
/// steepest slope of the moment; forces, and moments per size.
class Course {
 public:
  explicit Course(double size) : size_(size) {}
  void add(const SweptLoad& now, double way) {
    largest = std::max(largest, norm(now.force));
    const double step = std::max(norm(now.force - 2.0 * last_.force + before_.force),
                                 norm(now.moment - 2.0 * last_.moment + before_.moment) / size_);
    if (count_ > 1 && step > jump) jump = step, at = count_ - 1;
    if (count_ > 0) slope = std::max(slope, norm(now.moment - last_.moment) / size_ / way);
    before_ = last_, last_ = now, ++count_;
  }
  double largest = 0.0, jump = 0.0, slope = 0.0;
  int at = 1;

 private:
  double size_;
  SweptLoad before_, last_;
  int count_ = 0;
};

/// A way of poses, from s = -1 to 1.
struct Sweep {
  double size, length;  ///< of the body; of the way, in radians or sizes
  std::function<SweptLoads(double)> loads;
};

/// Goes the way, and once more between the neighbours of the largest step of each course: what is
/// smooth falls there with the square of the spacing, a jump stays.
Outcome judge(const Sweep& sweep, std::string label, std::string scene) {
  // A moment is a force at a lever: over a way of one radian, or of the size, it changes by no more
  // than some of it where nothing jumps.
  constexpr double kSteepest = 10.0;
  const double spacing = 2.0 / (kPoses - 1), finer = 2.0 * spacing / (kPoses - 1);
  Course area(sweep.size), point(sweep.size);
  for (int i = 0; i < kPoses; ++i) {
    const SweptLoads now = sweep.loads(i * spacing - 1.0);
    area.add(now.area, 0.5 * spacing * sweep.length);
    point.add(now.point, 0.5 * spacing * sweep.length);
  }
  Course area_near(sweep.size), point_near(sweep.size);
  for (const bool is_area : {true, false}) {
    const double from = ((is_area ? area.at : point.at) - 1) * spacing - 1.0;
    for (int i = 0; i < kPoses; ++i) {
      const SweptLoads now = sweep.loads(from + i * finer);
      if (is_area) area_near.add(now.area, 0.5 * finer * sweep.length);
      if (!is_area) point_near.add(now.point, 0.5 * finer * sweep.length);
    }
  }
  Outcome out;
  out.label = std::move(label), out.scene = std::move(scene), out.limit = kAccuracy;
  out.measure = std::max(area_near.jump / area.largest, point_near.jump / point.largest);
  const double slope = std::max(std::max(area.slope, area_near.slope) / area.largest,
                                std::max(point.slope, point_near.slope) / point.largest);
  if (slope > kSteepest) out.complaint = "slope of the moment " + exact_text(slope);
  return out;
}

Shape egg_of(const Vec3& r) {
  ShapeInput egg{.kind = find_shape_kind("parametric")};
  egg.formulas.texts = {{"x", "a*cos(u)*cos(v)"}, {"y", "b*sin(u)*cos(v)"}, {"z", "c*sin(v)"}};
  egg.formulas.ranges = {{"u", -std::numbers::pi, std::numbers::pi},
                         {"v", -0.5 * std::numbers::pi, 0.5 * std::numbers::pi}};
  egg.formulas.with = {{"a", r.x}, {"b", r.y}, {"c", r.z}};
  return make_shape(std::move(egg));
}

Shape wave_of(double height) {
  ShapeInput input{.kind = find_shape_kind("graph")};
  input.formulas.texts = {{"z", exact_text(height) + "*cos(2*pi*x)*cos(pi*y)"}};
  input.formulas.ranges = {{"x", -1.5, 1.5}, {"y", -1.5, 1.5}};
  return make_shape(std::move(input));
}

/// An egg on a plane, turned through the direction of a pole, or of a place of the seam.
Outcome sweep_egg(Dice& dice, bool over_pole) {
  const Vec3 r{dice.uniform(0.05, 0.1), dice.uniform(0.05, 0.1), dice.uniform(0.05, 0.1)};
  const Shape egg = egg_of(r), plane = make_shape({.kind = find_shape_kind("half_space")});
  const ShapePiece A = area_piece(plane), B = area_piece(egg);
  const double depth = 0.05 * dice.spread(1e-4, 0.05), latitude = dice.uniform(-1.2, 1.2);
  const Vec3 through = over_pole ? Vec3{0.0, 0.0, dice.chance(0.5) ? 1.0 : -1.0}
                                 : Vec3{-std::cos(latitude), 0.0, std::sin(latitude)};
  const Vec3 side{dice.uniform(-1, 1), dice.uniform(-1, 1), dice.uniform(-1, 1)};
  const Vec3 axis = normalized(cross(through, side));
  const Mat3 down = turn_between(through, Vec3{0.0, 1e-3, -std::sqrt(1.0 - 1e-6)});
  const double wide = dice.spread(1e-3, 1.0);
  const Sweep sweep{0.1, 2.0 * wide, [&](double at) {
                      Pose X{down * to_matrix(quat_exp((wide * at) * axis)), {0.0, 0.0, 0.1}};
                      return pressed(A, B, X, depth);
                    }};
  return judge(sweep, over_pole ? "pole" : "seam",
               "# egg of radii " + vector_text(r.x, r.y, r.z) + ", depth " + exact_text(depth) +
                   ", about " + vector_text(axis.x, axis.y, axis.z) + " by " + exact_text(wide) +
                   "\n");
}

/// A ball that fits into the hollows of a wave, over crest, saddle and valley.
Outcome sweep_valley(Dice& dice) {
  const double height = dice.uniform(0.01, 0.1);
  // Sharpest hollow: 1/(height 4 pi²).
  const double radius =
      dice.uniform(0.2, 0.8) / (height * 4.0 * std::numbers::pi * std::numbers::pi);
  const Shape ground = wave_of(height),
              ball = make_shape({.kind = find_shape_kind("sphere"), .params = {radius}});
  const ShapePiece A = area_piece(ground), B = area_piece(ball);
  const double depth = radius * dice.spread(1e-4, 1e-2), heading = dice.uniform(0.0, 6.3);
  const Vec3 along{std::cos(heading), std::sin(heading), 0.0};
  const Vec3 middle{dice.chance(0.5) ? 0.5 : 0.0, dice.uniform(-0.2, 0.2), 0.0};
  const double wide = dice.spread(1e-2, 0.5);
  const Sweep sweep{radius, 2.0 * wide / radius, [&](double at) {
                      Pose X{{}, middle + (wide * at) * along};
                      X.p.z = height + radius;
                      return pressed(A, B, X, depth);
                    }};
  return judge(sweep, "valley",
               "# ball of radius " + exact_text(radius) + " on waves of " + exact_text(height) +
                   ", depth " + exact_text(depth) + ", heading " + exact_text(heading) + "\n");
}

Outcome run_case(std::uint64_t seed) {
  Dice dice(seed);
  const int kind = dice.below(3);
  return kind == 2 ? sweep_valley(dice) : sweep_egg(dice, kind == 0);
}

}  // namespace

extern const Campaign campaign_area_sweeps{
    .name = "area_sweeps",
    .doc = "a hundred poses each over poles, seams and valleys, by areas and by points",
    .measure = "step of force or moment that stays between closer poses, of the force",
    .count = 300,
    .run = run_case};

}  // namespace carom::campaign
