#include "viewer/live_server.h"

#include <httplib.h>

#include <cmath>
#include <thread>

#include "viewer/live_run.h"
#include "viewer/token.h"

namespace carom::viewer {
struct LiveServer::Parts {
  LiveRun& run;
  httplib::Server server;
  std::string token = make_token(), address;
  int port = 0;
  std::thread thread;

  explicit Parts(LiveRun& live) : run(live) {}

  bool allowed(const httplib::Request& request) const {
    return is_allowed(request.get_header_value("Host"), port, request.get_param_value("token"),
                      token);
  }

  void command(const httplib::Request& request, httplib::Response& response) {
    const std::string what = request.get_param_value("do");
    if (what == "pause" || what == "resume") {
      run.pause(what == "pause");
    } else if (what == "step") {
      run.step();
    } else if (what == "restart") {
      run.restart();
    } else if (what == "set") {
      char* end = nullptr;
      const std::string text = request.get_param_value("value");
      const double value = std::strtod(text.c_str(), &end);
      const bool number = !text.empty() && *end == '\0' && std::isfinite(value);
      if (!number || !run.set(request.get_param_value("name"), value)) response.status = 400;
    } else {
      response.status = 400;
    }
    response.set_content("{}", "application/json");
  }

  void answer() {
    // A flood waits in the queue of a few threads; it cannot take more of the machine.
    server.new_task_queue = [] { return new httplib::ThreadPool(4); };
    server.set_payload_max_length(4096);
    server.set_read_timeout(5), server.set_write_timeout(5);
    server.set_pre_routing_handler([this](const auto& request, auto& response) {
      response.set_header("Cache-Control", "no-store");
      response.set_header("X-Content-Type-Options", "nosniff");
      response.set_header("Referrer-Policy", "no-referrer");
      if (allowed(request)) return httplib::Server::HandlerResponse::Unhandled;
      response.status = 403;
      response.set_content("This view needs the token in its address.\n", "text/plain");
      return httplib::Server::HandlerResponse::Handled;
    });
    server.Get("/", [this](const auto&, auto& response) {
      response.set_content(make_live_page(run.page(), "Carom", run.config()), "text/html");
    });
    server.Get("/rows", [this](const auto& request, auto& response) {
      const long generation = std::atol(request.get_param_value("generation").c_str());
      const long from = std::max(0L, std::atol(request.get_param_value("from").c_str()));
      response.set_content(run.rows_since(generation, static_cast<std::size_t>(from)),
                           "application/json");
    });
    server.Post("/do", [this](const auto& request, auto& response) { command(request, response); });
  }
};

LiveServer::LiveServer(LiveRun& run, int port) : parts_(std::make_unique<Parts>(run)) {
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

LiveServer::~LiveServer() {
  parts_->server.stop();
  parts_->thread.join();
}

const std::string& LiveServer::address() const { return parts_->address; }

}  // namespace carom::viewer
