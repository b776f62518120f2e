// What a run can record: named quantities of the evaluated model.
//
// A channel belongs to an object ("ball.position") and to a group ("bodies"). The
// user selects by group, by object or by name; the same names are used in formulas,
// HDF5, CSV and Python.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "carom/engine/evaluate.h"
#include "carom/engine/results/ledger.h"

namespace carom {

struct OutputChannel {
  enum class What {
    body_position,
    body_orientation,
    body_velocity,
    body_angular_velocity,
    body_own_angular_velocity,  ///< in axes of the body
    joint_q,
    joint_v,
    joint_force,
    reaction_force,
    reaction_torque,
    drive_force,
    loop_force,
    loop_torque,
    coupling_force,
    marker_position,
    marker_velocity,
    marker_acceleration,
    force_reading,
    signal,
    state,
    energy,
    contact_force,
    contact_normal_force,
    contact_torque,
    contact_point,
    contact_normal,
    contact_distance,
    contact_closest_a,
    contact_closest_b,
    contact_slip,
    contact_power,
    contact_state,
    contact_impulse,
    contact_impacts,
    contact_area,
    contact_circumference,
    contact_pressure,
    contact_drilling,
    contact_peak_pressure,
    contact_rolling,
    surface_points,
    surface_area,
    surface_length,
    surface_point,
    surface_point_force,
    surface_point_gap,
    body_contact_force,
    body_contact_torque,
  };
  What what = What::body_position;
  int index = 0;      ///< of the object
  int component = 0;  ///< of readings and energies
  int width = 1;
  std::string name, group, unit, doc;
  std::vector<std::string> components;
  std::string object{}, quantity{};  ///< "ball" and "position" of "ball.position"
};

/// All channels of the model.
std::vector<OutputChannel> all_channels(const Model& model);
/// Names of the groups that all_channels uses.
std::vector<std::string> channel_groups();
/// Those that `selection` names (if it is empty all but `body_axes`); unknown names are reported.
std::vector<OutputChannel> select_channels(const Model& model,
                                           std::span<const std::string> selection,
                                           const SourcePos& where, Diagnostics& diagnostics);

/// The ledger at (t, x); evaluates the model. `reference` is total() at the start.
Ledger calc_ledger(Workspace& w, double t, std::span<const double> x, double reference);
/// The same where (t, x) was evaluated last.
Ledger read_ledger(Workspace& w, std::span<const double> x, double reference);

/// Values of the channels at (t, x), one after the other; evaluates the model.
void calc_outputs(Workspace& w, double t, std::span<const double> x,
                  std::span<const OutputChannel> channels, double energy_reference,
                  std::span<double> row);
/// The same where (t, x) was evaluated last.
void read_outputs(Workspace& w, std::span<const double> x, std::span<const OutputChannel> channels,
                  double energy_reference, std::span<double> row);

}  // namespace carom
