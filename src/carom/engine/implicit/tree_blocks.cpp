#include "carom/engine/implicit/tree_blocks.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <utility>

#include "carom/base/index.h"
#include "carom/engine/evaluate.h"
#include "carom/engine/study/tangent.h"
#include "carom/math/block_cholesky.h"
#include "carom/multibody/dynamics.h"
#include "carom/multibody/joint_batch.h"

namespace carom {
namespace {

Wrench gravity_wrench(const Workspace& w, std::size_t i) {
  const LinkState& L = w.tree.links[i];
  const double m = w.model->tree.links[i].inertia.m;
  const GravitySpec& gravity = w.parameters.gravity;
  if (gravity.kind == GravitySpec::Kind::uniform) {
    return {cross(L.h, gravity.uniform), m * gravity.uniform};
  }
  if (m == 0.0) return {};
  const Vec3 r = L.p_WL + L.h / m - gravity.center;
  const Vec3 g = (-gravity.mu / (norm2(r) * norm(r))) * r;
  return {cross(L.h, g), m * g};
}

}  // namespace

double tree_energy(const Workspace& w, const TreeBlock& tree) {
  const GravitySpec& gravity = w.parameters.gravity;
  double sum = 0.0;
  for (const int i : tree.links) {
    const LinkState& L = w.tree.links[at(i)];
    const double m = w.model->tree.links[at(i)].inertia.m;
    sum += 0.5 * dot(L.V, Inertia{m, L.h, L.I} * L.V);
    if (gravity.kind == GravitySpec::Kind::uniform) {
      sum -= dot(gravity.uniform, m * L.p_WL + L.h);
    } else if (m > 0.0) {
      sum -= gravity.mu * m / norm(L.p_WL + L.h / m - gravity.center);
    }
  }
  for (const std::vector<int>* list : {&tree.dofs, &tree.known}) {
    for (const int j : *list) {
      sum += 0.5 * w.model->tree.armature[at(j)] * w.v[at(j)] * w.v[at(j)];
    }
  }
  return sum;
}

TreeBlocks::TreeBlocks(Workspace& w) : w_(w) {
  find_trees();
  off_.assign(w.model->nv(), 0.0);
  column_.assign(w.model->nv(), 0.0);
  a_.assign(w.model->nv(), 0.0);
  load_.assign(w.model->nv(), 0.0);
  for (const ForceElement& e : w.model->forces) has_loads_ |= e.kind->is_load;
}

/// Free bodies on which nothing of a joint or a loop acts have a way of their own (free_bodies.h).
void TreeBlocks::find_trees() {
  const Model& model = *w_.model;
  const std::vector<Link>& links = model.tree.links;
  std::vector<int> root(links.size());
  std::iota(root.begin(), root.end(), 0);
  const auto find = [&](int i) {
    while (root[at(i)] != i) i = root[at(i)];
    return i;
  };
  const auto join = [&](int a, int b) {
    if (a != 0 && b != 0) root[at(std::max(find(a), find(b)))] = std::min(find(a), find(b));
  };
  std::vector<bool> is_held(links.size(), false);
  for (std::size_t i = 1; i < links.size(); ++i) join(static_cast<int>(i), links[i].parent);
  for (const ConstraintIsland& island : model.constraints.islands) {
    for (const int i : island.links) join(island.links.front(), i), is_held[at(i)] = true;
  }
  for (const DofElement& e : model.parameters.dofs)
    is_held[at(model.joints[at(e.joint)].link)] = true;
  of_link_.assign(links.size(), -1);
  place_.assign(model.nv(), -1);
  std::vector<bool> is_known(model.nv(), false);
  for (const DofElement& e : model.parameters.dofs) is_known[at(e.v)] = e.motion >= 0;
  std::map<int, int> blocks;
  for (std::size_t i = 1; i < links.size(); ++i) {
    if (links[i].is_free_body && links[i].inertia.m > 0.0 && !is_held[i]) continue;
    const int r = find(static_cast<int>(i));
    const auto [entry, is_new] = blocks.try_emplace(r, static_cast<int>(list.size()));
    if (is_new) list.emplace_back();
    TreeBlock& tree = list[at(entry->second)];
    of_link_[i] = entry->second;
    tree.links.push_back(static_cast<int>(i));
    tree.mass += links[i].inertia.m;
    for (int v = links[i].v0; v < links[i].v0 + links[i].joint->nv; ++v) {
      if (!is_known[at(v)]) place_[at(v)] = static_cast<int>(tree.dofs.size());
      (is_known[at(v)] ? tree.known : tree.dofs).push_back(v);
    }
  }
  for (const ConstraintIsland& island : model.constraints.islands) {
    TreeBlock& tree = list[at(of_link_[at(island.links.front())])];
    tree.loops = island.loops, tree.couplings = island.couplings;
    tree.generic_rank = island.generic_rank;
  }
}

/// So that coordinates come to be where they are to be.
void TreeBlocks::find_motions(double t) {
  std::ranges::fill(off_, 0.0);
  for (const DofElement& e : w_.parameters.dofs) {
    if (e.motion < 0) continue;
    const Signal& signal = w_.signals.all[at(e.motion)];
    off_[at(e.v)] = (signal.jet(t + h_).value - signal.jet(t).value) / h_;
  }
}

Status TreeBlocks::begin(double t, double h, std::span<const double> x, std::span<double> rates) {
  h_ = h;
  const Model& model = *w_.model;
  evaluate_kinematics(w_, t, x);
  for (TreeBlock& tree : list) {
    tree.block = -1, tree.is_pushed = false;
    tree.energy = tree_energy(w_, tree);
    tree.v.clear();
    for (const int j : tree.dofs) tree.v.push_back(w_.v[at(j)]);
  }
  find_motions(t);
  rates_.resize(x.size());
  w_.step.rows_apart = true;
  Status status = calc_rates(w_, t, x, rates_);
  if (status == Status::ok) {
    middle_.assign(x.begin(), x.end());
    const std::size_t nq = model.nq(), nv = model.nv();
    std::vector<double>& way = column_;
    for (std::size_t j = 0; j < nv; ++j) way[j] = 0.5 * h * x[nq + j];
    move_positions(model.tree, way, std::span<double>(middle_).first(nq));
    for (std::size_t j = 0; j < nv; ++j) {
      // What elements of joints bring in half a step is known only where they are soft.
      const double a = rates_[nq + j], most = std::abs(a) + 2.0 * std::abs(x[nq + j]) / h;
      middle_[nq + j] += 0.5 * h * (a + std::clamp(rates[nq + j] - a, -most, most));
    }
    for (std::size_t j = nq + nv; j < model.size(); ++j) middle_[j] += 0.5 * h * rates_[j];
    std::ranges::fill(column_, 0.0);
    status = calc_rates(w_, t + 0.5 * h, middle_, rates_);
  }
  if (status == Status::ok) {
    std::copy(w_.tree.vdot.begin(), w_.tree.vdot.end(), a_.begin());
    for (std::size_t j = model.nq() + model.nv(); j < model.size(); ++j) rates[j] = rates_[j];
    for (TreeBlock& tree : list) read_middle(tree);
  }
  w_.step.rows_apart = false;
  evaluate_kinematics(w_, t, x);
  return status;
}

/// In the middle of the step.
void TreeBlocks::read_middle(TreeBlock& tree) {
  tree.v_free.resize(tree.dofs.size());
  for (std::size_t i = 0; i < tree.dofs.size(); ++i) {
    tree.v_free[i] = tree.v[i] + h_ * a_[at(tree.dofs[i])];  // (2)
  }
  read_forces(tree);
  calc_mass(tree);
  reduce(tree);
  read_coordinates(tree);
}

void TreeBlocks::read_forces(TreeBlock& tree) {
  tree.load.assign(tree.dofs.size(), 0.0);
  tree.element.assign(tree.dofs.size(), 0.0);
  tree.held_power = tree.load_power = 0.0;
  for (const int i : tree.links) {
    if (!has_loads_) break;
    const LinkState& L = w_.tree.links[at(i)];
    const Wrench load = L.f_ext - gravity_wrench(w_, at(i));
    add_generalised_force(w_.model->tree, w_.tree, i, L.p_WL, load, load_);
  }
  for (std::size_t i = 0; i < tree.dofs.size(); ++i) {
    const std::size_t j = at(tree.dofs[i]);
    tree.load[i] = std::exchange(load_[j], 0.0);
  }
  for (const int j : tree.known) {
    tree.held_power += w_.forces.of_motions[at(j)] * off_[at(j)];
    tree.load_power += std::exchange(load_[at(j)], 0.0) * off_[at(j)];
  }
}

/// The composite-rigid-body algorithm over the links of the block; `dofs`, then `known`.
void TreeBlocks::calc_mass(const TreeBlock& tree) {
  const std::size_t n = tree.dofs.size() + tree.known.size();
  M_.assign(n * n, 0.0);
  const auto index = [&](int j) {
    if (place_[at(j)] >= 0) return at(place_[at(j)]);
    const auto found = std::ranges::find(tree.known, j);
    return tree.dofs.size() + static_cast<std::size_t>(found - tree.known.begin());
  };
  const std::vector<Link>& links = w_.model->tree.links;
  TreeData& data = w_.tree;
  for (const int i : tree.links) {
    LinkState& L = data.links[at(i)];
    const double m = links[at(i)].inertia.m;
    L.IA = {L.I, Mat3::cross_matrix(L.h), {m, m, m, 0, 0, 0}};
  }
  for (std::size_t o = tree.links.size(); o-- > 0;) {
    const int i = tree.links[o];
    const Link& link = links[at(i)];
    for (int row = link.v0; row < link.v0 + link.joint->nv; ++row) {
      Wrench f = data.links[at(i)].IA * data.H[at(row)];
      const std::size_t r = index(row);
      for (int j = i;;) {
        const Link& above = links[at(j)];
        for (int col = above.v0; col < above.v0 + above.joint->nv; ++col) {
          const std::size_t c = index(col);
          M_[r * n + c] = M_[c * n + r] = dot(data.H[at(col)], f);
        }
        if (above.parent == 0) break;
        f = shifted(f, data.links[at(j)].r);
        j = above.parent;
      }
      M_[r * n + r] += w_.model->tree.armature[at(row)];
    }
    if (link.parent > 0) {
      add_shifted(data.links[at(link.parent)].IA, data.links[at(i)].IA, data.links[at(i)].r);
    }
  }
}

void TreeBlocks::read_coordinates(TreeBlock& tree) {
  const std::size_t n = tree.dofs.size(), all = n + tree.known.size(), r = tree.count;
  std::vector<double>& p = p_;
  p.resize(n);
  const auto project = [&](const auto& entry, std::vector<double>& out) {
    for (std::size_t i = 0; i < n; ++i) {
      p[i] = 0.0;
      for (std::size_t k = 0; k < all; ++k) p[i] += M_[i * all + k] * entry(k);
    }
    out.assign(r, 0.0);
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t k = 0; k < r; ++k) out[k] += tree.Z[i * r + k] * p[i];
    }
  };
  project([&](std::size_t k) { return k < n ? tree.v[k] - tree.off[k] : 0.0; }, tree.y);
  project([&](std::size_t k) { return k < n ? tree.v_free[k] - tree.off[k] : 0.0; }, tree.y_free);
  if (tree.known.empty()) {
    tree.pull.assign(r, 0.0);
  } else {
    project([&](std::size_t k) { return k < n ? tree.off[k] : off_[at(tree.known[k - n])]; },
            tree.pull);
  }
  // Where loops hold, (2) may lead out of what they allow.
  if (tree.loops.empty() && tree.couplings.empty()) return;
  velocities(tree, tree.y_free, tree.v_free);
}

