#include "viewer/live_server.h"

#include <httplib.h>

#include <cmath>

#include "viewer/gated_server.h"
#include "viewer/live_source.h"

namespace carom::viewer {

struct LiveServer::Parts {
  LiveSource& run;
  GatedServer server;

  Parts(LiveSource& live, int port) : run(live), server(port) {
    answer();
    server.open();
  }

  void command(const httplib::Request& request, httplib::Response& response) {
    LiveCommand command{request.get_param_value("do"), request.get_param_value("name")};
    const std::string text = request.get_param_value("value");
    char* end = nullptr;
    command.value = std::strtod(text.c_str(), &end);
    const bool is_number = *end == '\0' && std::isfinite(command.value);
    const bool has_number = !text.empty() || command.name.empty();
    std::optional<std::string> reply;
    if (is_number && has_number) reply = run.command(command);
    if (!reply) response.status = 400;
    response.set_content(reply.value_or("{}"), "application/json");
  }

  void answer() {
    httplib::Server& routes = server.routes();
    routes.Get("/", [this](const auto&, auto& response) {
      response.set_content(make_live_page(run.page(), "Carom", run.config()), "text/html");
    });
    routes.Get("/rows", [this](const auto& request, auto& response) {
      const long generation = std::atol(request.get_param_value("generation").c_str());
      const auto count = [&](const char* name) {
        return static_cast<std::size_t>(
            std::max(0L, std::atol(request.get_param_value(name).c_str())));
      };
      response.set_content(run.rows_since(generation, count("from"), count("events")),
                           "application/json");
    });
    routes.Post("/do", [this](const auto& request, auto& response) { command(request, response); });
  }
};

LiveServer::LiveServer(LiveSource& run, int port) : parts_(std::make_unique<Parts>(run, port)) {}

LiveServer::~LiveServer() = default;

const std::string& LiveServer::address() const { return parts_->server.address(); }

}  // namespace carom::viewer
