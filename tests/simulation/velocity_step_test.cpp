// The door for steps that are not right-hand sides, and a method with a solver of its own that
// comes in by it.
#include "carom/math/velocity_step.h"

#include <gtest/gtest.h>

#include <cmath>

#include "carom/engine/contact/contact_history.h"
#include "carom/engine/stepper.h"
#include "carom/scene/read/read.h"
#include "carom/simulation/scene_system.h"

namespace carom {
namespace {

constexpr double kGravity = 9.81;

/// A scene as a driver of velocity steps holds it.
struct Stepped {
  Stepped(const std::string& text, VelocityStepKind kind, double h) : step_length(h) {
    Diagnostics diagnostics;
    model = compile(read_scene_text(text), diagnostics);
    w = std::make_unique<Workspace>(model);
    stepper = std::make_unique<Stepper>(*w);
    stepper->set_kind({false, h, true, 1});
    w->step.explicit_step = w->step.kick_step = w->step.look_ahead = 0.0;
    w->modes.banks = true;
    x = model->initial;
    stepper->start(0.0, x);
    system = std::make_unique<SceneSystem>(*w);
    system->use_steps(kind);
    expect();
  }
  VelocityStep& step() { return *system->velocity_step(); }
  void expect() {
    stepper->expect(t, x, step_length);
    stepper->begin(t, x);
  }
  /// The step that was taken last has come to `end`.
  void accept(const std::vector<double>& end) {
    std::vector<EngineEvent> events;
    system->commit_step(events);
    t += step_length, x = end;
    EventOutcome outcome;
    stepper->switch_banked(t, x, outcome);
    expect();
  }
  Vec3 position(std::size_t link) {
    evaluate_kinematics(*w, t, x);
    return w->tree.links[link].p_WL;
  }
  std::shared_ptr<const Model> model;
  std::unique_ptr<Workspace> w;
  std::unique_ptr<Stepper> stepper;
  std::unique_ptr<SceneSystem> system;
  std::vector<double> x;
  double t = 0.0, step_length;
};

/// Gauss with pivots; a is n x n.
std::vector<double> solve_densely(std::vector<double> a, std::vector<double> b) {
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

double length(const std::vector<double>& v) {
  double sum = 0.0;
  for (const double value : v) sum += value * value;
  return std::sqrt(sum);
}

/// Newton's method over all velocities of a problem at once, written from what the door shows:
/// (1) to (3) of step_problem.h. The step is halved while the gradient grows.
class OwnSolver {
 public:
  explicit OwnSolver(StepProblem& p) : p_(p), n_(p.v.size()) {}

  void solve() {
    look(p_.v);
    for (int i = 0; i < 100 && length(g_) > 1e-13; ++i) {
      const std::vector<double> way = solve_densely(H_, g_), from = p_.v;
      const double before = length(g_);
      for (double share = 1.0; share > 1e-9; share *= 0.5) {
        for (std::size_t k = 0; k < n_; ++k) p_.v[k] = from[k] - share * way[k];
        look(p_.v);
        if (length(g_) < before) break;
      }
    }
  }

 private:
  /// Gradient and Hessian of (1) at v.
  void look(const std::vector<double>& v) {
    g_.assign(n_, 0.0), H_.assign(n_ * n_, 0.0);
    for (const VelocityBlock& b : p_.blocks) {
      for (std::size_t i = 0; i < b.size; ++i) {
        for (std::size_t k = 0; k < b.size; ++k) {
          const double m = p_.mass[b.mass + i * b.size + k];
          g_[b.start + i] += m * (v[b.start + k] - p_.free[b.start + k]);
          H_[(b.start + i) * n_ + b.start + k] += m;
        }
      }
    }
    for (const RowGroup& g : p_.groups) add_group(g, v);
  }
  void add_group(const RowGroup& g, const std::vector<double>& v) {
    std::vector<double> u(static_cast<std::size_t>(g.rows));
    row_velocities(p_, g, v, u);
    std::size_t row = 0;
    for (int i = 0; i < g.normals; ++i, ++row) {
      const RowAnswer a =
          answer(p_.normals[static_cast<std::size_t>(g.first_normal + i)], p_.h, u[row], 1.0);
      add(g, row, row, a.force, -a.slope);
    }
    for (int i = 0; i < g.rubs; ++i) {
      const RubRow& rub = p_.rubs[static_cast<std::size_t>(g.first_rub + i)];
      const auto size = static_cast<std::size_t>(rub.size);
      const RubAnswer a = answer(rub, p_.h, std::span(u).subspan(row, size), 1.0);
      for (std::size_t j = 0; j < size; ++j) {
        for (std::size_t k = 0; k < size; ++k) {
          const double slope =
              a.weight * ((j == k ? 1.0 : 0.0) - a.along * a.direction[j] * a.direction[k]);
          add(g, row + j, row + k, j == k ? a.force[j] : 0.0, slope);
        }
      }
      row += size;
    }
  }
  /// The impulse h f of row i, and -df_i/du_k.
  void add(const RowGroup& g, std::size_t i, std::size_t k, double f, double slope) {
    const std::size_t width = p_.row_width(g), na = p_.block_size(g.a);
    const auto place = [&](std::size_t c) {
      return c < na ? p_.blocks[static_cast<std::size_t>(g.a)].start + c
                    : p_.blocks[static_cast<std::size_t>(g.b)].start + c - na;
    };
    const double* J = &p_.jacobian[g.jacobian + i * width];
    const double* K = &p_.jacobian[g.jacobian + k * width];
    for (std::size_t c = 0; c < width; ++c) {
      g_[place(c)] -= p_.h * f * J[c];
      for (std::size_t d = 0; d < width; ++d) {
        H_[place(c) * n_ + place(d)] += p_.h * slope * J[c] * K[d];
      }
    }
  }

  StepProblem& p_;
  std::size_t n_;
  std::vector<double> g_, H_;
};

/// One step by a method that is no row of the catalogue.
std::vector<double> take_own_step(VelocityStep& step, double t, double h,
                                  const std::vector<double>& x) {
  std::vector<double> end(x.size());
  do {
    EXPECT_EQ(step.begin(t, h, x), Status::ok);
    for (std::size_t i = 0; i < step.problem()->islands.size(); ++i) {
      do OwnSolver(*step.problem()).solve();
      while (step.revise(i));
    }
    step.finish(end);
  } while (step.missed(end));
  return end;
}

const char* kFallingBall = R"yaml(
carom: 1
bodies:
  table: {fixed: true, material: steel, shapes: [{box: {size: [2, 2, 0.1]}, at: [0, 0, -0.05]}]}
  ball: {material: steel, shapes: [{sphere: {radius: 0.05}}], position: [0, 0, 0.06], velocity: [0.3, 0, -0.2], angular_velocity: [2, 5, 1]}
run: {until: 1}
)yaml";

// A steel ball falls on steel, slides and rolls, by steps a hundred times as long as the impact.
// Two algorithms find the same motion, and it comes to lie where the law carries its weight.
TEST(VelocityStep, LeavesTheSolverToTheMethod) {
  constexpr double kStep = 1e-3;
  Stepped s(kFallingBall, VelocityStepKind::implicit, kStep);
  const double mass = s.model->tree.links[1].inertia.m;
  std::size_t with_rows = 0;
  for (int i = 0; i < 300; ++i) {
    const std::vector<double> own = take_own_step(s.step(), s.t, kStep, s.x);
    std::vector<double> end(s.x.size());
    ASSERT_EQ(s.step().begin(s.t, kStep, s.x), Status::ok);
    with_rows += !s.step().problem()->normals.empty();
    ASSERT_TRUE(s.step().solve());
    s.step().finish(end);
    // Solved to 1e-8 of the velocity that free fall brings in a step.
    for (std::size_t k = 0; k < s.model->nq() + s.model->nv(); ++k) {
      ASSERT_NEAR(own[k], end[k], 1e-8 * kStep * kGravity) << "step " << i << ", x" << k;
    }
    s.accept(end);
  }
  EXPECT_GT(with_rows, 100u);
  evaluate(*s.w, s.t, s.x);
  ASSERT_EQ(s.w->contacts.readings.size(), 1u);
  EXPECT_NEAR(s.w->contacts.readings[0].normal_force, mass * kGravity, 1e-3 * mass * kGravity);
}

// The coordinates of a block are its own. What they cannot change: how fast an impulse along a row
// makes it, and how fast the row is without one. They are of the middle of the step, so the arm
// starts from rest.
TEST(VelocityStep, HasTheMassAndTheFreeVelocityOfTheSystem) {
  constexpr double kStep = 5e-3, kMove = 1e-6;
  Stepped s(R"yaml(
carom: 1
bodies:
  table: {fixed: true, material: steel, shapes: [{box: {size: [9, 9, 0.1]}, at: [0, 0, -0.660894]}]}
  upper: {mass: 2, com: [0.1, 0.02, -0.2], inertia: [0.1, 0.2, 0.15], joint: {revolute: {axis: [1, 2, 0]}, name: shoulder, q: 0.3, rotor: {inertia: 5e-4, ratio: 10}}}
  lower: {mass: 1, com: [0, 0, -0.1], inertia: [0.05, 0.06, 0.07], joint: {spherical: {parent: upper, at: [0, 0, -0.5]}, name: elbow}, material: steel, shapes: [{sphere: {radius: 0.12}, at: [0.05, 0, 0]}]}
run: {until: 1}
)yaml",
            VelocityStepKind::implicit, kStep);
  ASSERT_EQ(s.step().begin(0.0, kStep, s.x), Status::ok);
  const StepProblem p = *s.step().problem();
  ASSERT_EQ(p.blocks.size(), 1u);
  ASSERT_EQ(p.normals.size(), 1u);
  const std::size_t n = s.model->nv(), nq = s.model->nq();
  ASSERT_EQ(p.blocks[0].size, n);
  const std::vector<double> J(p.jacobian.begin(),
                              p.jacobian.begin() + static_cast<std::ptrdiff_t>(n));
  const auto product = [n](const std::vector<double>& a, const double* b) {
    double sum = 0.0;
    for (std::size_t i = 0; i < n; ++i) sum += a[i] * b[i];
    return sum;
  };
  // The same from the mass matrix of another algorithm, and from where the ball is moved to.
  std::vector<double> M(n * n), rates(s.x.size()), own(n);
  ASSERT_EQ(s.system->rhs(0.0, s.x, rates), Status::ok);
  TreeData data = s.w->tree;
  calc_mass_matrix(s.model->tree, data, M);
  const auto height = [&](std::size_t v, double way) {
    std::vector<double> x = s.x, rate(nq);
    for (std::size_t i = 0; i < n; ++i) x[nq + i] = i == v ? 1.0 : 0.0;
    s.system->position_rates(0.0, x, rate);
    for (std::size_t i = 0; i < nq; ++i) x[i] += way * rate[i];
    evaluate_kinematics(*s.w, 0.0, x);
    const LinkState& L = s.w->tree.links[2];
    return (L.p_WL + L.R_WL * Vec3{0.05, 0.0, 0.0}).z;
  };
  for (std::size_t i = 0; i < n; ++i) {
    own[i] = (height(i, kMove) - height(i, -kMove)) / (2.0 * kMove);
  }
  const double mobility = product(J, solve_densely(p.mass, J).data());
  EXPECT_NEAR(mobility, product(own, solve_densely(M, own).data()), 1e-8 * mobility);
  std::vector<double> free(n);
  for (std::size_t i = 0; i < n; ++i) free[i] = s.x[nq + i] + kStep * rates[nq + i];
  EXPECT_NEAR(product(J, p.free.data()), product(own, free.data()), 1e-8);
}

// Rows against difference quotients of the depth they belong to.
TEST(VelocityStep, RowsAreRatesOfTheDepth) {
  constexpr double kStep = 1e-3, kShort = 1e-6;
  Stepped s(R"yaml(
carom: 1
bodies:
  table: {fixed: true, material: steel, shapes: [{box: {size: [2, 2, 0.1]}, at: [0, 0, -0.05]}]}
  arm: {mass: 1, inertia: [0.1, 0.1, 0.1], material: steel, shapes: [{sphere: {radius: 0.05}, at: [0.4, 0, 0]}], joint: {revolute: {axis: [0.1, 1, 0], at: [0, 0, 0.0502]}, name: pivot, v: 1}}
  ball: {material: steel, shapes: [{sphere: {radius: 0.05}}], position: [0.5, 0.001, 0.0501], velocity: [-1, 2, -0.5]}
run: {until: 1}
)yaml",
            VelocityStepKind::implicit, kStep);
  const auto depths = [&](double h) {
    std::vector<double> x = s.x, rate(s.model->nq());
    s.system->position_rates(0.0, s.x, rate);
    for (std::size_t i = 0; i < rate.size(); ++i) x[i] += h * rate[i];
    EXPECT_EQ(s.step().begin(0.0, kStep, x), Status::ok);
    std::vector<double> out;
    for (const NormalRow& row : s.step().problem()->normals) out.push_back(row.depth);
    return out;
  };
  const std::vector<double> later = depths(kShort), before = depths(-kShort), now = depths(0.0);
  ASSERT_EQ(now.size(), 3u);  // each on the table, and both
  ASSERT_EQ(later.size(), 3u);
  StepProblem& p = *s.step().problem();
  // Velocities where the step begins: v* less the gain of the step, from two lengths of it.
  const std::vector<double> with_h = p.free;
  std::vector<double> v(p.v.size());
  ASSERT_EQ(s.step().begin(0.0, 2.0 * kStep, s.x), Status::ok);
  for (std::size_t i = 0; i < v.size(); ++i) v[i] = 2.0 * with_h[i] - p.free[i];
  for (const RowGroup& g : p.groups) {
    std::vector<double> u(static_cast<std::size_t>(g.rows));
    row_velocities(p, g, v, u);
    for (int i = 0; i < g.normals; ++i) {
      const auto row = static_cast<std::size_t>(g.first_normal + i);
      EXPECT_NEAR(u[static_cast<std::size_t>(i)], (before[row] - later[row]) / (2.0 * kShort),
                  1e-4);
    }
  }
}

