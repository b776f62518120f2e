// Idealised surfaces and their contacts, as plain values.
#pragma once

#include <cmath>
#include <string>
#include <vector>

#include "carom/math/pose.h"
#include "carom/scene/contact_spec.h"

namespace carom {

/// Laws of their contacts where a scene says nothing.
inline constexpr const char* kSurfaceNormalLaw = "power";
inline constexpr const char* kSurfaceFrictionLaw = "makkar";
inline constexpr const char* kSurfaceResistanceLaw = "none";
inline constexpr double kSurfaceLayer = 1e-3;  ///< [m]

struct SurfaceSpec {
  std::string name;
  std::string body;
  std::string kind;            ///< a row of the catalogue of surfaces; "" if `shape` is given
  std::vector<double> params;  ///< of the row
  std::string shape;           ///< a named shape of the body
  Pose X_BS;
  std::string material;  ///< "" = the body's
  SourcePos where;
};

/// Two surfaces that touch.
struct SurfaceContactSpec {
  std::string first, second;
  ContactChoice choice;
  bool auto_law = false;        ///< c, d, n, m and t from materials and geometry
  double speed = 1.0;           ///< of the impacts whose restitution auto_law gives [m/s]
  double layer = std::nan("");  ///< thickness t [m]; NaN: the default
  bool lets_go = false;         ///< beyond the layer
  double low_pass = 0.0;        ///< of the points' movement [Hz]; 0: none
  SourcePos where;
};

}  // namespace carom
