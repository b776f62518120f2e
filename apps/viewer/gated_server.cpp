#include "viewer/gated_server.h"

#include <httplib.h>

#include <atomic>

#include "viewer/live_gate.h"
#include "viewer/token.h"

namespace carom::viewer {
namespace {

/// A connection of which the head has been read already. Every wait has an end.
class BegunStream final : public httplib::Stream {
 public:
  BegunStream(int socket, std::string begun) : socket_(socket), begun_(std::move(begun)) {
    const timeval patience{2, 0};
    ::setsockopt(socket_, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    ::setsockopt(socket_, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
  }
  ~BegunStream() override {
    ::shutdown(socket_, SHUT_RDWR);
    ::close(socket_);
  }
  BegunStream(const BegunStream&) = delete;
  BegunStream& operator=(const BegunStream&) = delete;

  bool is_readable() const override { return true; }
  bool is_writable() const override { return true; }
  ssize_t read(char* to, std::size_t size) override {
    const std::size_t count = std::min(size, begun_.size() - at_);
    if (count == 0) return ::recv(socket_, to, size, 0);
    begun_.copy(to, count, at_);
    at_ += count;
    return static_cast<ssize_t>(count);
  }
  ssize_t write(const char* from, std::size_t size) override {
    return ::send(socket_, from, size, MSG_NOSIGNAL);
  }
  void get_remote_ip_and_port(std::string&, int&) const override {}
  void get_local_ip_and_port(std::string&, int&) const override {}
  socket_t socket() const override { return socket_; }

 private:
  int socket_;
  std::string begun_;
  std::size_t at_ = 0;
};

/// The value of a header, without blanks around it; empty if it does not stand there.
std::string header_of(std::string_view head, std::string_view name) {
  for (std::size_t line = head.find("\r\n"); line + 2 < head.size();
       line = head.find("\r\n", line + 2)) {
    const std::string_view rest = head.substr(line + 2, head.find("\r\n", line + 2) - line - 2);
    if (rest.size() <= name.size() || rest[name.size()] != ':') continue;
    const bool same_name = std::equal(
        name.begin(), name.end(), rest.begin(),
        [](unsigned char a, unsigned char b) { return std::tolower(a) == std::tolower(b); });
    if (!same_name) continue;
    std::string_view value = rest.substr(name.size() + 1);
    while (!value.empty() && (value.front() == ' ' || value.front() == '\t'))
      value.remove_prefix(1);
    while (!value.empty() && (value.back() == ' ' || value.back() == '\t')) value.remove_suffix(1);
    return std::string(value);
  }
  return {};
}

/// What stands for `token` in the address that the first line asks for.
std::string token_of(std::string_view head) {
  const std::string_view line = head.substr(0, head.find("\r\n"));
  for (const std::string_view before : {"?token=", "&token="}) {
    const std::size_t begin = line.find(before);
    if (begin == std::string_view::npos) continue;
    const std::string_view rest = line.substr(begin + before.size());
    return std::string(rest.substr(0, rest.find_first_of("& ")));
  }
  return {};
}

constexpr int kMostAtOnce = 32;  // viewers with the token, answered or waiting for it

}  // namespace

struct GatedServer::Parts {
  class Answers : public httplib::Server {
   public:
    void answer(int socket, std::string begun) {
      BegunStream stream(socket, std::move(begun));
      bool closed = false;
      process_request(stream, true, closed, nullptr);
    }
  };

  explicit Parts(int port) : gate(port) {}

  Answers server;
  LiveGate gate;
  std::string token = make_token();
  std::string address = "http://127.0.0.1:" + std::to_string(gate.port()) + "/?token=" + token;
  httplib::ThreadPool pool{4};
  std::atomic<int> present{0};
  bool is_open = false;

  /// Only under the loopback names, so that a foreign page cannot reach in by a name of its own,
  /// and not from a page of another origin even if it knows the token.
  bool admits(std::string_view head) const {
    const std::string host = header_of(head, "Host"), origin = header_of(head, "Origin");
    const bool own = origin.empty() || origin == "http://" + host;
    return own && is_allowed(host, gate.port(), token_of(head), token);
  }

  void serve(int socket, std::string begun) {
    if (++present > kMostAtOnce) {
      --present;
      ::close(socket);
      return;
    }
    pool.enqueue([this, socket, text = std::move(begun)]() mutable {
      server.answer(socket, std::move(text));
      --present;
    });
  }
};

GatedServer::GatedServer(int port) : parts_(std::make_unique<Parts>(port)) {
  parts_->server.set_payload_max_length(4096);
  parts_->server.set_pre_routing_handler([](const auto&, auto& response) {
    response.set_header("Cache-Control", "no-store");
    response.set_header("X-Content-Type-Options", "nosniff");
    response.set_header("Referrer-Policy", "no-referrer");
    return httplib::Server::HandlerResponse::Unhandled;
  });
}

GatedServer::~GatedServer() { close(); }

httplib::Server& GatedServer::routes() { return parts_->server; }

void GatedServer::open() {
  Parts* p = parts_.get();
  p->is_open = true;
  p->gate.open([p](std::string_view head) { return p->admits(head); },
               [p](int socket, std::string begun) { p->serve(socket, std::move(begun)); });
}

void GatedServer::close() {
  if (!parts_->is_open) return;
  parts_->is_open = false;
  parts_->gate.close();
  parts_->pool.shutdown();
}

const std::string& GatedServer::address() const { return parts_->address; }

}  // namespace carom::viewer
