// The catalogue of pairs with a closed form, in proximity/pairs.
//
// A kernel finds the optimum of two cores (optimum.h) directly. It may decline (return
// false) where its formula does not hold, for example where the cores overlap; then the
// general search answers.
#pragma once

#include <span>

#include "carom/proximity/convex/optimum.h"

namespace carom {

struct PairKernel {
  const char* name;
  const CoreKind* first;
  const CoreKind* second;
  /// `swapped`: the first kind is that of B.
  bool (*solve)(const Minkowski& M, bool swapped, Optimum& out);
  bool cheap = true;  ///< cheaper than a warm start
};

std::span<const PairKernel* const> pair_catalogue();

/// The row for this pair, or null.
const PairKernel* find_kernel(const Minkowski& M);
inline bool solve_closed_form(const PairKernel& k, const Minkowski& M, Optimum& out) {
  out.set.count = 0;
  out.evaluated = false;
  return k.solve(M, k.first != M.A->kind, out);
}

/// Sets the active pieces of a kernel: points x of the first body and y of the second, in
/// the axes of A.
void set_active(ActiveSet& s, bool swapped, std::uint32_t first, const Vec3& x,
                std::uint32_t second, const Vec3& y, double weight);
/// n and phi from the difference of the witness points; false if they coincide.
bool set_direction(bool swapped, const Vec3& x, const Vec3& y, Optimum& out);

}  // namespace carom
