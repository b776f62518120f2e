#include "carom/engine/implicit/force_rows.h"

#include <algorithm>
#include <cmath>

#include "carom/base/index.h"
#include "carom/math/rotation.h"

namespace carom {
namespace {

/// `to` moved by a small motion about its point.
AttachmentState moved(const AttachmentState& to, const Motion& by) {
  AttachmentState out = to;
  out.R_WK = to_matrix(quat_exp(by.w)) * to.R_WK;
  out.p_WK = to.p_WK + by.v;
  return out;
}

Motion along(const ForceRow& row, double s) {
  const double size = norm2(row.angular) + norm2(row.linear);
  return (s / size) * Motion{row.angular, row.linear};
}

/// Directions of the deflections: their rates for unit velocities of `to`.
void find_directions(const ForceElement& e, const ForceInput& at_rest, ForceRows& out) {
  double x[6], v[6];
  const std::size_t count = at(e.kind->signal_count);
  out.rows.assign(count, {});
  for (std::size_t k = 0; k < 6; ++k) {
    ForceInput in = at_rest;
    in.from.V_WK = in.to.V_WK = {};
    (k < 3 ? in.to.V_WK.w[k] : in.to.V_WK.v[k - 3]) = 1.0;
    e.kind->deflections(in, x, v);
    for (std::size_t i = 0; i < count; ++i) {
      (k < 3 ? out.rows[i].angular[k] : out.rows[i].linear[k - 3]) = v[i];
    }
  }
}

}  // namespace

void find_force_rows(Workspace& w, std::size_t element, ForceRows& out) {
  constexpr double kLittle = 1e-6;
  const ForceElement& e = w.model->forces[element];
  ForceInput in;
  in.from = attachment_state(w.tree, e.from), in.to = attachment_state(w.tree, e.to);
  in.params = std::span<const double>(w.parameters.force_params)
                  .subspan(at(e.param0), width(e.kind->fields));
  out.element = element;
  out.p = in.to.p_WK;
  const ForceOutput now = evaluate_force_between(w, element, in.from, in.to, true);
  out.on_to = now.on_to, out.energy = now.elastic, out.model_power = now.model_power;
  out.is_driven = now.drive_power != 0.0;
  AttachmentState from = in.from, to = in.to;
  // At rest relative to each other, wherever that goes.
  to.V_WK = shifted(from.V_WK, to.p_WK - from.p_WK);
  const Motion slip = in.to.V_WK - to.V_WK;
  out.elastic = evaluate_force_between(w, element, from, to, false).on_to;
  find_directions(e, in, out);
  std::erase_if(out.rows,
                [](const ForceRow& r) { return norm2(r.angular) + norm2(r.linear) == 0.0; });
  for (ForceRow& row : out.rows) {
    const double size = norm2(row.angular) + norm2(row.linear);
    const Motion direction{row.angular, row.linear};
    row.rate = dot(row.angular, slip.w) + dot(row.linear, slip.v);
    const Motion by = along(row, kLittle);
    AttachmentState ahead = moved(to, by);
    ahead.V_WK = shifted(from.V_WK, ahead.p_WK - from.p_WK);
    const Wrench pushed = evaluate_force_between(w, element, from, ahead, false).on_to;
    AttachmentState faster = to;
    faster.V_WK += by;
    const Wrench dragged = evaluate_force_between(w, element, from, faster, false).on_to;
    row.stiffness = std::max(0.0, -dot(direction, pushed - out.elastic) / (size * kLittle));
    row.damping = std::max(0.0, -dot(direction, dragged - out.elastic) / (size * kLittle));
  }
}

RubRow force_rub(const ForceRow& row, double h, double theta) {
  RubRow out;
  out.size = 1, out.bound = 1e300;
  out.stiffness = (row.stiffness * theta * h + row.damping) / h;
  if (out.stiffness > 0.0) out.bristle[0] = -row.damping * row.rate / out.stiffness;
  return out;
}

}  // namespace carom
