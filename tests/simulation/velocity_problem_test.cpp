// The door for steps that are not right-hand sides, and one method that comes in by it.
#include "carom/math/velocity_problem.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <random>

#include "carom/engine/contact_events.h"
#include "carom/scene/read.h"
#include "carom/simulation/scene_system.h"

namespace carom {
namespace {

/// A scene at its start, as a method sees it.
struct Started {
  explicit Started(const std::string& text) {
    Diagnostics diagnostics;
    model = compile(read_scene_text(text), diagnostics);
    w = std::make_unique<Workspace>(model);
    x = model->initial;
    initialise_modes(*w, 0.0, x);
    x.resize(state_size(*w), 0.0);
    system = std::make_unique<SceneSystem>(*w);
  }
  std::shared_ptr<const Model> model;
  std::unique_ptr<Workspace> w;
  std::unique_ptr<SceneSystem> system;
  std::vector<double> x;
};

std::vector<double> random_vector(std::size_t n, std::mt19937& random) {
  std::vector<double> v(n);
  for (double& value : v) value = std::normal_distribution<>()(random);
  return v;
}

double product(std::span<const double> a, std::span<const double> b) {
  double sum = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

/// Gauss with pivots; a is n x n.
std::vector<double> solve(std::vector<double> a, std::vector<double> b) {
  const std::size_t n = b.size();
  for (std::size_t k = 0; k < n; ++k) {
    std::size_t p = k;
    for (std::size_t i = k; i < n; ++i) {
      if (std::abs(a[i * n + k]) > std::abs(a[p * n + k])) p = i;
    }
    for (std::size_t j = 0; j < n; ++j) std::swap(a[k * n + j], a[p * n + j]);
    std::swap(b[k], b[p]);
    for (std::size_t i = k + 1; i < n; ++i) {
      const double f = a[i * n + k] / a[k * n + k];
      for (std::size_t j = k; j < n; ++j) a[i * n + j] -= f * a[k * n + j];
      b[i] -= f * b[k];
    }
  }
  for (std::size_t k = n; k-- > 0;) {
    for (std::size_t j = k + 1; j < n; ++j) b[k] -= a[k * n + j] * b[j];
    b[k] /= a[k * n + k];
  }
  return b;
}

/// Backward Euler through frictionless contacts: v⁺ makes
///
///   ½ (v⁺ − v*)ᵀ M (v⁺ − v*) + Σ φ(d⁺),   d⁺ = d − h J v⁺                                (1)
///
/// least. The depth is remembered, d⁺ of this step is d of the next: then no step gains energy.
class BackwardEuler {
 public:
  explicit BackwardEuler(System& system) : system_(system) {}

  bool step(double t, std::vector<double>& x, double h) {
    const VelocityProblem* p = system_.velocity_problem(t, x, h);
    if (!p) return false;
    const std::size_t n = p->free.size(), m = p->contacts.size();
    std::vector<double> depth(m), M(n * n), unit(n), column(n), v = p->free;
    for (std::size_t i = 0; i < m; ++i) {
      const auto known = memory_.find(p->contacts[i].key);
      depth[i] = known == memory_.end() ? std::min(0.0, p->contacts[i].depth) : known->second;
    }
    for (std::size_t k = 0; k < n; ++k) {
      unit.assign(n, 0.0), unit[k] = 1.0;
      system_.apply_mass(unit, column);
      for (std::size_t i = 0; i < n; ++i) M[i * n + k] = column[i];
    }
    iterate(*p, depth, M, v);
    memory_.clear();
    for (std::size_t i = 0; i < m; ++i) {
      depth[i] -= h * p->rows.product(p->contacts[i].normal, v);
      memory_[p->contacts[i].key] = depth[i];
    }
    system_.move(x, v, h, x);
    return true;
  }
  double stored(const VelocityProblem& p) const {
    double sum = 0.0;
    for (std::size_t i = 0; i < p.contacts.size(); ++i) {
      const auto known = memory_.find(p.contacts[i].key);
      if (known != memory_.end()) sum += system_.potential(i, known->second).energy;
    }
    return sum;
  }

 private:
  /// The value of (1), its gradient and Hessian.
  double look(const VelocityProblem& p, const std::vector<double>& depth,
              const std::vector<double>& M, const std::vector<double>& v,
              std::vector<double>* gradient, std::vector<double>* hessian) const {
    const std::size_t n = v.size();
    std::vector<double> off(n), force(n, 0.0);
    for (std::size_t k = 0; k < n; ++k) off[k] = v[k] - p.free[k];
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t k = 0; k < n; ++k) force[i] += M[i * n + k] * off[k];
    }
    double value = 0.5 * product(off, force);
    if (hessian) *hessian = M;
    for (std::size_t i = 0; i < p.contacts.size(); ++i) {
      const std::size_t row = p.contacts[i].normal;
      const ContactPotential phi = system_.potential(i, depth[i] - p.step * p.rows.product(row, v));
      value += phi.energy;
      p.rows.add_transposed(row, -p.step * phi.force, force);
      std::vector<double> J(n, 0.0);
      p.rows.add_transposed(row, 1.0, J);
      for (std::size_t a = 0; hessian && a < n; ++a) {
        for (std::size_t b = 0; b < n; ++b) {
          (*hessian)[a * n + b] += p.step * p.step * phi.stiffness * J[a] * J[b];
        }
      }
    }
    if (gradient) *gradient = force;
    return value;
  }

