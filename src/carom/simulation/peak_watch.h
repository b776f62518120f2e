// Finds the largest forces between the rows of a run: of contacts, drives and reactions.
//
// After every accepted step the watched magnitudes are taken at its end (of methods that take
// many evaluations a step, and where a smooth piece begins, in its middle too), from the dense
// output and in the workspace of samples, so that the steps stay what they are. Where the
// parabola through three neighbours
//
//   f(t) = f0 + d (t - t0) + c (t - t0)(t - t1),   c < 0                                (1)
//
// has its vertex in the step, and would stand above what is known, the vertex is looked at and
// takes the place of the neighbour farthest off, until the gain is below kGain. A force may also
// be largest where a smooth piece begins or ends: at an event.
//
// Steps of order 1 know their forces at their ends alone; what an interpolant has between them is
// its own. There every end is looked at, once.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "carom/engine/results/loads.h"
#include "carom/integrate/integrator.h"
#include "carom/simulation/located_peak.h"

namespace carom {

/// A magnitude to be watched, and the channels to be told of its object.
struct WatchedQuantity {
  OutputChannel channel;
  std::vector<OutputChannel> object;
};

class PeakWatch {
 public:
  using Found = std::function<void(const LocatedPeak&)>;

  /// The step that was taken, with whatever it takes to look at it.
  struct Step {
    Workspace& observer;  ///< with the modes of the step
    Modes& modes;         ///< of the run
    Integrator& integrator;
    double until = 0.0;       ///< not beyond the end of the step
    bool ends_piece = false;  ///< at `until` forces may jump
    double energy_reference = 0.0;
    bool is_dense = true;             ///< the step can be interpolated
    bool at_ends = false;             ///< forces are known at the ends of steps alone
    bool is_followed = false;         ///< the step itself has noted what contacts bear
    bool is_known = false;            ///< the observer has been evaluated at `until` last
    std::span<const double> state{};  ///< at `until`
  };

  void watch(std::vector<WatchedQuantity> quantities, Found found);
  /// Magnitudes at the last row: only what stands above them is worth a look.
  void set_floor(std::span<const double> magnitudes);
  /// Forces may have jumped: a smooth piece begins.
  void forget() { has_last_ = has_before_ = false; }
  void pass(const Step& step);
  bool has_quantities() const { return !quantities_.empty(); }

  /// Evaluations that were made so far.
  std::int64_t evaluations() const { return evaluations_; }

 private:
  struct Look {
    double t = 0.0;
    std::vector<double> values;  ///< quantities, then normal forces, slip speeds and depths
  };

  bool is_idle(const Workspace& observer) const;
  void state_at(const Step& step, double t);
  void look(const Step& step, double t, bool is_known = false);
  void pass_end(const Step& step);
  bool refine_once(const Step& step, std::size_t q, double limit);
  void refine(const Step& step);
  const std::vector<const Look*>& line() const;
  void clear_points();
  void put_aside(Look& look);
  void book_contacts(const Step& step) const;
  bool find_top(const Step& step, std::size_t q, bool begins_piece, const Look*& top) const;
  void tell(const Step& step, const Look& at_top, std::span<const std::size_t> which);
  void report(const Step& step, bool begins_piece);

  std::vector<WatchedQuantity> quantities_;
  std::vector<double> floor_;
  Found found_;
  std::vector<OutputChannel> loads_;  ///< of the quantities
  LoadNeeds needs_;
  std::vector<double> x_;
  std::vector<Look> points_;  ///< of the step, ascending in time; kept between steps for its room
  Look last_, before_;
  std::vector<std::vector<double>> spare_;  ///< room of points that are gone
  mutable std::vector<const Look*> line_;
  bool has_last_ = false, has_before_ = false;
  std::uint64_t order_ = 0;  ///< of the contacts in `last_` and `before_`
  std::int64_t evaluations_ = 0, counted_ = 0;
};

/// The magnitude that a row of the channels gives a watched one, whose columns begin there.
double magnitude(const OutputChannel& channel, std::span<const double> columns);

/// Contact forces, drives and reactions among the channels, each with the channels of its object
/// that stand beside it.
struct WatchedRow {
  std::vector<WatchedQuantity> quantities;
  std::vector<std::size_t> channel_column;  ///< per quantity: of its channel in a row
  std::vector<std::size_t> first_column;    ///< of the first channel of its object
};
WatchedRow find_watched(std::span<const OutputChannel> channels);

}  // namespace carom
