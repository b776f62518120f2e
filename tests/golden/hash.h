// FNV-1a over the bits of numbers and the bytes of texts.
#pragma once

#include <cstdint>
#include <cstring>
#include <string_view>

namespace carom::golden {

class Hash {
 public:
  void add(double value) {
    unsigned char bytes[sizeof value];
    std::memcpy(bytes, &value, sizeof value);
    for (const unsigned char byte : bytes) add(byte);
  }
  void add(std::string_view text) {
    for (const char c : text) add(static_cast<unsigned char>(c));
    add(static_cast<unsigned char>(0));
  }
  std::uint64_t value() const { return value_; }

 private:
  void add(unsigned char byte) { value_ = (value_ ^ byte) * 1099511628211ull; }

  std::uint64_t value_ = 14695981039346656037ull;
};

}  // namespace carom::golden
