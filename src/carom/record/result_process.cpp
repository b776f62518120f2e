#include "carom/record/result_process.h"

#include <poll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <fstream>
#include <mutex>
#include <optional>
#include <stdexcept>

#include "carom/record/hdf5_handle.h"
#include "carom/record/recording_bytes.h"
#include "carom/record/result_reader.h"

namespace carom {
namespace {

using Clock = std::chrono::steady_clock;
constexpr std::uint64_t kMostBytes = 512 << 20;  // of memory, beside the rows that were asked for
constexpr rlim_t kMostSeconds = 6;               // for an answer, beside the time to read its bytes
constexpr std::uint64_t kLeastBytesPerSecond = 20'000'000;

struct AnswerHead {
  std::uint64_t good = 0, size = 0;
};

void send_all(int socket, const void* data, std::size_t size) {
  const auto* from = static_cast<const char*>(data);
  while (size > 0) {
    const ::ssize_t count = ::send(socket, from, size, MSG_NOSIGNAL);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) throw std::runtime_error("the other process has ended");
    from += count, size -= static_cast<std::size_t>(count);
  }
}

/// False at the end of the stream or when the time is over.
bool receive_all(int socket, void* data, std::size_t size, std::optional<Clock::time_point> until) {
  auto* to = static_cast<char*>(data);
  while (size > 0) {
    if (until) {
      const auto left =
          std::chrono::duration_cast<std::chrono::milliseconds>(*until - Clock::now());
      pollfd watched{socket, POLLIN, 0};
      if (left.count() <= 0) return false;
      if (::poll(&watched, 1, static_cast<int>(left.count())) <= 0) continue;
    }
    const ::ssize_t count = ::recv(socket, to, size, 0);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    to += count, size -= static_cast<std::size_t>(count);
  }
  return true;
}

// What follows runs in the process of its own.

void limit(int what, rlim_t soft) {
  rlimit values{};
  ::getrlimit(static_cast<__rlimit_resource_t>(what), &values);
  values.rlim_cur = std::min(soft, values.rlim_max);
  ::setrlimit(static_cast<__rlimit_resource_t>(what), &values);
}

/// Counted from what there is now; sanitizers keep terabytes of addresses for themselves.
void limit_memory(std::uint64_t more) {
#if !defined(__SANITIZE_ADDRESS__)
  std::ifstream table("/proc/self/statm");
  std::uint64_t pages = 0;
  static std::uint64_t at_start = 0;  // of this process, whose only thread this is
  if (at_start == 0 && table >> pages) {
    at_start = pages * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
  }
  limit(RLIMIT_AS, at_start + more);
#else
  static_cast<void>(more);
#endif
}

/// The file is open, and no other can be. AddressSanitizer reads where the stack lies from a file
/// of the system, whenever an exception is thrown.
void limit_files() {
#if !defined(__SANITIZE_ADDRESS__)
  limit(RLIMIT_NOFILE, 0);
#endif
}

void limit_time(std::uint64_t bytes) {
  rusage used{};
  ::getrusage(RUSAGE_SELF, &used);
  limit(RLIMIT_CPU, static_cast<rlim_t>(used.ru_utime.tv_sec + used.ru_stime.tv_sec) +
                        kMostSeconds + bytes / kLeastBytesPerSecond);
}

/// Nothing of the parent is in reach: files, sockets, handlers, the terminal.
void leave_parent(int socket) {
  for (const int which : {SIGINT, SIGTERM, SIGXCPU, SIGABRT, SIGSEGV}) std::signal(which, SIG_DFL);
  std::signal(SIGPIPE, SIG_IGN);
  int nowhere[2];  // the libraries' last words
  if (::pipe(nowhere) == 0) {
    ::dup2(nowhere[1], STDERR_FILENO);
    ::dup2(nowhere[1], STDOUT_FILENO);
  }
  if (socket > 3) ::close_range(3, static_cast<unsigned>(socket) - 1, 0);
  ::close_range(static_cast<unsigned>(socket) + 1, ~0U, 0);
  limit(RLIMIT_CORE, 0);
  limit(RLIMIT_FSIZE, 0);
}

std::string answer(const ResultReader& file, const ResultQuestion& q) {
  ArchiveWriter out;
  using What = ResultQuestion::What;
  switch (q.what) {
    case What::head: out(std::uint64_t{file.rows()}, file.head()); break;
    case What::time: out(file.time()); break;
    case What::block: {
      const std::vector<double> values = file.block(q.first_row, q.rows, q.first_column, q.columns);
      return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(double)};
    }
    case What::events: out(file.events()); break;
    case What::peaks: out(file.peaks()); break;
    case What::contacts: out(file.contacts()); break;
    case What::maps: out(file.maps()); break;
  }
  return std::move(out.bytes);
}

