// Chooses steps across kinks of the right-hand side that the system knows of, but does not
// report as events: contact points that begin or cease to press while their contact lasts.
//
// The system names functions g_i that are zero at the kinks (System::kinks). For g > 0 the
// right-hand side is smooth up to the kink; for g < 0 a term like |g|^n sets in, with n near 1.
// A step of a high order that has such a kink within must be short, and blind shortening takes
// three or four failures to get there. A step that ends at the kink need not be short on the
// smooth side. On the other one it still sees a broken power. With r = |g'| its error is
//
//   E ~ h (r h)^n,   so that   E = 1  at  h = reach / sqrt(r)   for n near 1                 (1)
//
// and `reach` is learned from step to step. So an attempt is given up at the first stage that
// sees a change of sign, with the place of the kink by interpolation, and
//
//   where a term sets in:   a step onto the kink, one of length (1) from it, on with larger ones
//   where it ends:          a step to (1) before the kink, one onto it, on with full steps.
//
// Attempts that are short enough by (1) are not given up, and as long as no attempt has failed
// with a kink within, nothing is done at all.
#pragma once

#include <span>
#include <vector>

#include "carom/base/param.h"

namespace carom {

class KinkPacing {
 public:
  /// The integration restarts. Nothing is kept: a run that goes on from a checkpoint is to be
  /// the same as one that passed it.
  void restart() { aim_ = Aim::none, full_step_ = 0.0, reach_ = kInf; }
  /// The functions where the next step begins, and where the attempt ended.
  void set_begin(std::span<const double> g) { begin_.assign(g.begin(), g.end()); }
  void set_end(std::span<const double> g) { end_.assign(g.begin(), g.end()); }
  void end_becomes_begin() { begin_.swap(end_); }

  /// The length of a step for which the method proposes h.
  double limit(double h) const;

  void begin_attempt(double h);
  /// The functions at the stage that lies at the share c of the step. Returns whether the
  /// attempt is to be given up.
  bool look(double c, std::span<const double> g);

  /// A shorter length after an attempt of length h that was given up (`error` = 0) or failed;
  /// 0 if that has nothing to do with kinks. `proposed` is what the method would have liked.
  double shorten(double h, double error, double proposed);
  /// The length of the next step after one of length h.
  double go_on(double h, double error, double proposed);

 private:
  enum class Aim { none, onto, short_of, away };
  struct Kink {
    double share = kInf;   ///< where in the attempt; infinite: none was seen
    double rate = 0.0;     ///< square root of |g'|
    bool sets_in = false;  ///< g falls below zero
  };

  double root(std::size_t i, double c, double g) const;
  double reach() const { return reach_ / passed_.rate; }
  void learn(double h, double error, double most);
  double approach(double distance);

  Aim aim_ = Aim::none;
  double reach_ = kInf;      ///< of (1) [sqrt(m s)]
  double full_step_ = 0.0;   ///< before the kink that is being passed; 0: none is
  Kink seen_;                ///< in this attempt
  Kink passed_;              ///< to which `aim_` refers
  double length_ = 0.0;      ///< of this attempt
  double share_before_ = 0;  ///< of the stage before; 0: there is none
  std::vector<double> begin_, before_, end_;
};

}  // namespace carom
