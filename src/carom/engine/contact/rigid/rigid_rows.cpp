#include "carom/engine/contact/rigid/rigid_rows.h"

#include <algorithm>

#include "carom/base/index.h"
#include "carom/engine/contact/rigid/rigid_spin.h"
#include "carom/math/dense.h"
#include "carom/multibody/delassus.h"

namespace carom {

double RigidRows::product(std::size_t i, std::span<const double> v) const {
  double sum = 0.0;
  for (std::size_t k = 0; k < width; ++k) sum += J[i * width + k] * v[k];
  return sum;
}

void RigidRows::push_along(std::size_t i, double r, std::span<double> v) const {
  for (std::size_t k = 0; k < width; ++k) v[k] += r * response[i * width + k];
}

namespace {

/// Writes the row of a force or torque on B, and what its opposite on A answers with it.
void put_row(Workspace& w, const RigidActor& point, const Wrench& on_b, std::size_t i,
             RigidRows& rows) {
  const Model& model = *w.model;
  const ContactPair& pair = w.modes.contacts.pairs[point.pair];
  const int a = model.contact.colliders[pair.a].link, b = model.contact.colliders[pair.b].link;
  const std::span<double> row(&rows.J[i * rows.width], rows.width);
  add_generalised_force(model.tree, w.tree, b, point.site.p, on_b, row);
  add_generalised_force(model.tree, w.tree, a, point.site.p, -1.0 * on_b, row);
  std::copy(row.begin(), row.end(), rows.push.begin());
  apply_inverse_mass(model.tree, w.tree, rows.links, rows.push, w.constraints.scratch, rows.moved);
  if (!model.constraints.empty()) {
    project_velocities(model.tree, model.constraints, rows.moved, w.tree, w.constraints);
  }
  std::copy(rows.moved.begin(), rows.moved.end(), &rows.response[i * rows.width]);
}

}  // namespace

void make_rows(Workspace& w, std::span<const RigidActor> points, RigidRows& rows, bool with_spin) {
  const Model& model = *w.model;
  if (rows.links.empty()) rows.links = all_links(model.tree);
  rows.count = 3 * points.size(), rows.width = model.nv();
  rows.spin.assign(points.size(), RigidRows::kNone);
  for (std::size_t k = 0; k < points.size() && with_spin && model.contact.has_spin; ++k) {
    if (spin_radius(w, w.modes.contacts.pairs[points[k].pair]) > 0.0) rows.spin[k] = rows.count++;
  }
  rows.J.assign(rows.count * rows.width, 0.0);
  rows.response.resize(rows.J.size());
  rows.W.resize(rows.count * rows.count);
  rows.push.resize(rows.width), rows.moved.resize(rows.width);
  std::size_t i = 0;
  for (const RigidActor& point : points) {
    for (const Vec3& e : {point.site.n, point.site.t1, point.site.t2}) {
      put_row(w, point, {{}, e}, i++, rows);
    }
  }
  for (std::size_t k = 0; k < points.size(); ++k) {
    if (rows.spin[k] != RigidRows::kNone) {
      put_row(w, points[k], {points[k].site.n, {}}, rows.spin[k], rows);
    }
  }
  // A row moves one or two bodies: of many, most of it is zero.
  std::vector<std::size_t> first(rows.count), last(rows.count);
  for (i = 0; i < rows.count; ++i) {
    const std::span<const double> row(&rows.J[i * rows.width], rows.width);
    while (first[i] < row.size() && row[first[i]] == 0.0) ++first[i];
    for (last[i] = row.size(); last[i] > first[i] && row[last[i] - 1] == 0.0;) --last[i];
  }
  for (i = 0; i < rows.count; ++i) {
    for (std::size_t j = 0; j <= i; ++j) {
      double sum = 0.0;
      for (std::size_t k = first[i]; k < last[i]; ++k) {
        sum += rows.J[i * rows.width + k] * rows.response[j * rows.width + k];
      }
      rows.W[i * rows.count + j] = rows.W[j * rows.count + i] = sum;
    }
  }
}

std::vector<double> solve_by_blocks(std::span<const double> A, std::span<const double> b) {
  const std::size_t n = b.size();
  std::vector<std::size_t> block(n, n);  // of each unknown: the first one of it
  std::vector<std::size_t> open;
  bool is_one = true;
  for (std::size_t i = 0; i < n; ++i) {
    if (block[i] < n) continue;
    block[i] = i, open.assign(1, i);
    is_one &= i == 0;
    while (!open.empty()) {
      const std::size_t k = open.back();
      open.pop_back();
      for (std::size_t j = 0; j < n; ++j) {
        if (block[j] < n || (A[k * n + j] == 0.0 && A[j * n + k] == 0.0)) continue;
        block[j] = i, open.push_back(j);
      }
    }
  }
  if (is_one) return solve_min_norm(A, b);
  std::vector<double> x(n, 0.0), own_A, own_b;
  std::vector<std::size_t> own;
  for (std::size_t i = 0; i < n; ++i) {
    if (block[i] != i) continue;
    own.clear(), own_A.clear(), own_b.clear();
    for (std::size_t j = i; j < n; ++j) {
      if (block[j] == i) own.push_back(j);
    }
    for (const std::size_t r : own) {
      own_b.push_back(b[r]);
      for (const std::size_t c : own) own_A.push_back(A[r * n + c]);
    }
    const std::vector<double> found = solve_min_norm(own_A, own_b);
    for (std::size_t k = 0; k < own.size(); ++k) x[own[k]] = found[k];
  }
  return x;
}

}  // namespace carom
