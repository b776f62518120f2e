// MuJoCo with RK4, its most accurate integrator, at several fixed steps.
#include <sstream>

#include "../peers/mujoco/load_model.h"
#include "scenes.h"

namespace carom::bench {
namespace {

struct Simulation {
  mjModel* m = nullptr;
  mjData* d = nullptr;
  long steps_per_sample = 1;

  Simulation(const std::string& world, double step, double gravity) {
    steps_per_sample = std::lround(kSampleTime / step);
    std::ostringstream xml;
    xml.precision(17);
    xml << "<mujoco><compiler angle='radian'/><option integrator='RK4' timestep='"
        << kSampleTime / static_cast<double>(steps_per_sample) << "' gravity='0 0 " << -gravity
        << "'><flag contact='disable' constraint='disable'/></option><worldbody>" << world
        << "</worldbody></mujoco>";
    m = load_model(xml.str());
    d = mj_makeData(m);
  }
  ~Simulation() {
    mj_deleteData(d);
    mj_deleteModel(m);
  }
  Simulation(const Simulation&) = delete;
  Simulation& operator=(const Simulation&) = delete;

  template <class Measure>
  void run(const char* scene, double step, Measure measure) {
    Stopwatch watch;
    Drift drift;
    for (int sample = 0; sample < kSamples; ++sample) {
      watch.start();
      for (long i = 0; i < steps_per_sample; ++i) mj_step(m, d);
      watch.stop();
      measure(drift);
    }
    std::ostringstream setting;
    setting << "RK4 step " << step << " s";
    print_drift(scene, std::string("MuJoCo ") + mj_versionString(), setting.str(), watch,
                4 * kSamples * steps_per_sample, drift);
  }
};

void free_top(double step) {
  Simulation s("<body><freejoint/><inertial pos='0 0 0' mass='1' diaginertia='1 2 3'/></body>",
               step, 0.0);
  for (std::size_t k = 0; k < 3; ++k) s.d->qvel[3 + k] = FreeTop::w0[k];
  s.run("free_top", step, [&](Drift& drift) {
    const mjtNum* w = s.d->qvel + 3;  // body axes
    mjtNum L_body[3], L[3];
    for (std::size_t k = 0; k < 3; ++k) L_body[k] = FreeTop::inertia[k] * w[k];
    mju_rotVecQuat(L, L_body, s.d->qpos + 3);
    drift.sample(FreeTop::energy_error(w), FreeTop::momentum_error(L));
  });
}

void double_pendulum(double step) {
  std::ostringstream rod, world;
  rod.precision(17);
  rod << "<joint type='hinge' axis='0 1 0'/><inertial pos='0.5 0 0' mass='1' diaginertia='"
      << DoublePendulum::I_along << ' ' << DoublePendulum::I_across << ' '
      << DoublePendulum::I_across << "'/>";
  world << "<body>" << rod.str() << "<body pos='1 0 0'>" << rod.str() << "</body></body>";
  Simulation s(world.str(), step, kGravity);
  s.run("double_pendulum", step, [&](Drift& drift) {
    const double a = s.d->qpos[0], b = a + s.d->qpos[1];
    const double va = s.d->qvel[0], vb = va + s.d->qvel[1];
    // Rods at angle a and b below the x axis; centres at half length.
    const double vx1 = -0.5 * std::sin(a) * va, vz1 = -0.5 * std::cos(a) * va;
    const double vx2 = 2.0 * vx1 - 0.5 * std::sin(b) * vb, vz2 = 2.0 * vz1 - 0.5 * std::cos(b) * vb;
    const double height = -1.5 * std::sin(a) - 0.5 * std::sin(b);
    const double energy = 0.5 * (vx1 * vx1 + vz1 * vz1 + vx2 * vx2 + vz2 * vz2) +
                          0.5 * DoublePendulum::I_across * (va * va + vb * vb) + kGravity * height;
    drift.sample(energy / DoublePendulum::energy_range, 0.0);
  });
}

}  // namespace
}  // namespace carom::bench

int main() {
  using namespace carom::bench;
  for (const double step : {1e-2, 5e-3, 1e-3, 2.5e-4}) free_top(step);
  for (const double step : {1e-2, 5e-3, 1e-3, 2.5e-4}) double_pendulum(step);
  return 0;
}
