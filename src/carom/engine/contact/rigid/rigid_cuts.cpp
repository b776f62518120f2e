// Flat round faces: what the points of a rim have in common.
//
// Gaps of body points over a plane are linear in where they are, and so are their rates, before and
// after an impact, and their accelerations: over the rim a value is a0 + a1 cos + a2 sin. Where
// that is least another point of the rim belongs to the problem, which is solved anew with it:
// cutting planes, of which few are needed.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "carom/engine/contact/rigid/rigid_settler.h"
#include "carom/math/dense.h"

namespace carom {
namespace {

constexpr double kTurn = 2.0 * std::numbers::pi;

/// What is least over a rim.
struct Lowest {
  double angle = 0.0, value = 0.0;
};

/// Where a point lies on the plane of a disc: cosine and sine of its angle, if it is one of the
/// rim.
struct DiscPlace {
  double x = 0.0, y = 0.0;
};

/// The least over the rim of the function through values at places.
Lowest find_lowest(std::span<const DiscPlace> places, std::span<const double> values) {
  std::vector<double> A(9, 0.0), b(3, 0.0);
  for (std::size_t i = 0; i < places.size(); ++i) {
    const double row[3] = {1.0, places[i].x, places[i].y};
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
         a.actor.site.face == b.actor.site.face;
}

/// Whether a point lies on the plane of a face of which another is a point of the rim: it is one,
/// too, or a corner of what the face and that below it have in common.
bool is_on_face(const Touch& a, const Touch& rim) {
  constexpr double kFlat = 1e-12;
  if (a.is_rim) return is_same_face(a, rim);
  return a.actor.pair == rim.actor.pair && dot(a.actor.site.n, rim.actor.site.n) > 1.0 - kFlat;
}

DiscPlace place_of(const Touch& touch, const RigidDisc& disc) {
  const RigidSite& site = touch.actor.site;
  if (touch.is_rim) return {std::cos(site.angle), std::sin(site.angle)};
  const Vec3 from = site.p - disc.centre;
  return {dot(from, disc.e1) / disc.radius, dot(from, disc.e2) / disc.radius};
}

}  // namespace

bool RigidSettler::add_rim_point(const Touch& beside, double angle) {
  constexpr std::size_t kMost = 32;  // of one face
  constexpr double kSamePlace = 1e-6, kNearby = 0.05;
  Touch touch = beside;
  const ContactPair& pair = w_.modes.contacts.pairs[touch.actor.pair];
  const bool is_pressed = beside.actor.site.is_pressed;
  touch.actor.site =
      find_site(w_, pair, feature_of_rim(w_, pair, beside.actor.site.feature, angle));
  touch.actor.site.is_pressed = is_pressed;
  if (!(touch.actor.site.margin >= 0.0)) return false;  // beyond the face below
  const double own = touch.actor.site.angle;
  std::size_t count = 0;
  for (const Touch& other : touches_) {
    if (!is_same_face(other, beside)) continue;
    const double apart = other.actor.site.angle - own;
    if (++count >= kMost || std::abs(std::remainder(apart, kTurn)) < kSamePlace) return false;
  }
  const double rate = touch.actor.site.rate();
  if (touch.island >= 0) touch.speed_in = std::abs(rate) > still(touch) ? rate : 0.0;
  // Those that were added before and lie nearby are not needed beside it, unless they come back:
  // each brings the load to where the other was. What is kept ends with the number of points.
  std::erase_if(touches_, [&](const Touch& other) {
    const double apart = other.actor.site.angle - own;
    return !keeps_added_ && other.is_added && is_same_face(other, touch) &&
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
    const ContactPair& pair = w_.modes.contacts.pairs[own[i]->actor.pair];
    const RigidDisc disc = disc_of_rim(w_, pair, own[i]->actor.site.feature);
    bool is_first = true;
    std::vector<DiscPlace> places;
    std::vector<double> face;
    for (std::size_t k = 0; k < own.size(); ++k) {
      if (!is_on_face(*own[k], *own[i])) continue;
      is_first &= k >= i || !own[k]->is_rim;
      places.push_back(place_of(*own[k], disc));
      face.push_back(values[k]);
    }
    if (!is_first || face.size() < 3) continue;
    const Lowest lowest = find_lowest(places, face);
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
    const ContactPair& pair = w_.modes.contacts.pairs[first->actor.pair];
    const RigidDisc disc = disc_of_rim(w_, pair, first->actor.site.feature);
    double x = 0.0, y = 0.0, sum = 0.0;
    for (const Touch* touch : staying) {
      if (!is_on_face(*touch, *first)) continue;
      const DiscPlace place = place_of(*touch, disc);
      sum += touch->pressure;
      x += touch->pressure * place.x, y += touch->pressure * place.y;
    }
    if (!(std::hypot(x, y) > kOff * sum)) continue;
    const double side = std::atan2(y, x);
    const auto is_there = [&](const Touch* touch) {
      const double apart = touch->actor.site.angle - side;
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
