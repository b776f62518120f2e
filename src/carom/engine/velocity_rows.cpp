#include "carom/engine/velocity_rows.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "carom/base/index.h"
#include "carom/engine/contact_part.h"
#include "carom/engine/contact_search.h"

namespace carom {
namespace {

/// Adds the row of `direction` at p for the chain of links below the world to (column, value).
void add_chain(const Workspace& w, int link, const Vec3& p_W, const Vec3& direction, double sign,
               std::vector<std::pair<int, double>>& entries) {
  for (int i = link; i > 0; i = w.model->tree.links[at(i)].parent) {
    const Link& l = w.model->tree.links[at(i)];
    const LinkState& L = w.tree.links[at(i)];
    for (int k = 0; k < l.joint->nv; ++k) {
      const Motion& H = w.tree.H[at(l.v0 + k)];
      const Vec3 moves = H.v + cross(H.w, p_W - L.p_WL);
      entries.emplace_back(l.v0 + k, sign * dot(direction, moves));
    }
  }
}

void add_row(std::vector<std::pair<int, double>>& entries, SparseRows& rows) {
  std::ranges::sort(entries, {}, &std::pair<int, double>::first);
  for (std::size_t k = 0; k < entries.size(); ++k) {
    const bool is_new =
        rows.column.size() == rows.start.back() || rows.column.back() != entries[k].first;
    if (is_new) {
      rows.column.push_back(entries[k].first), rows.value.push_back(entries[k].second);
    } else {
      rows.value.back() += entries[k].second;  // both links hang on this joint
    }
  }
  rows.start.push_back(rows.column.size());
}

/// Any two directions across n.
std::pair<Vec3, Vec3> tangents(const Vec3& n) {
  const Vec3 other = std::abs(n.x) < 0.6 ? Vec3{1, 0, 0} : Vec3{0, 1, 0};
  const Vec3 t = cross(n, other), t1 = t / norm(t);
  return {t1, cross(n, t1)};
}

/// Accelerations of all forces but contacts, into w.tree.vdot.
Status evaluate_without_contacts(Workspace& w, double t, std::span<const double> x) {
  std::vector<std::size_t> touching;
  touching.swap(w.contacts.touching);
  const Status status = evaluate(w, t, x);
  touching.swap(w.contacts.touching);
  return status;
}

}  // namespace

void RowBuffer::clear() {
  problem.rows.clear(), problem.pushes.clear(), problem.contacts.clear();
  problem.has_pushes = false;
  laws.clear();
}

void RowBuffer::add(const Workspace& w, const ContactPair& pair, const Vec3& p_W,
                    const Vec3& n_AB_W, VelocityContact contact, const RowLaw& law,
                    const std::optional<Vec3>& push) {
  const int a = w.model->contact.colliders[pair.a].link,
            b = w.model->contact.colliders[pair.b].link;
  const auto [t1, t2] = tangents(n_AB_W);
  contact.normal = problem.rows.count();
  if (push && !problem.has_pushes) problem.pushes = problem.rows, problem.has_pushes = true;
  std::vector<std::pair<int, double>> entries;
  const auto add_along = [&](const Vec3& direction, SparseRows& rows) {
    entries.clear();
    add_chain(w, b, p_W, direction, 1.0, entries);
    add_chain(w, a, p_W, direction, -1.0, entries);
    add_row(entries, rows);
  };
  for (const Vec3& direction : {n_AB_W, t1, t2}) add_along(direction, problem.rows);
  if (problem.has_pushes) {
    for (const Vec3& direction : {push.value_or(n_AB_W), t1, t2}) {
      add_along(direction, problem.pushes);
    }
  }
  problem.contacts.push_back(contact);
  laws.push_back(law);
}

Status assemble_velocity_problem(Workspace& w, double t, std::span<const double> x, double h,
                                 RowBuffer& out) {
  const Model& model = *w.model;
  out.clear();
  out.problem.step = h;
  find_near_pairs(w, t, x);
  if (evaluate_without_contacts(w, t, x) != Status::ok) return Status::recoverable;
  out.problem.start.assign(w.v.begin(), w.v.end());
  out.problem.free = out.problem.start;
  for (std::size_t i = 0; i < model.nv(); ++i) out.problem.free[i] += h * w.tree.vdot[i];
  if (factor_mass(model.tree, w.tree) != Status::ok) return Status::recoverable;
  const std::vector<ContactPair>& pairs = w.modes.contacts.pairs;
  for_runs(
      w, pairs.size(), [&](std::size_t i) -> const ContactPair& { return pairs[i]; },
      [&](const ContactPart& part, std::size_t first, std::size_t last) {
        part.add_rows(w, first, last, out);
      });
  return Status::ok;
}

void mass_times(Workspace& w, std::span<const double> v, std::span<double> p) {
  apply_mass(w.model->tree, w.tree, v, w.constraints.scratch, p);
}

void inverse_mass_times(Workspace& w, std::span<const double> p, std::span<double> v) {
  const Model& model = *w.model;
  apply_inverse_mass(model.tree, w.tree, all_links(model.tree), p, w.constraints.scratch, v);
  if (!model.constraints.empty()) {
    project_velocities(model.tree, model.constraints, v, w.tree, w.constraints);
  }
}

ContactPotential potential_of(const RowLaw& row, double depth) {
  if (!(depth > 0.0)) return {};
  NormalInput in = row.in;
  in.depth = depth, in.depth_rate = 0.0;
  NormalOutput out;
  const PairLaw& law = *row.law;
  law.normal->evaluate({&in, 1}, law.material, law.normal_params, row.constants, {&out, 1});
  return {out.energy, out.elastic,
          elastic_slope(*law.normal, in, law.material, law.normal_params, row.constants)};
}

}  // namespace carom
