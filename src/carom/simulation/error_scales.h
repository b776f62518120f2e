// What errors of a scene's states count against (N6).
//
// An error of a translation counts relative to the size of the body, one of an angle relative to a
// radian, so neither the place of the origin nor the number of turns matters. Velocities add their
// own magnitude. A body in contact may err by a thousandth of the depth at most, for its force
// hangs on it. One that rests cannot be known better than its contacts vibrate by the rounding of
// its place: a thousandth of the weight of others rests on steel by 1e-11 m.
#pragma once

#include <span>
#include <vector>

#include "carom/engine/workspace.h"

namespace carom {

class ErrorScales {
 public:
  explicit ErrorScales(const Workspace& w) : w_(w), model_(*w.model) {}

  /// To be called where contacts have begun or ended.
  void find();

  /// As System has them.
  std::span<const int> groups() const { return groups_; }
  void weights(std::span<const double> x, double rtol, std::span<double> w) const;
  /// The energy against which works count [J].
  double energy() const { return energy_; }
  /// Of positions only.
  void sizes(std::span<double> s) const;

 private:
  /// A link that rests on a contact.
  struct Resting {
    int link = 0;
    int impulse = -1;   ///< of the contact, among its states; -1: nothing with mass is in it
    double mass = 0.0;  ///< of the lighter body [kg]
    double rate = 0.0;  ///< at which the contact vibrates [1/s]
    Vec3 place;         ///< of the link where it came to rest
    Vec3 normal;        ///< of the plane under it; zero: it rests on something else
  };

  void make_groups();
  void know_energy();
  void add_part_states(int group);
  void know_depth_of(int link, double depth);
  void ignore_rounding(const Resting& r, std::span<const double> x, std::span<double> w) const;

  const Workspace& w_;
  const Model& model_;
  std::vector<int> groups_;
  std::vector<double> scale_;       ///< per component of q and v: metres or radians that matter
  std::vector<double> slot_scale_;  ///< per contact state: what matters of it
  std::vector<double> depth_;       ///< per component of q: moves by it change contacts wholly
  std::vector<Resting> resting_;
  double energy_ = 0.0;  ///< in play where the method started [J]
};

}  // namespace carom
