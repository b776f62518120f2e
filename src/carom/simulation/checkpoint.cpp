// The file is the sealed archive (base/archive.h) of the fields.
#include "carom/simulation/checkpoint.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>

namespace carom {
namespace {

constexpr ArchiveFormat kFormat{"checkpoint", 6};

/// A file that is on the disk when this returns, not only in its cache.
void write_durably(const std::string& path, std::string_view bytes) {
  const int file =
      ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0644);
  bool ok = file >= 0;
  while (ok && !bytes.empty()) {
    const ::ssize_t written = ::write(file, bytes.data(), bytes.size());
    ok = written > 0;
    if (ok) bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  ok = ok && ::fsync(file) == 0;
  const int error = errno;
  if (file >= 0) ok = ::close(file) == 0 && ok;
  if (ok) return;
  const std::string why = std::strerror(error);
  ::unlink(path.c_str());
  throw std::runtime_error("cannot write the checkpoint '" + path + "': " + why);
}

}  // namespace

template <class Archive>
void visit(Archive& archive, Is<SampleClock> auto& clock) {
  auto& [interval, origin, next, last, index] = clock;
  archive(interval, origin, next, last, index);
}

template <class Archive>
void visit(Archive& archive, Is<IntegratorStatistics> auto& counts) {
  auto& [steps, rejected_steps, rhs_evaluations, jacobian_evaluations, restarts, newton_iterations,
         linear_iterations, unconverged_steps, bank_actions] = counts;
  archive(steps, rejected_steps, rhs_evaluations, jacobian_evaluations, restarts, newton_iterations,
          linear_iterations, unconverged_steps, bank_actions);
}

template <class Archive>
void visit(Archive& archive, Is<EngineEvent> auto& event) {
  auto& [time, kind, subject, value, other, impulse, peak_force, peak_depth, duration, slip,
         energy_lost, separation, lost_normal, lost_friction, share, points] = event;
  archive(time, kind, subject, value, other, impulse, peak_force, peak_depth, duration, slip,
          energy_lost, separation, lost_normal, lost_friction, share, points);
}

template <class Archive>
void visit(Archive& archive, Is<LocatedPeak> auto& peak) {
  auto& [quantity, time, value, columns] = peak;
  archive(quantity, time, value, columns);
}

template <class Archive>
void visit(Archive& archive, Is<OpenPeaks> auto& peaks) {
  auto& [waiting, last_row, largest, largest_times, largest_rows] = peaks;
  archive(waiting, last_row, largest, largest_times, largest_rows);
}

template <class Archive>
void visit(Archive& archive, Is<Checkpoint> auto& c) {
  auto& [scene, method, state, samples, largest_residual, energy_scale, constraint_error,
         event_count, counts, cpu_seconds, events, rows, peaks] = c;
  archive(scene, method, state, samples, largest_residual, energy_scale, constraint_error,
          event_count, counts, cpu_seconds, events, rows, peaks);
}

void save_checkpoint(const Checkpoint& checkpoint, const std::string& path) {
  ArchiveWriter body;
  body(checkpoint);
  const std::string beside = path + ".new";
  write_durably(beside, seal(kFormat, body.bytes));
  if (std::rename(beside.c_str(), path.c_str()) != 0) {
    throw std::runtime_error("cannot write the checkpoint '" + path + "': " + std::strerror(errno));
  }
}

Checkpoint load_checkpoint(const std::string& path) {
  constexpr std::uintmax_t kMostBytes = 1u << 30;
  std::error_code code;
  // A pipe would be waited for.
  const bool regular = std::filesystem::is_regular_file(path, code);
  std::ifstream in;
  if (regular) in.open(path, std::ios::binary);
  if (!regular || !in) throw std::runtime_error("there is no checkpoint '" + path + "'");
  if (std::filesystem::file_size(path, code) > kMostBytes) {
    throw std::runtime_error("'" + path + "' cannot be resumed: it is too large");
  }
  std::ostringstream text;
  text << in.rdbuf();
  const std::string all = text.str();
  Checkpoint checkpoint;
  try {
    ArchiveReader body(unseal(kFormat, all));
    body(checkpoint);
    body.finish();
  } catch (const std::exception& error) {
    throw std::runtime_error("'" + path + "' cannot be resumed: " + error.what());
  }
  return checkpoint;
}

}  // namespace carom
