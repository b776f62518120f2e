// The experiments of Oestersötebier, Wang and Trächtler (2014) beside the curves that the paper
// prints of them, read from its vector graphics.
#include <cmath>
#include <numbers>

#include "contact_runs.h"
#include "example_scenes.h"

namespace carom {
namespace {

using std::numbers::pi;

// Read from the vector graphics of figure 11 (RecurDyn, solid to solid), every eighth vertex;
// the reading error is 0.14 mm.
TEST(Idealised1, FollowsTheSolidCurveOfFigure11) {
  constexpr double kCurve[][2] = {
      {0.01217, 0.049316}, {0.02129, 0.047811}, {0.0289, 0.045761},   {0.03701, 0.043163},
      {0.04513, 0.040016}, {0.05274, 0.036188}, {0.06085, 0.031678},  {0.06896, 0.026621},
      {0.07708, 0.021151}, {0.08519, 0.021972}, {0.0928, 0.025252},   {0.10091, 0.027989},
      {0.10903, 0.030041}, {0.11714, 0.031541}, {0.12677, 0.032364},  {0.14097, 0.032091},
      {0.1501, 0.030858},  {0.15973, 0.028534}, {0.16785, 0.025938},  {0.17697, 0.022382},
      {0.18508, 0.018417}, {0.19269, 0.015138}, {0.2008, 0.013497},   {0.20994, 0.010759},
      {0.21806, 0.00789},  {0.22718, 0.003653}, {0.23479, -0.000586}, {0.2429, -0.005643}};
  Simulation simulation(testing::example_model("idealised_1_figure"));
  double sum = 0.0;
  for (const auto& [t, y] : kCurve) {
    if (t > 0.0) simulation.advance(t);
    const double error = simulation.value("ball.position.y")[0] - y;
    sum += error * error;
  }
  EXPECT_LE(std::sqrt(sum / std::size(kCurve)), 2e-4);
}

// Figure 12 (Dymola), read to 0.06 rad/s and 0.9 ms, in which the spin grows by 0.07 rad/s.
TEST(Idealised2, SpinsAsInFigure12) {
  constexpr double kSpin[][2] = {{0.06, 4.42}, {0.1, 7.38},   {0.2, 15.0},
                                 {0.3, 22.62}, {0.35, 26.46}, {0.44, 28.83}};
  Simulation simulation(testing::example_model("idealised_2"));
  for (const auto& [t, spin] : kSpin) {
    simulation.advance(t);
    EXPECT_NEAR(simulation.value("roll.angular_velocity.x")[0], spin, 0.13) << t;
  }
}

// Figure 13, its ordinate times four, read to 3 mm: both programs of the paper while the box is
// on the plate; in the flight after it the box is between their curves.
TEST(Idealised3, FollowsTheCurvesOfFigure13) {
  constexpr double kCurve[][3] = {{0.05, 0.0, 0.063},
                                  {0.1, -0.003, 0.028},
                                  {0.2, -0.034, 0.017},
                                  {0.3, -0.085, 0.003},
                                  {0.4, -0.157, -0.017}};
  Simulation simulation(testing::example_model("idealised_3"));
  for (const auto& [time, x, y] : kCurve) {
    simulation.advance(time);
    EXPECT_NEAR(simulation.value("box.position.x")[0], x, 0.003) << time;
    EXPECT_NEAR(simulation.value("box.position.y")[0], y, 0.003) << time;
  }
  simulation.advance(0.8);
  EXPECT_LT(simulation.value("box.position.y")[0], -0.891) << "Dymola";
  EXPECT_GT(simulation.value("box.position.y")[0], -0.982) << "RecurDyn";
  EXPECT_NEAR(simulation.value("box.position.x")[0], -0.4665, 0.0085) << "-0.472 and -0.461";
}

// ---- Figure 14: how contact points move along the sides of the box over the edge ----------

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
