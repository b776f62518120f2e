// Mesh on mesh (S4) in the peer of this program: peers/<peer>/meshes.cpp.
#pragma once

namespace carom::bench {

void s4();

}  // namespace carom::bench
