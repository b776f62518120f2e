#include "carom/record/hdf5_stored.h"

#include <hdf5.h>

#include <algorithm>
#include <filesystem>
#include <stdexcept>

namespace carom::hdf5 {
namespace {

const char* const kDamaged = "a dataset is damaged";

void require_known_filters(const Handle& creation, const std::string& where) {
  const int count = H5Pget_nfilters(creation.id());
  check(count, where + " is damaged");
  for (int i = 0; i < count; ++i) {
    unsigned flags = 0;
    std::size_t values = 0;
    const H5Z_filter_t filter = H5Pget_filter2(creation.id(), static_cast<unsigned>(i), &flags,
                                               &values, nullptr, 0, nullptr, nullptr);
    if (filter != H5Z_FILTER_DEFLATE && filter != H5Z_FILTER_SHUFFLE) {
      throw std::runtime_error(where + " is packed by a filter that is not read");
    }
  }
}

/// Reading one value unpacks its whole chunk.
void require_small_chunks(const Handle& creation, const std::string& where) {
  constexpr hsize_t kMaxChunk = 1 << 26;
  hsize_t size[H5S_MAX_RANK] = {};
  const int rank = H5Pget_chunk(creation.id(), H5S_MAX_RANK, size);
  check(rank, where + " is damaged");
  hsize_t all = 1;
  for (int i = 0; i < rank; ++i) {
    if (size[i] == 0 || size[i] > kMaxChunk / all) {
      throw std::runtime_error(where + " has tiles that are too large");
    }
    all *= size[i];
  }
}

void require_class(const Handle& dataset, H5T_class_t wanted, std::size_t bytes) {
  const Handle type(H5Dget_type(dataset.id()), H5Tclose, kDamaged);
  if (H5Tget_class(type.id()) != wanted || H5Tget_size(type.id()) != bytes) {
    throw std::runtime_error("a dataset has the wrong type");
  }
}

void read_part(const Handle& dataset, Id type, int rank, const hsize_t* start, const hsize_t* size,
               void* out) {
  const Handle source(H5Dget_space(dataset.id()), H5Sclose, kDamaged);
  check(H5Sselect_hyperslab(source.id(), H5S_SELECT_SET, start, nullptr, size, nullptr), kDamaged);
  const Handle target(H5Screate_simple(rank, size, nullptr), H5Sclose, kDamaged);
  check(H5Dread(dataset.id(), type, target.id(), source.id(), H5P_DEFAULT, out), kDamaged);
}

}  // namespace

StoredFile open_stored_file(const std::string& path) {
  if (!std::filesystem::exists(path)) throw std::runtime_error("there is no such file");
  if (std::filesystem::is_directory(path)) throw std::runtime_error("it is a folder");
  if (!std::filesystem::is_regular_file(path)) throw std::runtime_error("it is not a file");
  if (H5Fis_hdf5(path.c_str()) <= 0) {
    throw std::runtime_error("it is not an HDF5 file, or it was cut off before its first rows");
  }
  const Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose, "HDF5 failed");
  // Without a lock a run that is still being written can be looked at.
  check(H5Pset_file_locking(access.id(), false, true), "HDF5 failed");
  StoredFile stored;
  stored.bytes = std::filesystem::file_size(path);
  stored.file = {H5Fopen(path.c_str(), H5F_ACC_RDONLY, access.id()), H5Fclose,
                 "the file is damaged"};
  return stored;
}

void require_plain_link(Id parent, const char* name) {
  const std::string where = std::string("'") + name + "'";
  H5L_info_t info;
  if (H5Lget_info(parent, name, &info, H5P_DEFAULT) < 0) fail(where + " is missing");
  if (info.type != H5L_TYPE_HARD) {
    throw std::runtime_error(where + " is a link to another place, which is not followed");
  }
}