// The same door for rigid contact: rows within cones, no potentials. In closed form a ball that
// slides at the limit of friction loses mu g h of its speed in a step and gains mu m g h r / I of
// spin.
TEST(VelocityStep, TakesImpulsesInConesAsWell) {
  constexpr double kStep = 1e-3, kMu = 0.3, kMass = 0.4, kRadius = 0.05, kInertia = 4e-4;
  Stepped s(R"yaml(
carom: 1
contact: {method: rigid, restitution: 0, mu_k: 0.3}
bodies:
  floor: {fixed: true, material: steel, shapes: [{half_space: {}}]}
  ball: {material: steel, mass: 0.4, inertia: [4e-4, 4e-4, 4e-4], shapes: [{sphere: {radius: 0.05}}], position: [0, 0, 0.05], velocity: [2, 0, 0]}
run: {until: 1, step: 1e-3, integrator: time_stepping}
)yaml",
            VelocityStepKind::impulses, kStep);
  EXPECT_EQ(s.step().problem(), nullptr);
  ASSERT_EQ(s.step().begin(0.0, kStep, s.x), Status::ok);
  ASSERT_TRUE(s.step().solve());
  std::vector<double> end(s.x.size());
  s.step().finish(end);
  EXPECT_FALSE(s.step().missed(end));
  EXPECT_FALSE(s.step().sinks(end));
  const std::size_t v = s.model->nq();
  EXPECT_NEAR(end[v + 3], 2.0 - kMu * kGravity * kStep, 1e-9);
  EXPECT_NEAR(end[v + 1], kMu * kMass * kGravity * kStep * kRadius / kInertia, 1e-7);
  EXPECT_NEAR(end[v + 5], 0.0, 1e-9);
}

