// Who computes which points: handed out on request, in portions that shrink towards the end.
//
// A portion is a part of what is left for each worker (guided self-scheduling), but no more than
// about a quarter of a second of work, and one point until the first run has shown how long one
// takes. It knows no clock and no messages: times are told to it, so that threads, MPI and the
// simulation of a thousand ranks (benchmarks/sweep) share it.
//
// Nobody tells it that a worker is lost. When nothing is left to hand out, what others have had
// for too long is handed out a second time: a run is a pure function of its point, so that two
// rows of one point are the same bytes.
#pragma once

#include <cstdint>
#include <deque>
#include <span>
#include <unordered_map>
#include <vector>

namespace carom::sweep {

class HandOut {
 public:
  HandOut(std::vector<std::uint64_t> points, std::size_t workers);

  /// Points for `worker`; none if there is nothing to do for it at the moment.
  std::vector<std::uint64_t> take(int worker, double now);
  /// A row of `point` is whole, after `seconds` of work. False if it was already.
  bool done(int worker, std::uint64_t point, double seconds);
  /// The worker gives back what it has, and takes no more.
  void give_back(int worker);

  bool finished() const { return left_ == 0; }
  std::uint64_t left() const { return left_; }
  std::uint64_t handed_twice() const { return handed_twice_; }
  /// Mean time of a run so far [s]; 0 before the first.
  double mean_seconds() const { return runs_ ? total_seconds_ / static_cast<double>(runs_) : 0.0; }

 private:
  struct Portion {
    double since, patience;
    std::vector<std::uint64_t> points;
  };
  std::vector<Portion>& own(int worker);
  std::size_t portion_size() const;
  std::vector<std::uint64_t> take_from_others(int worker, double now);

  std::deque<std::uint64_t> waiting_;
  std::vector<std::vector<Portion>> out_;         ///< per worker
  std::unordered_map<std::uint64_t, bool> open_;  ///< points without a row
  std::size_t workers_;
  std::uint64_t left_ = 0, runs_ = 0, handed_twice_ = 0;
  double total_seconds_ = 0.0;
};

}  // namespace carom::sweep
