#include "viewer/sweep_page.h"

#include <httplib.h>

#include <mutex>
#include <stdexcept>
#include <string_view>
#include <thread>

#include "viewer/token.h"

namespace carom::viewer {

std::string_view sweep_template();

std::string make_sweep_page(const std::string& study_json) {
  std::string page(sweep_template());
  constexpr std::string_view kMark = "/*STUDY*/";
  const std::size_t at = page.find(kMark);
  if (at == std::string::npos) throw std::runtime_error("the page of studies has no place for one");
  // "</script>" inside a text would end the block.
  std::string safe;
  for (const char c : study_json) safe += c == '<' ? std::string("\\u003c") : std::string(1, c);
  return page.replace(at, kMark.size(), safe);
}

struct SweepServer::Parts {
  std::string page;
  MakePage make_page;
  httplib::Server server;
  std::string token = make_token(), address;
  int port = 0;
  std::thread thread;
  std::mutex mutex;  ///< one run at a time

  void answer() {
    server.new_task_queue = [] { return new httplib::ThreadPool(4); };
    server.set_payload_max_length(4096);
    server.set_read_timeout(5);
    server.set_pre_routing_handler([this](const auto& request, auto& response) {
      response.set_header("Cache-Control", "no-store");
      response.set_header("X-Content-Type-Options", "nosniff");
      response.set_header("Referrer-Policy", "no-referrer");
      if (is_allowed(request.get_header_value("Host"), port, request.get_param_value("token"),
                     token)) {
        return httplib::Server::HandlerResponse::Unhandled;
      }
      response.status = 403;
      response.set_content("This view needs the token in its address.\n", "text/plain");
      return httplib::Server::HandlerResponse::Handled;
    });
    server.Get("/",
               [this](const auto&, auto& response) { response.set_content(page, "text/html"); });
    server.Get("/run/([0-9a-f]{64})", [this](const auto& request, auto& response) {
      const std::lock_guard lock(mutex);
      try {
        response.set_content(make_page(request.matches[1].str()), "text/html");
      } catch (const std::exception& error) {
        response.status = 404;
        response.set_content(std::string(error.what()) + "\n", "text/plain");
      }
    });
  }
};

SweepServer::SweepServer(std::string page, MakePage make_page, int port)
    : parts_(std::make_unique<Parts>()) {
  parts_->page = std::move(page);
  parts_->make_page = std::move(make_page);
  parts_->answer();
  if (port == 0) {
    parts_->port = parts_->server.bind_to_any_port("127.0.0.1");
  } else {
    parts_->port = parts_->server.bind_to_port("127.0.0.1", port) ? port : -1;
  }
  if (parts_->port <= 0) {
    throw std::runtime_error("port " + std::to_string(port) + " of 127.0.0.1 cannot be used");
  }
  parts_->address = "http://127.0.0.1:" + std::to_string(parts_->port) + "/?token=" + parts_->token;
  parts_->thread = std::thread([this] { parts_->server.listen_after_bind(); });
  while (!parts_->server.is_running()) std::this_thread::yield();
}

SweepServer::~SweepServer() {
  parts_->server.stop();
  parts_->thread.join();
}

const std::string& SweepServer::address() const { return parts_->address; }

}  // namespace carom::viewer
