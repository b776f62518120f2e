// Flat round faces: what the points of a rim have in common.
//
// Gaps of body points over a plane are linear in where they are, and so are their rates, before and
// after an impact, and their accelerations: over the rim a value is a0 + a1 cos + a2 sin. Where
// that is least another point of the rim belongs to the problem, which is solved anew with it:
// cutting planes, of which few are needed.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "carom/engine/contact/rigid/rigid_planes.h"
#include "carom/engine/contact/rigid/rigid_settler.h"
#include "carom/math/dense.h"

namespace carom {
namespace {

constexpr double kTurn = 2.0 * std::numbers::pi;

/// What is least over a rim.
struct Lowest {
  double angle = 0.0, value = 0.0;
};

/// The least of the function through values at angles.
Lowest find_lowest(std::span<const double> angles, std::span<const double> values) {
  std::vector<double> A(9, 0.0), b(3, 0.0);
  for (std::size_t i = 0; i < angles.size(); ++i) {
    const double row[3] = {1.0, std::cos(angles[i]), std::sin(angles[i])};
    for (std::size_t j = 0; j < 3; ++j) {
      b[j] += row[j] * values[i];
      for (std::size_t k = 0; k < 3; ++k) A[3 * j + k] += row[j] * row[k];
    }
  }
  const std::vector<double> a = solve_min_norm(A, b);
  const double swing = std::hypot(a[1], a[2]);
  if (!(swing > 0.0)) return {0.0, a[0]};
  return {std::atan2(-a[2], -a[1]), a[0] - swing};
}

bool is_same_face(const Touch& a, const Touch& b) {
  return a.is_rim && b.is_rim && a.actor.pair == b.actor.pair &&
         rim_place(a.actor.site.feature).disc == rim_place(b.actor.site.feature).disc;
}

}  // namespace

bool RigidSettler::add_rim_point(const Touch& beside, double angle) {
  constexpr std::size_t kMost = 32;  // of one face
  constexpr double kSamePlace = 1e-6, kNearby = 0.05;
  Touch touch = beside;
  const std::uint32_t feature = rim_feature({rim_place(beside.actor.site.feature).disc, angle});
  const bool is_pressed = beside.actor.site.is_pressed;
  const double own = rim_place(feature).angle;
  std::size_t count = 0;
  for (const Touch& other : touches_) {
    if (!is_same_face(other, beside)) continue;
    const double apart = rim_place(other.actor.site.feature).angle - own;
    if (++count >= kMost || std::abs(std::remainder(apart, kTurn)) < kSamePlace) return false;
  }
  touch.actor.site = find_site(w_, w_.modes.contacts.pairs[touch.actor.pair], feature);
  touch.actor.site.is_pressed = is_pressed;
  const double rate = touch.actor.site.rate();
  if (touch.island >= 0) touch.speed_in = std::abs(rate) > still(touch) ? rate : 0.0;
  // Those that were added before and lie nearby are not needed beside it.
  std::erase_if(touches_, [&](const Touch& other) {
    const double apart = rim_place(other.actor.site.feature).angle - own;
    return other.is_added && is_same_face(other, touch) &&
           std::abs(std::remainder(apart, kTurn)) < kNearby;
  });
  touch.is_added = true;
  touches_.push_back(touch);
  std::ranges::stable_sort(touches_, {}, [](const Touch& t) { return t.actor.pair; });
  return true;
}

bool RigidSettler::cut_faces(std::span<Touch* const> own, std::span<const double> values,
                             double least) {
  for (std::size_t i = 0; i < own.size(); ++i) {
    if (!own[i]->is_rim) continue;
    const auto is_before = [&](std::size_t k) { return is_same_face(*own[k], *own[i]); };
    bool is_first = true;
    std::vector<double> angles, face;
    for (std::size_t k = 0; k < own.size(); ++k) {
      if (!is_before(k)) continue;
      is_first &= k >= i;
      angles.push_back(rim_place(own[k]->actor.site.feature).angle);
      face.push_back(values[k]);
    }
    if (!is_first || face.size() < 3) continue;
    const Lowest lowest = find_lowest(angles, face);
    if (lowest.value >= std::min(least, *std::ranges::min_element(face) + least)) continue;
    if (add_rim_point(*own[i], lowest.angle)) return true;
  }
  return false;
}

/// A face that is loaded off its middle has a point of the rim on that side, so that it tips there
/// and not over the straight line between two others. Whether one was added.
bool RigidSettler::lean_on_rims(std::span<Touch* const> staying) {
  constexpr double kOff = 0.3, kThere = 0.02;
  for (const Touch* first : staying) {
    if (!first->is_rim) continue;
    double x = 0.0, y = 0.0, sum = 0.0;
    for (const Touch* touch : staying) {
      if (!is_same_face(*touch, *first)) continue;
      const double angle = rim_place(touch->actor.site.feature).angle;
      sum += touch->pressure;
      x += touch->pressure * std::cos(angle), y += touch->pressure * std::sin(angle);
    }
    if (!(std::hypot(x, y) > kOff * sum)) continue;
    const double side = std::atan2(y, x);
    const auto is_there = [&](const Touch* touch) {
      const double apart = rim_place(touch->actor.site.feature).angle - side;
      return is_same_face(*touch, *first) && std::abs(std::remainder(apart, kTurn)) < kThere;
    };
    if (std::ranges::none_of(staying, is_there) && add_rim_point(*first, side)) return true;
  }
  return false;
}

/// Where faces come down, the points that come first.
void RigidSettler::note_faces() {
  for (int round = 0; round < 8; ++round) {
    std::vector<Touch*> all;
    std::vector<double> rates;
    double fastest = 0.0;
    for (Touch& touch : touches_) {
      all.push_back(&touch), rates.push_back(touch.actor.site.rate());
      fastest = std::max(fastest, std::abs(rates.back()));
    }
    if (fastest == 0.0 || !cut_faces(all, rates, -1e-6 * fastest)) return;
  }
}

}  // namespace carom
