// The mechanisms of the forward-dynamics benchmark, stated once for all engines.
//
// Bodies are listed parents first, a subtree at a time. A body's frame is its joint
// frame: X_PF places it in the parent's frame at q = 0, and a hinge turns about its
// z axis. A free body has q = (quaternion w x y z, position) and v = (angular
// velocity, velocity of the origin), tau = (torque about the origin, force), all in
// world axes; engines with other conventions convert outside the timed part.
// C++17 and plain arrays: the headers of some peers are not yet C++20.
#pragma once

#include <array>
#include <string>
#include <vector>

namespace carom::bench {

inline constexpr double kGravity = 9.81;  ///< along −z [m/s²]

struct BodySpec {
  int parent = -1;  ///< −1: the world
  bool free = false;
  std::array<double, 9> R_PF{};  ///< row-major
  std::array<double, 3> p_PF{};
  double mass = 0.0;
  std::array<double, 3> com{};       ///< in the body frame
  std::array<double, 6> I_com{};     ///< xx yy zz xy xz yz about the centre of mass, body axes
  std::array<double, 6> I_origin{};  ///< the same about the origin of the body frame
};

struct ModelSpec {
  std::string name;
  std::vector<BodySpec> bodies;

  int nq() const;
  int nv() const;
};

/// Seven hinges with the sizes and masses of a collaborative robot arm.
ModelSpec arm7();
/// A free pelvis with two legs of six hinges, two arms of five, waist and neck: 30 velocities.
ModelSpec humanoid30();
/// A hundred equal links with hinges whose axes turn by a quarter from link to link.
ModelSpec chain100();

struct State {
  std::vector<double> q, v, tau;
};

/// `count` random states: hinges within ±1 rad and ±1 rad/s, tau of a size that
/// holds the mechanism against gravity.
std::vector<State> random_states(const ModelSpec& model, int count, unsigned seed);

}  // namespace carom::bench
