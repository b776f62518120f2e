// Energies, momenta and forces from recorded poses and velocities.
//
// Shares nothing with the engine's sums: only the masses and inertias of the bodies, the
// scene's gravity, and the rows of the result.
//
//   kinetic    sum of m |v_c|²/2 + w·I w/2, rotors ratio² J v²/2 added                    (1)
//   potential  sum of -m g·p_c, or -mu m/r in the field of a point                       (2)
//   momentum   sum of m v_c;  spin  sum of p_c x m v_c + I w, about the origin           (3)
//   own_force  of a body, all but its weight: m (v_c' - g), v_c' by differences          (4)
//   own_velocity  of a body's frame: differences of its positions
#pragma once

#include <string>
#include <vector>

#include "carom/engine/model.h"
#include "carom/record/recording.h"

namespace carom::verify {

/// Values per row of "own.kinetic", "own.potential", "own.momentum.x", "own.spin.z" or
/// "BODY.own_force.x" or "BODY.own_velocity.x"; empty if `name` is none of these or the rows lack
/// what it needs.
std::vector<double> own_column(const Model& model, const Recording& rows, const std::string& name);

/// Derivative of samples by differences of fourth order, lower near the ends and where the
/// grid changes.
std::vector<double> derivative(const std::vector<double>& time, const std::vector<double>& values);

}  // namespace carom::verify