Handle open_stored(Id parent, const char* name) {
  const std::string where = std::string("dataset '") + name + "'";
  require_plain_link(parent, name);
  Handle dataset(H5Dopen2(parent, name, H5P_DEFAULT), H5Dclose, where + " is missing");
  const Handle creation(H5Dget_create_plist(dataset.id()), H5Pclose, where + " is damaged");
  const H5D_layout_t layout = H5Pget_layout(creation.id());
  if (H5Pget_external_count(creation.id()) != 0 || layout == H5D_VIRTUAL) {
    throw std::runtime_error(where + " lies in another file, which is not read");
  }
  if (layout != H5D_CHUNKED && layout != H5D_CONTIGUOUS && layout != H5D_COMPACT) {
    throw std::runtime_error(where + " is damaged");
  }
  require_known_filters(creation, where);
  if (layout == H5D_CHUNKED) require_small_chunks(creation, where);
  return dataset;
}

void require_rows(const StoredFile& file, const Handle& dataset, std::size_t rows,
                  std::size_t columns, std::size_t value_bytes) {
  const Handle space(H5Dget_space(dataset.id()), H5Sclose, kDamaged);
  hsize_t size[2] = {0, 0};
  const int rank = H5Sget_simple_extent_ndims(space.id());
  if (rank != (columns == 0 ? 1 : 2)) throw std::runtime_error("a dataset has the wrong shape");
  check(H5Sget_simple_extent_dims(space.id(), size, nullptr), kDamaged);
  if (size[0] < rows || size[1] != columns) {
    throw std::runtime_error("a dataset has the wrong size");
  }
  const Handle creation(H5Dget_create_plist(dataset.id()), H5Pclose, kDamaged);
  // Deflate shrinks at most 1032 times.
  const double packing = H5Pget_nfilters(creation.id()) > 0 ? 1032.0 : 1.0;
  const double needed = static_cast<double>(rows) *
                        static_cast<double>(std::max<std::size_t>(columns, 1)) *
                        static_cast<double>(value_bytes);
  const double stored = std::min(static_cast<double>(H5Dget_storage_size(dataset.id())),
                                 static_cast<double>(file.bytes));
  if (stored * packing < needed) throw std::runtime_error("rows are missing from a dataset");
}

std::vector<double> read_numbers(const StoredFile& file, const Handle& dataset, std::size_t count) {
  require_class(dataset, H5T_FLOAT, sizeof(double));
  require_rows(file, dataset, count, 0, sizeof(double));
  std::vector<double> numbers(count);
  const hsize_t start = 0, size = count;
  if (count > 0) read_part(dataset, H5T_NATIVE_DOUBLE, 1, &start, &size, numbers.data());
  return numbers;
}

std::vector<double> read_rectangle(const Handle& dataset, const std::uint64_t (&start)[2],
                                   const std::uint64_t (&size)[2]) {
  require_class(dataset, H5T_FLOAT, sizeof(double));
  const hsize_t first[2] = {start[0], start[1]}, extent[2] = {size[0], size[1]};
  std::vector<double> values(size[0] * size[1]);
  if (!values.empty()) read_part(dataset, H5T_NATIVE_DOUBLE, 2, first, extent, values.data());
  return values;
}

std::string read_bytes(const StoredFile& file, const Handle& dataset, std::size_t count) {
  require_class(dataset, H5T_INTEGER, 1);
  require_rows(file, dataset, count, 0, 1);
  std::string bytes(count, '\0');
  const hsize_t start = 0, size = count;
  if (count > 0) read_part(dataset, H5T_NATIVE_UINT8, 1, &start, &size, bytes.data());
  return bytes;
}

std::string read_fixed_text(const StoredFile& file, Id parent, const char* name) {
  const std::string where = std::string("dataset '") + name + "'";
  const Handle dataset = open_stored(parent, name);
  const Handle type(H5Dget_type(dataset.id()), H5Tclose, where);
  const Handle space(H5Dget_space(dataset.id()), H5Sclose, where);
  if (H5Tget_class(type.id()) != H5T_STRING || H5Tis_variable_str(type.id()) != 0 ||
      H5Sget_simple_extent_npoints(space.id()) != 1) {
    throw std::runtime_error(where + " is not a text");
  }
  const std::size_t bytes = H5Tget_size(type.id());
  if (bytes == 0 || bytes > file.bytes) throw std::runtime_error(where + " is damaged");
  std::vector<char> raw(bytes);
  check(
      H5Dread(dataset.id(), fixed_text_type(bytes).id(), H5S_ALL, H5S_ALL, H5P_DEFAULT, raw.data()),
      "cannot read " + where);
  return without_padding(raw.data(), bytes);
}

}  // namespace carom::hdf5
