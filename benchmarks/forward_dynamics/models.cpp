#include "models.h"

#include <numbers>
#include <random>
#include <span>

#include "carom/math/pose.h"

namespace carom::bench {
namespace {

constexpr double kQuarter = std::numbers::pi / 2;

/// A solid cylinder of the given radius around the segment from a to b, with a small
/// skewness (an off-axis motor) so that no product of inertia vanishes.
BodySpec cylinder(int parent, const Pose& X_PF, double mass, double radius, const Vec3& a,
                  const Vec3& b) {
  const Vec3 along = b - a, com = 0.5 * (a + b);
  const double across = mass * radius * radius / 4.0;
  Sym3 I = (mass / 12.0) * point_inertia(along) + Sym3::diagonal({across, across, across}) +
           (across / norm2(along)) * outer(along);
  I += (0.2 * mass) * point_inertia({0.5 * radius, -0.3 * radius, 0.4 * radius});
  const Sym3 I_origin = I + mass * point_inertia(com);
  BodySpec body;
  body.parent = parent;
  for (std::size_t k = 0; k < 9; ++k) body.R_PF[k] = X_PF.R.m[k];
  body.p_PF = {X_PF.p.x, X_PF.p.y, X_PF.p.z};
  body.mass = mass;
  body.com = {com.x, com.y, com.z};
  body.I_com = {I.xx, I.yy, I.zz, I.xy, I.xz, I.yz};
  body.I_origin = {I_origin.xx, I_origin.yy, I_origin.zz, I_origin.xy, I_origin.xz, I_origin.yz};
  return body;
}

/// Adds a chain of hinges below `parent`; returns the index of its last body.
struct Segment {
  Mat3 R;
  Vec3 p;
  double mass, radius;
  Vec3 tip;
};
int add_limb(ModelSpec& model, int parent, std::span<const Segment> segments) {
  for (const Segment& s : segments) {
    model.bodies.push_back(cylinder(parent, {s.R, s.p}, s.mass, s.radius, {}, s.tip));
    parent = static_cast<int>(model.bodies.size()) - 1;
  }
  return parent;
}

}  // namespace

int ModelSpec::nq() const {
  int n = 0;
  for (const BodySpec& b : bodies) n += b.free ? 7 : 1;
  return n;
}

int ModelSpec::nv() const {
  int n = 0;
  for (const BodySpec& b : bodies) n += b.free ? 6 : 1;
  return n;
}

ModelSpec arm7() {
  const Mat3 up = rotation_x(kQuarter), down = rotation_x(-kQuarter);
  const Segment segments[] = {
      {Mat3{}, {0, 0, 0.33}, 4.9, 0.06, {0, -0.03, -0.12}},
      {down, {0, 0, 0}, 4.7, 0.06, {0, -0.14, 0.03}},
      {up, {0, -0.316, 0}, 3.2, 0.055, {0.05, 0.04, -0.07}},
      {up, {0.0825, 0, 0}, 3.6, 0.055, {-0.1, 0.1, 0.03}},
      {down, {-0.0825, 0.384, 0}, 3.1, 0.05, {0, 0.07, -0.2}},
      {up, {0, 0, 0}, 1.7, 0.045, {0.12, -0.03, -0.02}},
      {up, {0.088, 0, 0}, 1.5, 0.04, {0.02, 0.01, 0.12}},
  };
  ModelSpec model{"arm7", {}};
  add_limb(model, -1, segments);
  return model;
}

ModelSpec humanoid30() {
  ModelSpec model{"humanoid30", {}};
  BodySpec pelvis = cylinder(-1, Pose{}, 11.0, 0.11, {0, -0.12, 0.02}, {0, 0.12, 0.05});
  pelvis.free = true;
  model.bodies.push_back(pelvis);
  // From the axis of one hinge to the next: z (yaw), then x (roll), then y (pitch).
  const Mat3 z_to_x = rotation_y(kQuarter), x_to_y = rotation_x(-kQuarter) * rotation_y(-kQuarter);
  const Mat3 same{}, y_to_x = transpose(x_to_y);
  for (const double side : {-1.0, 1.0}) {
    const Segment leg[] = {
        {same, {0, 0.09 * side, -0.05}, 1.2, 0.05, {0, 0, -0.06}},
        {z_to_x, {0, 0, -0.06}, 1.6, 0.05, {0.04, 0, 0.02}},
        {x_to_y, {0, 0, 0}, 6.8, 0.07, {0.02, 0.4, 0.01}},
        {same, {0, 0.4, 0}, 3.4, 0.05, {0.01, 0.38, 0}},
        {same, {0, 0.38, 0}, 0.6, 0.03, {0.02, 0.03, 0}},
        {y_to_x, {0, 0, 0}, 1.3, 0.035, {0.02, 0.01, 0.2}},
    };
    add_limb(model, 0, leg);
  }
  const Segment waist[] = {{same, {0, 0, 0.12}, 24.0, 0.13, {0, 0.02, 0.42}}};
  const int torso = add_limb(model, 0, waist);
  const Segment neck[] = {{x_to_y, {0, 0, 0.46}, 4.6, 0.08, {0.02, -0.2, 0}}};
  add_limb(model, torso, neck);
  for (const double side : {-1.0, 1.0}) {
    const Segment arm[] = {
        {z_to_x, {0, 0.2 * side, 0.38}, 1.1, 0.04, {0.03, 0.05 * side, 0}},
        {x_to_y, {0, 0.03, 0}, 2.1, 0.045, {0, 0.27, 0.01}},
        {z_to_x, {0, 0.27, 0}, 0.9, 0.035, {0.05, 0.03, 0}},
        {x_to_y, {0, 0, 0}, 1.2, 0.03, {0, 0.24, 0.01}},
        {z_to_x, {0, 0.24, 0}, 0.5, 0.03, {0.02, 0.01, 0.09}},
    };
    add_limb(model, torso, arm);
  }
  return model;
}

ModelSpec chain100() {
  ModelSpec model{"chain100", {}};
  const Mat3 turn = rotation_x(kQuarter);
  for (int i = 0; i < 100; ++i) {
    const Pose X_PF = i == 0 ? Pose{turn, {}} : Pose{turn, {0.1, 0, 0}};
    model.bodies.push_back(cylinder(i - 1, X_PF, 0.4, 0.02, {}, {0.1, 0, 0}));
  }
  return model;
}

std::vector<State> random_states(const ModelSpec& model, int count, unsigned seed) {
  std::mt19937 gen(seed);
  std::uniform_real_distribution<double> unit(-1.0, 1.0);
  std::vector<State> states(static_cast<std::size_t>(count));
  for (State& s : states) {
    for (const BodySpec& body : model.bodies) {
      if (body.free) {
        const Quat r = quat_exp({unit(gen), unit(gen), unit(gen)});
        s.q.insert(s.q.end(), {r.w, r.x, r.y, r.z, unit(gen), unit(gen), unit(gen)});
      } else {
        s.q.push_back(unit(gen));
      }
      for (int k = 0; k < (body.free ? 6 : 1); ++k) {
        s.v.push_back(unit(gen));
        s.tau.push_back(0.1 * kGravity * body.mass * unit(gen));
      }
    }
  }
  return states;
}

}  // namespace carom::bench
