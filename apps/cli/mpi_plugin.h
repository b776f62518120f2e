// Loads the MPI plug-in when an MPI launcher has started this process.
#pragma once

#include <memory>

#include "carom/sweep/transport.h"

namespace carom::cli {

/// Whether mpirun, mpiexec or srun --mpi has started this process.
bool started_by_mpi();

/// Throws std::runtime_error if the plug-in was not built or cannot be loaded. The process ends
/// with its launcher from here on.
std::unique_ptr<sweep::Transport> open_mpi();

}  // namespace carom::cli
