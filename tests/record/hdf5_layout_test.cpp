// Opens a result with plain HDF5 calls, as h5py or HDFView would, knowing only
// the documented layout.
#include <hdf5.h>

#include <gtest/gtest.h>

#include "carom/record/hdf5_layout.h"
#include "carom/record/hdf5_writer.h"
#include "record/run_fixture.h"

namespace carom {
namespace {

using namespace test;

std::string text_attribute(hid_t object, const char* name) {
  const hid_t attribute = H5Aopen(object, name, H5P_DEFAULT);
  const hid_t type = H5Aget_type(attribute);
  std::string text(H5Tget_size(type), '\0');
  EXPECT_EQ(H5Tis_variable_str(type), 0);
  H5Aread(attribute, type, text.data());
  text.resize(text.find_last_not_of('\0') + 1);
  H5Tclose(type);
  H5Aclose(attribute);
  return text;
}

// Size and values of a dataset of doubles.
struct Numbers {
  hsize_t size[2] = {0, 0};
  std::vector<double> values;
};

Numbers read_dataset(hid_t file, const char* name) {
  Numbers numbers;
  const hid_t dataset = H5Dopen2(file, name, H5P_DEFAULT);
  const hid_t space = H5Dget_space(dataset);
  H5Sget_simple_extent_dims(space, numbers.size, nullptr);
  numbers.values.resize(static_cast<std::size_t>(H5Sget_simple_extent_npoints(space)));
  H5Dread(dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, numbers.values.data());
  H5Sclose(space);
  H5Dclose(dataset);
  return numbers;
}

// One column of a table, as a program does that knows its name alone.
std::vector<double> table_column(hid_t file, const char* table, const char* column) {
  const hid_t dataset = H5Dopen2(file, table, H5P_DEFAULT);
  const hid_t space = H5Dget_space(dataset);
  std::vector<double> values(static_cast<std::size_t>(H5Sget_simple_extent_npoints(space)));
  const hid_t type = H5Tcreate(H5T_COMPOUND, sizeof(double));
  H5Tinsert(type, column, 0, H5T_NATIVE_DOUBLE);
  H5Dread(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data());
  H5Tclose(type);
  H5Sclose(space);
  H5Dclose(dataset);
  return values;
}

TEST(Hdf5Layout, ShowsEachChannelAsADatasetOfItsOwn) {
  const TemporaryFolder folder;
  Hdf5Writer writer(folder.file("run.h5"));
  write_sample(writer, 1500);
  const hid_t file = H5Fopen(folder.file("run.h5").c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
  ASSERT_GE(file, 0);
  EXPECT_EQ(text_attribute(file, "format"), "carom result");
  EXPECT_EQ(text_attribute(file, "status"), "completed");
  const Numbers q = read_dataset(file, "/channels/ball.orientation");
  ASSERT_EQ(q.size[0], 1500u);
  ASSERT_EQ(q.size[1], 4u);
  const Numbers odd = read_dataset(file, "/channels/Größe, \"α∕β\"");  // '/' shown as '∕'
  ASSERT_EQ(odd.values.size(), 1500u);
  for (std::size_t i = 0; i < 1500; ++i) {
    const std::vector<double> row = sample_row(i, 9);
    for (std::size_t k = 0; k < 4; ++k) ASSERT_EQ(q.values[i * 4 + k], row[3 + k]);
    ASSERT_EQ(odd.values[i], row[8]);
  }
  const hid_t view = H5Dopen2(file, "/channels/ball.position", H5P_DEFAULT);
  EXPECT_EQ(text_attribute(view, "unit"), "m");
  EXPECT_EQ(text_attribute(view, "doc"), "centre of mass, world axes");
  H5Dclose(view);
  EXPECT_EQ(read_dataset(file, "/time").values.at(3), sample_time(3));
  const std::vector<double> speed = table_column(file, "/events", "approach_speed");
  ASSERT_EQ(speed.size(), 3u);
  EXPECT_EQ(speed[0], 4.2);
  EXPECT_TRUE(std::isnan(speed[1]));
  EXPECT_EQ(table_column(file, "/peaks", "value"), (std::vector<double>{12.5, 1e300}));
  EXPECT_EQ(table_column(file, "/contacts", "peak_force"), std::vector<double>{2256.0});
  H5Fclose(file);
}

TEST(Hdf5Layout, KeepsTilesNearTheirSizeForEveryWidth) {
  for (std::size_t width : {0u, 1u, 7u, 13u, 650u, 9000u, 130000u, 5000000u}) {
    const hdf5::BlockShape block = hdf5::calc_block_shape(width);
    EXPECT_GE(block.rows, 1u);
    EXPECT_GE(block.columns, 1u);
    EXPECT_LE(block.columns, std::max<std::size_t>(width, 1));
    EXPECT_LE(block.rows * block.columns * sizeof(double), 65536u) << width;
    // A band is about 1 MB, or one row where that alone is more.
    EXPECT_TRUE(block.rows == 1 || block.rows * width * sizeof(double) <= 1u << 20) << width;
  }
}

}  // namespace
}  // namespace carom
