// How far meshes may move in one step.
//
// After a step every pair of pieces whose boxes it has swept is watched (N4). A mesh of thousands
// of pieces that flies freely would be given steps across many of their lengths, and sweep millions
// of pairs. So no piece moves by more than twice its size,
//
//   v h + g h²/2 <= 2 reach,   v the speed of its fastest point.                             (1)
#pragma once

#include <vector>

namespace carom {

struct ContactModel;
class Workspace;

struct MovingMesh {
  int link = 0;
  double radius = 0.0;  ///< about the origin of the link [m]
  double reach = 0.0;   ///< mean size of its pieces [m]
};
/// The large ones.
std::vector<MovingMesh> find_moving_meshes(const ContactModel& contact);

/// The longest step from where the workspace is [s]; infinite without large meshes that move.
double longest_sweep(const Workspace& w);

}  // namespace carom
