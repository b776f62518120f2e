// A row of the force catalogue (multibody/forces/, one file each).
//
// A force element acts between two attachments K1 (`from`) and K2 (`to`), or, as a
// load, on one. Its law may be overridden by formulas in the local variables x
// (deflection) and v (its rate), or driven by signals.
#pragma once

#include <span>
#include <string_view>

#include "carom/base/param.h"
#include "carom/math/pose.h"
#include "carom/math/spatial.h"

namespace carom {

/// Position, orientation and velocity of an attachment, in the world.
struct AttachmentState {
  Mat3 R_WK;
  Vec3 p_WK;
  Motion V_WK;  ///< about p_WK
};

/// The value of a law that overrides a row's own, at the current deflection.
struct LawValue {
  bool given = false;
  bool driven = false;   ///< depends on time or channels: its work is drive work
  double force = 0.0;    ///< f(x, v)
  double elastic = 0.0;  ///< f(x, 0): the rest of f is damping
  double energy = 0.0;   ///< integral of f(s, 0) from 0 to x, where energies are asked for
};

/// What a force element sees.
struct ForceInput {
  AttachmentState from, to;
  std::span<const double> params;
  std::span<const double> signals;  ///< loads: the components
  std::span<const LawValue> laws;   ///< others: overriding laws, one per deflection
  bool in_body_axes = false;        ///< loads: components turn with the body
};

/// What it gives back: the wrench on `to` about p_WK2; `from` gets the reaction about
/// the same point.
struct ForceOutput {
  Wrench on_to;
  double elastic = 0.0;                    ///< stored energy [J]
  double damping_power = 0.0;              ///< dissipated, >= 0 for positive dampers [W]
  double drive_power = 0.0;                ///< brought in by signals [W]
  double model_power = 0.0;                ///< brought in by approximations of the law [W]
  double reading[6] = {0, 0, 0, 0, 0, 0};  ///< what the element reports as channels
};

struct ForceReading {
  const char* name;
  const char* unit;
};

struct ForceKind {
  const char* name;
  const char* doc;
  std::span<const ParamField> fields;
  bool is_load;              ///< acts on `to` only
  int signal_count;          ///< components (loads) or laws (others)
  const char* signal_field;  ///< key under which the scene gives them
  std::span<const ForceReading> readings;
  /// Deflections and rates that overriding laws see as x and v, one pair per law;
  /// null for loads.
  void (*deflections)(const ForceInput& in, double* x, double* v);
  void (*evaluate)(const ForceInput& in, ForceOutput& out);
};

std::span<const ForceKind* const> force_catalogue();
const ForceKind* find_force_kind(std::string_view name);

}  // namespace carom
