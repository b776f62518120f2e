// What contacts remember from step to step. Only accepted steps and located events change
// it, so the right-hand side is a pure function of (t, x) and of this (N1, N2).
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "carom/contact/normal_law.h"
#include "carom/proximity/distance.h"

namespace carom {

enum class ContactMode : std::uint8_t {
  apart,     ///< no force, even where a trial step overlaps
  touching,  ///< the law acts, clamped at zero
};

/// Two shapes near enough to be watched.
struct ContactPair {
  std::uint32_t a = 0, b = 0;  ///< colliders, a < b
  int law = 0;                 ///< into ContactModel::laws
  int connection = -1;         ///< into ContactModel::connections; -1: two shapes
  ContactMode mode = ContactMode::apart;
  int slot = -1;                ///< its state, while not apart
  double begun = 0.0;           ///< [s]
  ContactStart start;           ///< how the contact began
  double expected_depth = 0.0;  ///< for error weights [m]
  double mass = 0.0;            ///< of the lighter body [kg]
  double deepest = 0.0;         ///< overlap so far, for warnings [m]
  std::array<double, kNormalConstants> constants{};
  Vec3 home;  ///< of connected surfaces: mean of the points where the contact began
  DistanceCache warm;
};

/// Integrals of contacts that have ended [J]; `stored` of those that are not conservative.
struct ContactTotals {
  double normal = 0.0, friction = 0.0, stored = 0.0;
};

struct ContactMemory {
  std::vector<ContactPair> pairs;
  std::vector<int> free_slots;
  int slot_count = 0;
  ContactTotals ended;
};

}  // namespace carom
