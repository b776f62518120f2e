// Cholesky factors of small blocks in place, row by row in memory, without allocation.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace carom {

/// L of A = L L' into the lower triangle. A pivot that rounding has made negative counts as a
/// trillionth of the largest diagonal element, so that a body without inertia hardly moves.
inline void factor_block(double* A, std::size_t n) {
  double largest = 0.0;
  for (std::size_t i = 0; i < n; ++i) largest = std::max(largest, A[i * n + i]);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t k = 0; k <= i; ++k) {
      double sum = A[i * n + k];
      for (std::size_t m = 0; m < k; ++m) sum -= A[i * n + m] * A[k * n + m];
      A[i * n + k] = k < i ? sum / A[k * n + k] : std::sqrt(std::max(sum, 1e-24 * largest));
    }
  }
}

inline void solve_lower(const double* L, std::size_t n, double* x) {
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t k = 0; k < i; ++k) x[i] -= L[i * n + k] * x[k];
    x[i] /= L[i * n + i];
  }
}

inline void solve_upper(const double* L, std::size_t n, double* x) {
  for (std::size_t i = n; i-- > 0;) {
    for (std::size_t k = i + 1; k < n; ++k) x[i] -= L[k * n + i] * x[k];
    x[i] /= L[i * n + i];
  }
}

/// A += w a a'.
inline void add_outer(const double* a, std::size_t n, double w, double* A) {
  for (std::size_t i = 0; i < n; ++i) {
    const double wa = w * a[i];
    if (wa == 0.0) continue;
    for (std::size_t k = 0; k < n; ++k) A[i * n + k] += wa * a[k];
  }
}

}  // namespace carom
