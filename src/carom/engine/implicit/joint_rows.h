// What acts along the coordinates of a tree's joints as rows of the velocity problem: springs and
// dampers, drives with their gains, stops, dry friction.
//
// A spring or a drive answers to the mean velocity u of the step with
//
//   f = P - S u,   S = k e + c,   |f| <= limit                                       (1)
//
// P the force at the coordinate where the step begins, e the time that the coordinate has moved
// when it is asked: the whole step, or half of it where the step resolves what it holds (theta).
// Stops are rows like those of contacts. Dry friction has the same slope up to a speed that is
// nothing.
#pragma once

#include "carom/engine/implicit/tree_blocks.h"
#include "carom/math/step_problem.h"

namespace carom {

struct JointRow {
  enum class Kind { stop, spring, drive, friction };
  Kind kind = Kind::spring;
  const DofElement* element = nullptr;
  double stiffness = 0.0, damping = 0.0;  ///< k, c of (1)
  double side = 0.0;                      ///< of a stop: +1 upper, -1 lower
  double stretch = 0.0;                   ///< of a spring where the step begins
  bool breaks_loose = false;              ///< friction: it slides, whatever its mode says
};

/// All rows of one tree, in the order of its group: stops, then the others.
struct JointGroup {
  int tree = -1;
  std::vector<JointRow> rows;
  std::vector<double> forces;  ///< in the answer
  bool always_acts = false;    ///< it stores energy, so that its tree never moves freely
};

/// What the elements of a joint may answer; stops first.
void find_joint_rows(const Workspace& w, const TreeBlocks& trees, JointGroup& group);
/// (1) for a step from t of length h; z are the further states and u the velocity of the coordinate
/// where it begins.
RubRow joint_rub(const Workspace& w, const JointRow& row, std::span<const double> z, double t,
                 double h, double theta, double u);
NormalRow joint_stop(const Workspace& w, const JointRow& row);

/// Energy that a row stores at the coordinate q [J].
double joint_energy(const JointRow& row, double q);

}  // namespace carom