  void iterate(const VelocityProblem& p, const std::vector<double>& depth,
               const std::vector<double>& M, std::vector<double>& v) const {
    std::vector<double> gradient, hessian;
    for (int i = 0; i < 200; ++i) {
      const double value = look(p, depth, M, v, &gradient, &hessian);
      const std::vector<double> step = solve(hessian, gradient);
      double slope = product(gradient, step), share = 1.0;
      if (!(slope > 1e-26 * (1.0 + std::abs(value)))) return;
      std::vector<double> next = v;
      for (; share > 1e-12; share *= 0.5) {
        for (std::size_t k = 0; k < v.size(); ++k) next[k] = v[k] - share * step[k];
        if (look(p, depth, M, next, nullptr, nullptr) <= value - 1e-4 * share * slope) break;
      }
      v = next;
    }
  }

  System& system_;
  std::map<VelocityContact::Key, double> memory_;
};

const char* kTree = R"yaml(
carom: 1
bodies:
  upper: {mass: 2, com: [0.1, 0.02, 0.2], inertia: [0.1, 0.2, 0.15], joint: {revolute: {axis: [1, 2, 0]}, name: shoulder, q: 0.3, v: 2, rotor: {inertia: 5e-4, ratio: 10}}}
  lower: {mass: 1, com: [0, 0, 0.3], inertia: [0.05, 0.06, 0.07], joint: {spherical: {parent: upper, at: [0, 0, 0.5]}, name: elbow, v: [1, -2, 0.5]}}
  slide: {mass: 3, inertia: [0.1, 0.1, 0.1], joint: {prismatic: {parent: upper, axis: x}, name: rail, v: -1}}
  loose: {mass: 1, com: [0.1, 0, 0], inertia: [0.1, 0.2, 0.3], position: [3, 0, 0], velocity: [1, 2, 3], angular_velocity: [3, -1, 2]}
forces: {s: {spring: {from: lower, to: loose, stiffness: 30, length: 1}}}
run: {until: 1}
)yaml";

TEST(VelocityProblem, HasTheMassOfTheSystem) {
  Started s(kTree);
  const VelocityProblem* p = s.system->velocity_problem(0.0, s.x, 1e-3);
  ASSERT_TRUE(p);
  const std::size_t n = p->free.size();
  std::vector<double> M(n * n), product_of(n), back(n);
  std::mt19937 random(3);
  for (int round = 0; round < 20; ++round) {
    const std::vector<double> v = random_vector(n, random);
    s.system->apply_mass(v, product_of);
    s.system->apply_inverse_mass(product_of, back);
    for (std::size_t i = 0; i < n; ++i) EXPECT_NEAR(back[i], v[i], 1e-11);
    TreeData data = s.w->tree;
    calc_mass_matrix(s.model->tree, data, M);  // another algorithm
    for (std::size_t i = 0; i < n; ++i) {
      double sum = 0.0;
      for (std::size_t k = 0; k < n; ++k) sum += M[i * n + k] * v[k];
      EXPECT_NEAR(product_of[i], sum, 1e-12);
    }
  }
  // And its free velocity is that of the right-hand side.
  std::vector<double> rates(s.x.size());
  ASSERT_EQ(s.system->rhs(0.0, s.x, rates), Status::ok);
  for (std::size_t i = 0; i < n; ++i) {
    const double v = s.x[s.model->nq() + i], vdot = rates[s.model->nq() + i];
    EXPECT_NEAR(p->free[i], v + 1e-3 * vdot, 1e-13);
  }
}

TEST(VelocityProblem, KeepsLoopsWithinItsOperator) {
  Started s(R"yaml(
carom: 1
bodies:
  left: {mass: 1, com: [0, 0, -0.25], inertia: [0.1, 0.1, 0.1], joint: {revolute: {axis: y}, name: a}}
  right: {mass: 1, com: [0, 0, -0.25], inertia: [0.1, 0.1, 0.1], joint: {revolute: {axis: y, at: [0.4, 0, 0]}, name: b}}
  bar: {mass: 1, com: [0.2, 0, 0], inertia: [0.1, 0.1, 0.1], joint: {revolute: {parent: left, at: [0, 0, -0.5], axis: y}, name: c}}
joints: {close: {revolute: {parent: bar, child: right, at: [0.4, 0, 0], child_at: [0, 0, -0.5], axis: y}, loop: true}}
run: {until: 1}
)yaml");
  const VelocityProblem* p = s.system->velocity_problem(0.0, s.x, 1e-3);
  ASSERT_TRUE(p);
  const std::size_t n = p->free.size();
  std::vector<double> v(n), u(n);
  std::mt19937 random(4);
  for (int round = 0; round < 20; ++round) {
    const std::vector<double> f = random_vector(n, random), g = random_vector(n, random);
    s.system->apply_inverse_mass(f, v), s.system->apply_inverse_mass(g, u);
    EXPECT_NEAR(v[0], v[1], 1e-12);  // a parallelogram: both rockers turn alike
    EXPECT_NEAR(v[2], -v[0], 1e-12);
    EXPECT_NEAR(product(g, v), product(f, u), 1e-12);
    EXPECT_GE(product(f, v), 0.0);
  }
}

