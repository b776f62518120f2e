#include "carom/engine/contact/rigid/rigid_rows.h"

#include <algorithm>
#include <numeric>

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

/// The trees of the two links that a row moves, by their roots; 0: the world, or nothing known of
/// who moves with whom.
struct MovedTrees {
  int a = 0, b = 0;
  bool has(int root) const { return root > 0 && (root == a || root == b); }
  bool share(const MovedTrees& other) const { return other.has(a) || other.has(b); }
};

/// Who answers to which row. Without loops that are the trees of its two links: of many bodies,
/// most stay where they are.
class RowReach {
 public:
  explicit RowReach(const Workspace& w, std::span<const int> links)
      : w_(w), links_(links), is_whole_(!w.model->constraints.empty()) {
    roots_.resize(w.model->tree.links.size());
    for (const int i : links_) {
      const int parent = w.model->tree.links[at(i)].parent;
      roots_[at(i)] = parent == 0 ? i : roots_[at(parent)];
    }
  }

  /// The links that answer to the rows of a point, parents first.
  std::span<const int> links_of(const RigidActor& point) {
    if (is_whole_) return links_;
    const MovedTrees trees = trees_of(point);
    if (trees.a == last_.a && trees.b == last_.b && !moved_.empty()) return moved_;
    last_ = trees;
    moved_.clear();
    for (const int i : links_) {
      if (trees.has(roots_[at(i)])) moved_.push_back(i);
    }
    return moved_;
  }

  /// RigidRows::group.
  void find_groups(std::span<const RigidActor> points, std::vector<std::size_t>& group) const {
    group.assign(points.size(), 0U);
    if (is_whole_ || points.size() < 2) return;
    std::vector<int> joined(roots_.size());  // the root with which one moves
    std::iota(joined.begin(), joined.end(), 0);
    const auto end_of = [&](int root) {
      while (joined[at(root)] != root) root = joined[at(root)] = joined[at(joined[at(root)])];
      return root;
    };
    const auto label = [&](const RigidActor& point) {
      const MovedTrees trees = trees_of(point);
      return end_of(trees.a > 0 ? trees.a : trees.b);
    };
    for (const RigidActor& point : points) {
      const MovedTrees trees = trees_of(point);
      if (trees.a > 0 && trees.b > 0) joined[at(end_of(trees.a))] = end_of(trees.b);
    }
    std::vector<std::size_t> first(roots_.size(), points.size());
    for (std::size_t i = 0; i < points.size(); ++i) {
      std::size_t& found = first[at(label(points[i]))];
      found = std::min(found, i);
      group[i] = found;
    }
  }

  bool are_apart(const RigidActor& p, const RigidActor& q) const {
    return !is_whole_ && !trees_of(p).share(trees_of(q));
  }

 private:
  MovedTrees trees_of(const RigidActor& point) const {
    const auto& colliders = w_.model->contact.colliders;
    const ContactPair& pair = w_.modes.contacts.pairs[point.pair];
    return {roots_[at(colliders[pair.a].link)], roots_[at(colliders[pair.b].link)]};
  }

  const Workspace& w_;
  std::span<const int> links_;
  bool is_whole_;
  std::vector<int> roots_, moved_;
  MovedTrees last_;
};

/// Writes the row of a force or torque on B, and what its opposite on A answers with it.
void put_row(Workspace& w, const RigidActor& point, const Wrench& on_b, std::size_t i,
             RowReach& reach, RigidRows& rows) {
  const Model& model = *w.model;
  const ContactPair& pair = w.modes.contacts.pairs[point.pair];
  const int a = model.contact.colliders[pair.a].link, b = model.contact.colliders[pair.b].link;
  const std::span<double> row(&rows.J[i * rows.width], rows.width);
  add_generalised_force(model.tree, w.tree, b, point.site.p, on_b, row);
  add_generalised_force(model.tree, w.tree, a, point.site.p, -1.0 * on_b, row);
  std::copy(row.begin(), row.end(), rows.push.begin());
  std::ranges::fill(rows.moved, 0.0);
  apply_inverse_mass(model.tree, w.tree, reach.links_of(point), rows.push, w.constraints.scratch,
                     rows.moved);
  if (!model.constraints.empty()) {
    project_velocities(model.tree, model.constraints, rows.moved, w.tree, w.constraints);
  }
  std::copy(rows.moved.begin(), rows.moved.end(), &rows.response[i * rows.width]);
}

/// The rows of a point.
struct PointRows {
  std::size_t row[4], count;
};
PointRows rows_of(const RigidRows& rows, std::size_t point) {
  const std::size_t i = 3 * point, spin = rows.spin[point];
  return {{i, i + 1, i + 2, spin}, spin == RigidRows::kNone ? 3U : 4U};
}

/// W = J M^-1 J^T.
void fill_delassus(std::span<const RigidActor> points, const RowReach& reach, RigidRows& rows) {
  // A row moves one or two bodies: of many, most of it is zero.
  std::vector<std::size_t> first(rows.count), last(rows.count);
  for (std::size_t i = 0; i < rows.count; ++i) {
    const std::span<const double> row(&rows.J[i * rows.width], rows.width);
    while (first[i] < row.size() && row[first[i]] == 0.0) ++first[i];
    for (last[i] = row.size(); last[i] > first[i] && row[last[i] - 1] == 0.0;) --last[i];
  }
  rows.W.assign(rows.count * rows.count, 0.0);
  const auto fill = [&](std::size_t i, std::size_t j) {
    double sum = 0.0;
    for (std::size_t k = first[i]; k < last[i]; ++k) {
      sum += rows.J[i * rows.width + k] * rows.response[j * rows.width + k];
    }
    rows.W[i * rows.count + j] = rows.W[j * rows.count + i] = sum;
  };
  for (std::size_t p = 0; p < points.size(); ++p) {
    const PointRows own = rows_of(rows, p);
    for (std::size_t q = 0; q < points.size(); ++q) {
      if (rows.group[q] != rows.group[p] || reach.are_apart(points[p], points[q])) continue;
      const PointRows other = rows_of(rows, q);
      for (std::size_t a = 0; a < own.count; ++a) {
        for (std::size_t b = 0; b < other.count; ++b) {
          if (other.row[b] <= own.row[a]) fill(own.row[a], other.row[b]);
        }
      }
    }
  }
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
  rows.push.resize(rows.width), rows.moved.resize(rows.width);
  RowReach reach(w, rows.links);
  reach.find_groups(points, rows.group);
  for (std::size_t k = 0; k < points.size(); ++k) {
    const RigidSite& site = points[k].site;
    std::size_t i = 3 * k;
    for (const Vec3& e : {site.n, site.t1, site.t2}) {
      put_row(w, points[k], {{}, e}, i++, reach, rows);
    }
    if (rows.spin[k] == RigidRows::kNone) continue;
    put_row(w, points[k], {site.n, {}}, rows.spin[k], reach, rows);
  }
  fill_delassus(points, reach, rows);
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

std::vector<std::vector<std::size_t>> by_groups(const RigidRows& rows,
                                                std::span<const std::size_t> points) {
  std::vector<std::vector<std::size_t>> groups;
  std::vector<std::size_t> place(rows.group.size(), RigidRows::kNone);  // of a group by its first
  for (std::size_t i = 0; i < points.size(); ++i) {
    std::size_t& own = place[rows.group[points[i]]];
    if (own == RigidRows::kNone) own = groups.size(), groups.emplace_back();
    groups[own].push_back(i);
  }
  return groups;
}

}  // namespace carom
