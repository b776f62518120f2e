// Which links influence each other: trees that joints, loops, couplings, forces and contacts join.
// What is in different islands can be solved, differentiated and stepped apart.
//
// A value that is remade at events: contacts that begin or end call for a new one (Workspace keeps
// it and says whether it still holds). What the scene joins for good is found once, in the Model.
#pragma once

#include <span>
#include <vector>

namespace carom {

struct Model;
class Workspace;

/// Two links that something joins; 0, the world, carries no influence.
struct LinkPair {
  int a = 0, b = 0;
};

struct Islands {
  std::vector<int> of_link;             ///< per link, its place in `links`; -1 of the world
  std::vector<std::vector<int>> links;  ///< ascending; islands in the order of their first link

  bool joins(int a, int b) const;  ///< whether two links are of one island
};

/// What the model joins for good, and `joined`.
Islands find_islands(const Model& model, std::span<const LinkPair> joined);

/// Of the contacts that last now. Found anew where these have changed since it was last asked for.
const Islands& current_islands(Workspace& w);

}  // namespace carom
