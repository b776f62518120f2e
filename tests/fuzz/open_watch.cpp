// Preloaded into a fuzzed program: counts the files that it opens beside those it was told of,
// and plays a disk that is full. Tracing is refused in many containers; this is not.
//
//   LD_PRELOAD=libopen_watch.so program
//
// The program finds the functions below by their names. Counts are shared with processes that it
// starts by fork().
#include <dlfcn.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdarg>
#include <cstdio>
#include <cstring>

namespace {

struct Shared {
  std::atomic<int> others{0};
  std::atomic<long> room{-1};  // bytes left on the disk; -1: endless
  char allowed[4096] = {};     // what paths may begin with
  char first[4096] = {};
};

Shared& shared() {
  static Shared* const memory = new (::mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE,
                                            MAP_SHARED | MAP_ANONYMOUS, -1, 0)) Shared;
  return *memory;
}

/// Libraries, their settings, and what the process asks about itself.
bool is_of_the_system(const char* path) {
  for (const char* start : {"/lib", "/usr/", "/etc/ssl", "/etc/ld.so", "/proc/self/", "/proc/sys/",
                            "/sys/", "/dev/null", "/etc/localtime", "/dev/urandom"}) {
    if (std::strncmp(path, start, std::strlen(start)) == 0) return true;
  }
  return false;
}

void note(const char* path) {
  Shared& s = shared();
  if (path == nullptr || s.allowed[0] == '\0' || is_of_the_system(path)) return;
  if (std::strncmp(path, s.allowed, std::strlen(s.allowed)) == 0) return;
  if (s.others++ == 0) std::strncpy(s.first, path, sizeof s.first - 1);
}

template <class Function>
Function next(const char* name) {
  return reinterpret_cast<Function>(::dlsym(RTLD_NEXT, name));
}

}  // namespace

extern "C" {

void open_watch_allow(const char* start) {
  std::strncpy(shared().allowed, start, sizeof shared().allowed - 1);
}
int open_watch_count(char* first, int size) {
  std::strncpy(first, shared().first, static_cast<std::size_t>(size) - 1);
  return shared().others;
}
void open_watch_room(long bytes) { shared().room = bytes; }

#define CAROM_OPEN(name)                                                            \
  int name(const char* path, int flags, ...) {                                      \
    std::va_list rest;                                                              \
    va_start(rest, flags);                                                          \
    const mode_t mode = (flags & (O_CREAT | O_TMPFILE)) ? va_arg(rest, mode_t) : 0; \
    va_end(rest);                                                                   \
    note(path);                                                                     \
    return next<int (*)(const char*, int, ...)>(#name)(path, flags, mode);          \
  }
CAROM_OPEN(open)
CAROM_OPEN(open64)

#define CAROM_OPENAT(name)                                                              \
  int name(int folder, const char* path, int flags, ...) {                              \
    std::va_list rest;                                                                  \
    va_start(rest, flags);                                                              \
    const mode_t mode = (flags & (O_CREAT | O_TMPFILE)) ? va_arg(rest, mode_t) : 0;     \
    va_end(rest);                                                                       \
    note(path);                                                                         \
    return next<int (*)(int, const char*, int, ...)>(#name)(folder, path, flags, mode); \
  }
CAROM_OPENAT(openat)
CAROM_OPENAT(openat64)

std::FILE* fopen(const char* path, const char* mode) {
  note(path);
  return next<std::FILE* (*)(const char*, const char*)>("fopen")(path, mode);
}
std::FILE* fopen64(const char* path, const char* mode) {
  note(path);
  return next<std::FILE* (*)(const char*, const char*)>("fopen64")(path, mode);
}

/// A disk that fills up takes a part of what is written, and then nothing.
static ssize_t grant(ssize_t size) {
  Shared& s = shared();
  const long room = s.room;
  if (room < 0) return size;
  const ssize_t granted = size < room ? size : room;
  s.room = room - granted;
  if (granted == 0 && size > 0) errno = ENOSPC;
  return granted;
}

ssize_t write(int file, const void* data, std::size_t size) {
  const ssize_t granted = file > 2 ? grant(static_cast<ssize_t>(size)) : static_cast<ssize_t>(size);
  if (granted == 0 && size > 0) return -1;
  return next<ssize_t (*)(int, const void*, std::size_t)>("write")(
      file, data, static_cast<std::size_t>(granted));
}

#define CAROM_PWRITE(name)                                                   \
  ssize_t name(int file, const void* data, std::size_t size, off64_t at) {   \
    const ssize_t granted = grant(static_cast<ssize_t>(size));               \
    if (granted == 0 && size > 0) return -1;                                 \
    return next<ssize_t (*)(int, const void*, std::size_t, off64_t)>(#name)( \
        file, data, static_cast<std::size_t>(granted), at);                  \
  }
CAROM_PWRITE(pwrite64)
CAROM_PWRITE(pwrite)

}  // extern "C"
