// What is kept of one run, and its bytes in the workers' files.
#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace carom::sweep {

/// SHA-256 of all that decides a run.
struct Key {
  std::array<std::uint8_t, 32> bytes{};

  static std::optional<Key> from_hex(std::string_view text);
  std::string hex() const;
  bool operator==(const Key&) const = default;
  auto operator<=>(const Key&) const = default;
};

struct KeyHash {
  std::size_t operator()(const Key& key) const {
    std::size_t h = 0;  // any part of a digest is a good hash
    std::memcpy(&h, key.bytes.data(), sizeof h);
    return h;
  }
};

/// completed: to its end, or stopped by an event of the scene. failed: the method could not go
/// on. invalid: the scene of this point has findings. limit: stopped by max_cpu. error: the run
/// met the machine's limits (memory), so that it is tried again at the next start.
enum class RowStatus : std::uint8_t { completed, failed, invalid, limit, error };
std::string_view to_string(RowStatus status);

struct Row {
  Key key;
  std::uint32_t attempt = 1;  ///< the highest counts
  RowStatus status = RowStatus::completed;
  double time = 0.0;  ///< reached [s]
  std::string verdict, reason;
  std::vector<double> values;  ///< recorded columns
};

/// Length, contents, and a checksum, so that a torn or damaged row is known as such.
std::string encode(const Row& row);

/// Takes one row from the front of `bytes`; nothing (and bytes as they were) if they do not begin
/// with a whole one.
std::optional<Row> decode(std::string_view& bytes);

}  // namespace carom::sweep
