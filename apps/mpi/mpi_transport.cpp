// Messages of a sweep by MPI. Errors are not fatal: a rank that was killed or cut off shows by its
// silence, and the others go on (mpirun --enable-recovery).
#define OMPI_SKIP_MPICXX 1
#include <mpi.h>

#include <list>
#include <memory>

#include "carom/sweep/transport.h"

namespace carom::mpi {
namespace {

constexpr int kTag = 21;

class MpiTransport final : public sweep::Transport {
 public:
  MpiTransport() {
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
    MPI_Comm_size(MPI_COMM_WORLD, &size_);
  }

  int rank() const override { return rank_; }
  int size() const override { return size_; }

  void send(int to, std::string_view bytes) override {
    clean();
    Pending& p = pending_.emplace_back();
    p.bytes = bytes;
    if (MPI_Isend(p.bytes.data(), static_cast<int>(p.bytes.size()), MPI_CHAR, to, kTag,
                  MPI_COMM_WORLD, &p.request) != MPI_SUCCESS) {
      pending_.pop_back();
    }
  }

  std::optional<sweep::Message> poll() override {
    int arrived = 0, size = 0;
    MPI_Status status{};
    clean();
    if (MPI_Iprobe(MPI_ANY_SOURCE, kTag, MPI_COMM_WORLD, &arrived, &status) != MPI_SUCCESS ||
        !arrived || MPI_Get_count(&status, MPI_CHAR, &size) != MPI_SUCCESS) {
      return {};
    }
    sweep::Message message{status.MPI_SOURCE, std::string(static_cast<std::size_t>(size), '\0')};
    if (MPI_Recv(message.bytes.data(), size, MPI_CHAR, status.MPI_SOURCE, kTag, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE) != MPI_SUCCESS) {
      return {};
    }
    return message;
  }

  void close(bool all_here) override {
    // MPI_Finalize waits for every rank: with one lost it would wait for ever.
    if (!all_here) return;
    for (Pending& p : pending_) MPI_Wait(&p.request, MPI_STATUS_IGNORE);
    pending_.clear();
    MPI_Finalize();
  }

 private:
  struct Pending {
    std::string bytes;
    MPI_Request request = MPI_REQUEST_NULL;
  };

  /// Forgets what has left; what a lost rank never takes stays.
  void clean() {
    std::erase_if(pending_, [](Pending& p) {
      int done = 0;
      return MPI_Test(&p.request, &done, MPI_STATUS_IGNORE) != MPI_SUCCESS || done != 0;
    });
  }

  int rank_ = 0, size_ = 1;
  std::list<Pending> pending_;
};

}  // namespace
}  // namespace carom::mpi

extern "C" __attribute__((visibility("default"))) carom::sweep::Transport* carom_open_transport(
    std::string* error) {
  int provided = 0;
  // Other threads compute, this one speaks.
  if (MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &provided) != MPI_SUCCESS ||
      provided < MPI_THREAD_FUNNELED) {
    *error = "MPI cannot be started";
    return nullptr;
  }
  return std::make_unique<carom::mpi::MpiTransport>().release();
}