double TreeBlocks::put_row(const TreeBlock& tree, int link_index, const Vec3& p,
                           const Vec3& angular, const Vec3& linear, double sign,
                           double* out) const {
  const TreeModel& model = w_.model->tree;
  auto i = at(link_index);
  double drift = 0.0;
  Wrench f = shifted(Wrench{sign * angular, sign * linear}, p - w_.tree.links[i].p_WL);
  for (;;) {
    const Link& link = model.links[i];
    for (int j = link.v0; j < link.v0 + link.joint->nv; ++j) {
      drift += put_row(tree, j, dot(w_.tree.H[at(j)], f), out);
    }
    if (link.parent == 0) return drift;
    f = shifted(f, w_.tree.links[i].r);
    i = at(link.parent);
  }
}

double TreeBlocks::put_row(const TreeBlock& tree, int v, double sign, double* out) const {
  if (const int place = place_[at(v)]; place >= 0) {
    const double* Z = tree.Z.data() + at(place) * tree.count;
    for (std::size_t k = 0; k < tree.count; ++k) out[k] += sign * Z[k];
  }
  return sign * off_[at(v)];
}

void TreeBlocks::push(TreeBlock& tree, int link_index, const Vec3& p, const Wrench& wrench) const {
  const TreeModel& model = w_.model->tree;
  std::vector<double>& change = p_;
  change.assign(tree.count, 0.0);
  put_row(tree, link_index, p, wrench.t, wrench.f, 1.0, change.data());
  for (std::size_t k = 0; k < tree.count; ++k) tree.y_free[k] += h_ * change[k];
  for (std::size_t i = 0; i < tree.dofs.size(); ++i) {
    for (std::size_t k = 0; k < tree.count; ++k) {
      tree.v_free[i] += h_ * tree.Z[i * tree.count + k] * change[k];
    }
  }
  auto i = at(link_index);
  Wrench f = shifted(wrench, p - w_.tree.links[i].p_WL);
  for (;;) {
    const Link& link = model.links[i];
    for (int j = link.v0; j < link.v0 + link.joint->nv; ++j) {
      if (place_[at(j)] < 0) continue;
      tree.element[at(place_[at(j)])] += dot(w_.tree.H[at(j)], f);
    }
    if (link.parent == 0) return;
    f = shifted(f, w_.tree.links[i].r);
    i = at(link.parent);
  }
}

