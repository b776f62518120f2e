// Sums of vectors, two components at a time, against those of the serial vector: the same bits.
#include "carom/integrate/sundials/vector_sums.h"

#include <gtest/gtest.h>
#include <nvector/nvector_serial.h>

#include <cmath>
#include <vector>

#include "carom/integrate/sundials/group_vector.h"

namespace carom {
namespace {

/// Vectors of one length, filled by numbers without a pattern, and their serial twins.
struct Twins {
  ContextHandle context;
  std::vector<int> groups;
  GroupNorm norm;
  std::vector<VectorHandle> own, serial;

  explicit Twins(std::size_t n) : groups(n, 0), norm(n, groups) {
    for (int k = 0; k < 5; ++k) {
      own.push_back(make_group_vector(n, norm, context.get()));
      serial.emplace_back(N_VNew_Serial(static_cast<sunindextype>(n), context.get()));
      for (std::size_t i = 0; i < n; ++i) {
        const double value = std::sin(1e3 * static_cast<double>(i * 5 + 1) + k);
        values(own.back().get())[i] = value;
        NV_DATA_S(serial.back().get())[i] = value;
      }
    }
  }
  void expect_same(const char* what) const {
    for (std::size_t k = 0; k < own.size(); ++k) {
      const std::span<const double> a = values(own[k].get());
      for (std::size_t i = 0; i < a.size(); ++i) {
        EXPECT_EQ(a[i], NV_DATA_S(serial[k].get())[i]) << what << ", " << a.size() << ", " << i;
      }
    }
  }
};

TEST(VectorSums, AreThoseOfTheSerialVector) {
  for (const std::size_t n : {1, 2, 7, 64, 101}) {
    Twins t(n);
    const auto both = [&](auto&& f) { f(t.own), f(t.serial); };
    for (const auto& [a, b] : {std::pair{1.0, 1.0},
                               {1.0, -1.0},
                               {0.3, 0.3},
                               {0.3, -0.3},
                               {-1.0, 0.7},
                               {0.7, 1.0},
                               {0.1, 0.7}}) {
      both([&](auto& v) { N_VLinearSum(a, v[0].get(), b, v[1].get(), v[2].get()); });
      both([&](auto& v) { N_VLinearSum(a, v[2].get(), b, v[3].get(), v[2].get()); });
      both([&](auto& v) { N_VLinearSum(a, v[3].get(), b, v[4].get(), v[4].get()); });
    }
    t.expect_same("of two");
    std::vector<double> c{1.0, 0.3, -1.7, 0.9};
    const auto sum = [&](auto& v, std::size_t first, std::size_t into) {
      N_Vector x[4];
      for (std::size_t k = 0; k < 4; ++k) x[k] = v[(first + k) % 5].get();
      N_VLinearCombination(4, c.data(), x, v[into].get());
    };
    both([&](auto& v) { sum(v, 0, 4); });
    both([&](auto& v) { sum(v, 1, 1); });  // into its first term
    c[0] = 0.2;
    both([&](auto& v) { sum(v, 2, 2); });
    t.expect_same("of many");
    both([&](auto& v) {
      N_Vector y[3] = {v[0].get(), v[1].get(), v[2].get()};
      N_Vector z[3] = {v[0].get(), v[4].get(), v[2].get()};
      N_VScaleAddMulti(3, c.data(), v[3].get(), y, z);
    });
    t.expect_same("into many");
  }
}

}  // namespace
}  // namespace carom
