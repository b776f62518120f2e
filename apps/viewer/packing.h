// Bytes for the page: numbers quantised and differenced so that they compress, then
// deflate and base64.
//
// A column of R doubles becomes R codes of `bits` bits: 0 is NaN, 1 … 2^bits - 1 span
// [low, high] evenly. Trajectories are smooth, so the second difference of the codes
// (modulo 2^bits) is small; it is written zigzag, one plane of bytes after the other,
// so that the upper planes are nearly all zeros.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace carom::viewer {

using Bytes = std::vector<std::uint8_t>;

struct PackedColumn {
  double low = 0.0, high = 0.0;  ///< equal: constant, no bytes; NaN: never a number
  Bytes bytes;                   ///< bits / 8 planes of one byte per row
};

/// `bits` is 16 or 24.
PackedColumn pack_column(std::span<const double> values, int bits);
/// What a reader of the bytes sees; the page does the same in its own language.
std::vector<double> unpack_column(const PackedColumn& column, std::size_t rows, int bits);

/// Appends the memory of `values`, as little-endian machines hold it.
template <class T>
void append_raw(Bytes& out, std::span<const T> values) {
  const auto* first = reinterpret_cast<const std::uint8_t*>(values.data());
  out.insert(out.end(), first, first + values.size_bytes());
}
/// Zeros up to the next multiple of four.
void pad_to_four(Bytes& out);

/// The zlib format. Throws std::runtime_error when out of memory.
Bytes deflate_bytes(std::span<const std::uint8_t> bytes);
std::string base64(std::span<const std::uint8_t> bytes);

}  // namespace carom::viewer
