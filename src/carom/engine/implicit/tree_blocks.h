// Bodies on joints as implicit steps move them: one block per set of trees that constraints join.
//
// With M the mass matrix in the middle of the step, all velocities that loops, couplings and
// prescribed motions allow are
//
//   v = o + Z y,   Z'MZ = 1,                                                        (1)
//
// o being what prescribed motions bring with them. So a block of the velocity problem is a unit
// matrix, whatever holds its links together. Without contacts and elements of joints it comes to
//
//   v* = v + h a,   a the accelerations in the middle of the step, explicitly        (2)
//
// which does not keep the energy: TreeGuard (implicit_trees.cpp) sees to that.
#pragma once

#include "carom/engine/workspace.h"

namespace carom {

struct TreeBlock {
  std::vector<int> links;  ///< parents first
  std::vector<int> dofs;   ///< velocities that forces decide
  std::vector<int> known;  ///< prescribed ones
  std::vector<int> loops, couplings;
  int generic_rank = 0;
  double mass = 0.0;  ///< [kg]

  // Of the step:
  int block = -1;                 ///< of the velocity problem; -1: it has no rows, or cannot move
  std::size_t count = 0;          ///< of y
  std::vector<double> Z;          ///< dofs x count, row by row
  std::vector<double> v, v_free;  ///< of `dofs`: where the step begins, and (2)
  std::vector<double> y, y_free;  ///< the same by (1)
  std::vector<double> off;        ///< o of `dofs`
  std::vector<double> pull;       ///< Z'M o, with what is prescribed
  double energy = 0.0;            ///< kinetic and potential, where the step begins [J]
  double held_power = 0.0;        ///< of prescribed motions, without rows [W]
  double load_power = 0.0;        ///< of loads, along what is prescribed [W]
  std::vector<double> load;       ///< along `dofs`
  std::vector<double> element;    ///< elements between bodies along `dofs`, where it begins
  bool is_pushed = false;         ///< rows act on it
};

/// Energies of a block where its links are now [J].
double tree_energy(const Workspace& w, const TreeBlock& tree);

class TreeBlocks {
 public:
  explicit TreeBlocks(Workspace& w);

  std::vector<TreeBlock> list;
  bool empty() const { return list.empty(); }
  /// The block of a link, -1: free, or fixed.
  int of_link(int link) const { return of_link_[static_cast<std::size_t>(link)]; }
  /// Its place among the `dofs` of its block; -1: prescribed.
  int place_of(int v) const { return place_[static_cast<std::size_t>(v)]; }
  /// Mean velocity over the step of what is prescribed, and o of the others.
  std::span<const double> offset() const { return off_; }

  /// Reads the step from (t, x) of length h. `rates` come as those at (t, x) with all elements of
  /// joints; those of further states become those in the middle of the step. Leaves the kinematics
  /// of (t, x) in the workspace.
  Status begin(double t, double h, std::span<const double> x, std::span<double> rates);

  /// Adds sign times the row angular.w + linear.(velocity at p) of a link, by y, to `out`; returns
  /// what o contributes.
  double put_row(const TreeBlock& tree, int link, const Vec3& p, const Vec3& angular,
                 const Vec3& linear, double sign, double* out) const;
  /// A wrench about p on a link, which acts all the step; it is none from outside.
  void push(TreeBlock& tree, int link, const Vec3& p, const Wrench& wrench) const;
  /// The row of a single velocity.
  double put_row(const TreeBlock& tree, int v, double sign, double* out) const;

  /// v of `dofs` at y.
  void velocities(const TreeBlock& tree, std::span<const double> y, std::span<double> v) const;
  /// Puts the links of the block where they come to be with the mean velocity v (of `dofs`) over
  /// the step from (t, x); velocities of the workspace stay.
  void place(const TreeBlock& tree, std::span<const double> x, std::span<const double> v);
  /// And back.
  void place_back(const TreeBlock& tree, std::span<const double> x);

 private:
  void find_trees();
  void find_motions(double t);
  void read_middle(TreeBlock& tree);
  void calc_mass(const TreeBlock& tree);
  void reduce(TreeBlock& tree);
  std::size_t put_constraints(const TreeBlock& tree);
  void reduce_with(TreeBlock& tree, std::size_t rows);
  void read_coordinates(TreeBlock& tree);
  void read_forces(TreeBlock& tree);

  Workspace& w_;
  std::vector<int> of_link_, place_;
  std::vector<double> off_;
  double h_ = 0.0;
  bool has_loads_ = false;
  // Scratch:
  std::vector<double> middle_, rates_, a_, M_, L_, J_, column_, load_, q_;
  mutable std::vector<double> p_;
  std::vector<int> kind_;
};

}  // namespace carom
