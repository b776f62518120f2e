#include "viewer/sweep_page.h"

#include <httplib.h>

#include <mutex>
#include <stdexcept>
#include <string_view>

#include "viewer/gated_server.h"
#include "viewer/page_template.h"

namespace carom::viewer {

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
  std::mutex mutex;    ///< one run at a time
  GatedServer server;  ///< last: it is gone before what its routes use

  Parts(std::string text, MakePage make, int port)
      : page(std::move(text)), make_page(std::move(make)), server(port) {
    httplib::Server& routes = server.routes();
    routes.Get("/",
               [this](const auto&, auto& response) { response.set_content(page, "text/html"); });
    routes.Get("/run/([0-9a-f]{64})", [this](const auto& request, auto& response) {
      const std::lock_guard lock(mutex);
      try {
        response.set_content(make_page(request.matches[1].str()), "text/html");
      } catch (const std::exception& error) {
        response.status = 404;
        response.set_content(std::string(error.what()) + "\n", "text/plain");
      }
    });
    server.open();
  }
};

SweepServer::SweepServer(std::string page, MakePage make_page, int port)
    : parts_(std::make_unique<Parts>(std::move(page), std::move(make_page), port)) {}

SweepServer::~SweepServer() = default;

const std::string& SweepServer::address() const { return parts_->server.address(); }

}  // namespace carom::viewer
