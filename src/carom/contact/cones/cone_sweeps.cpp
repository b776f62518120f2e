#include "carom/contact/cones/cone_sweeps.h"

#include <algorithm>

namespace carom {
namespace {

using Kind = ConeBlock::Kind;

constexpr int kInner = 8;  ///< steps on one contact; the sweeps correct what is left

class Sweeps {
 public:
  Sweeps(const ScaledCones& problem, std::vector<double>& r) : p_(problem), r_(r) {}

  void visit(const ConeBlock& b) {
    const std::size_t i = b.first, n = p_.size();
    if (b.kind != Kind::cone) {
      const double w = p_.W[i * n + i];
      if (!(w > 0.0)) return;
      const double next = r_[i] - velocity(i) / w;
      r_[i] = b.kind == Kind::single ? std::max(0.0, next) : next;
      return;
    }
    Triple u{};
    for (std::size_t a = 0; a < 3; ++a) u[a] = velocity(i + a);
    const double trace = p_.W[i * n + i] + p_.W[(i + 1) * n + i + 1] + p_.W[(i + 2) * n + i + 2];
    if (!(trace > 0.0)) return;
    const double rho = 1.0 / trace;  // at most one over the largest eigenvalue
    for (int k = 0; k < kInner; ++k) {
      const double lift = std::hypot(u[1], u[2]);
      const Triple to = project_lorentz({r_[i] - rho * (u[0] + lift), r_[i + 1] - rho * u[1],
                                         r_[i + 2] - rho * u[2]})
                            .at;
      Triple change{};
      for (std::size_t a = 0; a < 3; ++a) change[a] = to[a] - r_[i + a], r_[i + a] = to[a];
      for (std::size_t a = 0; a < 3; ++a) {
        for (std::size_t c = 0; c < 3; ++c) u[a] += p_.W[(i + a) * n + i + c] * change[c];
      }
    }
  }

 private:
  double velocity(std::size_t i) const {
    const double* w = &p_.W[i * p_.size()];
    double sum = p_.q[i];
    for (std::size_t j = 0; j < p_.size(); ++j) sum += w[j] * r_[j];
    return sum;
  }

  const ScaledCones& p_;
  std::vector<double>& r_;
};

}  // namespace

void sweep_cones(const ScaledCones& problem, int sweeps, std::vector<double>& r) {
  Sweeps all(problem, r);
  for (int k = 0; k < sweeps; ++k) {
    for (const ConeBlock& b : problem.blocks) all.visit(b);
  }
}

}  // namespace carom
