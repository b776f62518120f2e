// Messages between the processes of a sweep. The sweep knows nothing of MPI: it is given one of
// these by the plug-in (apps/mpi), or by a test.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace carom::sweep {

struct Message {
  int from = 0;
  std::string bytes;
};

/// All calls from one thread.
class Transport {
 public:
  virtual ~Transport() = default;
  virtual int rank() const = 0;
  virtual int size() const = 0;
  /// Does not wait for the receiver, and does not fail if there is none any more.
  virtual void send(int to, std::string_view bytes) = 0;
  /// A message that has arrived; does not wait.
  virtual std::optional<Message> poll() = 0;
  /// Ends the work together. With `all_here` false some processes are lost, and those that are
  /// left end without them.
  virtual void close(bool all_here) = 0;
};

/// What the plug-in exports as `carom_open_transport`; null with a reason on failure.
using OpenTransport = Transport* (*)(std::string* error);
inline constexpr char kOpenTransport[] = "carom_open_transport";

}  // namespace carom::sweep
