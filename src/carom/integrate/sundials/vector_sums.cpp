#include "carom/integrate/sundials/vector_sums.h"

#include <nvector/nvector_serial.h>

#include <cstddef>

namespace carom {
namespace {

/// Two components that lie anywhere.
using Pair = double __attribute__((vector_size(16), aligned(8), may_alias));

/// z_i = f(i), where f reads a pair or a number at i. z may be what f reads.
template <class OfPair, class OfOne>
void fill(double* z, std::size_t n, const OfPair& of_pair, const OfOne& of_one) {
  std::size_t i = 0;
  for (; i + 2 <= n; i += 2) *reinterpret_cast<Pair*>(z + i) = of_pair(i);
  if (i < n) z[i] = of_one(i);
}

const Pair& pair_at(const double* x, std::size_t i) {
  return *reinterpret_cast<const Pair*>(x + i);
}

std::size_t length(N_Vector v) { return static_cast<std::size_t>(NV_LENGTH_S(v)); }

}  // namespace

void sum_two(double a, N_Vector x, double b, N_Vector y, N_Vector z) {
  const double *const p = NV_DATA_S(x), *const q = NV_DATA_S(y);
  double* const out = NV_DATA_S(z);
  const std::size_t n = length(z);
  if (a == b) {  // one product, as the serial vector has it
    fill(
        out, n, [&](std::size_t i) -> Pair { return a * (pair_at(p, i) + pair_at(q, i)); },
        [&](std::size_t i) { return a * (p[i] + q[i]); });
  } else if (a == -b) {
    fill(
        out, n, [&](std::size_t i) -> Pair { return a * (pair_at(p, i) - pair_at(q, i)); },
        [&](std::size_t i) { return a * (p[i] - q[i]); });
  } else {
    fill(
        out, n, [&](std::size_t i) -> Pair { return a * pair_at(p, i) + b * pair_at(q, i); },
        [&](std::size_t i) { return a * p[i] + b * q[i]; });
  }
}

int sum_many(int count, double* c, N_Vector* x, N_Vector z) {
  constexpr int kMost = 16;
  if (count < 1 || count > kMost) return N_VLinearCombination_Serial(count, c, x, z);
  const double* p[kMost];
  for (int k = 0; k < count; ++k) p[k] = NV_DATA_S(x[k]);
  fill(
      NV_DATA_S(z), length(z),
      [&](std::size_t i) -> Pair {
        Pair sum = c[0] * pair_at(p[0], i);
        for (int k = 1; k < count; ++k) sum += c[k] * pair_at(p[k], i);
        return sum;
      },
      [&](std::size_t i) {
        double sum = c[0] * p[0][i];
        for (int k = 1; k < count; ++k) sum += c[k] * p[k][i];
        return sum;
      });
  return 0;
}

int add_to_many(int count, double* a, N_Vector x, N_Vector* y, N_Vector* z) {
  const double* const p = NV_DATA_S(x);
  for (int k = 0; k < count; ++k) {
    const double* const q = NV_DATA_S(y[k]);
    const double factor = a[k];
    fill(
        NV_DATA_S(z[k]), length(x),
        [&](std::size_t i) -> Pair { return factor * pair_at(p, i) + pair_at(q, i); },
        [&](std::size_t i) { return factor * p[i] + q[i]; });
  }
  return 0;
}

}  // namespace carom