// Rows against difference quotients of the distance they belong to.
TEST(VelocityProblem, RowsAreRatesOfTheDistance) {
  Started s(R"yaml(
carom: 1
bodies:
  table: {fixed: true, material: steel, shapes: [{box: {size: [2, 2, 0.1]}, at: [0, 0, -0.05]}]}
  arm: {mass: 1, inertia: [0.1, 0.1, 0.1], material: steel, shapes: [{sphere: {radius: 0.05}, at: [0.4, 0, 0]}], joint: {revolute: {axis: [0.1, 1, 0], at: [0, 0, 0.0502]}, name: pivot, v: 1}}
  ball: {material: steel, shapes: [{sphere: {radius: 0.05}}], position: [0.5, 0.001, 0.0501], velocity: [-1, 2, 0.5]}
run: {until: 1}
)yaml");
  constexpr double kStep = 1e-6;
  const VelocityProblem first = *s.system->velocity_problem(0.0, s.x, kStep);
  ASSERT_EQ(first.contacts.size(), 3u);  // each on the table, and both
  std::vector<double> later(s.x.size()), before(s.x.size());
  s.system->move(s.x, first.start, kStep, later);
  s.system->move(s.x, first.start, -kStep, before);
  const VelocityProblem second = *s.system->velocity_problem(0.0, later, kStep);
  const VelocityProblem third = *s.system->velocity_problem(0.0, before, kStep);
  for (std::size_t i = 0; i < 3; ++i) {
    const double opening = first.rows.product(first.contacts[i].normal, first.start);
    const double quotient = (third.contacts[i].depth - second.contacts[i].depth) / (2.0 * kStep);
    EXPECT_NEAR(opening, quotient, 1e-8);
  }
}

TEST(VelocityProblem, PotentialsAreIntegralsOfTheirForce) {
  Started s(R"yaml(
carom: 1
bodies:
  table: {fixed: true, material: steel, shapes: [{box: {size: [2, 2, 0.1]}, at: [0, 0, -0.05]}]}
  ball: {material: steel, shapes: [{sphere: {radius: 0.05}}], position: [0, 0, 0.0499999]}
run: {until: 1}
)yaml");
  ASSERT_TRUE(s.system->velocity_problem(0.0, s.x, 1e-3));
  for (const double d : {1e-8, 1e-7, 1e-6, 1e-5}) {
    const double e = 1e-5 * d;
    const ContactPotential here = s.system->potential(0, d), more = s.system->potential(0, d + e),
                           less = s.system->potential(0, d - e);
    EXPECT_NEAR((more.energy - less.energy) / (2 * e), here.force, 1e-8 * here.force);
    EXPECT_NEAR((more.force - less.force) / (2 * e), here.stiffness, 1e-8 * here.stiffness);
  }
  EXPECT_EQ(s.system->potential(0, -1e-6).force, 0.0);
}

// A steel ball falls on steel and is taken through it with steps a hundred times as long as the
// impact: no step gains energy, and it comes to rest where the law carries its weight.
TEST(VelocityProblem, CarriesAnImplicitStepThroughContact) {
  Started s(R"yaml(
carom: 1
bodies:
  table: {fixed: true, material: steel, shapes: [{box: {size: [2, 2, 0.1]}, at: [0, 0, -0.05]}]}
  ball: {material: steel, shapes: [{sphere: {radius: 0.05}}], position: [0, 0, 0.06], velocity: [0, 0, -0.2]}
run: {until: 1}
)yaml");
  constexpr double kStep = 1e-3, kGravity = 9.81;
  const double mass = s.model->tree.links[1].inertia.m;
  BackwardEuler method(*s.system);
  const auto height = [&] { return s.w->tree.links[1].p_WL.z; };
  const auto energy = [&] {
    const VelocityProblem& p = *s.system->velocity_problem(0.0, s.x, kStep);
    std::vector<double> momentum(p.start.size());
    s.system->apply_mass(p.start, momentum);
    return 0.5 * product(p.start, momentum) + mass * kGravity * height() + method.stored(p);
  };
  double before = energy();
  for (int i = 0; i < 200; ++i) {
    ASSERT_TRUE(method.step(i * kStep, s.x, kStep));
    const double now = energy();
    EXPECT_LE(now, before + 1e-12) << "step " << i;
    before = now;
  }
  const VelocityProblem& p = *s.system->velocity_problem(0.2, s.x, kStep);
  ASSERT_EQ(p.contacts.size(), 1u);
  EXPECT_NEAR(s.system->potential(0, p.contacts[0].depth).force, mass * kGravity,
              1e-6 * mass * kGravity);
  for (const double v : p.start) EXPECT_NEAR(v, 0.0, 1e-9);
}

}  // namespace
}  // namespace carom
