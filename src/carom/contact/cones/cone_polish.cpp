#include "carom/contact/cones/cone_polish.h"

#include <algorithm>

#include "carom/base/patience.h"
#include "carom/math/dense.h"

namespace carom {
namespace {

using Kind = ConeBlock::Kind;
enum class Mode : std::uint8_t { open, stick, slide };

/// By what is smaller: the force, the speed, or neither.
Mode mode_of(const ConeBlock& b, std::span<const double> r, std::span<const double> u) {
  if (b.kind == Kind::free) return Mode::stick;
  const std::size_t i = b.first;
  if (b.kind == Kind::single) return r[i] > u[i] ? Mode::stick : Mode::open;
  const double lift = std::hypot(u[i + 1], u[i + 2]);
  const double z0 = r[i] - u[i] - lift;
  const double zt = std::hypot(r[i + 1] - u[i + 1], r[i + 2] - u[i + 2]);
  return zt <= z0 ? Mode::stick : zt <= -z0 ? Mode::open : Mode::slide;
}

class Polish {
 public:
  explicit Polish(const ScaledCones& problem)
      : p_(problem), n_(problem.size()), u_(n_), f_(n_), J_(n_ * n_) {}

  void step(std::vector<double>& r) {
    p_.velocities(r, u_);
    std::fill(J_.begin(), J_.end(), 0.0);
    for (const ConeBlock& b : p_.blocks) add(b, mode_of(b, r, u_), r);
    const std::vector<double> change = solve_min_norm(J_, f_);
    for (std::size_t i = 0; i < n_; ++i) r[i] -= change[i];
  }

 private:
  // J_ row by row.
  void add_velocity(std::size_t row, std::size_t i, double factor) {
    const double* w = &p_.W[i * n_];
    for (std::size_t j = 0; j < n_; ++j) J_[row * n_ + j] += factor * w[j];
  }

  void add(const ConeBlock& b, Mode mode, std::span<const double> r) {
    const std::size_t i = b.first, rows = b.kind == Kind::cone ? 3 : 1;
    for (std::size_t a = 0; a < rows; ++a) {
      if (mode == Mode::open) f_[i + a] = r[i + a], J_[(i + a) * n_ + i + a] = 1.0;
      if (mode == Mode::stick) f_[i + a] = u_[i + a], add_velocity(i + a, i + a, 1.0);
    }
    if (mode != Mode::slide) return;
    f_[i] = u_[i];
    add_velocity(i, i, 1.0);
    const double speed = std::hypot(u_[i + 1], u_[i + 2]);
    const double t[2] = {u_[i + 1] / speed, u_[i + 2] / speed};
    for (std::size_t a = 1; a < 3; ++a) {
      const std::size_t row = i + a;
      f_[row] = r[row] + r[i] * t[a - 1];
      J_[row * n_ + row] += 1.0, J_[row * n_ + i] += t[a - 1];
      for (std::size_t c = 1; c < 3; ++c) {
        const double turn = ((a == c ? 1.0 : 0.0) - t[a - 1] * t[c - 1]) / speed;
        add_velocity(row, i + c, r[i] * turn);
      }
    }
  }

  const ScaledCones& p_;
  std::size_t n_;
  std::vector<double> u_, f_, J_;
};

}  // namespace

void polish_cones(const ScaledCones& problem, std::vector<double>& r, int& iterations) {
  constexpr int kMost = 40, kIdle = 8;
  Polish polish(problem);
  std::vector<double> best = r;
  double least = problem.residual(r).value;
  // A change of modes may lead away before it leads on.
  for (int k = 0, idle = 0; k < kMost && idle < kIdle && !Patience::is_over(); ++k, ++idle) {
    ++iterations;
    polish.step(r);
    const double now = problem.residual(r).value;
    if (!(now < least)) continue;
    least = now, best = r, idle = 0;
  }
  r = best;
}

}  // namespace carom
