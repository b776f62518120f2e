#include "viewer/live_server.h"

#include <httplib.h>

#include <cmath>

#include "viewer/gated_server.h"
#include "viewer/live_run.h"

namespace carom::viewer {

struct LiveServer::Parts {
  LiveRun& run;
  GatedServer server;

  Parts(LiveRun& live, int port) : run(live), server(port) {
    answer();
    server.open();
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
    httplib::Server& routes = server.routes();
    routes.Get("/", [this](const auto&, auto& response) {
      response.set_content(make_live_page(run.page(), "Carom", run.config()), "text/html");
    });
    routes.Get("/rows", [this](const auto& request, auto& response) {
      const long generation = std::atol(request.get_param_value("generation").c_str());
      const long from = std::max(0L, std::atol(request.get_param_value("from").c_str()));
      response.set_content(run.rows_since(generation, static_cast<std::size_t>(from)),
                           "application/json");
    });
    routes.Post("/do", [this](const auto& request, auto& response) { command(request, response); });
  }
};

LiveServer::LiveServer(LiveRun& run, int port) : parts_(std::make_unique<Parts>(run, port)) {}

LiveServer::~LiveServer() = default;

const std::string& LiveServer::address() const { return parts_->server.address(); }

}  // namespace carom::viewer
