#include "carom/record/recording.h"

#include <stdexcept>

namespace carom {

std::string_view to_string(RunStatus status) {
  switch (status) {
    case RunStatus::running: return "running";
    case RunStatus::completed: return "completed";
    case RunStatus::failed: return "failed";
    case RunStatus::interrupted: break;
  }
  return "interrupted";
}

RunStatus run_status_from(std::string_view word) {
  for (const RunStatus status :
       {RunStatus::running, RunStatus::completed, RunStatus::failed, RunStatus::interrupted}) {
    if (word == to_string(status)) return status;
  }
  throw std::runtime_error("unknown run status '" + std::string(word) + "'");
}

std::string full_subject(const EventRecord& event) {
  return event.partner.empty() ? event.subject : event.subject + ", " + event.partner;
}

std::vector<double> Recording::column(std::string_view name) const {
  const std::size_t at = ColumnIndex(channels).column(name);
  const std::size_t stride = width();
  std::vector<double> out(rows());
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = values[i * stride + at];
  return out;
}

}  // namespace carom