void TreeBlocks::velocities(const TreeBlock& tree, std::span<const double> y,
                            std::span<double> v) const {
  for (std::size_t i = 0; i < tree.dofs.size(); ++i) {
    v[i] = tree.off[i];
    for (std::size_t k = 0; k < tree.count; ++k) v[i] += tree.Z[i * tree.count + k] * y[k];
  }
}

void TreeBlocks::place(const TreeBlock& tree, std::span<const double> x,
                       std::span<const double> v) {
  const TreeModel& model = w_.model->tree;
  q_.assign(x.begin(), x.begin() + static_cast<std::ptrdiff_t>(w_.model->nq()));
  std::ranges::fill(column_, 0.0);
  for (std::size_t i = 0; i < tree.dofs.size(); ++i) column_[at(tree.dofs[i])] = h_ * v[i];
  for (const int j : tree.known) column_[at(j)] = h_ * off_[at(j)];
  for (const int i : tree.links) {
    const Link& link = model.links[at(i)];
    link.joint->move(&column_[at(link.v0)], &q_[at(link.q0)]);
    link.joint->kinematics({model, w_.tree, q_, w_.v, {i, i + 1, link.joint}});
  }
  std::ranges::fill(column_, 0.0);
}

void TreeBlocks::place_back(const TreeBlock& tree, std::span<const double> x) {
  const TreeModel& model = w_.model->tree;
  for (const int i : tree.links) {
    const Link& link = model.links[at(i)];
    link.joint->kinematics({model, w_.tree, x.first(w_.model->nq()), w_.v, {i, i + 1, link.joint}});
  }
}

}  // namespace carom
