// Rows and blocks of free bodies, at sizes that the compiler knows: a body has six velocities, and
// most rows act on one or two bodies. Trees have any number.
//
//   with_sizes(place.na, place.nb, [&](auto na, auto nb) { sum = dot_part(J, na, x); … });
#pragma once

#include <Eigen/Core>
#include <cmath>
#include <cstddef>
#include <type_traits>

namespace carom {

using BodySize = std::integral_constant<std::size_t, 6>;
using NoSize = std::integral_constant<std::size_t, 0>;
template <class Size>
inline constexpr bool is_body_size = std::is_same_v<Size, BodySize>;

/// Calls `work` with the sizes of the two parts of a row.
template <class Work>
void with_sizes(std::size_t na, std::size_t nb, Work&& work) {
  if (na == BodySize{} && nb == BodySize{}) return work(BodySize{}, BodySize{});
  if (na == BodySize{} && nb == 0) return work(BodySize{}, NoSize{});
  if (na == 0 && nb == BodySize{}) return work(NoSize{}, BodySize{});
  work(na, nb);
}

using BodyPart = Eigen::Matrix<double, BodySize{}, 1>;
using BodyBlock = Eigen::Matrix<double, BodySize{}, BodySize{}, Eigen::RowMajor>;

template <class Size>
double dot_part(const double* a, Size n, const double* b) {
  if constexpr (is_body_size<Size>) {
    return Eigen::Map<const BodyPart>(a).dot(Eigen::Map<const BodyPart>(b));
  } else {
    double sum = 0.0;
    for (std::size_t k = 0; k < n; ++k) sum += a[k] * b[k];
    return sum;
  }
}

/// y += w a.
template <class Size>
void add_part(const double* a, Size n, double w, double* y) {
  if constexpr (is_body_size<Size>) {
    Eigen::Map<BodyPart>(y) += w * Eigen::Map<const BodyPart>(a);
  } else {
    for (std::size_t k = 0; k < n; ++k) y[k] += w * a[k];
  }
}

/// Sum of the sizes of the terms of a'b.
template <class Size>
double reach_of_part(const double* a, Size n, const double* b) {
  if constexpr (is_body_size<Size>) {
    return (Eigen::Map<const BodyPart>(a).array() * Eigen::Map<const BodyPart>(b).array())
        .abs()
        .sum();
  } else {
    double sum = 0.0;
    for (std::size_t k = 0; k < n; ++k) sum += std::abs(a[k] * b[k]);
    return sum;
  }
}

/// y += w |a|, element by element.
template <class Size>
void add_reach(const double* a, Size n, double w, double* y) {
  if constexpr (is_body_size<Size>) {
    Eigen::Map<BodyPart>(y) += w * Eigen::Map<const BodyPart>(a).cwiseAbs();
  } else {
    for (std::size_t k = 0; k < n; ++k) y[k] += w * std::abs(a[k]);
  }
}

/// A += w a a', the lower triangle at least.
template <class Size>
void add_lower(const double* a, Size n, double w, double* A) {
  if constexpr (is_body_size<Size>) {
    const Eigen::Map<const BodyPart> row(a);
    Eigen::Map<BodyBlock> M(A);  // in pairs of columns
    for (Eigen::Index i = 0; i < 2; ++i) M.row(i).head<2>() += (w * a[i]) * row.head<2>();
    for (Eigen::Index i = 2; i < 4; ++i) M.row(i).head<4>() += (w * a[i]) * row.head<4>();
    for (Eigen::Index i = 4; i < 6; ++i) M.row(i) += (w * a[i]) * row;
  } else {
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t k = 0; k <= i; ++k) A[i * n + k] += w * a[i] * a[k];
    }
  }
}

/// y += A x.
template <class Rows, class Columns>
void add_product(const double* A, Rows rows, Columns columns, const double* x, double* y) {
  for (std::size_t i = 0; i < rows; ++i) y[i] += dot_part(A + i * columns, columns, x);
}

/// y += A' x.
template <class Rows, class Columns>
void add_transposed(const double* A, Rows rows, Columns columns, const double* x, double* y) {
  if constexpr (is_body_size<Rows> && is_body_size<Columns>) {
    Eigen::Map<BodyPart>(y).noalias() +=
        Eigen::Map<const BodyBlock>(A).transpose().lazyProduct(Eigen::Map<const BodyPart>(x));
  } else {
    for (std::size_t i = 0; i < rows; ++i) add_part(A + i * columns, columns, x[i], y);
  }
}

}  // namespace carom
