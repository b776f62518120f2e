#include "viewer/packing.h"

#include <zlib.h>

#include <cmath>
#include <limits>
#include <stdexcept>

namespace carom::viewer {
namespace {

std::uint32_t mask_of(int bits) { return (std::uint32_t{1} << bits) - 1; }

/// 0 for NaN, otherwise 1 … 2^bits - 1.
std::uint32_t quantise(double value, const PackedColumn& c, int bits) {
  if (!std::isfinite(value)) return 0;
  const double steps = mask_of(bits) - 1;
  return 1 + static_cast<std::uint32_t>(std::lround((value - c.low) / (c.high - c.low) * steps));
}

/// Small magnitudes of either sign become small numbers.
std::uint32_t zigzag(std::uint32_t difference, int bits) {
  const bool negative = (difference >> (bits - 1)) & 1;
  return (negative ? ~(difference << 1) : difference << 1) & mask_of(bits);
}
std::uint32_t unzigzag(std::uint32_t code, int bits) {
  return ((code & 1) ? ~(code >> 1) : code >> 1) & mask_of(bits);
}

}  // namespace

PackedColumn pack_column(std::span<const double> values, int bits) {
  PackedColumn c;
  c.low = c.high = std::numeric_limits<double>::quiet_NaN();
  bool gaps = false;
  for (const double v : values) {
    if (!std::isfinite(v)) {
      gaps = true;
      continue;
    }
    c.low = std::isnan(c.low) ? v : std::min(c.low, v);
    c.high = std::isnan(c.high) ? v : std::max(c.high, v);
  }
  if (std::isnan(c.low) || (c.low == c.high && !gaps)) return c;
  if (c.low == c.high) c.high = c.low + std::max(std::abs(c.low), 1.0) * 1e-6;
  if (!std::isfinite(c.high - c.low)) throw std::runtime_error("a channel spans too wide a range");
  const std::size_t rows = values.size();
  c.bytes.resize(rows * static_cast<std::size_t>(bits / 8));
  std::uint32_t last = 0, slope = 0;
  for (std::size_t i = 0; i < rows; ++i) {
    const std::uint32_t code = quantise(values[i], c, bits);
    const std::uint32_t first = (code - last) & mask_of(bits);
    const std::uint32_t word = zigzag((first - slope) & mask_of(bits), bits);
    for (int plane = 0; plane < bits / 8; ++plane) {
      c.bytes[static_cast<std::size_t>(plane) * rows + i] =
          static_cast<std::uint8_t>(word >> (8 * plane));
    }
    last = code, slope = first;
  }
  return c;
}

std::vector<double> unpack_column(const PackedColumn& c, std::size_t rows, int bits) {
  if (c.bytes.empty()) return std::vector<double>(rows, c.low);
  std::vector<double> out(rows);
  std::uint32_t code = 0, slope = 0;
  for (std::size_t i = 0; i < rows; ++i) {
    std::uint32_t word = 0;
    for (int plane = 0; plane < bits / 8; ++plane) {
      word |= std::uint32_t{c.bytes[static_cast<std::size_t>(plane) * rows + i]} << (8 * plane);
    }
    slope = (slope + unzigzag(word, bits)) & mask_of(bits);
    code = (code + slope) & mask_of(bits);
    out[i] = code == 0 ? std::numeric_limits<double>::quiet_NaN()
                       : c.low + (c.high - c.low) * (code - 1) / (mask_of(bits) - 1);
  }
  return out;
}

void pad_to_four(Bytes& out) {
  while (out.size() % 4 != 0) out.push_back(0);
}

Bytes deflate_bytes(std::span<const std::uint8_t> bytes) {
  uLongf size = compressBound(static_cast<uLong>(bytes.size()));
  Bytes out(size);
  const int level = 6;  // 9 takes three times as long for one per cent
  if (compress2(out.data(), &size, bytes.data(), static_cast<uLong>(bytes.size()), level) != Z_OK) {
    throw std::runtime_error("the page's data cannot be compressed: out of memory");
  }
  out.resize(size);
  return out;
}

std::string base64(std::span<const std::uint8_t> bytes) {
  static constexpr std::string_view kDigits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  out.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const std::size_t left = std::min<std::size_t>(3, bytes.size() - i);
    std::uint32_t word = std::uint32_t{bytes[i]} << 16;
    if (left > 1) word |= std::uint32_t{bytes[i + 1]} << 8;
    if (left > 2) word |= bytes[i + 2];
    for (std::size_t k = 0; k < 4; ++k) {
      out += k <= left ? kDigits[(word >> (18 - 6 * k)) & 63] : '=';
    }
  }
  return out;
}

}  // namespace carom::viewer
