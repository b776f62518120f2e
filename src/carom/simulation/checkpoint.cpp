// The file is the sealed archive (base/archive.h) of the fields.
#include "carom/simulation/checkpoint.h"

#include <fcntl.h>
#include <unistd.h>

#include <cstdio>
#include <fstream>
#include <sstream>
#include <stdexcept>

namespace carom {
namespace {

constexpr ArchiveFormat kFormat{"checkpoint", 3};

/// A file that is on the disk when this returns, not only in its cache.
void write_durably(const std::string& path, std::string_view bytes) {
  const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0644);
  bool ok = file >= 0;
  while (ok && !bytes.empty()) {
    const ::ssize_t written = ::write(file, bytes.data(), bytes.size());
    ok = written > 0;
    if (ok) bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  ok = ok && ::fsync(file) == 0;
  if (file >= 0) ok = ::close(file) == 0 && ok;
  if (!ok) throw std::runtime_error("cannot write the checkpoint '" + path + "'");
}

}  // namespace

template <class Archive>
void visit(Archive& archive, Is<SampleClock> auto& clock) {
  auto& [interval, origin, next, last, index] = clock;
  archive(interval, origin, next, last, index);
}

template <class Archive>
void visit(Archive& archive, Is<IntegratorStatistics> auto& counts) {
  auto& [steps, rejected_steps, rhs_evaluations, jacobian_evaluations, restarts] = counts;
  archive(steps, rejected_steps, rhs_evaluations, jacobian_evaluations, restarts);
}

template <class Archive>
void visit(Archive& archive, Is<EngineEvent> auto& event) {
  auto& [time, kind, subject, value, other, impulse] = event;
  archive(time, kind, subject, value, other, impulse);
}

template <class Archive>
void visit(Archive& archive, Is<Finding> auto& finding) {
  auto& [name, subject, value, limit, is_broken, text] = finding;
  archive(name, subject, value, limit, is_broken, text);
}

template <class Archive>
void visit(Archive& archive, Is<EnergyWatch> auto& watch) {
  auto& [start, potential, lowest, put_in, drive, switches, residual, model, gain] = watch;
  archive(start, potential, lowest, put_in, drive, switches, residual, model, gain);
}

template <class Archive>
void visit(Archive& archive, Is<Checkpoint> auto& c) {
  auto& [scene, method, state, samples, largest_residual, energy_scale, constraint_error,
         event_count, counts, cpu_seconds, findings, watch, events, rows] = c;
  archive(scene, method, state, samples, largest_residual, energy_scale, constraint_error,
          event_count, counts, cpu_seconds, findings, watch, events, rows);
}

void save_checkpoint(const Checkpoint& checkpoint, const std::string& path) {
  ArchiveWriter body;
  body(checkpoint);
  const std::string beside = path + ".new";
  write_durably(beside, seal(kFormat, body.bytes));
  if (std::rename(beside.c_str(), path.c_str()) != 0) {
    throw std::runtime_error("cannot write the checkpoint '" + path + "'");
  }
}

Checkpoint load_checkpoint(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) throw std::runtime_error("there is no checkpoint '" + path + "'");
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
