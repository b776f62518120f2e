// Plain values as bytes, and back.
//
// A struct takes part by one function that names its fields, for both directions:
//
//   template <class Archive>
//   void visit(Archive& archive, Is<Clock> auto& clock) {
//     auto& [interval, next] = clock;
//     archive(interval, next);
//   }
//
// The binding has to name every field, so a field that is added and not saved does not compile.
// Numbers lie as in memory: bytes are for the version and kind of machine that wrote them, which
// seal() puts in front, with the length and a digest that finds damage. A reader never goes past
// the end and takes no more memory than the bytes can fill.
#pragma once

#include <array>
#include <concepts>
#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace carom {

/// T or const T: what the one `visit` of a struct takes.
template <class T, class Of>
concept Is = std::same_as<std::remove_const_t<T>, Of>;

/// What lies in bytes, and the number of the way in which it does.
struct ArchiveFormat {
  std::string_view name;
  int number = 1;
};

/// `body` behind its format, the version of Carom, its length and its digest.
std::string seal(const ArchiveFormat& format, std::string_view body);
/// The body again; throws std::runtime_error with the reason if the bytes are something else, of
/// another version, cut off or damaged.
std::string_view unseal(const ArchiveFormat& format, std::string_view bytes);

class ArchiveWriter {
 public:
  template <class... T>
  void operator()(const T&... values) {
    (write(values), ...);
  }

  std::string bytes;

 private:
  template <class T>
  void write(const T& value) {
    if constexpr (std::is_arithmetic_v<T> || std::is_enum_v<T>) {
      bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
    } else {
      visit(*this, value);
    }
  }
  void write(const std::string& text) {
    write(std::uint64_t{text.size()});
    bytes += text;
  }
  template <class T>
  void write(const std::vector<T>& list) {
    write(std::uint64_t{list.size()});
    for (const T& item : list) write(item);
  }
  template <class T, std::size_t N>
  void write(const std::array<T, N>& list) {
    for (const T& item : list) write(item);
  }
  template <class T, std::size_t N>
  void write(const T (&list)[N]) {
    for (const T& item : list) write(item);
  }
};

/// Throws std::runtime_error where the bytes do not hold what is asked for.
class ArchiveReader {
 public:
  explicit ArchiveReader(std::string_view bytes) : rest_(bytes) {}

  template <class... T>
  void operator()(T&... values) {
    (read(values), ...);
  }
  /// All bytes must have been read.
  void finish() const {
    if (!rest_.empty()) throw std::runtime_error("it is longer than what it holds");
  }

 private:
  template <class T>
  void read(T& value) {
    if constexpr (std::same_as<T, bool>) {
      const char byte = take(1)[0];
      if (byte != 0 && byte != 1) throw std::runtime_error("it is damaged");
      value = byte == 1;
    } else if constexpr (std::is_arithmetic_v<T> || std::is_enum_v<T>) {
      std::memcpy(&value, take(sizeof value).data(), sizeof value);
    } else {
      visit(*this, value);
    }
  }
  void read(std::string& text) { text = take(read_count()); }
  template <class T>
  void read(std::vector<T>& list) {
    list.clear();
    // One by one: a wrong count ends with the bytes, before it has taken much memory.
    for (std::size_t left = read_count(); left > 0; --left) read(list.emplace_back());
  }
  template <class T, std::size_t N>
  void read(std::array<T, N>& list) {
    for (T& item : list) read(item);
  }
  template <class T, std::size_t N>
  void read(T (&list)[N]) {
    for (T& item : list) read(item);
  }

  std::string_view take(std::size_t count) {
    if (count > rest_.size()) throw std::runtime_error("it ends too early");
    const std::string_view taken = rest_.substr(0, count);
    rest_.remove_prefix(count);
    return taken;
  }
  /// Of items that take a byte each at least.
  std::size_t read_count() {
    std::uint64_t count = 0;
    read(count);
    if (count > rest_.size()) throw std::runtime_error("it ends too early");
    return static_cast<std::size_t>(count);
  }

  std::string_view rest_;
};

}  // namespace carom
