// Semismooth Newton on the natural map of a scaled cone problem that is made regular by a little
// compliance:
//
//   u = W r + q + eps (r - centre),   f = r - P(r - rho u~),                            (1)
//   J = (I - D) + rho D E (W + eps I),   D = P',   E = I + n (u_t / |u_t|)^T                (2)
//
// with Armijo's rule on |f|. The compliance makes J regular where contacts are redundant, and
// around a centre that follows the solution (a proximal point) it leaves no error behind.
#pragma once

#include "carom/contact/cones/scaled_cones.h"

namespace carom {

class ConeNewton {
 public:
  ConeNewton(const ScaledCones& problem, int& iterations, double rho = 1.0)
      : problem_(problem), iterations_(iterations), rho_(rho) {}

  /// Solves (1) from r on; whether |f| got below `tolerance` times the largest term of W r + q
  /// within the iterations.
  bool solve(double eps, std::span<const double> centre, int most_iterations, double tolerance,
             std::vector<double>& r);

 private:
  double evaluate(double eps, std::span<const double> centre, std::span<const double> r);
  void build_jacobian(double eps);

  const ScaledCones& problem_;
  int& iterations_;
  double rho_;
  std::vector<double> u_, f_, J_;
  std::vector<Triples> D_;  ///< per block
};

}  // namespace carom
