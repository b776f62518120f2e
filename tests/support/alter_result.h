// What a stranger can do to a result file with plain HDF5 calls. Tests see that each is refused
// in words; the fuzz campaign goes on from the files that come out.
#pragma once

#include <hdf5.h>

#include <functional>
#include <string>
#include <vector>

namespace carom::test {

inline void replace_dataset(hid_t file, const char* name, hid_t type, hid_t space, hid_t creation) {
  H5Ldelete(file, name, H5P_DEFAULT);
  H5Dclose(H5Dcreate2(file, name, type, space, H5P_DEFAULT, creation, H5P_DEFAULT));
}

/// The values of a dataset are said to lie in a file of the user.
inline void store_outside(hid_t file, const char* name) {
  const hsize_t size = 1000;
  const hid_t space = H5Screate_simple(1, &size, nullptr);
  const hid_t creation = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_external(creation, "/etc/hostname", 0, 8000);
  replace_dataset(file, name, H5T_IEEE_F64LE, space, creation);
  H5Pclose(creation);
  H5Sclose(space);
}

inline void link_elsewhere(hid_t file, const char* name) {
  H5Lmove(file, name, file, "elsewhere", H5P_DEFAULT, H5P_DEFAULT);
  H5Lcreate_soft("/elsewhere", file, name, H5P_DEFAULT, H5P_DEFAULT);
}

inline void link_outside(hid_t file, const char* name) {
  H5Lmove(file, name, file, "elsewhere", H5P_DEFAULT, H5P_DEFAULT);
  H5Lcreate_external("/tmp/other.h5", "/x", file, name, H5P_DEFAULT, H5P_DEFAULT);
}

inline void map_outside(hid_t file, const char* name) {
  const hsize_t size = 50;
  const hid_t space = H5Screate_simple(1, &size, nullptr);
  const hid_t creation = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_virtual(creation, space, "/tmp/other.h5", "/x", space);
  replace_dataset(file, name, H5T_IEEE_F64LE, space, creation);
  H5Pclose(creation);
  H5Sclose(space);
}

inline void filter_otherwise(hid_t file, const char* name) {
  const hsize_t size = 50, limit = H5S_UNLIMITED, block = 10;
  const hid_t space = H5Screate_simple(1, &size, &limit);
  const hid_t creation = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_chunk(creation, 1, &block);
  H5Pset_scaleoffset(creation, H5Z_SO_FLOAT_DSCALE, 3);
  replace_dataset(file, name, H5T_IEEE_F64LE, space, creation);
  H5Pclose(creation);
  H5Sclose(space);
}

/// A text of variable length, which HDF5 keeps in a heap that it believes.
inline void vary_length(hid_t file, const char* name) {
  const hid_t type = H5Tcopy(H5T_C_S1), space = H5Screate(H5S_SCALAR);
  H5Tset_size(type, H5T_VARIABLE);
  replace_dataset(file, name, type, space, H5P_DEFAULT);
  H5Sclose(space);
  H5Tclose(type);
}

using Alteration = void (*)(hid_t file, const char* name);

inline const std::vector<Alteration>& all_alterations() {
  static const std::vector<Alteration> all{store_outside, link_elsewhere,   link_outside,
                                           map_outside,   filter_otherwise, vary_length};
  return all;
}

}  // namespace carom::test
