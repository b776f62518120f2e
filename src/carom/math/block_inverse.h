// The inverse of a small block. That of a free body, six by six, has no loop left: with its factors
// on the stack and their places known to the compiler it takes a fifth of what loops take.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

#include "carom/math/block_cholesky.h"

namespace carom {

/// Calls `work` with the constants First to Last - 1.
template <std::size_t First, std::size_t Last, class Work>
constexpr void for_constants(Work&& work) {
  [&]<std::size_t... I>(std::index_sequence<I...>) {
    (work(std::integral_constant<std::size_t, First + I>{}), ...);
  }(std::make_index_sequence<Last - First>{});
}

/// Of A, six by six, of which the lower triangle is read; pivots as in factor_block().
inline void invert_body_block(const double* A, double* inverse) {
  constexpr std::size_t n = 6;
  std::array<double, n * n> L;  // of A = L L', with one over its diagonal
  double largest = 0.0;
  for (std::size_t i = 0; i < n; ++i) largest = std::max(largest, A[i * n + i]);
  for_constants<0, n>([&](auto i) {
    for_constants<0, i>([&](auto k) {
      double sum = A[i * n + k];
      for_constants<0, k>([&](auto m) { sum -= L[i * n + m] * L[k * n + m]; });
      L[i * n + k] = sum * L[k * n + k];
    });
    double sum = A[i * n + i];
    for_constants<0, i>([&](auto m) { sum -= L[i * n + m] * L[i * n + m]; });
    L[i * n + i] = 1.0 / std::sqrt(std::max(sum, 1e-24 * largest));
  });
  for_constants<0, n>([&](auto k) {  // L⁻¹ in place
    for_constants<k + 1, n>([&](auto i) {
      double sum = 0.0;
      for_constants<k, i>([&](auto m) { sum -= L[i * n + m] * L[m * n + k]; });
      L[i * n + k] = sum * L[i * n + i];
    });
  });
  for_constants<0, n>([&](auto i) {
    for_constants<0, i + 1>([&](auto k) {
      double sum = 0.0;
      for_constants<i, n>([&](auto m) { sum += L[m * n + i] * L[m * n + k]; });
      inverse[i * n + k] = inverse[k * n + i] = sum;
    });
  });
}

/// Of A, n by n.
inline void invert_block(const double* A, std::size_t n, std::vector<double>& scratch,
                         double* inverse) {
  if (n == 6) return invert_body_block(A, inverse);
  scratch.assign(A, A + n * n);
  factor_block(scratch.data(), n);
  std::fill_n(inverse, n * n, 0.0);
  for (std::size_t k = 0; k < n; ++k) {  // symmetric: columns are rows
    inverse[k * n + k] = 1.0;
    solve_lower(scratch.data(), n, inverse + k * n);
    solve_upper(scratch.data(), n, inverse + k * n);
  }
}

}  // namespace carom
