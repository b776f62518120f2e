// What two surfaces are to each other: the constants from which laws take theirs.
#pragma once

#include <utility>
#include <vector>

namespace carom {

/// How the coefficient of restitution depends on the approach speed v.
struct Restitution {
  enum class Kind {
    constant,     ///< e = value
    table,        ///< e interpolated linearly in v, constant outside
    power,        ///< e = min(1, value (v / reference)^-exponent)
    regularised,  ///< Modia3D (2019): from least at rest to value above v_small
  };
  Kind kind = Kind::constant;
  double value = 0.7;                            ///< [-]
  double exponent = 0.25;                        ///< power: 1/4 is plastic impact of metals [-]
  double reference = 1.0;                        ///< power [m/s]
  std::vector<std::pair<double, double>> table;  ///< (speed [m/s], e)
};

struct PairMaterial {
  double modulus = 0.0;       ///< E* = k_red / ((1-nu1²)/E1 + (1-nu2²)/E2) [Pa]
  double shear_ratio = 0.82;  ///< 4 G*/E*, tangential over normal stiffness; 0.82 is nu = 0.3 [-]
  Restitution restitution;
  double mu_k = 0.5;              ///< sliding friction [-]
  double mu_s = 0.5;              ///< break-away friction, >= mu_k [-]
  double mu_r = 0.0;              ///< rolling resistance relative to the contact radius [-]
  double spin_radius = 0.0;       ///< of rigid contacts: lever of friction against drilling [m]
  double v_small = 0.01;          ///< speed below which slip and approach count as rest [m/s]
  double w_small = 0.01;          ///< the same for relative rotation [rad/s]
  double restitution_min = 1e-3;  ///< least e that a damping factor is computed from [-]
  double damping_max = 2000.0;    ///< largest factor of depth rate in a normal force [s/m]
  double yield_strength = -1.0;   ///< of the weaker solid [Pa]; < 0: not known
};

/// e at the approach speed v.
double restitution_at(const PairMaterial& material, double v);

}  // namespace carom
