// A MuJoCo model from XML text, and its options.
#pragma once

#include <sstream>
#include <string>

#include "../../common/report.h"
#include "load_model.h"

namespace carom::bench {

/// What a user may choose; the defaults are MuJoCo's, except for the time step.
struct Options {
  std::string name;  ///< for the table
  double step = 2e-3;
  const char* integrator = "Euler";
  const char* cone = "pyramidal";
  std::string solref = "0.02 1";
  std::string solimp = "0.9 0.95 0.001 0.5 2";
  double impratio = 1.0;
  int noslip = 0;
  double friction = 0.0, gravity = 9.81;
  const char* solver = "Newton";
  int contacts = 500;  ///< room for as many
};

/// Contact as a spring and damper of its own: half a period lasts `contact_time`, `e` returns.
inline void set_direct_contact(Options& o, double contact_time, double e) {
  const double pi = 3.14159265358979323846;
  const double log_e = std::log(e), ratio = e < 1.0 ? -log_e / std::hypot(pi, log_e) : 0.0;
  const double w = pi / contact_time / std::sqrt(1.0 - ratio * ratio);
  char text[64];
  std::snprintf(text, sizeof text, "%.12g %.12g", -w * w, -2.0 * ratio * w);
  o.solref = text;
  o.solimp = "0.99999 0.99999 0.001 0.5 2";
}

struct World {
  mjModel* m = nullptr;
  mjData* d = nullptr;

  World(const Options& o, const std::string& bodies, const std::string& assets = "") {
    std::ostringstream xml;
    xml.precision(17);
    xml << "<mujoco><compiler angle='radian'/><option timestep='" << o.step << "' integrator='"
        << o.integrator << "' solver='" << o.solver << "' cone='" << o.cone << "' impratio='"
        << o.impratio << "' noslip_iterations='" << o.noslip << "' gravity='0 0 " << -o.gravity
        << "'/><size nconmax='" << o.contacts << "' njmax='" << 4 * o.contacts << "' nstack='"
        << 20000 * o.contacts << "'/><default><geom friction='" << o.friction
        << " 0.00001 0.00001' condim='" << (o.friction > 0.0 ? 3 : 1) << "' solref='" << o.solref
        << "' solimp='" << o.solimp << "'/></default>" << assets << "<worldbody>" << bodies
        << "</worldbody></mujoco>";
    m = load_model(xml.str());
    d = mj_makeData(m);
  }
  ~World() {
    mj_deleteData(d);
    mj_deleteModel(m);
  }
  World(const World&) = delete;
  World& operator=(const World&) = delete;
};

/// Right-hand sides per step.
inline long stages(const Options& o) { return std::string(o.integrator) == "RK4" ? 4 : 1; }

inline std::string engine_name() { return std::string("MuJoCo ") + mj_versionString(); }

inline std::string setting_of(const Options& o) {
  return o.name + " step " + short_number(o.step) + " s";
}

}  // namespace carom::bench
