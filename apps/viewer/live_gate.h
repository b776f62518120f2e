// The door of the live view: connections are strangers' until they have shown the token.
//
// One thread accepts, and reads the heads of requests without ever waiting for one of them: a
// connection has a second and 16 kB for its head, of at most 64 there may be in that state, and
// where more come the one that has waited longest goes. A head with the token is handed to
// `serve`; every other one is answered 403 and closed. So idle connections, slow senders and
// endless heads cost a bounded amount of everything, and nobody else's time.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>

namespace carom::viewer {

class LiveGate {
 public:
  /// Whether a request with this head, up to its empty line, may come in.
  using Admits = std::function<bool(std::string_view head)>;
  /// Called with a connection that now belongs to the callee, and what was read of it so far.
  using Serve = std::function<void(int socket, std::string begun)>;

  /// Listens on 127.0.0.1; `port` 0: any free one. Throws std::runtime_error if it cannot.
  explicit LiveGate(int port);
  ~LiveGate();

  int port() const;
  void open(Admits admits, Serve serve);
  /// No more connections; returns when the thread has ended.
  void close();

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace carom::viewer
