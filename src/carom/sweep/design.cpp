#include "carom/sweep/design.h"

#include <algorithm>
#include <numeric>

#include "carom/base/text.h"

namespace carom::sweep {
namespace {

using Kind = DesignSpec::Kind;

/// Streams of random numbers that must not meet.
enum Stream : std::uint64_t { kPoints = 1, kShift, kPermutation, kOffset, kTrajectory };

std::uint64_t mix(std::uint64_t z) {
  z += 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

std::uint64_t stream_of(std::uint64_t seed, Stream stream) { return mix(seed ^ mix(stream)); }

}  // namespace

std::uint64_t random_bits(std::uint64_t seed, std::uint64_t a, std::uint64_t b) {
  return mix(mix(mix(seed) ^ a) ^ b);
}

double random_unit(std::uint64_t seed, std::uint64_t a, std::uint64_t b) {
  return (static_cast<double>(random_bits(seed, a, b) >> 12) + 0.5) * 0x1p-52;
}

Design::Design(const Study& study, Diagnostics& out)
    : factors_(study.factors), spec_(study.design) {
  const std::size_t k = factors_.size();
  double total = static_cast<double>(spec_.count);
  if (spec_.kind == Kind::grid) {
    total = 1.0;
    for (std::size_t f = 0; f < k; ++f) {
      const Distribution& d = factors_[f].distribution;
      const std::uint64_t given = spec_.grid_counts.empty() ? spec_.count : spec_.grid_counts[f];
      counts_.push_back(d.is_choice() ? d.choices.size() : given);
      total *= static_cast<double>(counts_.back());
    }
  }
  if (spec_.indices) block_ = k + 2;
  if (spec_.kind == Kind::morris) block_ = k + 1;
  total *= static_cast<double>(block_);
  if (!(total <= static_cast<double>(kMaxPoints))) {
    out.error(spec_.where, "the design has " + rounded_text(total) + " points",
              "at most " + number_text(static_cast<double>(kMaxPoints)) + " go into one table");
    return;
  }
  size_ = static_cast<std::uint64_t>(total);
  if (spec_.kind == Kind::sobol) {
    const std::size_t dimensions = spec_.indices ? 2 * k : k;
    if (dimensions > max_sobol_dimensions()) {
      out.error(spec_.where,
                "the design needs " + std::to_string(dimensions) +
                    " dimensions of Sobol' points, there are " +
                    std::to_string(max_sobol_dimensions()),
                "choose random or lhs");
      size_ = 0;
      return;
    }
    sobol_ = Sobol(dimensions);
    for (const Factor& f : factors_) {
      if (f.distribution.is_unbounded() && !spec_.scramble) first_ = 1;
    }
  }
  if (spec_.kind == Kind::lhs) fill_permutations();
}

void Design::fill_permutations() {
  const std::uint64_t seed = stream_of(spec_.seed, kPermutation);
  permutations_.resize(spec_.count * factors_.size());
  for (std::size_t f = 0; f < factors_.size(); ++f) {
    std::uint32_t* p = &permutations_[f * spec_.count];
    std::iota(p, p + spec_.count, 0u);
    for (std::uint64_t i = spec_.count; i-- > 1;) {
      const auto j =
          static_cast<std::uint64_t>(random_unit(seed, f, i) * static_cast<double>(i + 1));
      std::swap(p[i], p[std::min(j, i)]);
    }
  }
}

/// Coordinate in [0, 1) of a point that stands alone, or of A and B side by side.
double Design::sample(std::uint64_t index, std::size_t dimension) const {
  if (spec_.kind == Kind::random) {
    return random_unit(stream_of(spec_.seed, kPoints), index, dimension);
  }
  if (spec_.kind == Kind::lhs) {
    const double part = permutations_[dimension * spec_.count + index];
    const double offset = random_unit(stream_of(spec_.seed, kOffset), index, dimension);
    return (part + offset) / static_cast<double>(spec_.count);
  }
  if (!spec_.scramble) return sobol_(index + first_, dimension);
  const auto shift = static_cast<std::uint32_t>(
      random_bits(stream_of(spec_.seed, kShift), 0, dimension) >> (64 - kSobolBits));
  // Centres of the cells: after a shift no point is the origin of the sequence any more.
  return (static_cast<double>(sobol_.bits(index, dimension) ^ shift) + 0.5) /
         static_cast<double>(kMaxSobolPoints);
}

double Design::morris_step() const {
  const auto p = static_cast<double>(spec_.levels);
  return p / (2.0 * (p - 1.0));
}

void Design::morris_levels(std::uint64_t index, std::span<double> u) const {
  const std::uint64_t trajectory = index / block_, steps = index % block_;
  const std::uint64_t seed = mix(stream_of(spec_.seed, kTrajectory) ^ trajectory);
  const std::size_t k = factors_.size();
  std::vector<std::size_t> order(k);
  std::iota(order.begin(), order.end(), std::size_t{0});
  for (std::size_t i = k; i-- > 1;) {
    const auto j = static_cast<std::size_t>(random_unit(seed, 0, i) * static_cast<double>(i + 1));
    std::swap(order[i], order[std::min(j, i)]);
  }
  // The lower half of the levels, and up or down by half their number.
  const std::uint64_t half = spec_.levels / 2;
  for (std::size_t f = 0; f < k; ++f) {
    const auto low = std::min(
        static_cast<std::uint64_t>(random_unit(seed, 1, f) * static_cast<double>(half)), half - 1);
    const bool downwards = random_bits(seed, 2, f) & 1u;
    const auto rank =
        static_cast<std::uint64_t>(std::find(order.begin(), order.end(), f) - order.begin());
    const bool moved = rank < steps;
    const std::uint64_t level = low + (moved != downwards ? half : 0);
    u[f] = static_cast<double>(level) / static_cast<double>(spec_.levels - 1);
  }
}

void Design::point(std::uint64_t index, std::span<double> values) const {
  const std::size_t k = factors_.size();
  if (spec_.kind == Kind::list) {
    std::copy(spec_.rows[index].begin(), spec_.rows[index].end(), values.begin());
    return;
  }
  if (spec_.kind == Kind::grid) {
    for (std::size_t f = k; f-- > 0;) {
      values[f] = grid_value(factors_[f].distribution, index % counts_[f], counts_[f]);
      index /= counts_[f];
    }
    return;
  }
  if (spec_.kind == Kind::morris) {
    morris_levels(index, values);
    const auto p = static_cast<double>(spec_.levels);
    for (std::size_t f = 0; f < k; ++f) {
      const Distribution& d = factors_[f].distribution;
      const bool inner = d.is_unbounded() || d.is_choice();
      values[f] = quantile(d, inner ? (values[f] * (p - 1.0) + 0.5) / p : values[f]);
    }
    return;
  }
  const std::uint64_t in_block = index % block_;
  for (std::size_t f = 0; f < k; ++f) {
    const bool of_b = in_block == 1 || in_block == f + 2;
    values[f] = quantile(factors_[f].distribution, sample(index / block_, of_b ? k + f : f));
  }
}

}  // namespace carom::sweep
