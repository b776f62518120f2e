// Reading what a stranger may have written: a dataset is opened only where it is stored in
// the file itself, and read only where its size is believable.
//
// HDF5 follows soft and external links, external storage, virtual datasets and filter plugins
// to other files without being asked, and takes as much memory as a file says. Every check here
// is made before the library has a reason to do so.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "carom/record/hdf5_handle.h"

namespace carom::hdf5 {

/// An open file with its length, which bounds all that it can hold.
struct StoredFile {
  Handle file;
  std::uint64_t bytes = 0;
};

/// Throws unless `path` is an HDF5 file that can be opened for reading.
StoredFile open_stored_file(const std::string& path);

/// Throws unless `name` is a plain link in `parent`.
void require_plain_link(Id parent, const char* name);

/// The dataset `name` of `parent` if its values lie in this file, in chunks or in one piece,
/// unpacked or packed by deflate and shuffle.
Handle open_stored(Id parent, const char* name);

/// The dataset must hold at least `rows` rows of `columns` (0: one-dimensional) of `value_bytes`
/// each, and the bytes for them: a damaged size must not take all memory, and a tile that the
/// index has lost must not be read as zeros.
void require_rows(const StoredFile& file, const Handle& dataset, std::size_t rows,
                  std::size_t columns, std::size_t value_bytes);

/// The first `count` numbers of a one-dimensional dataset of doubles.
std::vector<double> read_numbers(const StoredFile& file, const Handle& dataset, std::size_t count);
/// A rectangle of a two-dimensional dataset of doubles, row by row, within its extent.
std::vector<double> read_rectangle(const Handle& dataset, const std::uint64_t (&start)[2],
                                   const std::uint64_t (&size)[2]);
/// The first `count` bytes of a one-dimensional dataset of bytes.
std::string read_bytes(const StoredFile& file, const Handle& dataset, std::size_t count);
/// A scalar dataset that holds one text of fixed length.
std::string read_fixed_text(const StoredFile& file, Id parent, const char* name);

}  // namespace carom::hdf5
