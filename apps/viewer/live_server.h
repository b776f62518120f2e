// Serves a live run on 127.0.0.1: the page, its rows, and commands to the run.
//
// Only who knows the token in the address gets in (live_gate.h), and only under the loopback
// names and origins, so that a foreign web page cannot reach in by a name of its own.
#pragma once

#include <memory>
#include <string>

namespace carom::viewer {

class LiveSource;

class LiveServer {
 public:
  /// `port` 0: any free one. Throws std::runtime_error if it cannot listen.
  LiveServer(LiveSource& run, int port);
  ~LiveServer();

  /// http://127.0.0.1:PORT/?token=…
  const std::string& address() const;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace carom::viewer
