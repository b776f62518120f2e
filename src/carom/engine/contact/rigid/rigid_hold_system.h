// The linear system of the forces that hold closed points while their modes are frozen, and
// Newton's method for the directions in which slip begins.
#pragma once

#include "carom/engine/contact/rigid/rigid_patches.h"
#include "carom/engine/workspace.h"

namespace carom {

class HoldSystem {
 public:
  explicit HoldSystem(Workspace& w) : w_(w), data_(w.contacts.rigid), rows_(data_.rows) {}

  /// Accelerations that the points would have without forces of their own.
  void take_free_accelerations();
  void solve();
  /// Newton's method for the directions of onsets: their slip accelerates along itself.
  void turn_onsets();

 private:
  static constexpr std::size_t kTorque = 3;
  struct Unknown {
    std::size_t row;    ///< its equation
    std::size_t force;  ///< whose it is
    bool is_ray;        ///< r_n with the friction that follows it
    std::size_t axis;   ///< of the force: along the normal or a tangent; kTorque: about the normal
  };

  RigidState state(std::size_t i) const;
  void lay_out();
  bool has_spin(std::size_t i) const { return rows_.spin[i] != RigidRows::kNone; }
  RigidSpin spin(std::size_t i) const;
  /// Torque about the normal that goes with its force, of a point that turns.
  double drilling_share(std::size_t i) const;
  void fill_group(const std::vector<std::size_t>& own);
  /// Forces of a group of unknowns; of least squares around their centres.
  void solve_group(const std::vector<std::size_t>& own);
  /// The unknowns of every pair; those of points of which one slides stay as they are, and so do
  /// all of a few, which cost next to nothing.
  std::vector<RigidPatch> find_patches(const std::vector<std::size_t>& own) const;
  /// What is left of the right-hand side for the change of forces around their centres.
  void take_centres(const std::vector<std::size_t>& own);
  double response(std::size_t row, const Unknown& u) const;
  void spread();
  /// Acceleration of the slip of a point, with the forces found last.
  Vec3 tangential(std::size_t i) const;
  double sideways(std::size_t i, double& size) const;
  /// How what `sideways` gives changes with the directions of onsets, n x n. Those of forces come
  /// from the system that these solve: A dr = -dA r, with the columns of all of them at once.
  std::vector<double> turning_slopes(std::span<const std::size_t> turning,
                                     std::span<const double> F);
  /// By how much the forces of a group change per angle by which onsets among them turn.
  std::vector<double> answers_to_turns(const std::vector<std::size_t>& own,
                                       std::span<const std::size_t> onsets);
  void turn(std::size_t i, double angle);

  Workspace& w_;
  RigidData& data_;
  RigidRows& rows_;
  std::vector<double> free_, r_, centres_;
  std::vector<Unknown> unknowns_;
  std::vector<std::vector<std::size_t>> groups_;  ///< of unknowns that act on each other
};

}  // namespace carom
