// Contact forces with Coulomb friction as one complementarity problem. It knows no bodies: forces,
// impulses and the impulses of a time step are the same question.
//
//   u = W r + q                                                                       (1)
//   bilateral rows     u = 0
//   every contact      |r_t| <= mu r_n,   u~ = u + mu |u_t| n,   r in K  _|_  u~ in K*  (2)
//
// K is the friction cone, K* its dual; mu |u_t| n is the term of de Saxcé and Feng (1998), which
// makes Coulomb's law out of the orthogonality of cones: open (r = 0, u_n >= 0), sticking (u = 0)
// or sliding (u_n = 0, r_t = -mu r_n u_t / |u_t|). W is symmetric and positive semidefinite; rows
// may be redundant, then forces are not unique and those of least scaled norm near the start are
// found.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace carom {

struct ConeProblem {
  std::span<const double> W;  ///< n × n, row by row
  std::span<const double> q;  ///< n
  std::size_t bilateral = 0;  ///< rows of joints and loops; they come first
  /// One per contact, >= 0. Each contact has three rows: normal and two tangents, square to
  /// each other.
  std::span<const double> mu;
};

/// Which step of the cascade (cone_solver.h) gave the answer.
enum class ConeStage : std::uint8_t {
  guess,
  proximal,
  friction,
  compliance,
  sweeps,
  polish,
  fewer
};
const char* name_of(ConeStage stage);

struct ConeAnswer {
  bool solved = false;
  /// Largest violation of (2) by the natural map, relative to max(|q|, |W| |r|), scaled.
  double residual = 0.0;
  ConeStage stage = ConeStage::guess;  ///< that gave it, or that came nearest
  int iterations = 0;                  ///< linear systems that were solved
  std::size_t worst_contact = 0;       ///< where the residual is largest
};

/// An answer counts as solved from here on.
inline constexpr double kConeTolerance = 1e-10;

}  // namespace carom
