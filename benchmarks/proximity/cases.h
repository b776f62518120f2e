// Pairs of bodies, and poses of them whose signed distance and normal are known.
//
// A pose is made from the answer: a normal n, a point a of A whose outward normal is n
// and a point b of B whose outward normal is -n, put together so that b - a = d n. For
// d > 0 this is the distance. For d < 0 it is a local minimum of the depth; poses in
// which another direction is shallower are left out.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "engine.h"

namespace carom::bench {

struct Pair {
  std::string name;
  Body A, B;
};
std::vector<Pair> make_pairs();

struct KnownPose {
  Pose X_WA, X_WB;
  double d;
  Vec3 n;
};

enum class PoseClass { sep, near, shallow, deep };
inline constexpr const char* kClassNames[] = {"sep", "near", "shallow", "deep"};

/// `count` sequences of `length` poses each; in a sequence B turns by 0.01 rad, A by
/// 0.005 rad and the contact slides a little from one to the next.
std::vector<KnownPose> make_poses(const Pair& pair, PoseClass c, int count, int length,
                                  unsigned seed);

}  // namespace carom::bench
