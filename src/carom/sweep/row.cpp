#include "carom/sweep/row.h"

#include <bit>

namespace carom::sweep {
namespace {

static_assert(std::endian::native == std::endian::little, "rows are written as they lie in memory");

constexpr std::size_t kHeader = 8;           // length and checksum
constexpr std::size_t kMaxLength = 1 << 28;  // beyond this a length is damage

/// FNV-1a, 32 bits of its 64: finds torn and zeroed rows; the key is a digest of its own.
std::uint32_t checksum(std::string_view bytes) {
  std::uint64_t h = 0xcbf29ce484222325u;
  for (const char c : bytes) h = (h ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
  return static_cast<std::uint32_t>(h ^ (h >> 32));
}

template <class T>
void put(std::string& out, const T& value) {
  out.append(reinterpret_cast<const char*>(&value), sizeof value);
}

void put_text(std::string& out, std::string_view text) {
  put(out, static_cast<std::uint32_t>(text.size()));
  out.append(text);
}

class Cursor {
 public:
  explicit Cursor(std::string_view bytes) : rest_(bytes) {}
  template <class T>
  bool get(T& value) {
    if (rest_.size() < sizeof value) return false;
    std::memcpy(&value, rest_.data(), sizeof value);
    rest_.remove_prefix(sizeof value);
    return true;
  }
  bool get_text(std::string& text) {
    std::uint32_t size = 0;
    if (!get(size) || rest_.size() < size) return false;
    text = rest_.substr(0, size);
    rest_.remove_prefix(size);
    return true;
  }
  bool get_values(std::vector<double>& values) {
    std::uint32_t count = 0;
    if (!get(count) || rest_.size() != count * sizeof(double)) return false;
    values.resize(count);
    if (count > 0) std::memcpy(values.data(), rest_.data(), rest_.size());
    return true;
  }

 private:
  std::string_view rest_;
};

constexpr char kDigits[] = "0123456789abcdef";

}  // namespace

std::string Key::hex() const {
  std::string text;
  for (const std::uint8_t byte : bytes) {
    text += kDigits[byte >> 4];
    text += kDigits[byte & 15];
  }
  return text;
}

std::optional<Key> Key::from_hex(std::string_view text) {
  Key key;
  if (text.size() != 2 * key.bytes.size()) return {};
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char* digit = static_cast<const char*>(std::memchr(kDigits, text[i], 16));
    if (!digit) return {};
    key.bytes[i / 2] = static_cast<std::uint8_t>(key.bytes[i / 2] << 4 | (digit - kDigits));
  }
  return key;
}

std::string_view to_string(RowStatus status) {
  constexpr std::string_view kNames[] = {"completed", "failed", "invalid", "limit", "error"};
  return kNames[static_cast<std::size_t>(status)];
}

std::string encode(const Row& row) {
  std::string out(kHeader, '\0');
  put(out, row.key.bytes);
  put(out, row.attempt);
  put(out, row.status);
  put(out, row.time);
  put_text(out, row.verdict);
  put_text(out, row.reason);
  put(out, static_cast<std::uint32_t>(row.values.size()));
  out.append(reinterpret_cast<const char*>(row.values.data()), row.values.size() * sizeof(double));
  const auto length = static_cast<std::uint32_t>(out.size() - kHeader);
  const std::uint32_t sum = checksum(std::string_view(out).substr(kHeader));
  std::memcpy(out.data(), &length, sizeof length);
  std::memcpy(out.data() + 4, &sum, sizeof sum);
  return out;
}

std::optional<Row> decode(std::string_view& bytes) {
  std::uint32_t length = 0, sum = 0;
  if (bytes.size() < kHeader) return {};
  std::memcpy(&length, bytes.data(), sizeof length);
  std::memcpy(&sum, bytes.data() + 4, sizeof sum);
  if (length > kMaxLength || bytes.size() - kHeader < length) return {};
  const std::string_view contents = bytes.substr(kHeader, length);
  if (length == 0 || checksum(contents) != sum) return {};
  Row row;
  Cursor cursor(contents);
  if (!cursor.get(row.key.bytes) || !cursor.get(row.attempt) || !cursor.get(row.status) ||
      row.status > RowStatus::error || !cursor.get(row.time) || !cursor.get_text(row.verdict) ||
      !cursor.get_text(row.reason) || !cursor.get_values(row.values)) {
    return {};
  }
  bytes.remove_prefix(kHeader + length);
  return row;
}

}  // namespace carom::sweep
