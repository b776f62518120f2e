// The page of a study: statistics, indices, scatter matrix and parallel coordinates in one HTML
// file, without a server; and the same served, where a click makes the page of a run.
#pragma once

#include <functional>
#include <memory>
#include <string>

namespace carom::viewer {

/// `study_json` is what sweep/report.h makes.
std::string make_sweep_page(const std::string& study_json);

/// Serves the page on 127.0.0.1 to who knows the token in its address.
class SweepServer {
 public:
  /// Makes the page of the run with a key; throws for one that is not of the study.
  using MakePage = std::function<std::string(const std::string& key)>;

  /// `port` 0: any free one. Throws std::runtime_error if it cannot listen.
  SweepServer(std::string page, MakePage make_page, int port);
  ~SweepServer();

  /// http://127.0.0.1:PORT/?token=…
  const std::string& address() const;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace carom::viewer
