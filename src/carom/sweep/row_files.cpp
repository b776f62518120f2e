#include "carom/sweep/row_files.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <thread>

namespace carom::sweep {
namespace fs = std::filesystem;

namespace {

std::string host_name() {
  char name[256] = "host";
  gethostname(name, sizeof name - 1);
  return name;
}

bool write_all(int file, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(file, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

std::string read_all(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw std::runtime_error("cannot read '" + path + "': " + std::strerror(errno));
  return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace

RowFile::RowFile(std::string folder, int worker) : folder_(std::move(folder)), worker_(worker) {}

RowFile::~RowFile() {
  if (file_ >= 0) ::close(file_);
}

bool RowFile::fail(const char* what) {
  error_ = std::string(what) + " '" + path_ + "': " + std::strerror(errno);
  if (file_ >= 0) {
    (void)!::ftruncate(file_, static_cast<off_t>(size_));
    ::close(file_);
    file_ = -1;
  }
  return false;
}

bool RowFile::append(const Row& row) {
  if (!error_.empty()) return false;
  if (file_ < 0) {
    const fs::path place = fs::path(folder_) / "rows" / host_name();
    std::error_code code;
    fs::create_directories(place, code);
    // A process number comes again one day: a name that is taken gets a further number.
    for (int n = 0; file_ < 0 && n < 100000; ++n) {
      path_ = (place / (std::to_string(getpid()) + "-" + std::to_string(worker_) +
                        (n > 0 ? "-" + std::to_string(n) : "") + ".rows"))
                  .string();
      file_ = ::open(path_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, 0666);
      if (file_ < 0 && errno != EEXIST) return fail("cannot make");
    }
  }
  const std::string bytes = encode(row);
  if (!write_all(file_, bytes)) return fail("cannot write");
  size_ += bytes.size();
  return true;
}

bool RowFile::sync() {
  if (!error_.empty()) return false;
  if (file_ < 0) return true;
  return ::fdatasync(file_) == 0 || fail("cannot write");
}

void RowStore::add(Row row) {
  const auto [place, is_new] = rows_.try_emplace(row.key);
  if (is_new || row.attempt > place->second.attempt) place->second = std::move(row);
}

const Row* RowStore::find(const Key& key) const {
  const auto found = rows_.find(key);
  return found == rows_.end() ? nullptr : &found->second;
}

void RowStore::read_file(const std::string& path) {
  const std::string bytes = read_all(path);
  std::string_view rest = bytes;
  while (auto row = decode(rest)) add(*std::move(row));
  if (!rest.empty()) ++torn_;
}

void RowStore::read(const std::string& folder) {
  std::vector<std::string> paths;
  std::error_code code;
  for (fs::recursive_directory_iterator i(fs::path(folder) / "rows", code), end; !code && i != end;
       i.increment(code)) {
    if (i->path().extension() == ".rows") paths.push_back(i->path().string());
  }
  std::sort(paths.begin(), paths.end());
  for (const std::string& path : paths) {
    try {
      read_file(path);
    } catch (const std::exception& error) {
      unreadable_.emplace_back(error.what());
    }
  }
}

namespace {

/// The lock, or -1 if somebody else has it at the end of the wait.
int take_lock(const std::string& path, int kind, double wait_seconds) {
  const int file = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (file < 0) throw std::runtime_error("cannot write '" + path + "': " + std::strerror(errno));
  const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(wait_seconds);
  while (::flock(file, kind | LOCK_NB) != 0) {
    if (errno != EWOULDBLOCK && errno != EINTR) {
      const std::string reason = std::strerror(errno);
      ::close(file);
      throw std::runtime_error("cannot lock '" + path + "': " + reason);
    }
    if (std::chrono::steady_clock::now() >= end) {
      ::close(file);
      return -1;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
  return file;
}

}  // namespace

FolderLock::FolderLock(const std::string& folder, Kind kind, const std::string& shard,
                       double wait_seconds) {
  std::error_code code;
  fs::create_directories(folder, code);
  if (code) throw std::runtime_error("cannot make the folder '" + folder + "': " + code.message());
  const std::string path = folder + "/lock";
  const auto take = [&](const std::string& name, int how) {
    const int file = take_lock(name, how, wait_seconds);
    if (file < 0) {
      for (const int held : files_) ::close(held);
      std::string who = read_all(name);
      while (!who.empty() && who.back() == '\n') who.pop_back();
      throw std::runtime_error("another sweep is at work on this study" +
                               (who.empty() ? "" : " (" + who + ")") +
                               ": wait for its end, or for longer with --wait SECONDS");
    }
    files_.push_back(file);
    return file;
  };
  take(path, kind == Kind::whole ? LOCK_EX : LOCK_SH);
  const int own = kind == Kind::whole ? files_.back() : take(path + "." + shard, LOCK_EX);
  const std::string who = "process " + std::to_string(getpid()) + " on " + host_name() + "\n";
  if (::ftruncate(own, 0) == 0) (void)!::write(own, who.data(), who.size());
}

FolderLock::~FolderLock() {
  for (const int file : files_) ::close(file);
}

}  // namespace carom::sweep
