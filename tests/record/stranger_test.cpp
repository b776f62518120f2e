// Result files that a stranger has altered with plain HDF5 calls: nothing outside of the file is
// read, no wild size is believed, and damage is found before HDF5 looks at it.
#include <functional>
#include <random>

#include <gtest/gtest.h>

#include "carom/record/hdf5_writer.h"
#include "carom/record/result_file.h"
#include "carom/record/result_seal.h"
#include "record/run_fixture.h"
#include "support/alter_result.h"

namespace carom {
namespace {

using namespace test;

/// A sample file, altered by `alter` and sealed again.
class AlteredFile {
 public:
  explicit AlteredFile(const std::function<void(hid_t file)>& alter) {
    Hdf5Writer writer(path_);
    write_sample(writer, 50);
    const hid_t file = H5Fopen(path_.c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
    alter(file);
    H5Fclose(file);
    write_whole_seal(path_);
  }
  std::string error() const {
    return error_of([&] { ResultFile(path_).load(); });
  }

 private:
  TemporaryFolder folder_;
  std::string path_ = folder_.file("run.h5");
};

bool contains(const std::string& text, const char* part) {
  return text.find(part) != std::string::npos;
}

TEST(AlteredResult, IsReadAsItIsWhereNothingIsWrong) {
  EXPECT_EQ(AlteredFile([](hid_t) {}).error(), "");
}

TEST(AlteredResult, ReadsNoExternalStorage) {
  for (const char* name : {"time", "data", "events", "peaks", "peak_values", "channel_table",
                           "scene", "summary", "contacts"}) {
    const std::string error = AlteredFile([&](hid_t file) { store_outside(file, name); }).error();
    EXPECT_TRUE(contains(error, "lies in another file")) << name << ": " << error;
  }
}

TEST(AlteredResult, FollowsNoLinksToOtherPlaces) {
  for (const char* name : {"time", "data", "events", "peaks", "channel_table", "scene"}) {
    for (const Alteration link : {link_elsewhere, link_outside}) {
      const std::string error = AlteredFile([&](hid_t file) { link(file, name); }).error();
      EXPECT_TRUE(contains(error, "is not followed")) << name << ": " << error;
    }
  }
}

TEST(AlteredResult, ReadsNoVirtualDataset) {
  const std::string error = AlteredFile([](hid_t file) { map_outside(file, "time"); }).error();
  EXPECT_TRUE(contains(error, "lies in another file")) << error;
}

TEST(AlteredResult, ReadsNoOtherFilters) {
  const std::string error = AlteredFile([](hid_t file) { filter_otherwise(file, "time"); }).error();
  EXPECT_TRUE(contains(error, "filter")) << error;
}

TEST(AlteredResult, RefusesTextsOfVariableLength) {
  const std::string scene = AlteredFile([](hid_t file) { vary_length(file, "scene"); }).error();
  EXPECT_TRUE(contains(scene, "is not a text")) << scene;
  const std::string status =
      AlteredFile([](hid_t file) {
        const hid_t type = H5Tcopy(H5T_C_S1), space = H5Screate(H5S_SCALAR);
        H5Tset_size(type, H5T_VARIABLE);
        H5Adelete(file, "status");
        H5Aclose(H5Acreate2(file, "status", type, space, H5P_DEFAULT, H5P_DEFAULT));
        H5Sclose(space);
        H5Tclose(type);
      }).error();
  EXPECT_TRUE(contains(status, "is not a text")) << status;
}

TEST(AlteredResult, BelievesNoCountBeyondWhatIsStored) {
  for (const char* name : {"rows", "event_count", "peak_count", "peak_value_count", "contact_count",
                           "summary_bytes", "verdict_bytes"}) {
    for (const std::uint64_t count :
         {std::uint64_t{100000}, std::uint64_t{1} << 61, ~std::uint64_t{0}}) {
      const std::string error = AlteredFile([&](hid_t file) {
                                  const hid_t a = H5Aopen(file, name, H5P_DEFAULT);
                                  H5Awrite(a, H5T_NATIVE_UINT64, &count);
                                  H5Aclose(a);
                                }).error();
      EXPECT_NE(error, "") << name << " = " << count;
    }
  }
}

TEST(AlteredResult, BelievesNoExtentBeyondWhatIsStored) {
  const std::string error = AlteredFile([](hid_t file) {
                              const std::uint64_t rows = 1ull << 40;
                              const hid_t a = H5Aopen(file, "rows", H5P_DEFAULT);
                              H5Awrite(a, H5T_NATIVE_UINT64, &rows);
                              H5Aclose(a);
                              const hsize_t time[1] = {rows}, data[2] = {rows, 9};
                              const hid_t t = H5Dopen2(file, "time", H5P_DEFAULT);
                              const hid_t d = H5Dopen2(file, "data", H5P_DEFAULT);
                              H5Dset_extent(t, time);
                              H5Dset_extent(d, data);
                              H5Dclose(t);
                              H5Dclose(d);
                            }).error();
  EXPECT_TRUE(contains(error, "rows are missing")) << error;
}

// In this process: HDF5 must not see what is damaged.
TEST(DamagedResult, IsFoundByItsDigestWhateverByteIsChanged) {
  const TemporaryFolder folder;
  const std::string path = folder.file("run.h5");
  Hdf5Writer writer(path);
  write_sample(writer, 50);
  const std::string whole = file_text(path);
  const unsigned seed = std::random_device{}();
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937 random(seed);
  for (int trial = 0; trial < 200; ++trial) {
    std::string damaged = whole;
    // A quarter of the changes hit the digest itself, another the zeros behind it.
    const std::size_t reach = trial % 4 == 0 ? 90 : trial % 4 == 1 ? kSealBytes : whole.size();
    damaged[random() % reach] ^= static_cast<char>(1 + random() % 255);
    write_file(path, damaged);
    const std::string error = error_of([&] { ResultFile(path).load(); });
    EXPECT_NE(error, "") << "trial " << trial;
  }
  write_file(path, whole);
  EXPECT_EQ(error_of([&] { ResultFile(path).load(); }), "");
}

}  // namespace
}  // namespace carom
