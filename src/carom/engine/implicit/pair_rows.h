// One contact as rows of the velocity problem: where it presses, how stiff and how damped each
// point is, and how it rubs.
//
// Points are those of the springs of contact_springs.h, or of the manifold, with the bodies moved
// together by what the step may bring (`reach`), so that a corner that lands within the step has
// its row. Each point keeps the secant stiffness that it has where its own speed leads. What the
// gradient of the energy is beyond forces along the normal does not act: a torque that vanishes
// with the tilt of a face.
#pragma once

#include <array>

#include "carom/engine/contact/contact_part.h"
#include "carom/engine/contact/contact_points.h"
#include "carom/math/step_problem.h"

namespace carom {

/// Bristles no stiffer than what slips over their length within a step at this speed [m/s]: what is
/// held gives way by no more than that, and stiffer ones would be nothing but rounding.
inline constexpr double kSlowSlip = 1e-5;

/// Friction and resistance of a contact per normal force, frozen for a step.
struct RubTerms {
  double mu = 0.0;         ///< bound over the normal force
  double stiffness = 0.0;  ///< of the bristle over the normal force [1/m]; or, by speed, slope h
  bool has_memory = false;
  double law_stiffness = 0.0;  ///< of the law's own bristles over the normal force [1/m]
  double patch = 0.0;          ///< of the patch, whatever the normal force [N/m]
  double patch_unit = 1.0;     ///< of its force over what is remembered: that is N, or m
  double lag = 0.0;            ///< damping of the bristles over their stiffness [s]
  double viscous = 0.0;        ///< further, over the normal force [s/m]; of a patch, [N.s/m]
  double rolling = 0.0, rolling_slope = 0.0;    ///< lever [m], and its slope at rest [m.s]
  double spinning = 0.0, spinning_slope = 0.0;  ///< the same about the normal
};

struct PointRow {
  Vec3 p;  ///< world
  NormalRow row;
};

struct PairRows {
  Vec3 normal;  ///< from A to B
  std::vector<PointRow> points;
  double probe = 0.0;   ///< a depth that the step may bring [m]
  Vec3 centre;          ///< of pressure
  double radius = 0.0;  ///< of the patch
  double energy = 1.0;  ///< of the contact over that of its rows, which may be chords of its force

  /// Depth of the deepest point where the step begins, 0 where all are apart [m].
  double deepest() const;
};

/// Where the states of a contact's slot begin in x.
inline std::size_t slot_place(const Model& model, SlotId slot) {
  return model.size() +
         static_cast<std::size_t>(slot) * static_cast<std::size_t>(model.contact.slot.width);
}

/// A point with the law of the pair: `in` has its stiffness, `out.probe` the depth at which a law
/// that is no spring of the material is asked.
void add_row(const PairState& s, const Vec3& p, const NormalInput& in, double depth, PairRows& out);

/// Points and normal rows of elastic contact whose gap is at most `look.reach`, as stiff as they
/// are where the bodies have come together by `look.way`; false where there are none.
bool find_rows(const PairState& s, const Contact& contact, const StepReach& look,
               ContactScratch& scratch, PairRows& out);

/// The law of friction as the step takes it; `slip` and the relative angular velocity `turn` are
/// those before the step.
RubTerms find_rub(const PairState& s, const PairRows& rows, double h, double slip,
                  const Vec3& turn);

}  // namespace carom
