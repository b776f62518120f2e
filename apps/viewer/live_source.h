// What a live page asks its server for.
#pragma once

#include <optional>
#include <string>

#include "viewer/page.h"

namespace carom::viewer {

/// From the page to the run.
struct LiveCommand {
  std::string what;    ///< "pause", "set", "input" …
  std::string name;    ///< of what is set
  double value = 0.0;  ///< a finite number
};

class LiveSource {
 public:
  LiveSource() = default;
  LiveSource(const LiveSource&) = delete;
  LiveSource& operator=(const LiveSource&) = delete;
  virtual ~LiveSource() = default;

  /// The page of the scene as it is now, without rows.
  virtual PageRun page() = 0;
  /// What the page needs besides, as JSON.
  virtual std::string config() = 0;
  /// State, rows from `from` on and events from `events` on, if `generation` is the present one; at
  /// most a part.
  virtual std::string rows_since(long generation, std::size_t from, std::size_t events) = 0;
  /// The answer, as JSON; none: refused.
  virtual std::optional<std::string> command(const LiveCommand& command) = 0;
};

/// The page of a run of this model that has recorded nothing yet.
PageRun make_empty_page(const std::shared_ptr<const Model>& model);

}  // namespace carom::viewer
