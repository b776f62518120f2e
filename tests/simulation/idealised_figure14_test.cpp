// Figure 14 of Oestersötebier, Wang and Trächtler (2014): how the contact points of experiment 3
// move along the sides of the box while it slides over the edge of the plate.
#include <cmath>
#include <numbers>

#include "contact_runs.h"
#include "example_scenes.h"

namespace carom {
namespace {

using std::numbers::pi;

/// The displacement of a corner of the box along its sides after equation 7 of the paper: h/|sin
/// phi| and h/|cos phi|, but no farther than the next corner. From the pose of the box alone.
struct Displacement {
  double l, w;
};

Displacement displacement(Simulation& simulation, double sign_l, double sign_w) {
  const std::vector<double> p = simulation.value("box.position"),
                            q = simulation.value("box.orientation");
  const Mat3 R = to_matrix(Quat{q[0], q[1], q[2], q[3]});
  const Vec3 downhill{-std::cos(pi / 12), -std::sin(pi / 12), 0};
  const Vec3 corner = Vec3{p[0], p[1], p[2]} + R * Vec3{0.035 * sign_l, -0.025, 0.05 * sign_w};
  const Vec3 length = R * Vec3{1, 0, 0};
  const double across = std::abs(dot(length, downhill)), along = std::abs(length.z);
  const double h = std::max(0.0, dot(corner, downhill) - 0.125);
  const double size = std::hypot(across, along);
  return {std::min(0.07, h * size / across), std::min(0.1, h * size / along)};
}

/// When a displacement begins (1 mm) and is complete (0.6 mm from the next corner), as the
/// figure was read.
struct MovingTimes {
  double start = 0.0, full = 0.0;
  void see(double t, double value, double most) {
    if (start == 0.0 && value > 1e-3) start = t;
    if (full == 0.0 && value > most - 6e-4) full = t;
  }
};

struct MovingCorner {
  const char* name;
  double sign_l, sign_w;
  MovingTimes l, w;                  ///< of figure 14, read to 1.6 ms
  MovingTimes program_l, program_w;  ///< of an independent program; 0: in the flight
};

// Those of the program: the published algorithm, with velocities of material points.
constexpr MovingCorner kCorners[] = {
    {"b13", -1, -1, {.272, .344}, {.272, .380}, {.2723, .3445}, {.2725, .3828}},
    {"b14", 1, -1, {.345, .406}, {.345, .444}, {.3460, .4086}, {.3462, .4483}},
    {"b12", -1, 1, {.381, .441}, {.381, .495}, {.3842, .4442}, {.3844, 0}},
    {"b11", 1, 1, {.441, .480}, {.441, .516}, {.4445, 0}, {.4447, 0}}};

/// The run with which figure 14 is to be compared: friction along each axis by itself, and corners
/// that count twice, as in the published library.
std::vector<std::string> as_published() {
  return {"contacts.0.friction.per_axis=true", "contacts.0.law.c=2e7", "contacts.0.law.d=2e7"};
}

void expect_times(const std::string& name, const MovingTimes& ours, const MovingTimes& figure,
                  const MovingTimes& program) {
  // What remains against the figure is that the library takes velocities of its moving points:
  // the program, which does not, is as far from it as we are. The last three times are those of
  // a body in flight, which multiplies what was different before; there the published algorithm
  // itself misses the figure by 15 ms.
  EXPECT_NEAR(ours.start, figure.start, 0.0035) << name << " begins";
  EXPECT_NEAR(ours.full, figure.full, program.full > 0.0 ? 0.0045 : 0.017) << name << " ends";
  EXPECT_NEAR(ours.start, program.start, 0.0018) << name << " begins";
  if (program.full > 0.0) {
    EXPECT_NEAR(ours.full, program.full, 0.0018) << name << " ends";
  }
}

TEST(Idealised3, MovesItsPointsAtTheTimesOfFigure14) {
  Simulation simulation(testing::example_model("idealised_3", as_published()));
  MovingTimes l[4], w[4];
  for (int step = 2600; step < 5400; ++step) {
    const double t = 1e-4 * step;
    simulation.advance(t);
    for (std::size_t i = 0; i < 4; ++i) {
      const Displacement d = displacement(simulation, kCorners[i].sign_l, kCorners[i].sign_w);
      l[i].see(t, d.l, 0.07);
      w[i].see(t, d.w, 0.1);
    }
  }
  for (std::size_t i = 0; i < 4; ++i) {
    const MovingCorner& c = kCorners[i];
    expect_times(c.name + std::string("l"), l[i], c.l, c.program_l);
    expect_times(c.name + std::string("w"), w[i], c.w, c.program_w);
  }
  // Nothing is different yet when the first corner parts.
  EXPECT_NEAR(l[0].start, 0.272, 0.0016);
  EXPECT_NEAR(w[0].start, 0.272, 0.0016);
  EXPECT_NEAR(l[0].full, 0.344, 0.0016);
}

TEST(Idealised3, HasItsPointsWhereEquation7PutsThem) {
  Simulation simulation(testing::example_model("idealised_3"));
  for (const double t : {0.28, 0.3, 0.32}) {
    simulation.advance(t);
    const Displacement d = displacement(simulation, -1, -1);
    const std::vector<double> p = simulation.value("box.position"),
                              q = simulation.value("box.orientation");
    const Mat3 R = to_matrix(Quat{q[0], q[1], q[2], q[3]});
    ASSERT_EQ(simulation.value("contact(base,top).points")[0], 5.0);
    const Vec3 wanted[] = {{-0.035 + d.l, -0.025, -0.05}, {-0.035, -0.025, -0.05 + d.w}};
    for (const Vec3& point : wanted) {
      double nearest = kInf;
      for (int k = 1; k <= 5; ++k) {
        const std::vector<double> at =
            simulation.value("contact(base,top)." + std::to_string(k) + ".point");
        const Vec3 r{at[0] - p[0], at[1] - p[1], at[2] - p[2]};
        nearest = std::min(nearest, norm(transpose_times(R, r) - point));
      }
      // Equation 7 is that of parallel faces: corners sink in by some micrometres, unequally.
      EXPECT_LT(nearest, 2e-5) << t;
    }
  }
}

}  // namespace
}  // namespace carom
