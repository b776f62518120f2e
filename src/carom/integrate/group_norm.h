// The error norm: the largest of the groups' own weighted root mean squares.
//
//   |x| = max_g sqrt( 1/n_g  sum_{i in g} (w_i x_i)^2 )                     (1)
//
// A plain RMS over all components lets many resting bodies hide the one that is
// being hit: with N groups of which one moves it reads 1/sqrt(N) of (1).
// Components of group -1 do not count.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace carom {

class GroupNorm {
 public:
  GroupNorm() = default;
  /// An empty `groups` puts all `size` components into one group.
  GroupNorm(std::size_t size, std::span<const int> groups);

  double operator()(const double* x, const double* w) const;

  std::size_t group_count() const { return runs_.size(); }
  /// The components of a group, in ascending order.
  std::span<const std::size_t> members(std::size_t group) const {
    return {members_.data() + runs_[group].begin, runs_[group].end - runs_[group].begin};
  }

 private:
  struct Run {
    std::size_t begin;  ///< in members_, which is the identity if contiguous_
    std::size_t end;
  };
  bool contiguous_ = true;
  std::vector<Run> runs_;
  std::vector<std::size_t> members_;  ///< components ordered by group
};

}  // namespace carom
