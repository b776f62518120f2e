#include "carom/engine/implicit/implicit_step.h"

#include <algorithm>
#include <cmath>

#include "carom/base/index.h"
#include "carom/engine/contact/contact_forces.h"
#include "carom/engine/contact/contact_part.h"
#include "carom/engine/evaluate.h"

namespace carom {
namespace {

/// Of the velocity that a step of free fall brings, what counts as an error.
constexpr double kTolerance = 1e-8;
/// Of what blows change the velocities of a heap by, too: what lands is off by far more for the
/// length of the step.
constexpr double kShareOfMotion = 1e-3;
/// And of the speed of the mean body of a heap, which friction knows to no more than its loads.
constexpr double kShareOfSpeed = 1e-2;
/// (h sqrt(k/m))² of a contact that the step resolves.
constexpr double kResolved = 0.25;
/// Neighbours that a blow may reach within a step.
constexpr int kNeighbours = 2;

}  // namespace

ImplicitStep::ImplicitStep(Workspace& w)
    : SceneStep(w),
      bodies_(find_free_bodies(*w.model)),
      trees_(w),
      freeze_(w.model->scene.run.freeze),
      frozen_(w.tree.links.size(), 0) {
  std::erase_if(bodies_, [&](const FreeBody& b) { return trees_.of_link(b.link) >= 0; });
  tree_mean_.resize(trees_.list.size()), tree_end_.resize(trees_.list.size());
  body_of_link_.assign(w.model->tree.links.size(), -1);
  for (std::size_t i = 0; i < bodies_.size(); ++i) {
    body_of_link_[at(bodies_[i].link)] = static_cast<int>(i);
  }
}

Vec3 ImplicitStep::gravity_of(const FreeBody& b) const {
  const GravitySpec& gravity = w_.parameters.gravity;
  if (gravity.kind == GravitySpec::Kind::uniform) return b.mass * gravity.uniform;
  const Vec3 r = b.p - gravity.center;
  return (-gravity.mu * b.mass / (norm2(r) * norm(r))) * r;
}

/// How everything would move without contacts and without what acts in joints.
Status ImplicitStep::read_state(double t, double h, std::span<const double> x) {
  t_ = t, h_ = h;
  x_.assign(x.begin(), x.end());
  rates_.resize(x.size());
  std::vector<std::size_t> touching;
  std::swap(touching, w_.contacts.touching);  // contacts are rows here, not forces
  const auto is_held = [&](const DofElement& e) { return e.friction >= 0 && e.motion < 0; };
  for (const DofElement& e : w_.parameters.dofs) {
    if (is_held(e)) w_.tree.known[at(e.v)] = 0;  // friction is a row as well
  }
  Status status = calc_rates(w_, t, x, rates_);
  take_frozen();
  for (FreeBody& b : bodies_) {
    frozen_[at(b.link)] ? begin_rest(w_, b) : begin_free_motion(w_, h, b);
  }
  if (status == Status::ok && !trees_.empty()) status = trees_.begin(t, h, x, rates_);
  if (status == Status::ok) read_elements();
  for (const DofElement& e : w_.parameters.dofs) {
    if (is_held(e)) w_.tree.known[at(e.v)] = w_.modes.friction[at(e.friction)] == 0;
  }
  std::swap(touching, w_.contacts.touching);
  return status;
}

Status ImplicitStep::begin(double t, double h, std::span<const double> x) {
  const Status status = read_state(t, h, x);
  if (status != Status::ok) return status;
  problem_.clear();
  problem_.h = h;
  touch_count_ = 0;
  owner_.clear(), start_.clear();
  outside_work_ = lost_ = lifted_ = damped_ = rubbed_ = model_work_ = 0.0;
  unremembered_ = {};
  overreached_ = false;
  if (attempts_ == 0) forget_attempts();
  wake_disturbed();
  find_speeds();
  for (std::size_t i = 0; i < w_.modes.contacts.pairs.size(); ++i) {
    const ContactPair& pair = w_.modes.contacts.pairs[i];
    const double reach = reach_of(pair);
    if (!is_far(pair, reach)) add_touch(i, reach);
  }
  add_joint_groups();
  add_force_groups();
  find_islands(problem_);
  for (VelocityIsland& island : problem_.islands) {
    island.is_warm = attempts_ > 0;
    island.speed = mean_speed(island);
  }
  islands_.assign(problem_.islands.size(), {});
  pushed_.assign(problem_.blocks.size(), 0);
  block_theta_.assign(problem_.blocks.size(), 1.0);
  double gain = 0.0, fastest = 0.0;
  for (const FreeBody& b : bodies_) {
    if (!frozen_[at(b.link)]) gain = std::max(gain, norm(b.v_free - b.v));
  }
  if (!trees_.empty()) gain = std::max(gain, h * norm(w_.parameters.gravity.uniform));
  for (const double speed : speed_) fastest = std::max(fastest, speed);
  problem_.share_of_motion = kShareOfMotion, problem_.share_of_speed = kShareOfSpeed;
  problem_.tolerance = std::max({kTolerance * gain, 1e-12 * fastest, 1e-14});
  for (std::size_t i = 0; i < islands_.size(); ++i) choose_theta(i);
  return Status::ok;
}

/// Speed of each link's fastest point, and what its neighbours may hand on to it.
void ImplicitStep::find_speeds() {
  const ContactModel& contact = w_.model->contact;
  speed_.assign(w_.tree.links.size(), 0.0);
  for (std::size_t i = 1; i < speed_.size(); ++i) {
    const LinkState& L = w_.tree.links[i];
    const double size = w_.model->link_size[i];
    speed_[i] = norm(L.V.v) + norm(L.V.w) * size;
    if (trees_.of_link(static_cast<int>(i)) >= 0) {
      speed_[i] += h_ * norm(w_.parameters.gravity.uniform);
    } else if (const int b = body_of(static_cast<int>(i)); b >= 0) {
      const FreeBody& body = bodies_[at(b)];
      speed_[i] = std::max(norm(body.v), norm(body.v_free)) +
                  std::max(norm(body.w), norm(body.w_free)) * size;
    }
  }
  own_ = speed_;
  for (std::size_t i = 1; i < speed_.size(); ++i) speed_[i] = std::max(speed_[i], seen_[i]);
  for (int round = 0; round < kNeighbours; ++round) {
    for (const ContactPair& pair : w_.modes.contacts.pairs) {
      const int a = contact.colliders[pair.a].link, b = contact.colliders[pair.b].link;
      if (a == 0 || b == 0) continue;
      speed_[at(a)] = speed_[at(b)] = std::max(speed_[at(a)], speed_[at(b)]);
    }
  }
}

double ImplicitStep::reach_of(const ContactPair& pair) const {
  const ContactModel& contact = w_.model->contact;
  const Collider &A = contact.colliders[pair.a], &B = contact.colliders[pair.b];
  return h_ * (speed_[at(A.link)] + speed_[at(B.link)]) + 1e-9 * smaller_reach(contact, pair);
}

/// Whether the balls around the shapes are farther apart than the step may bring them.
bool ImplicitStep::is_far(const ContactPair& pair, double reach) const {
  const ContactModel& contact = w_.model->contact;
  const Collider &A = contact.colliders[pair.a], &B = contact.colliders[pair.b];
  const auto stays = [&](int link) {
    const Mover m = mover_of(link);
    if (m.body >= 0) return frozen_[at(link)] != 0;
    return m.tree < 0 || trees_.list[at(m.tree)].count == 0;
  };
  if (stays(A.link) && stays(B.link)) return true;
  return surely_apart(w_, pair, reach);
}

int ImplicitStep::block_of(const Mover& mover) {
  if (mover.body >= 0) return add_body_block(mover.body);
  return mover.tree >= 0 ? add_tree_block(mover.tree) : -1;
}

int ImplicitStep::add_body_block(int body) {
  FreeBody& b = bodies_[at(body)];
  if (b.block >= 0) return b.block;
  b.block = static_cast<int>(problem_.blocks.size());
  owner_.push_back({body, -1});
  problem_.blocks.push_back({problem_.v.size(), 6, problem_.mass.size(), b.mass});
  const Sym3 I = rotated(b.R, b.inertia);
  const Mat3 full = to_mat3(I);
  std::array<double, 36> M{};
  for (std::size_t r = 0; r < 3; ++r) {
    for (std::size_t c = 0; c < 3; ++c) M[6 * r + c] = full(r, c);
    M[7 * (r + 3)] = b.mass;
  }
  problem_.mass.insert(problem_.mass.end(), M.begin(), M.end());
  for (const Vec3& part : {b.w, b.v}) {
    for (std::size_t k = 0; k < 3; ++k) start_.push_back(part[k]);
  }
  for (const Vec3& part : {b.is_guessed ? b.w_guess : b.w, b.is_guessed ? b.v_guess : b.v}) {
    for (std::size_t k = 0; k < 3; ++k) problem_.v.push_back(part[k]);
  }
  for (const Vec3& part : {b.w_free, b.v_free}) {
    for (std::size_t k = 0; k < 3; ++k) problem_.free.push_back(part[k]);
  }
  return b.block;
}

/// A row u = angular.(w_B - w_A) + linear.(v_B - v_A at p). Returns what is prescribed of it.
double ImplicitStep::write_jacobian(const Mover& a, const Mover& b, const Vec3& p,
                                    const Vec3& angular, const Vec3& linear) {
  std::vector<double>& J = problem_.jacobian;
  double drift = 0.0;
  const auto write = [&](const Mover& m, double sign, bool is_same) {
    if (m.body >= 0) {
      const Vec3 arm = p - bodies_[at(m.body)].arm;
      const Vec3 turn = sign * (cross(arm, linear) + angular), move = sign * linear;
      for (std::size_t k = 0; k < 3; ++k) J.push_back(turn[k]);
      for (std::size_t k = 0; k < 3; ++k) J.push_back(move[k]);
    } else if (m.tree >= 0) {
      const TreeBlock& tree = trees_.list[at(m.tree)];
      if (!is_same) J.resize(J.size() + tree.count, 0.0);
      drift += trees_.put_row(tree, m.link, p, angular, linear, sign,
                              J.data() + (J.size() - tree.count));
    }
  };
  write(a, -1.0, false);
  write(b, 1.0, a.tree >= 0 && a.tree == b.tree);
  return drift;
}

void ImplicitStep::add_touch(std::size_t index, double reach) {
  const Contact contact = find_contact(w_, w_.modes.contacts.pairs[index]);
  if (contact.status != Status::ok || contact.phi > reach) return;
  if (touch_count_ == touches_.size()) touches_.emplace_back();
  Touch& touch = touches_[touch_count_];
  std::vector<double> detected = std::move(touch.detected), forces = std::move(touch.forces);
  touch = Touch{};
  touch.detected = std::move(detected), touch.forces = std::move(forces);
  touch.begun = w_.modes.contacts.pairs[index];
  ContactPair& pair = touch.begun;
  const ContactPart& part = part_for(w_, pair);
  if (pair.mode == ContactMode::apart) part.expect(w_, pair, contact);
  const StepReach look{reach, -h_ * distance_rate(w_, pair, contact)};
  if (!part.find_step_rows(w_, pair, contact, look, rows_)) return;
  ++touch_count_;
  const PairState s = pair_state(w_, pair);
  touch.pair = index, touch.slot = pair.mode == ContactMode::apart ? SlotId(-1) : pair.slot;
  touch.reach = reach;
  touch.a = mover_of(s.A.link), touch.b = mover_of(s.B.link);
  if (touch.slot >= 0) {
    touch.load = attempts_ > 0 ? of_pair_[index] : pair.load;
    touch.stored = x_[slot_place(*w_.model, touch.slot) + SlotLayout::kStored];
  }
  RowGroup group;
  group.a = block_of(touch.a);
  const bool is_one_tree = touch.a.tree >= 0 && touch.a.tree == touch.b.tree;
  group.b = is_one_tree ? -1 : block_of(touch.b);
  problem_.groups.push_back(group);
  put_rows(s, touch, problem_.groups.back());
  for (const double depth : touch.detected) touch.deepest = std::max(touch.deepest, depth);
  begin_depths(static_cast<int>(touch_count_) - 1);
  guess_forces(touch, problem_.groups.back());
}

/// The rows that were found last become those of the contact.
void ImplicitStep::put_rows(const PairState& s, Touch& touch, RowGroup& group) {
  touch.n = rows_.normal, touch.t1 = any_perpendicular(touch.n);
  touch.t2 = cross(touch.n, touch.t1);
  touch.centre = rows_.centre, touch.radius = rows_.radius, touch.over_rows = rows_.energy;
  touch.detected.clear();
  touch.held = 0.0;
  group.jacobian = problem_.jacobian.size();
  group.first_normal = static_cast<int>(problem_.normals.size());
  group.normals = static_cast<int>(touch.kept.size() + rows_.points.size());
  group.first_rub = static_cast<int>(problem_.rubs.size());
  problem_.jacobian.insert(problem_.jacobian.end(), touch.kept_jacobian.begin(),
                           touch.kept_jacobian.end());
  for (const NormalRow& row : touch.kept) {
    problem_.normals.push_back(row);
    touch.detected.push_back(row.depth);
    touch.held += touch.over_rows * elastic_energy(row, row.depth);
  }
  for (const PointRow& point : rows_.points) {
    NormalRow row = scaled(point.row, 1.0 / touch.layers);
    row.drift = write_jacobian(touch.a, touch.b, point.p, {}, touch.n);
    problem_.normals.push_back(row);
    touch.detected.push_back(row.depth);
    touch.held += touch.over_rows * elastic_energy(row, row.depth);
  }
  add_friction(s, touch, group);
}

/// Rubs of the contact: bristles or slip, then what resists rolling and spinning.
void ImplicitStep::add_friction(const PairState& s, Touch& touch, RowGroup& group) {
  const Vec3 v = relative_velocity(s, touch.centre), turn = s.LB.V.w - s.LA.V.w;
  const double slip = norm(v - dot(v, touch.n) * touch.n);
  touch.slip = slip;
  touch.rub = find_rub(s, rows_, h_, slip, turn);
  touch.rubs = touch.rub.mu > 0.0;
  touch.rolls = touch.rub.rolling > 0.0 || touch.rub.spinning > 0.0;
  if (touch.rubs) {
    RubRow row;
    row.size = touch.radius > 0.0 ? 3 : 2;
    const int first = w_.model->contact.slot.bristle;
    if (touch.rub.has_memory && touch.slot >= 0 && first >= 0) {
      const double* z = &x_[slot_place(*w_.model, touch.slot) + at(first)];
      const Vec3 z_W = s.X_WA.R * Vec3{z[0], z[1], z[2]};
      touch.bristle = {dot(touch.t1, z_W), dot(touch.t2, z_W), row.size == 3 ? z[3] : 0.0};
    }
    row.drift[0] = write_jacobian(touch.a, touch.b, touch.centre, {}, touch.t1);
    row.drift[1] = write_jacobian(touch.a, touch.b, touch.centre, {}, touch.t2);
    if (row.size == 3) {
      row.drift[2] = write_jacobian(touch.a, touch.b, touch.centre, touch.radius * touch.n, {});
    }
    problem_.rubs.push_back(row);
  }
  if (touch.rubs && touch.rub.viscous > 0.0) {
    RubRow row;
    row.size = 2;
    row.drift[0] = write_jacobian(touch.a, touch.b, touch.centre, {}, touch.t1);
    row.drift[1] = write_jacobian(touch.a, touch.b, touch.centre, {}, touch.t2);
    problem_.rubs.push_back(row);
  }
  if (touch.rolls) {
    RubRow roll, spin;
    roll.size = 2, spin.size = 1;
    roll.drift[0] = write_jacobian(touch.a, touch.b, touch.centre, touch.t1, {});
    roll.drift[1] = write_jacobian(touch.a, touch.b, touch.centre, touch.t2, {});
    spin.drift[0] = write_jacobian(touch.a, touch.b, touch.centre, touch.n, {});
    problem_.rubs.push_back(roll);
    problem_.rubs.push_back(spin);
  }
  group.rubs = static_cast<int>(problem_.rubs.size()) - group.first_rub;
  const std::size_t width = problem_.row_width(group);
  group.rows = width ? static_cast<int>((problem_.jacobian.size() - group.jacobian) / width) : 0;
  set_load(touch, group, touch.load);
}

/// Friction goes by this normal force. Bristles keep their force where it grows, and their
/// deflection where it falls: either way they hold no more energy than before.
void ImplicitStep::set_load(Touch& touch, const RowGroup& group, double load) {
  touch.load = load;
  std::size_t i = at(group.first_rub);
  if (touch.rubs) {
    RubRow& row = problem_.rubs[i++];
    row.bound = touch.rub.mu * load;
    row.lag = touch.rub.lag;
    row.stiffness = touch.rub.patch > 0.0 ? std::min(touch.rub.patch, row.bound / (h_ * kSlowSlip))
                                          : touch.rub.stiffness * load;
    row.bound_per_load = touch.rub.mu;
    row.stiffness_per_load =
        touch.rub.patch > 0.0 ? touch.rub.mu / (h_ * kSlowSlip) : touch.rub.stiffness;
    if (touch.rub.patch > 0.0) row.stiffest = touch.rub.patch;
    const double before = w_.modes.contacts.pairs[touch.pair].load;
    double scale = 0.0;  // from what the law remembers to a deflection
    if (touch.rub.patch > 0.0) {
      scale = row.stiffness > 0.0 ? touch.rub.patch_unit / row.stiffness : 0.0;
    } else if (touch.rub.has_memory && touch.rub.stiffness > 0.0) {
      scale = touch.rub.law_stiffness / touch.rub.stiffness *
              (load > 0.0 ? std::min(1.0, before / load) : 1.0);
    }
    double energy = 0.0;
    for (std::size_t k = 0; k < 3; ++k) {
      const double found = scale * touch.bristle[k];
      row.bristle[k] = touch.bristle_share * found;
      energy += 0.5 * row.stiffness * found * found;
    }
    touch.found_bristle = energy;
    touch.start_bristle_energy = touch.bristle_share * touch.bristle_share * energy;
  }
  if (touch.rubs && touch.rub.viscous > 0.0) {
    RubRow& row = problem_.rubs[i++];
    row.bound = 1e30, row.stiffness = touch.rub.viscous * (touch.rub.patch > 0.0 ? 1.0 : load) / h_;
    row.stiffness_per_load = touch.rub.patch > 0.0 ? 0.0 : touch.rub.viscous / h_;
  }
  if (touch.rolls) {
    RubRow &roll = problem_.rubs[i], &spin = problem_.rubs[i + 1];
    roll.bound = touch.rub.rolling * load, roll.stiffness = touch.rub.rolling_slope * load / h_;
    spin.bound = touch.rub.spinning * load, spin.stiffness = touch.rub.spinning_slope * load / h_;
    roll.bound_per_load = touch.rub.rolling, spin.bound_per_load = touch.rub.spinning;
    roll.stiffness_per_load = touch.rub.rolling_slope / h_;
    spin.stiffness_per_load = touch.rub.spinning_slope / h_;
  }
}

double ImplicitStep::row_mobility(const RowGroup& group, std::size_t row) const {
  const double* J = &problem_.jacobian[group.jacobian + row * problem_.row_width(group)];
  double sum = 0.0;
  for (const int block : {group.a, group.b}) {
    if (block < 0) continue;
    const std::size_t size = problem_.block_size(block);
    if (const int body = owner_[at(block)].body; body >= 0) {
      const FreeBody& b = bodies_[at(body)];
      const Vec3 turn = transpose_times(b.R, Vec3{J[0], J[1], J[2]});
      sum += dot(turn, b.inverse * turn) + (J[3] * J[3] + J[4] * J[4] + J[5] * J[5]) / b.mass;
    } else {
      for (std::size_t k = 0; k < size; ++k) sum += J[k] * J[k];
    }
    J += size;
  }
  return sum;
}

/// Whether the step resolves what the rows of a contact do: (h sqrt(k/m))² of all of them together.
bool ImplicitStep::resolves_touch(int g) const {
  const RowGroup& group = problem_.groups[at(g)];
  const ContactPair& pair = w_.modes.contacts.pairs[touches_[at(g)].pair];
  double stiffness = 0.0;
  for (std::size_t k = 0; k < at(group.normals); ++k) {
    const NormalRow& row = problem_.normals[at(group.first_normal) + k];
    double depth = row.depth;
    if (touches_[at(g)].slot >= 0 && std::isfinite(pair.expected_depth)) {
      depth = std::max(depth, pair.expected_depth);
    }
    stiffness += elastic_slope(row, std::max(depth, 0.0)) * row_mobility(group, k);
    if (!(h_ * h_ * stiffness < kResolved)) return false;
  }
  return true;
}

bool ImplicitStep::is_resolved(std::size_t island) const {
  return std::ranges::all_of(problem_.islands[island].groups, [&](int g) {
    return is_touch(g) ? resolves_touch(g) : resolves_elements(g);
  });
}

/// The secant force in the middle of the step keeps the energy of elastic contact, but turns what
/// is too stiff for the step elastic; there the force at its end takes it.
void ImplicitStep::choose_theta(std::size_t island) {
  const bool resolved = is_resolved(island);
  IslandState& state = islands_[island];
  state.theta = resolved ? 0.5 : 1.0;
  for (const int b : problem_.islands[island].blocks) {
    const VelocityBlock& block = problem_.blocks[at(b)];
    state.is_guarded |= owner_[at(b)].tree >= 0;
    block_theta_[at(b)] = state.theta;
    if (!resolved) continue;
    for (std::size_t k = 0; k < block.size * block.size; ++k) problem_.mass[block.mass + k] *= 2.0;
    for (std::size_t k = block.start; k < block.start + block.size; ++k) {
      problem_.free[k] = 0.5 * (problem_.free[k] + start_[k]);
    }
  }
  for (const int g : problem_.islands[island].groups) {
    const RowGroup& group = problem_.groups[at(g)];
    for (std::size_t k = 0; k < at(group.normals); ++k) {
      problem_.normals[at(group.first_normal) + k].secant = resolved;
    }
    if (is_touch(g)) {
      state.bank += touches_[at(g)].stored;
    } else if (is_joint(g)) {
      put_joint_rubs(g, state.theta);
    } else {
      state.is_guarded = true;
      put_force_rubs(g, state.theta);
    }
  }
}

}  // namespace carom
