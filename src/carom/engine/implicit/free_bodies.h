// Bodies as the implicit step moves them: by the velocity of the centre of mass and the angular
// velocity, in world axes. What a joint's coordinates are is known here alone.
#pragma once

#include "carom/engine/workspace.h"
#include "carom/math/rotation.h"

namespace carom {

struct FreeBody {
  int link = 0;
  double mass = 0.0;  ///< [kg]
  Vec3 centre;        ///< centre of mass, in link axes
  Sym3 inertia;       ///< about it, in link axes
  Sym3 inverse;

  // Of the step:
  Mat3 R;                   ///< attitude where it begins
  Vec3 p;                   ///< of the centre of mass
  Vec3 arm;                 ///< from where levers of contacts are measured: p, there or at the end
  Vec3 v, w;                ///< where it begins
  Vec3 v_free, w_free;      ///< at its end without contacts, in the axes where it begins
  Vec3 w_mean;              ///< of free rotation, in link axes
  Quat turn;                ///< free rotation over the step, in link axes
  Vec3 force, torque;       ///< applied, about the centre of mass
  Vec3 element, twist;      ///< of these: by elements between bodies
  int block = -1;           ///< of the velocity problem; -1: nothing comes near
  bool is_guessed = false;  ///< the step was begun before, and came to:
  Vec3 v_guess, w_guess;
};

/// Bodies that are free in the world, ascending by link.
std::vector<FreeBody> find_free_bodies(const Model& model);

/// After evaluate() without contacts: where the body is, how it moves, and would move freely.
void begin_free_motion(const Workspace& w, double h, FreeBody& body);

/// The same of a body that is left out of the step: what acts on it alone.
void begin_rest(const Workspace& w, FreeBody& body);

/// Writes its coordinates and velocities into x: at the centre of mass p, turned by `turn` (link
/// axes), moving with v and with w in link axes.
void put_body(const Model& model, const FreeBody& body, const Vec3& p, const Quat& turn,
              const Vec3& v, const Vec3& w_L, std::span<double> x);

}  // namespace carom
