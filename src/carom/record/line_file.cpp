#include "carom/record/line_file.h"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <stdexcept>

namespace carom {
namespace {

constexpr int kBetweenLooks = 50;  // [ms]
constexpr int kLooksAfterInterrupt = 8;

}  // namespace

LineFile::LineFile(const std::string& path, const std::atomic<bool>* interrupt)
    : path_(path), output_(path), interrupt_(interrupt) {
  const bool direct = output_.is_direct();
  const int flags = O_WRONLY | O_CLOEXEC | (direct ? O_NONBLOCK : O_CREAT | O_EXCL);
  for (;;) {
    file_ = ::open(output_.writing().c_str(), flags, 0666);
    if (file_ >= 0) return;
    const bool no_reader = direct && errno == ENXIO;
    if (!no_reader && errno != EINTR) fail(std::strerror(errno));
    if (interrupt_ && *interrupt_) fail("interrupted while nobody reads it");
    if (no_reader) ::poll(nullptr, 0, kBetweenLooks);
  }
}

LineFile::~LineFile() {
  if (file_ >= 0) ::close(file_);
}

void LineFile::fail(const std::string& why) const {
  throw std::runtime_error("cannot write '" + path_ + "': " + why);
}

void LineFile::wait_for_room() {
  for (int looks = 0;;) {
    pollfd watched{file_, POLLOUT, 0};
    if (::poll(&watched, 1, kBetweenLooks) > 0) return;
    if (interrupt_ && *interrupt_ && ++looks > kLooksAfterInterrupt) {
      fail("interrupted while nobody reads it");
    }
  }
}

void LineFile::write_out() {
  std::size_t done = 0;
  while (done < text.size()) {
    const ::ssize_t count = ::write(file_, text.data() + done, text.size() - done);
    if (count > 0) {
      done += static_cast<std::size_t>(count);
    } else if (count < 0 && errno == EAGAIN) {
      wait_for_room();
    } else if (count == 0 || errno != EINTR) {
      fail(std::strerror(errno));
    }
  }
  text.clear();
}

void LineFile::close() {
  write_out();
  const int file = file_;
  file_ = -1;
  if (::close(file) != 0) fail(std::strerror(errno));
}

}  // namespace carom
