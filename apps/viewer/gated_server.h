// cpp-httplib behind a gate (live_gate.h): only requests that show the token in their address,
// under the loopback names and of no foreign origin, reach its routes.
//
//   GatedServer server(0);
//   server.routes().Get("/", …);
//   server.open();
#pragma once

#include <memory>
#include <string>

namespace httplib {
class Server;
}

namespace carom::viewer {

class GatedServer {
 public:
  /// Listens on 127.0.0.1; `port` 0: any free one. Throws std::runtime_error if it cannot.
  explicit GatedServer(int port);
  ~GatedServer();

  httplib::Server& routes();
  void open();
  /// Answers what has come in, and nothing more.
  void close();

  /// http://127.0.0.1:PORT/?token=…
  const std::string& address() const;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace carom::viewer