void serve(int socket, const std::string& path, std::uint64_t file_bytes) {
  limit_memory(kMostBytes);
  limit_time(file_bytes);
  std::optional<ResultReader> file;
  std::string problem;
  try {
    file.emplace(path);
  } catch (const std::exception& error) {
    problem = error.what();
  }
  limit_files();
  ResultQuestion question;
  while (receive_all(socket, &question, sizeof question, {})) {
    std::string bytes = problem;
    bool good = problem.empty();
    try {
      if (good) {
        const bool rows = question.what == ResultQuestion::What::block;
        // Sizes that are too large for any file are refused before they are multiplied.
        const double wanted =
            rows ? 8.0 * static_cast<double>(question.rows) * static_cast<double>(question.columns)
                 : 32.0 * static_cast<double>(file->rows());
        if (wanted > 1e15) throw std::runtime_error("the file is damaged");
        const auto size = static_cast<std::uint64_t>(wanted);
        limit_memory(kMostBytes + 2 * size);
        limit_time(size);
        bytes = answer(*file, question);
      }
    } catch (const std::exception& error) {
      good = false;
      bytes = error.what();
    }
    const AnswerHead head{good ? 1u : 0u, bytes.size()};
    send_all(socket, &head, sizeof head);
    send_all(socket, bytes.data(), bytes.size());
  }
}

}  // namespace

struct ResultProcess::Parts {
  std::string path;
  std::mutex mutex;
  int socket = -1;
  ::pid_t process = -1;
  std::uint64_t file_bytes = 0;

  void end() {
    if (socket >= 0) ::close(socket);
    socket = -1;
    if (process <= 0) return;
    ::kill(process, SIGKILL);
    while (::waitpid(process, nullptr, 0) < 0 && errno == EINTR) {
    }
    process = -1;
  }
  [[noreturn]] void give_up(const char* why) {
    end();
    throw std::runtime_error("cannot read '" + path +
                             "': it is damaged or was made to do harm: " + why);
  }
};

ResultProcess::ResultProcess(const std::string& path) : parts_(std::make_unique<Parts>()) {
  parts_->path = path;
  struct stat about {};
  if (::stat(path.c_str(), &about) == 0) {
    // A pipe would be waited for, a device has no end.
    if (!S_ISREG(about.st_mode) && !S_ISDIR(about.st_mode)) {
      throw std::runtime_error("cannot read '" + path + "': it is no regular file");
    }
    parts_->file_bytes = static_cast<std::uint64_t>(about.st_size);
  }
  int pair[2];
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) != 0) {
    throw std::runtime_error("cannot read '" + path + "': no process can be asked");
  }
  auto session = std::make_unique<hdf5::Session>();  // no thread is in the library as it is copied
  parts_->process = ::fork();
  if (parts_->process == 0) {
    static_cast<void>(session.release());  // of a thread that is not here
    hdf5::renew_lock();
    try {
      leave_parent(pair[1]);
      serve(pair[1], path, parts_->file_bytes);
    } catch (...) {
    }
    ::_exit(0);
  }
  session.reset();
  ::close(pair[1]);
  parts_->socket = pair[0];
  if (parts_->process < 0) {
    parts_->end();
    throw std::runtime_error("cannot read '" + path + "': no process can be started");
  }
}

ResultProcess::~ResultProcess() { parts_->end(); }

std::string ResultProcess::ask(const ResultQuestion& question) {
  Parts& p = *parts_;
  const std::lock_guard lock(p.mutex);
  if (p.socket < 0) p.give_up("it could not be read before");
  const std::uint64_t wanted = question.rows * question.columns * sizeof(double) + p.file_bytes;
  const auto until =
      Clock::now() + std::chrono::seconds(kMostSeconds + wanted / kLeastBytesPerSecond);
  AnswerHead head;
  try {
    send_all(p.socket, &question, sizeof question);
  } catch (const std::exception&) {
    p.give_up("its reader has ended");
  }
  if (!receive_all(p.socket, &head, sizeof head, until)) {
    p.give_up(Clock::now() < until ? "its reader has ended" : "reading it does not end");
  }
  // An answer is at most what the file can hold, packed a thousand times, and never more than
  // what this process may take for it.
  const bool block = question.what == ResultQuestion::What::block;
  const std::uint64_t most =
      block ? wanted - p.file_bytes + (1 << 16) : kMostBytes + 40 * p.file_bytes;
  if (head.size > most) p.give_up("it claims to hold too much");
  std::string bytes(head.size, '\0');
  if (!receive_all(p.socket, bytes.data(), bytes.size(), until)) p.give_up("its reader has ended");
  if (head.good != 1) throw std::runtime_error(bytes);
  return bytes;
}

}  // namespace carom
