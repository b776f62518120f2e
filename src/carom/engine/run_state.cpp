#include "carom/engine/run_state.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <tuple>

#include "carom/base/index.h"
#include "carom/engine/contact/contact_part.h"
#include "carom/engine/events/joint_stop.h"
#include "carom/geometry/core_kinds.h"
#include "carom/geometry/triangle_surface.h"
#include "carom/proximity/pieces.h"

namespace carom {
namespace {

constexpr ArchiveFormat kFormat{"state", 6};

/// What of an element only the model says; the rest are numbers that may change.
bool is_same_element(const DofElement& a, const DofElement& b) {
  return a.joint == b.joint && a.dof == b.dof && a.q == b.q && a.v == b.v &&
         a.has_position == b.has_position && a.drive == b.drive && a.motion == b.motion &&
         a.friction == b.friction && a.stop == b.stop;
}
bool is_same_element(const DriveElement& a, const DriveElement& b) {
  return a.kind == b.kind && a.element == b.element && a.signal == b.signal && a.state == b.state;
}

bool has_nan(std::initializer_list<double> values) {
  return std::ranges::any_of(values, [](double v) { return std::isnan(v); });
}
bool all_finite(std::span<const double> values) {
  return std::ranges::all_of(values, [](double v) { return std::isfinite(v); });
}

std::string parameter_problem(const Parameters& of_model, const Parameters& p) {
  const bool fits =
      std::ranges::equal(
          p.dofs, of_model.dofs,
          [](const DofElement& a, const DofElement& b) { return is_same_element(a, b); }) &&
      std::ranges::equal(
          p.drives, of_model.drives,
          [](const DriveElement& a, const DriveElement& b) { return is_same_element(a, b); }) &&
      p.force_params.size() == of_model.force_params.size() &&
      p.constants.size() == of_model.constants.size() &&
      p.loop_enabled.size() == of_model.loop_enabled.size() &&
      p.gravity.kind == of_model.gravity.kind;
  if (!fits) return "its parameters are those of another scene";
  // Limits may be infinite; nothing may be no number.
  bool wrong = !all_finite(p.constants) || !all_finite(p.loop_enabled) ||
               !is_finite(p.gravity.uniform) || !is_finite(p.gravity.center) ||
               !std::isfinite(p.gravity.mu);
  for (const double v : p.force_params) wrong |= std::isnan(v);
  for (const DofElement& e : p.dofs) {
    wrong |= has_nan({e.stiffness, e.rest, e.damping, e.coulomb, e.stiction, e.lower, e.upper,
                      e.stop_stiffness, e.stop_damping});
  }
  for (const DriveElement& d : p.drives) {
    wrong |= has_nan({d.stiffness, d.damping, d.integral, d.limit, d.ratio, d.inner_gain, d.gain,
                      d.time_constant});
  }
  return wrong ? "one of its parameters is not a number" : "";
}

std::string mode_problem(const Model& model, const Modes& m) {
  const auto within = [](const auto& list, int largest) {
    return std::ranges::all_of(list, [=](int mode) { return std::abs(mode) <= largest; });
  };
  if (m.friction.size() != at(model.friction_count) || m.stop.size() != at(model.stop_count) ||
      m.loop_active.size() != model.loops.size()) {
    return "its joints are those of another scene";
  }
  if (!within(m.friction, 1) || !within(m.stop, kStopReleased) || !within(m.loop_active, 1) ||
      !all_finite({&m.work, 1}) || !all_finite(m.rows.values())) {
    return "a joint is in a mode that there is not";
  }
  if (!m.rests.empty() && m.rests.size() != model.tree.links.size()) {
    return "its bodies at rest are those of another scene";
  }
  for (const RestRecord& r : m.rests) {
    const bool is_link = r.island >= 0 && at(r.island) < m.rests.size();
    if (!is_link || !all_finite(std::array{r.still, r.speed}) || !all_finite(r.q) ||
        !is_finite(r.force) || !is_finite(r.torque)) {
      return "a body rests in a way that there is not";
    }
  }
  return {};
}

/// Whether the springs of a contact are those of its shapes.
bool is_base_of(const ContactModel& model, const ContactPair& p) {
  if (p.base.kind == SpringBase::points) return true;
  if (p.base.kind == SpringBase::point) return std::isfinite(p.base.radius);
  const bool a_presses = p.base.kind == SpringBase::a_on_b;
  if ((!a_presses && p.base.kind != SpringBase::b_on_a) || p.piece_b >= model.springs.size())
    return false;
  const SpringBody &own = model.springs[a_presses ? p.piece_a : p.piece_b],
                   &lender = model.springs[a_presses ? p.piece_b : p.piece_a];
  if (!own.is_known()) return false;
  const ShapePiece& plane = model.pieces[a_presses ? p.piece_b : p.piece_a];
  const bool is_plane = plane.core.kind == &core_half_space;
  if (is_plane != (p.base.face < 0)) return false;
  if (is_plane) return p.base.face == -1 && !p.base.is_bounded;
  if (at(p.base.face) >= lender.faces.size()) return false;
  // Flat ends of round bodies stand on a border by the facets that stand for them.
  const auto has_facets = [](const SpringBody& body) {
    return (body.facets.empty() ? body : body.facets.front()).is_faceted();
  };
  return !p.base.is_bounded || (has_facets(own) && has_facets(lender));
}

bool is_pair_of(const ContactModel& model, const ContactPair& p, int slot_count) {
  if (!(p.a < p.b) || p.b >= model.colliders.size()) return false;
  const auto is_of = [&](PieceId piece, ColliderId collider) {
    return piece < model.pieces.size() && model.pieces[piece].collider == collider;
  };
  if (!is_of(p.piece_a, p.a) || !is_of(p.piece_b, p.b)) return false;
  if (!model.laws.has(p.law) || !model.parts.has(p.part)) return false;
  if (p.own < -1 || p.own >= model.parts[at(p.part)]->own_count(model)) return false;
  // By which part two shapes touch the scene says: a part knows what to do with its own alone.
  if (p.own < 0 &&
      (p.law != model.law_of(p.a, p.b) || p.part != model.part_of_law[at(p.law)] ||
       !model.parts[at(p.part)]->takes(model.pieces[p.piece_a], model.pieces[p.piece_b]))) {
    return false;
  }
  const bool touches = p.mode == ContactMode::touching;
  if (!touches && p.mode != ContactMode::apart) return false;
  // In time steps rigid contacts touch without a slot.
  const bool needs_slot = touches && model.parts[at(p.part)] != &rigid_part;
  if (p.slot < (needs_slot ? 0 : -1) || p.slot >= (touches ? slot_count : 0)) return false;
  // The lighter of two fixed bodies, and a law without an impact, know no bound.
  if (has_nan({p.begun, p.start.speed, p.start.restitution, p.expected_depth, p.mass, p.deepest})) {
    return false;
  }
  if (!is_base_of(model, p) ||
      has_nan({p.guard.stored, p.guard.scale, p.guard.share, p.guard.rest, p.brought})) {
    return false;
  }
  if (!is_finite(p.acted.force) || !is_finite(p.acted.torque) || !is_finite(p.acted.at))
    return false;
  if (!is_finite(p.home) || !is_finite(p.home_b) || !is_finite(p.warm.n_A)) return false;
  if (!is_finite(p.warm.state) || !is_finite(p.warm.state_b) || !is_finite(p.warm.X_AB.p) ||
      !all_finite(p.warm.X_AB.R.m)) {
    return false;
  }
  if (p.inherits < -1 || p.inherits >= slot_count ||
      has_nan({p.share, p.load, p.unpaid, p.rub_energy, p.volume, p.depth, p.foundation,
               p.sums.impulse, p.sums.energy_lost})) {
    return false;
  }
  if (p.warm.count < 0 || p.warm.count > 3) return false;
  const Core *first = &model.pieces[p.piece_a].core, *second = &model.pieces[p.piece_b].core;
  if (p.warm.count > 0 && is_sought_from_b(*first, *second)) std::swap(first, second);
  for (int i = 0; i < p.warm.count; ++i) {
    if (!has_piece(*first, p.warm.piece[i][0]) || !has_piece(*second, p.warm.piece[i][1])) {
      return false;
    }
  }
  return true;
}

/// Whether the rigid points and records are of pieces that there are, and points of known pairs.
bool is_rigid_memory_of(const ContactModel& model, const ContactMemory& m) {
  const auto lift_is_finite = [](const RigidLift& l) {
    return all_finite(std::array{l.height, l.since, l.until});
  };
  const auto is_wrong_point = [&](const RigidPoint& p) {
    return p.state > RigidState::onset || !lift_is_finite(p.lift) || !is_finite(p.direction) ||
           !is_finite(p.side) || !is_finite(p.centre) || std::abs(static_cast<int>(p.spin)) > 2 ||
           std::ranges::none_of(m.pairs, [&](const ContactPair& q) {
             return q.piece_a == p.piece_a && q.piece_b == p.piece_b;
           });
  };
  const auto is_wrong_record = [&](const RigidRecord& r) {
    return std::max(r.piece_a, r.piece_b) >= model.pieces.size() || !is_finite(r.impulse) ||
           std::isnan(r.limit);
  };
  return std::ranges::none_of(m.rigid.points, is_wrong_point) &&
         std::ranges::none_of(m.rigid.records, is_wrong_record) &&
         all_finite(std::array{m.rigid.lost_normal, m.rigid.lost_friction}) &&
         std::ranges::all_of(m.pairs,
                             [&](const ContactPair& pair) { return lift_is_finite(pair.lift); });
}

/// Whether elements are of triangles that there are, in order, with finite numbers.
bool are_elements_of(const ContactModel& model, const ContactMemory& m) {
  const auto has_triangle = [&](std::uint32_t piece, std::uint32_t triangle) {
    if (piece >= model.pieces.size()) return false;
    // A half space is a tetrahedron there.
    const TriangleSurface* surface = model.pieces[piece].triangles;
    return triangle < (surface ? surface->triangles.size() : 4);
  };
  const auto is_usable = [](const ElementEnd& e) {
    return is_finite(e.p_a) && is_finite(e.p_b) && all_finite(e.depth) && all_finite(e.speed) &&
           is_finite(e.bristle[0]) && is_finite(e.bristle[1]);
  };
  const auto key = [](const TriangleElement& e) {
    return std::tuple(e.piece_a, e.piece_b, e.a, e.b);
  };
  return std::ranges::is_sorted(m.elements, {}, key) &&
         std::ranges::all_of(m.elements, [&](const TriangleElement& e) {
           return has_triangle(e.piece_a, e.a) && has_triangle(e.piece_b, e.b) &&
                  std::isfinite(e.time) && std::ranges::all_of(e.ends, is_usable);
         });
}

std::string contact_problem(const ContactModel& model, const ContactMemory& m) {
  const std::string problem = "its contacts are those of another scene";
  // Every slot is either free or has one contact.
  for (const PairHistory& h : m.history) {
    if (std::max(h.a, h.b) >= model.pieces.size()) return problem;
    if (has_nan({h.duration, h.impulse, h.energy_lost})) return "its energies are not numbers";
  }
  const auto has_pieces = [&](const auto& p) {
    return std::max(p.piece_a, p.piece_b) < model.pieces.size();
  };
  const RigidMemory& rigid = m.rigid;
  if (!std::ranges::all_of(rigid.points, has_pieces) ||
      !std::ranges::all_of(rigid.records, has_pieces) ||
      !std::ranges::all_of(rigid.steps, has_pieces)) {
    return problem;
  }
  for (const StepImpulse& s : rigid.steps) {
    const bool is_usable = is_finite(s.p) && is_finite(s.n) && is_finite(s.impulse());
    if (!is_usable || has_nan({rigid.step})) return "its impulses are not numbers";
  }
  std::vector<int> slots = m.free_slots;
  for (const ContactPair& pair : m.pairs) {
    if (!is_pair_of(model, pair, m.slot_count)) return problem;
    if (pair.slot >= 0) slots.push_back(pair.slot);
  }
  if (!is_rigid_memory_of(model, m) || !are_elements_of(model, m)) return problem;
  if (m.slot_count < 0 || slots.size() != at(m.slot_count)) return problem;
  std::ranges::sort(slots);
  for (std::size_t i = 0; i < slots.size(); ++i) {
    if (slots[i] != static_cast<int>(i)) return problem;
  }
  if (has_nan(
          {m.ended.normal, m.ended.friction, m.ended.stored, m.ended.bristle, m.ended.published})) {
    return "its energies are not numbers";
  }
  return {};
}

}  // namespace

std::string state_problem(const Model& model, const RunState& s) {
  if (!std::isfinite(s.time) || !all_finite(s.x) || !std::isfinite(s.energy_reference)) {
    return "it holds what is not a finite number";
  }
  std::string problem = parameter_problem(model.parameters, s.parameters);
  if (problem.empty()) problem = mode_problem(model, s.modes);
  if (problem.empty()) problem = contact_problem(model.contact, s.modes.contacts);
  if (!problem.empty()) return problem;
  const std::size_t size =
      model.size() + at(s.modes.contacts.slot_count) * at(model.contact.slot.width);
  if (s.x.size() == size) return {};
  return "it has " + std::to_string(s.x.size()) + " numbers, this scene takes " +
         std::to_string(size);
}

std::string to_bytes(const RunState& state) {
  ArchiveWriter body;
  body(state);
  return seal(kFormat, body.bytes);
}

RunState run_state_from_bytes(std::string_view bytes) {
  RunState state;
  ArchiveReader body(unseal(kFormat, bytes));
  body(state);
  body.finish();
  return state;
}

std::vector<std::string> state_names(const Model& model) {
  std::vector<std::string> names(model.size());
  const auto put = [&](std::size_t first, int count, const std::string& name) {
    for (int k = 0; k < count; ++k) {
      names[first + at(k)] = count == 1 ? name : name + "." + std::to_string(k);
    }
  };
  for (const JointInfo& joint : model.joints) {
    const std::string& owner = joint.name.empty() ? model.bodies[at(joint.body)].name : joint.name;
    put(at(joint.q0), joint.kind->nq, owner + ".q");
    put(model.nq() + at(joint.v0), joint.kind->nv, owner + ".v");
  }
  const std::size_t z = model.nq() + model.nv();
  for (std::size_t i = 0; i < model.states.size(); ++i) names[z + i] = model.states[i].name;
  for (const DriveElement& d : model.parameters.drives) {
    if (d.state < 0) continue;
    const DofElement& e = model.parameters.dofs[at(d.element)];
    const JointInfo& joint = model.joints[at(e.joint)];
    const std::string tail = joint.kind->nv > 1 ? "." + std::to_string(e.dof) : "";
    names[z + at(d.state)] = joint.name + ".drive" + tail;
  }
  return names;
}

}  // namespace carom
