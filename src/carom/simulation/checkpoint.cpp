// The file: magic, version of Carom, length, fingerprint, then the fields in the order of
// `visit`. Values of fixed layout are copied as they lie in memory: a checkpoint is for the
// version and kind of machine that wrote it.
#include "carom/simulation/checkpoint.h"

#include <fcntl.h>
#include <unistd.h>

#include <cstdio>
#include <cstring>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <type_traits>

#include "carom/base/version.h"
#include "carom/scene/expand.h"

namespace carom {
namespace {

constexpr std::string_view kMagic = "carom checkpoint 1\n";

std::uint64_t fnv1a(std::string_view bytes) {
  std::uint64_t hash = 14695981039346656037ull;
  for (const char c : bytes) {
    hash ^= static_cast<unsigned char>(c);
    hash *= 1099511628211ull;
  }
  return hash;
}

class Writer {
 public:
  template <class T>
  void operator()(const T& value) {
    static_assert(std::is_trivially_copyable_v<T>);
    bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
  }
  void operator()(const std::string& text) {
    (*this)(text.size());
    bytes += text;
  }
  template <class T>
  void operator()(const std::vector<T>& list) {
    (*this)(list.size());
    for (const T& item : list) (*this)(item);
  }
  void operator()(const EngineEvent& e) {
    (*this)(e.time), (*this)(e.kind), (*this)(e.subject), (*this)(e.value), (*this)(e.other);
    (*this)(e.impulse);
  }

  std::string bytes;
};

class Reader {
 public:
  explicit Reader(std::string_view bytes) : rest_(bytes) {}

  template <class T>
  void operator()(T& value) {
    static_assert(std::is_trivially_copyable_v<T>);
    std::memcpy(&value, take(sizeof value).data(), sizeof value);
  }
  void operator()(std::string& text) { text = take(size(1)); }
  template <class T>
  void operator()(std::vector<T>& list) {
    list.resize(size(1));
    for (T& item : list) (*this)(item);
  }
  void operator()(EngineEvent& e) {
    (*this)(e.time), (*this)(e.kind), (*this)(e.subject), (*this)(e.value), (*this)(e.other);
    (*this)(e.impulse);
  }

 private:
  std::string_view take(std::size_t count) {
    if (count > rest_.size()) throw std::runtime_error("it ends too early");
    const std::string_view taken = rest_.substr(0, count);
    rest_.remove_prefix(count);
    return taken;
  }
  /// A count of things that take at least `least` bytes each.
  std::size_t size(std::size_t least) {
    std::size_t count = 0;
    (*this)(count);
    if (count > rest_.size() / least) throw std::runtime_error("it is damaged");
    return count;
  }

  std::string_view rest_;
};

/// All fields in the order of the file, for Writer and Reader.
template <class Stream, class C>
void visit(Stream& s, C& c) {
  s(c.scene), s(c.method), s(c.time), s(c.state);
  s(c.parameters.dofs), s(c.parameters.drives), s(c.parameters.force_params);
  s(c.parameters.constants), s(c.parameters.loop_enabled), s(c.parameters.gravity);
  s(c.modes.friction), s(c.modes.stop), s(c.modes.loop_active), s(c.modes.work);
  s(c.modes.contacts.pairs), s(c.modes.contacts.free_slots), s(c.modes.contacts.slot_count);
  s(c.modes.contacts.ended);
  s(c.samples), s(c.energy_reference), s(c.largest_residual), s(c.energy_scale);
  s(c.constraint_error), s(c.event_count), s(c.counts), s(c.cpu_seconds), s(c.warnings);
  s(c.events), s(c.rows);
}

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

std::string header() { return std::string(kMagic) + kVersion + "\n"; }

}  // namespace

std::uint64_t scene_fingerprint(const Scene& scene) { return fnv1a(expand(scene)); }

void save_checkpoint(const Checkpoint& checkpoint, const std::string& path) {
  Writer body;
  visit(body, checkpoint);
  Writer file;
  file.bytes = header();
  file(body.bytes.size());
  file(fnv1a(body.bytes));
  const std::string beside = path + ".new";
  write_durably(beside, file.bytes + body.bytes);
  if (std::rename(beside.c_str(), path.c_str()) != 0) {
    throw std::runtime_error("cannot write the checkpoint '" + path + "'");
  }
}

Checkpoint load_checkpoint(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) throw std::runtime_error("there is no checkpoint '" + path + "'");
  std::ostringstream text;
  text << in.rdbuf();
  const std::string all = text.str(), start = header();
  const auto refuse = [&](const std::string& why) {
    throw std::runtime_error("'" + path + "' cannot be resumed: " + why);
  };
  if (!all.starts_with(kMagic)) refuse("it is no checkpoint");
  if (!all.starts_with(start)) refuse("another version of Carom wrote it");
  Checkpoint checkpoint;
  try {
    const std::string_view rest = std::string_view(all).substr(start.size());
    Reader head(rest);
    std::size_t length = 0;
    std::uint64_t hash = 0;
    head(length), head(hash);
    const std::size_t body = sizeof length + sizeof hash;
    if (rest.size() - body != length || fnv1a(rest.substr(body)) != hash) {
      throw std::runtime_error("it is damaged");
    }
    Reader reader(rest.substr(body));
    visit(reader, checkpoint);
  } catch (const std::exception& error) {
    refuse(error.what());
  }
  return checkpoint;
}

}  // namespace carom
