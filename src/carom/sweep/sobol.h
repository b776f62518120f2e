// Sobol' points, not scrambled: [Sobol1967], direction numbers of [JoeKuo2008], in the order of
// the Gray code [AntonovSaleev1979].
//
//   x_i = v_a ^ v_b ^ …   over the bits a, b, … of i ^ (i >> 1), as a fraction of 2^30      (1)
//
// 30 bits and the same order as scipy.stats.qmc.Sobol, to the bit (tests/sweep/sobol_test.py).
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace carom::sweep {

inline constexpr int kSobolBits = 30;
inline constexpr std::uint64_t kMaxSobolPoints = std::uint64_t{1} << kSobolBits;

/// The first dimensions of Joe and Kuo's 21201 that are carried along.
std::size_t max_sobol_dimensions();

class Sobol {
 public:
  /// At most max_sobol_dimensions().
  explicit Sobol(std::size_t dimensions);

  /// Coordinate `dimension` of point `index`, in [0, 1).
  double operator()(std::uint64_t index, std::size_t dimension) const;
  /// The same before the division: 30 bits.
  std::uint32_t bits(std::uint64_t index, std::size_t dimension) const;

 private:
  std::vector<std::uint32_t> directions_;  ///< kSobolBits per dimension, bit 0 of i first
};

}  // namespace carom::sweep
