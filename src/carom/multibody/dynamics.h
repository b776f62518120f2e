// Algorithms on the tree: each is one free function over (const TreeModel&, TreeData&).
//
// Order of use: calc_kinematics, then apply wrenches (LinkState::f_ext) and
// generalised forces (TreeData::tau), then forward_dynamics. All are free of
// allocation; all quantities are in world axes about each link's origin.
#pragma once

#include <span>

#include "carom/base/status.h"
#include "carom/multibody/tree.h"

namespace carom {

/// Poses, velocities, subspaces, bias accelerations and world inertias of all links.
void calc_kinematics(const TreeModel& tree, std::span<const double> q, std::span<const double> v,
                     TreeData& data);

/// q' = N(q) v.
void calc_position_rates(const TreeModel& tree, std::span<const double> q,
                         std::span<const double> v, std::span<double> qdot);

/// Sets all applied wrenches and generalised forces to zero.
void clear_forces(TreeData& data);

/// Articulated-body algorithm: data.vdot from data.tau and f_ext; velocities marked
/// `known` keep the rate given in data.vdot. `fatal` if a link cannot move freely
/// because its articulated inertia is singular. What apply_inverse_mass needs stays in `data`,
/// unless `keeps_factors` is false: then bodies that are free and carry nothing go a shorter way.
Status forward_dynamics(const TreeModel& tree, TreeData& data, bool keeps_factors = true);

/// Recursive Newton-Euler: the generalised forces that produce `vdot` against the
/// applied wrenches. Fills LinkState::A and, as pA, the wrench through each joint.
void inverse_dynamics(const TreeModel& tree, std::span<const double> vdot, TreeData& data,
                      std::span<double> tau);

/// Composite-rigid-body algorithm: the nv × nv mass matrix (row-major, armature
/// included). Overwrites LinkState::IA.
void calc_mass_matrix(const TreeModel& tree, TreeData& data, std::span<double> M);

/// Scratch of apply_inverse_mass.
struct ResponseScratch {
  std::vector<Wrench> p;
  std::vector<Motion> a;
  std::vector<double> u;
  explicit ResponseScratch(const TreeModel& tree)
      : p(tree.links.size()), a(tree.links.size()), u(static_cast<std::size_t>(tree.nv)) {}
};
/// M⁻¹ tau with what forward_dynamics or factor_mass left in `data`, restricted to
/// `links` (whole trees, parents first). Known velocities do not respond.
void apply_inverse_mass(const TreeModel& tree, const TreeData& data, std::span<const int> links,
                        std::span<const double> tau, ResponseScratch& scratch,
                        std::span<double> vdot);
/// M v, known velocities included. Kinematics must be current.
void apply_mass(const TreeModel& tree, const TreeData& data, std::span<const double> v,
                ResponseScratch& scratch, std::span<double> p);
/// The links of a tree.
std::vector<int> all_links(const TreeModel& tree);

/// Factors the articulated inertias only (no forces); enough for apply_inverse_mass.
Status factor_mass(const TreeModel& tree, TreeData& data);
/// The link at which that fails; -1 if it does not.
int find_singular_link(const TreeModel& tree, TreeData& data);

/// Adds Jᵀ w for the wrench `w` about the world point `p_W` of link `link`.
void add_generalised_force(const TreeModel& tree, const TreeData& data, int link, const Vec3& p_W,
                           const Wrench& w, std::span<double> tau);

/// Velocity of the point of `link` at the world position `p_W`.
inline Motion velocity_at(const TreeData& data, LinkId link, const Vec3& p_W) {
  const LinkState& L = data.links[link];
  return shifted(L.V, p_W - L.p_WL);
}

/// Adds a wrench about the world point `p_W` to the applied forces of `link`.
inline void apply_wrench(TreeData& data, LinkId link, const Vec3& p_W, const Wrench& w) {
  LinkState& L = data.links[link];
  L.f_ext += shifted(w, p_W - L.p_WL);
}

/// ½ Σ Vᵀ I V plus the share of rotors (armature).
double kinetic_energy(const TreeModel& tree, const TreeData& data, std::span<const double> v);

}  // namespace carom
