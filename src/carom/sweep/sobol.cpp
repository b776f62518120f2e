#include "carom/sweep/sobol.h"

#include <bit>

namespace carom::sweep {
namespace {

/// Primitive polynomial (all its bits) and the initial numbers m_1, m_2, …, one per degree.
struct Directions {
  std::uint32_t polynomial;
  std::uint32_t first;  ///< into kInitial
};

#include "carom/sweep/sobol_directions.inc"

constexpr std::size_t kRowCount = sizeof kRows / sizeof kRows[0];

}  // namespace

std::size_t max_sobol_dimensions() { return kRowCount; }

Sobol::Sobol(std::size_t dimensions) : directions_(dimensions * kSobolBits) {
  for (std::size_t d = 0; d < dimensions; ++d) {
    std::uint32_t* v = &directions_[d * kSobolBits];
    const std::uint32_t polynomial = kRows[d].polynomial;
    const int degree = std::bit_width(polynomial) - 1;
    for (int i = 0; i < kSobolBits; ++i) {
      if (degree == 0 || i < degree) {
        v[i] = degree == 0 ? 1 : kInitial[kRows[d].first + static_cast<std::uint32_t>(i)];
        continue;
      }
      // Bratley and Fox: m_i = 2 a_1 m_{i-1} ^ 4 a_2 m_{i-2} ^ … ^ 2^s m_{i-s} ^ m_{i-s}.
      std::uint32_t m = v[i - degree];
      for (int k = 1; k <= degree; ++k) {
        if ((polynomial >> (degree - k)) & 1u) m ^= v[i - k] << k;
      }
      v[i] = m;
    }
    for (int i = 0; i < kSobolBits; ++i) v[i] <<= kSobolBits - 1 - i;
  }
}

std::uint32_t Sobol::bits(std::uint64_t index, std::size_t dimension) const {
  const std::uint32_t* v = &directions_[dimension * kSobolBits];
  std::uint32_t x = 0;
  for (std::uint64_t gray = index ^ (index >> 1); gray != 0; gray &= gray - 1) {
    x ^= v[std::countr_zero(gray)];
  }
  return x;
}

double Sobol::operator()(std::uint64_t index, std::size_t dimension) const {
  return bits(index, dimension) * (1.0 / static_cast<double>(kMaxSobolPoints));
}

}  // namespace carom::sweep
