#include "carom/engine/implicit/joint_rows.h"

#include <algorithm>
#include <cmath>

#include "carom/base/index.h"
#include "carom/engine/implicit/drive_slopes.h"

namespace carom {
namespace {

/// A joint that is held by friction creeps by no more than this [m/s, rad/s].
constexpr double kJointCreep = 1e-9;
constexpr double kNoLimit = 1e300;

/// Stiffness and damping of a drive as its coordinate feels them.
void read_gains(const Workspace& w, const DriveElement& d, const DofElement& e, JointRow& row) {
  switch (d.kind) {
    case DriveSpec::Kind::force: {
      const DriveSlopes slopes = drive_slopes(w, d.signal, e);
      // What pushes on is held over the step.
      row.stiffness = std::max(0.0, -slopes.position);
      row.damping = std::max(0.0, -slopes.velocity);
      break;
    }
    case DriveSpec::Kind::position: row.stiffness = d.stiffness, row.damping = d.damping; break;
    case DriveSpec::Kind::velocity: row.damping = d.damping; break;
    case DriveSpec::Kind::cascade:
      row.stiffness = d.ratio * d.ratio * d.gain * d.inner_gain;
      row.damping = d.ratio * d.ratio * d.gain;
      break;
  }
  if (!e.has_position) row.stiffness = 0.0;
}

/// P of a drive. References that depend on time alone are those of the time that is asked for.
double drive_push(const Workspace& w, const DriveElement& d, const JointRow& row,
                  std::span<const double> z, double t, double u) {
  const DofElement& e = *row.element;
  const bool is_timed = w.signals.is_timed[at(d.signal)] != 0;
  const bool is_constant = w.signals.all[at(d.signal)].is_constant();
  const double reference = is_timed && !is_constant ? w.signals.all[at(d.signal)].jet(t).value
                                                    : w.signals.values[at(d.signal)];
  const double q = e.has_position ? w.q[at(e.q)] : 0.0;
  const double kept = d.state >= 0 ? z[at(d.state)] : 0.0;
  switch (d.kind) {
    case DriveSpec::Kind::force: return reference + row.damping * u;
    case DriveSpec::Kind::position: {
      const bool feed = d.rate_feedforward && d.damping != 0.0 && is_timed;
      const double rate = feed ? w.signals.all[at(d.signal)].jet(t).rate : 0.0;
      return d.stiffness * (reference - q) + d.damping * rate + d.integral * kept;
    }
    case DriveSpec::Kind::velocity: return d.damping * reference + d.integral * kept;
    case DriveSpec::Kind::cascade:
      return d.ratio * d.gain * (kept + d.inner_gain * d.ratio * (reference - q));
  }
  return 0.0;
}

}  // namespace

void find_joint_rows(const Workspace& w, const TreeBlocks& trees, JointGroup& group) {
  group.rows.clear();
  group.always_acts = false;
  using Kind = JointRow::Kind;
  const auto add = [&](const DofElement& e, Kind kind) -> JointRow& {
    group.rows.emplace_back();
    group.rows.back().kind = kind, group.rows.back().element = &e;
    return group.rows.back();
  };
  const auto is_own = [&](const DofElement& e) {
    return trees.place_of(e.v) >= 0 &&
           trees.of_link(w.model->joints[at(e.joint)].link) == group.tree;
  };
  for (const DofElement& e : w.parameters.dofs) {
    if (e.stop < 0 || !is_own(e)) continue;
    for (const double side : {1.0, -1.0}) {
      if (std::isfinite(side > 0.0 ? e.upper : e.lower)) add(e, Kind::stop).side = side;
    }
  }
  for (const DofElement& e : w.parameters.dofs) {
    if (!is_own(e)) continue;
    if (e.damping != 0.0 || (e.stiffness != 0.0 && e.has_position)) {
      JointRow& row = add(e, Kind::spring);
      row.damping = e.damping;
      if (e.has_position) row.stiffness = e.stiffness, row.stretch = w.q[at(e.q)] - e.rest;
      group.always_acts |= row.stiffness != 0.0;
    }
    if (e.drive >= 0) read_gains(w, w.parameters.drives[at(e.drive)], e, add(e, Kind::drive));
    if (e.friction >= 0) add(e, Kind::friction);
  }
}

RubRow joint_rub(const Workspace& w, const JointRow& row, std::span<const double> z, double t,
                 double h, double theta, double u) {
  const DofElement& e = *row.element;
  RubRow out;
  out.size = 1, out.bound = kNoLimit;
  if (row.kind == JointRow::Kind::friction) {
    const bool rests = w.modes.friction[at(e.friction)] == 0 && !row.breaks_loose;
    out.bound = rests ? e.stiction : e.coulomb;
    out.stiffness = out.bound / (h * kJointCreep);
    // It answers to the velocity at the end, so that what comes to rest does not turn back.
    if (theta < 1.0) out.lag = h, out.bristle[0] = -h * u;
    return out;
  }
  double push = -row.stiffness * row.stretch;
  if (row.kind == JointRow::Kind::drive) {
    const DriveElement& d = w.parameters.drives[at(e.drive)];
    push = drive_push(w, d, row, z, t + theta * h, u);
    out.bound = std::min(d.limit, kNoLimit);
  }
  const double slope = row.stiffness * theta * h + row.damping;  // S
  out.stiffness = std::max(slope / h, 1e-12 * (std::abs(push) + 1.0));
  out.bristle[0] = -push / out.stiffness;
  return out;
}

NormalRow joint_stop(const Workspace& w, const JointRow& row) {
  const DofElement& e = *row.element;
  const double q = w.q[at(e.q)];
  NormalRow out;
  out.depth = row.side > 0.0 ? q - e.upper : e.lower - q;
  out.linear = e.stop_stiffness, out.viscous = e.stop_damping;
  return out;
}

double joint_energy(const JointRow& row, double q) {
  const DofElement& e = *row.element;
  if (row.kind == JointRow::Kind::spring) {
    return 0.5 * row.stiffness * (q - e.rest) * (q - e.rest);
  }
  if (row.kind != JointRow::Kind::stop) return 0.0;
  const double depth = std::max(0.0, row.side > 0.0 ? q - e.upper : e.lower - q);
  return 0.5 * e.stop_stiffness * depth * depth;
}

}  // namespace carom
