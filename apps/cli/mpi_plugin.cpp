#include "mpi_plugin.h"

#include <dlfcn.h>
#include <signal.h>
#include <sys/prctl.h>

#include <cstdlib>
#include <filesystem>
#include <stdexcept>

namespace carom::cli {
namespace {

namespace fs = std::filesystem;

/// Beside the command (a build folder), or in lib/carom of where it is installed.
std::string find_plugin() {
  std::error_code code;
  const fs::path folder = fs::read_symlink("/proc/self/exe", code).parent_path();
  const fs::path beside = folder / "carom_mpi.so";
  if (fs::exists(beside, code)) return beside.string();
  for (fs::recursive_directory_iterator i(folder.parent_path() / "lib", code), end;
       !code && i != end; i.increment(code)) {
    if (i.depth() > 2) i.disable_recursion_pending();
    if (i->path().filename() == "carom_mpi.so") return i->path().string();
  }
  throw std::runtime_error(
      "mpirun has started this process, but Carom was built without MPI: install libopenmpi-dev "
      "and "
      "build again");
}

}  // namespace

bool started_by_mpi() {
  for (const char* name : {"OMPI_COMM_WORLD_SIZE", "PMIX_RANK", "PMI_RANK"}) {
    if (std::getenv(name)) return true;
  }
  return false;
}

std::unique_ptr<sweep::Transport> open_mpi() {
  // Where mpirun or its daemon dies without a word, no process may be left behind.
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  const std::string path = find_plugin();
  // Global: the plug-ins of OpenMPI look for its symbols.
  void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_GLOBAL);
  if (!library) throw std::runtime_error(std::string("cannot load the MPI plug-in: ") + dlerror());
  const auto open = reinterpret_cast<sweep::OpenTransport>(dlsym(library, sweep::kOpenTransport));
  if (!open) throw std::runtime_error("'" + path + "' is not the MPI plug-in of this version");
  std::string error;
  std::unique_ptr<sweep::Transport> transport(open(&error));
  if (!transport) throw std::runtime_error(error);
  return transport;
}

}  // namespace carom::cli
