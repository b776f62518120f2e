// What evaluations keep of rigid contacts: points, rows, forces, scratch.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "carom/engine/contact/rigid/rigid_memory.h"
#include "carom/engine/results/finding.h"
#include "carom/math/vec3.h"

namespace carom {

/// A point of a pair where the links are (rigid_sites.h).
struct RigidSite {
  RigidFeature feature = 0;
  double phi = 0.0;   ///< [m]
  Vec3 n, p_a, p_b;   ///< normal from A to B, witness points
  Vec3 p;             ///< half-way between these: where the bodies touch
  Vec3 t1, t2;        ///< tangents; n, t1, t2 is right-handed
  Vec3 u;             ///< velocity of B relative to A there
  Vec3 bias;          ///< of a in (2): all but the accelerations of the material points
  Vec3 n_dot;         ///< n'
  double turn = 0.0;  ///< n' . u
  /// Way to the border of the feature on which it lies, and its rate (rigid_features.h) [m], [m/s].
  double margin = std::numeric_limits<double>::infinity(), margin_rate = 0.0;
  Vec3 side;                ///< of the lowest point of a rim (rigid_rims.h), or where curves
                            ///< cross (rigid_form_sites.h); zero: it is none
  bool is_pressed = false;  ///< touches as good as flat, whatever its gap
  /// Of a point of a rim that lies flat: the same number for all of its face, and where it is; 0:
  /// it is none.
  RigidFeature face = 0;
  double angle = 0.0;
  double whirl = 0.0;  ///< angle by which it runs along a rim per time [rad/s]
  Vec3 slip() const { return u - dot(n, u) * n; }
  double rate() const { return dot(n, u); }
};

inline void add_tangents(RigidSite& site) {
  const Vec3 other = std::abs(site.n.x) < 0.6 ? Vec3{1, 0, 0} : Vec3{0, 1, 0};
  const Vec3 t = cross(site.n, other);
  site.t1 = t / norm(t), site.t2 = cross(site.n, site.t1);
}

/// A point that takes part in a problem.
struct RigidActor {
  std::size_t pair = 0;  ///< into ContactMemory::pairs
  RigidSite site;
};

struct RigidRows {
  std::size_t count = 0, width = 0;  ///< rows, velocities
  /// Of every point the row of its turning about the normal, kNone where it has no spin radius:
  /// they follow those of all points.
  std::vector<std::size_t> spin;
  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);
  /// Of every point the first one that it acts on, through whatever lies between: W is zero between
  /// points of different groups.
  std::vector<std::size_t> group;
  std::vector<double> J, response;  ///< count × width; M^-1 J^T, a row of it per row of J
  std::vector<double> W;            ///< count × count
  std::vector<double> push, moved;  ///< scratch
  std::vector<int> links;           ///< all of the tree

  double delassus(std::size_t i, std::size_t j) const { return W[i * count + j]; }
  /// J_i v.
  double product(std::size_t i, std::span<const double> v) const;
  /// v += M^-1 J_i^T r.
  void push_along(std::size_t i, double r, std::span<double> v) const;
};

/// A closed point and what it does.
struct RigidForce {
  RigidActor actor;
  std::size_t point = 0;  ///< into RigidMemory::points
  double normal = 0.0;    ///< [N]
  Vec3 friction;          ///< on B [N]
  Vec3 direction;         ///< of slip, where it slides
  double along = 0.0;     ///< lambda of an onset [m/s²]
  double drilling = 0.0;  ///< torque about the normal, on B [N.m]
};

/// Bodies that no impulse keeps apart: what is moved as prescribed presses them into each other.
struct RigidJam {
  std::size_t pair = 0;  ///< into ContactMemory::pairs
  double speed = 0.0;    ///< at which they go on [m/s]; 0: there are none
};

/// A closed point whose force fell below zero last. Where curvatures jump so does the force: the
/// point presses up to the border of what it touches, and beyond it nothing holds it. What is
/// decided on the border may see the near side only. Then the force pulls as soon as the run goes
/// on (rigid_settle.cpp), or falls again at the same instant (rigid_events.cpp): the point leaves.
struct RigidFall {
  double t = -1.0;
  PieceId piece_a = 0, piece_b = 0;
  std::uint32_t branch = 0;
  RigidFeature feature = 0;
  bool leaves = false;
};

/// Scratch and results of rigid contacts in a Workspace.
struct RigidData {
  std::vector<RigidForce> forces;  ///< of the closed points, at the state last evaluated
  std::vector<double> free;        ///< accelerations before loops and contacts
  RigidRows rows;
  std::vector<RigidActor> actors;
  std::vector<RigidSite> sites;  ///< of one pair
  std::vector<double> A, b;
  std::vector<double> sizes;  ///< of forces along rows of points [N]
  bool is_solved = true;
  RigidJam jam;  ///< of the time step that was accepted last
  RigidFall fall;
  std::vector<Finding> overlaps;  ///< not yet told
};

}  // namespace carom
