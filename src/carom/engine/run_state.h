// Everything that decides how a run goes on, as one plain value: assignable, and bytes by one
// `visit` for checkpoints, saved states and other processes alike (base/archive.h).
//
// What is not in it follows from it: candidate lists are found anew, and the method starts anew,
// since integrators cannot save their history. So does the simulation that is saved (N14).
#pragma once

#include <string>
#include <string_view>

#include "carom/base/archive.h"
#include "carom/engine/results/evidence.h"
#include "carom/engine/workspace.h"

namespace carom {

struct RunState {
  std::uint64_t scene = 0;  ///< to which scene it belongs, run settings aside; 0: not said
  double time = 0.0;        ///< [s]
  std::vector<double> x;
  Parameters parameters;
  Modes modes;
  double energy_reference = 0.0;  ///< total of the ledger where the run began [J]
  Evidence evidence;
};

/// What keeps `state` from being one of this model: sizes, indices, numbers that are not finite.
/// Empty if it is one.
std::string state_problem(const Model& model, const RunState& state);

std::string to_bytes(const RunState& state);
/// Throws std::runtime_error if these are no bytes of a state, if they are damaged, or if another
/// version of Carom wrote them.
RunState run_state_from_bytes(std::string_view bytes);

/// A name for every entry of x up to Model::size(): those of contacts, which follow, come and go.
std::vector<std::string> state_names(const Model& model);

// The fields of its parts.

template <class Archive>
void visit(Archive& archive, Is<Vec3> auto& v) {
  auto& [x, y, z] = v;
  archive(x, y, z);
}

template <class Archive>
void visit(Archive& archive, Is<DofElement> auto& e) {
  auto& [joint, dof, q, v, has_position, stiffness, rest, damping, coulomb, stiction, lower, upper,
         stop_stiffness, stop_damping, drive, motion, friction, stop] = e;
  archive(joint, dof, q, v, has_position, stiffness, rest, damping, coulomb, stiction, lower, upper,
          stop_stiffness, stop_damping, drive, motion, friction, stop);
}

template <class Archive>
void visit(Archive& archive, Is<DriveElement> auto& d) {
  auto& [kind, element, signal, state, rate_feedforward, stiffness, damping, integral, limit, ratio,
         inner_gain, gain, time_constant] = d;
  archive(kind, element, signal, state, rate_feedforward, stiffness, damping, integral, limit,
          ratio, inner_gain, gain, time_constant);
}

template <class Archive>
void visit(Archive& archive, Is<GravitySpec> auto& g) {
  auto& [kind, uniform, center, mu] = g;
  archive(kind, uniform, center, mu);
}

template <class Archive>
void visit(Archive& archive, Is<Parameters> auto& p) {
  auto& [dofs, drives, force_params, constants, loop_enabled, gravity] = p;
  archive(dofs, drives, force_params, constants, loop_enabled, gravity);
}

template <class Archive>
void visit(Archive& archive, Is<DistanceCache> auto& c) {
  auto& [n_A, piece, count, apart, state, state_b, X_AB] = c;
  archive(n_A, piece, count, apart, state, state_b, X_AB.R.m, X_AB.p);
}

template <class Archive>
void visit(Archive& archive, Is<ContactStart> auto& s) {
  auto& [speed, restitution, settling] = s;
  archive(speed, restitution, settling);
}

template <class Archive>
void visit(Archive& archive, Is<SpringBase> auto& b) {
  auto& [kind, face, is_bounded, radius, scale] = b;
  archive(kind, face, is_bounded, radius, scale);
}

template <class Archive>
void visit(Archive& archive, Is<ContactGuard> auto& g) {
  auto& [stored, scale, share, rest, is_banked] = g;
  archive(stored, scale, share, rest, is_banked);
}

template <class Archive>
void visit(Archive& archive, Is<LoadTrack> auto& t) {
  auto& [peak_force, peak_time, peak_depth, slip, held_steps, passed_wall] = t;
  archive(peak_force, peak_time, peak_depth, slip, held_steps, passed_wall);
}

template <class Archive>
void visit(Archive& archive, Is<PairHistory> auto& h) {
  auto& [a, b, count, duration, impulse, track, energy_lost] = h;
  archive(a, b, count, duration, impulse, track, energy_lost);
}

template <class Archive>
void visit(Archive& archive, Is<RigidLift> auto& l) {
  auto& [height, since, until] = l;
  archive(height, since, until);
}

template <class Archive>
void visit(Archive& archive, Is<ContactSums> auto& s) {
  auto& [impulse, energy_lost] = s;
  archive(impulse, energy_lost);
}

template <class Archive>
void visit(Archive& archive, Is<ActedForce> auto& f) {
  auto& [normal, force, torque, at, has_torque] = f;
  archive(normal, force, torque, at, has_torque);
}

template <class Archive>
void visit(Archive& archive, Is<ContactPair> auto& p) {
  auto& [a, b, piece_a, piece_b, branch, law, part, own, mode, slot, begun, start, expected_depth,
         mass, deepest, constants, base, base_changed, guard, brought, load, acted, unpaid,
         rub_energy, told, home, home_b, volume, depth, foundation, inherits, share, lift, sums,
         warm, track] = p;
  archive(a, b, piece_a, piece_b, branch, law, part, own, mode, slot, begun, start, expected_depth,
          mass, deepest, constants, base, base_changed, guard, brought, load, acted, unpaid,
          rub_energy, told, home, home_b, volume, depth, foundation, inherits, share, lift, sums,
          warm, track);
}

template <class Archive>
void visit(Archive& archive, Is<ContactTotals> auto& t) {
  auto& [normal, friction, stored, bristle, published] = t;
  archive(normal, friction, stored, bristle, published);
}

template <class Archive>
void visit(Archive& archive, Is<RigidPoint> auto& p) {
  auto& [piece_a, piece_b, branch, feature, state, lift, direction, centre, side, spin, runs_out] =
      p;
  archive(piece_a, piece_b, branch, feature, state, lift, direction, centre, side, spin, runs_out);
}

template <class Archive>
void visit(Archive& archive, Is<RigidRecord> auto& r) {
  auto& [piece_a, piece_b, impacts, since_landing, impulse, limit] = r;
  archive(piece_a, piece_b, impacts, since_landing, impulse, limit);
}

template <class Archive>
void visit(Archive& archive, Is<StepImpulse> auto& s) {
  auto& [piece_a, piece_b, branch, feature, state, p, n, normal, friction, bounce, spin,
         bounce_spin] = s;
  archive(piece_a, piece_b, branch, feature, state, p, n, normal, friction, bounce, spin,
          bounce_spin);
}

template <class Archive>
void visit(Archive& archive, Is<RigidMemory> auto& m) {
  auto& [points, records, lost_normal, lost_friction, steps, step] = m;
  archive(points, records, lost_normal, lost_friction, steps, step);
}

template <class Archive>
void visit(Archive& archive, Is<ElementEnd> auto& e) {
  auto& [p_a, p_b, depth, speed, bristle] = e;
  archive(p_a, p_b, depth, speed, bristle);
}

template <class Archive>
void visit(Archive& archive, Is<TriangleElement> auto& e) {
  auto& [piece_a, piece_b, a, b, time, ends] = e;
  archive(piece_a, piece_b, a, b, time, ends);
}

template <class Archive>
void visit(Archive& archive, Is<ContactMemory> auto& m) {
  auto& [pairs, free_slots, slot_count, ended, history, rigid, elements] = m;
  archive(pairs, free_slots, slot_count, ended, history, rigid, elements);
}

template <class Archive>
void visit(Archive& archive, Is<Powers> auto& p) {
  auto& [damping, friction, drive, model] = p;
  archive(damping, friction, drive, model);
}

template <class Archive>
void visit(Archive& archive, Is<RestRecord> auto& r) {
  auto& [island, still, speed, q, force, torque] = r;
  archive(island, still, speed, q, force, torque);
}

template <class Archive>
void visit(Archive& archive, Is<Modes> auto& m) {
  auto& [friction, stop, loop_active, contacts, work, rows, shortest_contact, fixed_step, banks,
         step_loss, step_lift, acted_span, rests] = m;
  archive(friction, stop, loop_active, contacts, work, rows, shortest_contact, fixed_step, banks,
          step_loss, step_lift, acted_span, rests);
}

template <class Archive>
void visit(Archive& archive, Is<Finding> auto& finding) {
  auto& [name, subject, value, limit, grade, text] = finding;
  archive(name, subject, value, limit, grade, text);
}

template <class Archive>
void visit(Archive& archive, Is<EnergyWatch> auto& watch) {
  auto& [start, potential, lowest, put_in, drive, switches, residual, model, taken, given, gain] =
      watch;
  archive(start, potential, lowest, put_in, drive, switches, residual, model, taken, given, gain);
}

template <class Archive>
void visit(Archive& archive, Is<Evidence> auto& e) {
  auto& [energy, findings] = e;
  archive(energy, findings);
}

template <class Archive>
void visit(Archive& archive, Is<RunState> auto& s) {
  auto& [scene, time, x, parameters, modes, energy_reference, evidence] = s;
  archive(scene, time, x, parameters, modes, energy_reference, evidence);
}

}  // namespace carom
