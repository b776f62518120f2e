#include "carom/integrate/group_norm.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace carom {

GroupNorm::GroupNorm(std::size_t size, std::span<const int> groups) {
  members_.resize(size);
  std::iota(members_.begin(), members_.end(), std::size_t{0});
  if (groups.empty()) {
    if (size > 0) runs_.push_back({0, size});
    return;
  }
  std::stable_sort(members_.begin(), members_.end(),
                   [&](std::size_t a, std::size_t b) { return groups[a] < groups[b]; });
  for (std::size_t i = 0; i < size; ++i) {
    const int group = groups[members_[i]];
    if (group < 0) continue;
    const bool begins = i == 0 || groups[members_[i - 1]] != group;
    if (begins) runs_.push_back({i, i});
    runs_.back().end = i + 1;
  }
  contiguous_ = std::is_sorted(members_.begin(), members_.end());
}

double GroupNorm::operator()(const double* x, const double* w) const {
  double largest = 0.0;
  for (const Run& run : runs_) {
    double sum = 0.0;
    for (std::size_t k = run.begin; k < run.end; ++k) {
      const std::size_t i = contiguous_ ? k : members_[k];
      const double e = w[i] * x[i];
      sum += e * e;
    }
    const double mean = sum / static_cast<double>(run.end - run.begin);
    // Written so that a NaN is passed on instead of lost in the comparison.
    if (!(mean <= largest)) largest = mean;
    if (std::isnan(largest)) return largest;
  }
  return std::sqrt(largest);
}

}  // namespace carom
