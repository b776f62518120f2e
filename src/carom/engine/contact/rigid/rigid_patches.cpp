#include "carom/engine/contact/rigid/rigid_patches.h"

#include <cmath>

#include "carom/engine/contact/rigid/rigid_rows.h"
#include "carom/math/dense.h"

namespace carom {
namespace {

constexpr std::size_t kNumbers = 6;
/// Of a column, what is rounding once others have been taken from it.
constexpr double kNothing = 1e-12;

/// T', count x 6.
std::vector<double> wrenches_of(std::span<const PatchForce> forces) {
  Vec3 centre;
  for (const PatchForce& f : forces) centre += f.p / static_cast<double>(forces.size());
  std::vector<double> T;
  for (const PatchForce& f : forces) {
    const Vec3 force = f.is_torque ? Vec3{} : f.axis;
    const Vec3 moment = f.is_torque ? f.axis : cross(f.p - centre, f.axis);
    T.insert(T.end(), {force.x, force.y, force.z, moment.x, moment.y, moment.z});
  }
  return T;
}

/// Orthonormal columns that span those of T', by Gram and Schmidt, twice.
std::size_t make_orthonormal(std::span<double> T, std::size_t count) {
  const auto column = [&](std::size_t i, std::size_t c) -> double& { return T[i * kNumbers + c]; };
  const auto product = [&](std::size_t c, std::size_t d) {
    double sum = 0.0;
    for (std::size_t i = 0; i < count; ++i) sum += column(i, c) * column(i, d);
    return sum;
  };
  std::size_t found = 0;
  for (std::size_t c = 0; c < kNumbers; ++c) {
    const double size = std::sqrt(product(c, c));
    for (int pass = 0; pass < 2; ++pass) {
      for (std::size_t d = 0; d < found; ++d) {
        const double share = product(c, d);
        for (std::size_t i = 0; i < count; ++i) column(i, c) -= share * column(i, d);
      }
    }
    const double left = std::sqrt(product(c, c));
    if (!(left > kNothing * size)) continue;
    for (std::size_t i = 0; i < count; ++i) column(i, found) = column(i, c) / left;
    ++found;
  }
  return found;
}

/// Of a reduced problem: where the unknowns of each patch begin, and behind the last.
std::vector<std::size_t> reduced_places(std::span<const RigidPatch> patches) {
  std::vector<std::size_t> first{0};
  for (const RigidPatch& p : patches) {
    first.push_back(first.back() + (p.Q.empty() ? p.count : p.width));
  }
  return first;
}

/// out = Q' in, of one patch.
void reduce(const RigidPatch& p, const double* in, std::size_t stride, double* out,
            std::size_t out_stride) {
  for (std::size_t k = 0; k < (p.Q.empty() ? p.count : p.width); ++k) {
    double sum = 0.0;
    if (p.Q.empty()) {
      sum = in[k * stride];
    } else {
      for (std::size_t i = 0; i < p.count; ++i) sum += p.Q[i * p.width + k] * in[i * stride];
    }
    out[k * out_stride] = sum;
  }
}

/// x = Q s, of one patch.
void expand(const RigidPatch& p, const double* s, double* x) {
  for (std::size_t i = 0; i < p.count; ++i) {
    if (p.Q.empty()) x[i] = s[i];
    for (std::size_t k = 0; k < p.width && !p.Q.empty(); ++k) x[i] += p.Q[i * p.width + k] * s[k];
  }
}

}  // namespace

RigidPatch make_patch(std::size_t first, std::span<const PatchForce> forces) {
  RigidPatch patch{first, forces.size(), forces.size(), {}};
  if (forces.size() <= kNumbers) return patch;
  std::vector<double> T = wrenches_of(forces);
  patch.width = make_orthonormal(T, forces.size());
  for (std::size_t i = 0; i < patch.count; ++i) {
    for (std::size_t k = 0; k < patch.width; ++k) patch.Q.push_back(T[i * kNumbers + k]);
  }
  return patch;
}

std::vector<double> solve_by_patches(std::span<const double> A, std::span<const double> b,
                                     std::span<const RigidPatch> patches) {
  const std::size_t n = patches.back().first + patches.back().count, columns = b.size() / n;
  const std::vector<std::size_t> first = reduced_places(patches);
  const std::size_t m = first.back();
  const auto solve = [&](std::span<const double> of, std::span<const double> right) {
    return columns == 1 ? solve_by_blocks(of, right) : solve_min_norm(of, right);
  };
  if (m == n) return solve(A, b);
  std::vector<double> AQ(n * m), reduced(m * m), right(columns * m), x(b.size(), 0.0);
  for (std::size_t j = 0; j < patches.size(); ++j) {
    const RigidPatch& p = patches[j];
    for (std::size_t i = 0; i < n; ++i) reduce(p, &A[i * n + p.first], 1, &AQ[i * m + first[j]], 1);
  }
  for (std::size_t j = 0; j < patches.size(); ++j) {
    const RigidPatch& p = patches[j];
    for (std::size_t c = 0; c < m; ++c) {
      reduce(p, &AQ[p.first * m + c], m, &reduced[first[j] * m + c], m);
    }
    for (std::size_t c = 0; c < columns; ++c) {
      reduce(p, &b[c * n + p.first], 1, &right[c * m + first[j]], 1);
    }
  }
  const std::vector<double> s = solve(reduced, right);
  for (std::size_t c = 0; c < columns; ++c) {
    for (std::size_t j = 0; j < patches.size(); ++j) {
      expand(patches[j], &s[c * m + first[j]], &x[c * n + patches[j].first]);
    }
  }
  return x;
}

}  // namespace carom
