// The points of a study, each by its index alone, so that any worker can make any point.
//
//   grid     every combination; the last place varies fastest
//   list     rows of a file
//   random   a hash of (seed, point, place)
//   lhs      Latin hypercube: a permutation per place, a random offset in each part
//   sobol    sobol.h; where a place is unbounded the sequence starts at its second point, since
//            the first is the origin
//   morris   trajectories of one-at-a-time steps on a grid of levels [Morris1991]
//
// With `indices`, point i of random or sobol becomes a block of k + 2 runs for k places
// [Saltelli2010]: A, B, and A with one place after the other taken from B.
//
// random, sobol (also in blocks), morris and list may grow: more points keep the first ones.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "carom/sweep/sobol.h"
#include "carom/sweep/study.h"

namespace carom::sweep {

inline constexpr std::uint64_t kMaxPoints = 100'000'000;

class Design {
 public:
  /// Reports what cannot be: too many points or places.
  Design(const Study& study, Diagnostics& diagnostics);

  std::uint64_t size() const { return size_; }
  std::size_t width() const { return factors_.size(); }
  /// Values of all factors at a point; of choices, their indices.
  void point(std::uint64_t index, std::span<double> values) const;
  /// Runs of one block or trajectory; 1 where points stand alone.
  std::uint64_t block() const { return block_; }
  /// Size of a step of a trajectory, as a part of the range.
  double morris_step() const;
  /// Levels of the factors at a point of a trajectory, as parts of the range.
  void morris_levels(std::uint64_t index, std::span<double> u) const;

 private:
  double sample(std::uint64_t index, std::size_t dimension) const;
  void fill_permutations();

  std::vector<Factor> factors_;
  DesignSpec spec_;
  std::uint64_t size_ = 0, block_ = 1, first_ = 0;
  std::vector<std::uint64_t> counts_;  ///< of a grid
  Sobol sobol_{0};
  std::vector<std::uint32_t> permutations_;  ///< of lhs, count per factor
};

/// Random bits of (seed, a, b), the same on every machine [Steele2014, SplitMix64].
std::uint64_t random_bits(std::uint64_t seed, std::uint64_t a, std::uint64_t b);
/// In the open interval (0, 1).
double random_unit(std::uint64_t seed, std::uint64_t a, std::uint64_t b);

}  // namespace carom::sweep
