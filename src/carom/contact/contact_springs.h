// The elastic energy of a contact, and the force and moment that are its gradient.
//
// U is a sum over springs that are fixed to the bodies, a function of the relative pose alone
// (docs/elastic-contact.md has the derivation). The wrench is its exact gradient, so a contact
// gives back what went in, to rounding. Where it presses, points say how the normal part of the
// force is spread; friction and damping act there.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>

#include "carom/contact/spring_body.h"
#include "carom/math/pose.h"

namespace carom {

struct SpringPoint {
  Vec3 p_W;            ///< where it presses [m]
  double depth = 0.0;  ///< [m]
  double force = 0.0;  ///< along the normal, >= 0 [N]
};

struct ContactSprings {
  static constexpr int kMost = 64;
  double energy = 0.0;  ///< U [J]
  Vec3 n_W;             ///< of the face, towards the body that presses on it
  Vec3 force_W;         ///< on that body [N]
  Vec3 torque_W;        ///< on it about the origin of its shape [N·m]
  int count = 0;
  std::array<SpringPoint, kMost> points;
  /// Which terms of the energy act. U is smooth where this stays the same, and between has a kink
  /// in a higher derivative, too weak for an estimate of the error to stand out.
  std::uint64_t sides = 0;

  double size = 0.0;  ///< of the body that presses [m]
  double same = 0.0;  ///< points nearer to each other than this are one [m]

  void note(bool acts) { sides = (sides ^ (acts ? 1U : 2U)) * 1099511628211U; }

  /// Ends that lines share become one point. Where there is no room for more, neighbours do, over
  /// wider and wider stretches: points stay spread over all that presses.
  void add(const Vec3& p_W, double depth, double force) {
    if (!(force > 0.0)) return;
    const SpringPoint point{p_W, depth, force};
    while (!join(point, count)) {
      if (!(same < 4.0 * size)) return;  // not a number
      same = std::max(2.0 * same, kCoarsest * size);
      thin_out();
    }
  }
  void clear(double reach) {
    energy = 0.0, sides = 0, count = 0, force_W = torque_W = {};
    size = reach, same = 1e-6 * reach;
  }

 private:
  static constexpr double kCoarsest = 0.02;  ///< of the size: sixty points about its outline

  /// Puts a point among the first n; false where there is no room.
  bool join(const SpringPoint& point, int n) {
    int at = 0;
    while (at < n &&
           !(norm2(points[static_cast<std::size_t>(at)].p_W - point.p_W) <= same * same)) {
      ++at;
    }
    if (at == kMost) return false;
    SpringPoint& p = points[static_cast<std::size_t>(at)];
    count = std::max(at + 1, n);
    if (at == n) return p = point, true;
    const double sum = p.force + point.force;
    p.p_W = (1.0 / sum) * (p.force * p.p_W + point.force * point.p_W);
    p.depth = std::max(p.depth, point.depth), p.force = sum;
    return true;
  }
  void thin_out() {
    const int n = std::exchange(count, 0);
    for (int i = 0; i < n; ++i) {
      const SpringPoint point = points[static_cast<std::size_t>(i)];
      join(point, count);
    }
  }
};

/// Springs of a body on an unbounded plane: normal n_W, through the point p_W.
void springs_on_plane(const SpringBody& body, const Pose& X_WS, const Vec3& n_W, const Vec3& p_W,
                      double modulus, ContactSprings& out);

/// Springs of a body of flat faces on a bounded face of a base of flat faces, and of the face's
/// borders under the body.
void springs_on_face(const SpringBody& body, const Pose& X_WS, const SpringBody& base,
                     const Pose& X_WF, std::int32_t face, double modulus, ContactSprings& out);

}  // namespace carom
