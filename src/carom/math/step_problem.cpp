#include "carom/math/step_problem.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "carom/base/index.h"

namespace carom {

void StepProblem::clear() {
  blocks.clear(), mass.clear(), free.clear(), v.clear();
  groups.clear(), normals.clear(), rubs.clear(), jacobian.clear();
}

NormalRow scaled(const NormalRow& row, double share) {
  NormalRow out = row;
  out.linear *= share, out.hertz *= share, out.power *= share, out.viscous *= share;
  return out;
}

RubRow at_load(const RubRow& row, double load) {
  RubRow out = row;
  const RubLimits limits = limits_at(row, load);
  out.bound = limits.bound, out.stiffness = limits.stiffness;
  return out;
}

double elastic_energy(const NormalRow& r, double d) {
  if (!(d > 0.0)) return 0.0;
  double e = d * d * (0.5 * r.linear + (r.hertz > 0.0 ? 0.4 * r.hertz * std::sqrt(d) : 0.0));
  if (r.power > 0.0) e += r.power * std::pow(d, r.exponent + 1.0) / (r.exponent + 1.0);
  return e;
}

double secant_force(const NormalRow& r, double d) {
  const double way = d - r.depth, size = std::max(std::abs(d), std::abs(r.depth));
  if (std::abs(way) > 1e-6 * size) {
    return (elastic_energy(r, d) - elastic_energy(r, r.depth)) / way;
  }
  return elastic_force(r, 0.5 * (d + r.depth));
}

/// The slope where f jumps or has a kink of infinite steepness is that of the side that acts.
ElasticAnswer secant_answer(const NormalRow& r, double d) {
  const double force = secant_force(r, d);
  const double way = d - r.depth, size = std::max(std::abs(d), std::abs(r.depth));
  if (std::abs(way) > 1e-4 * size) return {force, (elastic_force(r, d) - force) / way};
  return {force, 0.5 * elastic_slope(r, 0.5 * (d + r.depth))};
}

RubAnswer answer(const RubRow& r, double h, std::span<const double> u, double ease) {
  RubAnswer out;
  if (!(r.bound > 0.0)) return out;
  const double k = ease * r.stiffness;
  double s2 = 0.0;
  for (std::size_t i = 0; i < at(r.size); ++i) {
    out.direction[i] = r.bristle[i] + (h + r.lag) * u[i];
    s2 += out.direction[i] * out.direction[i];
  }
  const double s = std::sqrt(s2);
  out.slips = k * s > r.bound;
  const double factor = out.slips ? r.bound / s : k;
  for (std::size_t i = 0; i < at(r.size); ++i) {
    out.force[i] = -factor * out.direction[i];  // (3)
    out.direction[i] = s > 0.0 ? out.direction[i] / s : 0.0;
  }
  // Exactly blind along s, where the search on the line stops a step that runs away. Anything left
  // there holds light bodies back under a large bound: Newton's method is then of first order.
  out.weight = (h + r.lag) * factor;
  out.along = out.slips ? 1.0 : 0.0;
  return out;
}

void row_velocities(const StepProblem& p, const RowGroup& g, std::span<const double> v,
                    std::span<double> u) {
  const std::size_t na = p.block_size(g.a), nb = p.block_size(g.b);
  const double* va = g.a < 0 ? nullptr : &v[p.blocks[at(g.a)].start];
  const double* vb = g.b < 0 ? nullptr : &v[p.blocks[at(g.b)].start];
  const double* J = p.jacobian.data() + g.jacobian;
  for (std::size_t r = 0; r < at(g.rows); ++r, J += na + nb) {
    double sum = 0.0;
    for (std::size_t k = 0; k < na; ++k) sum += J[k] * va[k];
    for (std::size_t k = 0; k < nb; ++k) sum += J[na + k] * vb[k];
    u[r] = sum;
  }
  for (std::size_t i = 0; i < at(g.normals); ++i) u[i] += p.normals[at(g.first_normal) + i].drift;
  std::size_t r = at(g.normals);
  for (std::size_t i = 0; i < at(g.rubs); ++i) {
    const RubRow& rub = p.rubs[at(g.first_rub) + i];
    for (std::size_t k = 0; k < at(rub.size); ++k) u[r++] += rub.drift[k];
  }
}

void find_islands(StepProblem& p) {
  std::vector<int>& root = p.root;
  root.resize(p.blocks.size());
  std::iota(root.begin(), root.end(), 0);
  const auto find = [&](int i) {
    while (root[at(i)] != i) i = root[at(i)] = root[at(root[at(i)])];
    return i;
  };
  for (const RowGroup& g : p.groups) {
    if (g.a < 0 || g.b < 0) continue;
    const int a = find(g.a), b = find(g.b);
    root[at(std::max(a, b))] = std::min(a, b);  // the first block speaks for its island
  }
  std::vector<int>& island_of = p.island_of;
  island_of.assign(p.blocks.size(), -1);
  std::size_t count = 0;
  for (std::size_t i = 0; i < p.groups.size(); ++i) {
    const RowGroup& g = p.groups[i];
    if (g.a < 0 && g.b < 0) continue;
    const int r = find(g.a < 0 ? g.b : g.a);
    if (island_of[at(r)] < 0) {
      island_of[at(r)] = static_cast<int>(count++);
      if (p.islands.size() < count) p.islands.emplace_back();
      p.islands[count - 1].blocks.clear(), p.islands[count - 1].groups.clear();
      p.islands[count - 1].is_warm = false;
    }
    p.islands[at(island_of[at(r)])].groups.push_back(static_cast<int>(i));
  }
  p.islands.resize(count);
  for (std::size_t i = 0; i < p.blocks.size(); ++i) {
    const int island = island_of[at(find(static_cast<int>(i)))];
    if (island >= 0) p.islands[at(island)].blocks.push_back(static_cast<int>(i));
  }
}

}  // namespace carom