// A ball falls on a floor that gives nothing back and lies there. What the contact has summed up is
// all the momentum that gravity gave, and all the energy of the fall.
TEST(VelocityStep, SumsImpulseAndLossOfContactsWithoutSlots) {
  constexpr double kStep = 1e-3, kMass = 0.4, kHeight = 0.1, kRadius = 0.05;
  Stepped s(R"yaml(
carom: 1
contact: {method: rigid, restitution: 0}
bodies:
  floor: {fixed: true, material: steel, shapes: [{half_space: {}}]}
  ball: {material: steel, mass: 0.4, inertia: [4e-4, 4e-4, 4e-4], shapes: [{sphere: {radius: 0.05}}], position: [0, 0, 0.15]}
run: {until: 1, step: 1e-3, integrator: time_stepping}
)yaml",
            VelocityStepKind::impulses, kStep);
  for (int i = 0; i < 250; ++i) {
    std::vector<double> end(s.x.size());
    ASSERT_EQ(s.step().begin(s.t, kStep, s.x), Status::ok);
    ASSERT_TRUE(s.step().solve());
    s.step().finish(end);
    s.accept(end);
  }
  EXPECT_NEAR(s.position(1).z, kRadius, 1e-6);
  const std::vector<PairHistory> all = contact_history(*s.w, s.t, s.x);
  ASSERT_EQ(all.size(), 1u);
  EXPECT_NEAR(all[0].impulse, kMass * kGravity * s.t, 1e-9);
  const RigidMemory& memory = s.w->modes.contacts.rigid;
  EXPECT_NEAR(memory.lost_normal + memory.lost_friction, kMass * kGravity * kHeight, 1e-6);
  // By its impulses: that of the impact works on what gravity adds in half a step.
  const double half_step = 0.5 * kStep * kMass * kGravity * std::sqrt(2.0 * kGravity * kHeight);
  EXPECT_NEAR(all[0].energy_lost, kMass * kGravity * kHeight, 1.01 * half_step);
}

}  // namespace
}  // namespace carom
