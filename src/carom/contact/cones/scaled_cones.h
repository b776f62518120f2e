// A cone problem in variables in which every cone is |r_t| <= r_n and every diagonal block about 1.
//
//   r = S r^,  W^ = S W S / k,  q^ = S q / k,  S = diag(W_cc)^(-1/2) (1/mu, 1, 1),  k = max |S q|
//
// Masses of a gram and of a ton look alike then. Contacts without friction keep their normal row
// only: the scale would divide by mu.
#pragma once

#include "carom/contact/cones/cone_problem.h"
#include "carom/contact/cones/lorentz.h"

namespace carom {

struct ConeBlock {
  enum class Kind : std::uint8_t { free, single, cone };
  Kind kind = Kind::free;
  std::size_t first = 0;    ///< of its rows, 1 or 3
  std::size_t contact = 0;  ///< of `single` and `cone`
};

class ScaledCones {
 public:
  /// With every friction coefficient times `share`.
  ScaledCones(const ConeProblem& problem, double share);

  std::size_t size() const { return q.size(); }
  std::vector<double> scaled(std::span<const double> r) const;
  void unscale(std::span<const double> scaled, std::span<double> r) const;

  /// u = W r + q.
  void velocities(std::span<const double> r, std::span<double> u) const;

  /// Largest sum of the magnitudes of what a row of W r + q is made of, at least 1.
  double terms(std::span<const double> r) const;

  struct Residual {
    double value = 0.0;
    std::size_t contact = 0;
  };
  /// Of the natural map r - P(r - u~), relative to the largest term of W r + q.
  Residual residual(std::span<const double> r) const;
  /// Nearest forces that the cones allow.
  void project(std::span<double> r) const;
  /// Forces of least norm with u = 0, as if everything stuck.
  std::vector<double> stick() const;

  std::vector<ConeBlock> blocks;
  std::vector<double> W, q;  ///< row by row; scaled

 private:
  std::vector<std::size_t> row_;  ///< in the problem, of each row here
  std::vector<double> scale_;     ///< S
  double unit_ = 1.0;             ///< k
};

}  // namespace carom
