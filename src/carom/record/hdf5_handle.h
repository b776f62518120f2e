// HDF5 handles that close themselves, calls that throw, texts of fixed length as
// attributes. For the .cpp files of this module only; hdf5.h is not included, its
// hid_t is the 64-bit integer named Id here.
#pragma once

#include <cstdint>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace carom::hdf5 {

using Id = std::int64_t;

/// Every use of HDF5 happens under one of these: the library may be built
/// without thread safety, prints to stderr unless told otherwise, and looks for
/// plugins on the disk where a file names a filter that it does not know.
class Session {
 public:
  Session();
  ~Session();
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

 private:
  std::lock_guard<std::recursive_mutex> lock_;
  int (*saved_printer_)(Id, void*) = nullptr;
  void* saved_data_ = nullptr;
  unsigned saved_plugins_ = 0;
};

/// In a process that fork() has just made: the lock belongs to a thread of the parent.
void renew_lock();

/// Throws std::runtime_error "<what> (<HDF5's own reason>)".
[[noreturn]] void fail(std::string_view what);

inline void check(int result, std::string_view what) {
  if (result < 0) fail(what);
}

class Handle {
 public:
  using Closer = int (*)(Id);

  Handle() = default;
  /// Takes over `id`; a negative one throws with `what`.
  Handle(Id id, Closer closer, std::string_view what) : id_(id), close_(closer) {
    if (id_ < 0) fail(what);
  }
  Handle(Handle&& other) noexcept : id_(other.id_), close_(other.close_) { other.id_ = -1; }
  Handle& operator=(Handle&& other) noexcept {
    std::swap(id_, other.id_);
    std::swap(close_, other.close_);
    return *this;
  }
  ~Handle() {
    if (id_ >= 0) close_(id_);
  }

  Id id() const { return id_; }
  explicit operator bool() const { return id_ >= 0; }

 private:
  Id id_ = -1;
  Closer close_ = nullptr;
};

/// UTF-8 text of fixed length, filled up with zeros, which h5py shows as bytes.
Handle fixed_text_type(std::size_t bytes);
/// The first `room` bytes of a text at most, cut between characters; cuts end in "…".
std::string fitted(std::string_view text, std::size_t room);
/// A text as it was before it was filled up with zeros.
std::string without_padding(const char* text, std::size_t bytes);

Handle copied_type(Id type);
Handle scalar_space();
Handle make_group(Id parent, const char* name);

/// Creates the attribute with room for the text, and for at least `room` bytes; one that
/// exists keeps its room.
void write_text_attribute(Id object, const char* name, std::string_view text, std::size_t room = 1);
void write_texts_attribute(Id object, const char* name, const std::vector<std::string>& texts);
void write_count_attribute(Id object, const char* name, std::uint64_t count);
std::string read_text_attribute(Id object, const char* name);
std::vector<std::string> read_texts_attribute(Id object, const char* name);
std::uint64_t read_count_attribute(Id object, const char* name);

/// Link names may not hold '/' or be "."; both get look-alikes.
std::string link_name(std::string_view name);

}  // namespace carom::hdf5
