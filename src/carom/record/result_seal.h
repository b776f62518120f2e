// The first 512 bytes of a result file: what it is, and once it is whole, its digest.
//
//   carom result 2\n
//   open\n                                   while it is written, and after a kill
//   sha256 <64 digits> <bytes>\n             of all bytes behind this block, and their number
//
// HDF5 leaves this room (its user block) to the program. The digest is compared before HDF5
// sees the file: damage on a disk or on the way is found by reading bytes, and does not reach
// the library's own structures, whose reader does not survive all of it.
#pragma once

#include <cstddef>
#include <string>

namespace carom {

inline constexpr std::size_t kSealBytes = 512;

enum class Seal {
  none,    ///< not a result file of format 2
  open,    ///< being written, or cut off
  whole,   ///< the digest fits
  broken,  ///< it does not: the file was damaged or changed
};

/// Marks a file that was just created as open.
void write_open_seal(const std::string& path);
/// Puts the digest of the finished file in place.
void write_whole_seal(const std::string& path);
/// Reads the file once, from start to end, where it is sealed.
Seal read_seal(const std::string& path);

}  // namespace carom
