// One step as a problem of velocities, for methods that are not right-hand sides: time stepping
// with impulses, implicit steps through contacts.
//
//   M (v⁺ − v*) = Σ Fᵢᵀ pᵢ,    pᵢ the impulse along row i, an answer to uᵢ = Jᵢ v⁺          (1)
//
// J measures motion, F says where the impulse pushes. They are the same but for what slides at the
// limit of friction, whose one row measures along the normal and pushes along n − mu d.
//
// v* is where the step would lead without contacts. Loops, couplings, prescribed and stuck
// velocities are inside the mass operator: its inverse gives back velocities that keep them, so
// (1) has rows of contacts only. Rows come by threes, along the normal and two tangents:
//
//   u_n > 0 opens,    d⁺ = d − h u_n,    p_n = h f(d⁺),    |p_t| <= mu p_n                  (2)
//
// with f = φ' of a potential φ (elastic laws), or p_n >= 0 whatever it takes (rigid contact). It
// knows no bodies; System says how it is filled.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace carom {

/// Rows over the velocities: entries of row i are [start[i], start[i + 1]).
struct SparseRows {
  std::vector<std::size_t> start{0};
  std::vector<int> column;  ///< ascending within a row
  std::vector<double> value;

  std::size_t count() const { return start.size() - 1; }
  void clear() { start.resize(1), column.clear(), value.clear(); }

  /// J_i v.
  double product(std::size_t i, std::span<const double> v) const {
    double sum = 0.0;
    for (std::size_t k = start[i]; k < start[i + 1]; ++k) {
      sum += value[k] * v[static_cast<std::size_t>(column[k])];
    }
    return sum;
  }
  /// Adds p J_iᵀ.
  void add_transposed(std::size_t i, double p, std::span<double> out) const {
    for (std::size_t k = start[i]; k < start[i + 1]; ++k) {
      out[static_cast<std::size_t>(column[k])] += p * value[k];
    }
  }
};

/// One point of a contact.
struct VelocityContact {
  std::size_t normal = 0;    ///< its row; the two after it are along the tangents
  double depth = 0.0;        ///< d where the step begins; negative: apart by that [m]
  double friction = 0.0;     ///< mu
  double restitution = 0.0;  ///< at the speed with which it closes
  double mass = 0.0;         ///< of the lighter body [kg]
  /// The same while it is the same point of the same pair, for what a method remembers of it.
  struct Key {
    std::uint32_t a = 0, b = 0, feature = 0;
    auto operator<=>(const Key&) const = default;
  } key;
};

/// What an elastic contact does at a depth: φ, φ' and φ''.
struct ContactPotential {
  double energy = 0.0;     ///< [J]
  double force = 0.0;      ///< [N]
  double stiffness = 0.0;  ///< [N/m]
};

struct VelocityProblem {
  double step = 0.0;          ///< h [s]
  std::vector<double> start;  ///< v where the step begins
  std::vector<double> free;   ///< v*
  SparseRows rows;            ///< J
  SparseRows pushes;          ///< F, where it is not J (`has_pushes`)
  bool has_pushes = false;
  std::vector<VelocityContact> contacts;

  const SparseRows& force_rows() const { return has_pushes ? pushes : rows; }
};

}  // namespace carom
