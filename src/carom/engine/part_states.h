// What error control and sparsity must know of contacts: the states that they add behind those of
// the model, the links that they join, and how finely they see positions.
#pragma once

#include <cstdint>
#include <vector>

#include "carom/engine/workspace.h"

namespace carom {

/// Length of the state with the slots of all contacts.
std::size_t state_size(const Workspace& w);

struct PartStates {
  // Per state behind Model::size().
  std::vector<int> group;             ///< of the error norm, from 0; -1: idle, does not count
  std::vector<double> scale;          ///< against which it counts
  std::vector<std::uint8_t> follows;  ///< nothing depends on it

  /// States of one contact, which its two links move and which move these.
  struct Block {
    std::size_t first = 0, count = 0;  ///< among the states
    int a = 0, b = 0;                  ///< links; 0: the world
  };
  std::vector<Block> blocks;

  /// A link whose contact has this depth: moves by it change the force wholly.
  struct Held {
    int link = 0;
    double depth = 0.0;  ///< [m]
    bool rests = false;  ///< otherwise it is an impact, over before rounding adds up
    int impulse = -1;    ///< its integral among the states; -1: nothing with mass is in it
    double mass = 0.0;   ///< of the lighter body [kg]
    Vec3 normal;         ///< of the plane on which it presses; zero: on something else
  };
  std::vector<Held> held;
};
PartStates calc_part_states(const Workspace& w);

/// Whether something that presses may have kinks that are no events: edges that lift off, friction
/// that turns. Balls on balls and planes without friction have none.
bool may_hide_kinks(const Workspace& w);
/// Whether bodies rest on contacts, so that vibrations of these may keep steps short.
bool rests_on_contacts(const Workspace& w);

}  // namespace carom
