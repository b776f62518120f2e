#include "viewer/live_gate.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <chrono>
#include <list>
#include <stdexcept>
#include <thread>
#include <vector>

namespace carom::viewer {
namespace {

using Clock = std::chrono::steady_clock;
constexpr std::chrono::seconds kForHead{1};
constexpr std::size_t kMostHead = 16384;
constexpr std::size_t kMostWaiting = 64;

constexpr std::string_view kRefusal =
    "HTTP/1.1 403 Forbidden\r\nContent-Type: text/plain\r\nCache-Control: no-store\r\n"
    "X-Content-Type-Options: nosniff\r\nConnection: close\r\nContent-Length: 42\r\n\r\n"
    "This view needs the token in its address.\n";

void set_blocking(int socket, bool blocking) {
  const int flags = ::fcntl(socket, F_GETFL);
  ::fcntl(socket, F_SETFL, blocking ? flags & ~O_NONBLOCK : flags | O_NONBLOCK);
}

int listen_on(int port, int& bound) {
  const int socket = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (socket < 0) return -1;
  const int yes = 1;
  ::setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  socklen_t size = sizeof address;
  auto* generic = reinterpret_cast<sockaddr*>(&address);
  if (::bind(socket, generic, size) != 0 || ::listen(socket, 128) != 0 ||
      ::getsockname(socket, generic, &size) != 0) {
    ::close(socket);
    return -1;
  }
  bound = ntohs(address.sin_port);
  return socket;
}

/// The answer goes into the socket's own buffer or nowhere. What was sent and not read would
/// make close() throw the answer away, so a little of it is taken first.
void refuse(int socket) {
  [[maybe_unused]] const auto sent =
      ::send(socket, kRefusal.data(), kRefusal.size(), MSG_DONTWAIT | MSG_NOSIGNAL);
  ::shutdown(socket, SHUT_WR);
  char rest[4096];
  for (int i = 0; i < 16 && ::recv(socket, rest, sizeof rest, MSG_DONTWAIT) > 0; ++i) {
  }
  ::close(socket);
}

}  // namespace

struct LiveGate::Parts {
  struct Waiting {
    int socket = -1;
    std::string head;
    Clock::time_point until;
  };

  int listener = -1, port = 0;
  std::atomic<bool> closing{false};
  std::list<Waiting> waiting;
  Admits admits;
  Serve serve;
  std::thread thread;

  void accept_all() {
    for (int i = 0; i < 256; ++i) {
      const int socket = ::accept4(listener, nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK);
      if (socket < 0) return;
      if (waiting.size() >= kMostWaiting) {
        ::close(waiting.front().socket);
        waiting.pop_front();
      }
      waiting.push_back({socket, {}, Clock::now() + kForHead});
      if (read_head(waiting.back())) waiting.pop_back();  // honest ones have sent it at once
    }
  }

  /// True if the connection is no longer waiting.
  bool read_head(Waiting& w) {
    char bytes[4096];
    const ::ssize_t count = ::recv(w.socket, bytes, sizeof bytes, MSG_DONTWAIT);
    if (count < 0 && (errno == EAGAIN || errno == EINTR)) return false;
    if (count <= 0) {
      ::close(w.socket);
      return true;
    }
    w.head.append(bytes, static_cast<std::size_t>(count));
    const std::size_t end = w.head.find("\r\n\r\n");
    if (end == std::string::npos && w.head.size() < kMostHead) return false;
    if (end > kMostHead ||  // or there is none
        !admits(std::string_view(w.head).substr(0, end + 4))) {
      refuse(w.socket);
    } else {
      set_blocking(w.socket, true);
      serve(w.socket, std::move(w.head));
    }
    return true;
  }

  void work() {
    std::vector<pollfd> watched;
    while (!closing) {
      watched.assign(1, {listener, POLLIN, 0});
      for (const Waiting& w : waiting) watched.push_back({w.socket, POLLIN, 0});
      ::poll(watched.data(), watched.size(), 100);
      const auto now = Clock::now();
      std::size_t i = 1;
      for (auto w = waiting.begin(); w != waiting.end(); ++i) {
        bool gone = watched[i].revents != 0 && read_head(*w);
        if (!gone && now >= w->until) {
          ::close(w->socket);
          gone = true;
        }
        w = gone ? waiting.erase(w) : std::next(w);
      }
      if (watched[0].revents != 0) accept_all();
    }
    for (const Waiting& w : waiting) ::close(w.socket);
    waiting.clear();
  }
};

LiveGate::LiveGate(int port) : parts_(std::make_unique<Parts>()) {
  parts_->listener = listen_on(port, parts_->port);
  if (parts_->listener < 0) {
    throw std::runtime_error("port " + std::to_string(port) + " of 127.0.0.1 cannot be used");
  }
}

LiveGate::~LiveGate() {
  close();
  ::close(parts_->listener);
}

int LiveGate::port() const { return parts_->port; }

void LiveGate::open(Admits admits, Serve serve) {
  parts_->admits = std::move(admits), parts_->serve = std::move(serve);
  parts_->thread = std::thread([this] { parts_->work(); });
}

void LiveGate::close() {
  parts_->closing = true;
  if (parts_->thread.joinable()) parts_->thread.join();
}

}  // namespace carom::viewer
