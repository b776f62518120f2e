#include "carom/record/hdf5_layout.h"

#include <hdf5.h>

#include <algorithm>
#include <bit>
#include <stdexcept>
#include <string>

#include "carom/record/hdf5_writer.h"

namespace carom::hdf5 {

BlockShape calc_block_shape(std::size_t width) {
  constexpr std::size_t kBandDoubles = (1 << 20) / sizeof(double);
  constexpr std::size_t kTileDoubles = (1 << 16) / sizeof(double);
  constexpr std::size_t kMaxRows = 1024;
  const std::size_t safe_width = std::max<std::size_t>(width, 1);
  BlockShape shape;
  shape.rows = std::bit_floor(std::clamp<std::size_t>(kBandDoubles / safe_width, 1, kMaxRows));
  shape.columns = std::min(safe_width, kTileDoubles / shape.rows);
  return shape;
}

Handle create_series(Id parent, const char* name, Id type, const SeriesShape& shape) {
  const std::string what = std::string("cannot make dataset '") + name + "'";
  const int rank = shape.columns == 0 ? 1 : 2;
  const hsize_t size[2] = {0, shape.columns};
  const hsize_t limit[2] = {H5S_UNLIMITED, shape.columns};
  const hsize_t block[2] = {shape.block.rows, shape.block.columns};
  const Handle space(H5Screate_simple(rank, size, limit), H5Sclose, what);
  const Handle creation(H5Pcreate(H5P_DATASET_CREATE), H5Pclose, what);
  check(H5Pset_chunk(creation.id(), rank, block), what);
  if (shape.compression > 0) {
    check(H5Pset_shuffle(creation.id()), what);
    check(H5Pset_deflate(creation.id(), static_cast<unsigned>(shape.compression)), what);
  }
  // The cache has to hold a whole band, or half-filled tiles are read back for
  // every partial write.
  const Handle access(H5Pcreate(H5P_DATASET_ACCESS), H5Pclose, what);
  const std::size_t tiles = shape.columns / shape.block.columns + 1;
  const std::size_t tile_bytes = shape.block.rows * shape.block.columns * 16;
  check(H5Pset_chunk_cache(access.id(), 101 * tiles + 1, (tiles + 1) * tile_bytes, 1.0), what);
  return {H5Dcreate2(parent, name, type, space.id(), H5P_DEFAULT, creation.id(), access.id()),
          H5Dclose, what};
}

void append_to_series(Id dataset, Id memory_type, const SeriesShape& shape, std::size_t rows,
                      std::size_t count, const void* data) {
  const char* what = "cannot write rows to the result file";
  const int rank = shape.columns == 0 ? 1 : 2;
  const hsize_t size[2] = {rows + count, shape.columns};
  const hsize_t start[2] = {rows, 0};
  const hsize_t extent[2] = {count, shape.columns};
  check(H5Dset_extent(dataset, size), what);
  const Handle target(H5Dget_space(dataset), H5Sclose, what);
  check(H5Sselect_hyperslab(target.id(), H5S_SELECT_SET, start, nullptr, extent, nullptr), what);
  const Handle source(H5Screate_simple(rank, extent, nullptr), H5Sclose, what);
  check(H5Dwrite(dataset, memory_type, source.id(), target.id(), H5P_DEFAULT, data), what);
}

namespace {

struct TableRow {
  char* name = nullptr;
  char* unit = nullptr;
  char* doc = nullptr;
  char* components = nullptr;  // "x,y,z"
  std::uint64_t offset = 0;
  std::uint64_t width = 0;
};

Handle table_type() {
  const char* what = "cannot make the type of the channel table";
  Handle type(H5Tcreate(H5T_COMPOUND, sizeof(TableRow)), H5Tclose, what);
  const Handle text = text_type();
  const auto add = [&](const char* name, std::size_t at, Id member) {
    check(H5Tinsert(type.id(), name, at, member), what);
  };
  add("name", offsetof(TableRow, name), text.id());
  add("unit", offsetof(TableRow, unit), text.id());
  add("doc", offsetof(TableRow, doc), text.id());
  add("components", offsetof(TableRow, components), text.id());
  add("offset", offsetof(TableRow, offset), H5T_NATIVE_UINT64);
  add("width", offsetof(TableRow, width), H5T_NATIVE_UINT64);
  return type;
}

std::string join(const std::vector<std::string>& parts) {
  std::string text;
  for (const std::string& part : parts) text += (text.empty() ? "" : ",") + part;
  return text;
}

std::vector<std::string> split(const std::string& text) {
  std::vector<std::string> parts;
  if (text.empty()) return parts;
  std::size_t at = 0;
  for (std::size_t comma; (comma = text.find(',', at)) != std::string::npos; at = comma + 1) {
    parts.push_back(text.substr(at, comma - at));
  }
  parts.push_back(text.substr(at));
  return parts;
}

Channel channel_from(const TableRow& row, std::uint64_t expected_offset) {
  constexpr std::uint64_t kMaxWidth = 1 << 20;
  if (row.name == nullptr || row.width < 1 || row.width > kMaxWidth ||
      row.offset != expected_offset) {
    throw std::runtime_error("the channel table is damaged");
  }
  const auto text = [](const char* raw) { return std::string(raw == nullptr ? "" : raw); };
  return {row.name, text(row.unit), text(row.doc), static_cast<int>(row.width),
          split(text(row.components))};
}

}  // namespace

void write_channel_table(Id file, std::span<const Channel> channels) {
  const char* what = "cannot write the channel table";
  std::vector<std::string> components;
  for (const Channel& c : channels) components.push_back(join(c.components));
  std::vector<TableRow> rows(channels.size());
  std::uint64_t offset = 0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const Channel& c = channels[i];
    // HDF5 takes char* in both directions and does not write through it here.
    rows[i] = {const_cast<char*>(c.name.c_str()),
               const_cast<char*>(c.unit.c_str()),
               const_cast<char*>(c.doc.c_str()),
               components[i].data(),
               offset,
               static_cast<std::uint64_t>(c.width)};
    offset += rows[i].width;
  }
  const Handle type = table_type();
  const hsize_t count = rows.size();
  const Handle space(H5Screate_simple(1, &count, nullptr), H5Sclose, what);
  const Handle table(H5Dcreate2(file, "channel_table", type.id(), space.id(), H5P_DEFAULT,
                                H5P_DEFAULT, H5P_DEFAULT),
                     H5Dclose, what);
  if (rows.empty()) return;
  check(H5Dwrite(table.id(), type.id(), H5S_ALL, H5S_ALL, H5P_DEFAULT, rows.data()), what);
}

namespace {

// HDF5 follows the stored type blindly: members that overlap or reach beyond a
// row would make it follow wild pointers.
void require_table_type(const Handle& table) {
  const char* what = "the channel table is damaged";
  const Handle type(H5Dget_type(table.id()), H5Tclose, what);
  bool good = H5Tget_class(type.id()) == H5T_COMPOUND && H5Tget_nmembers(type.id()) == 6;
  std::size_t end = 0;
  for (unsigned i = 0; good && i < 6; ++i) {
    const Handle member(H5Tget_member_type(type.id(), i), H5Tclose, what);
    const bool text = i < 4;
    good = H5Tget_member_offset(type.id(), i) >= end &&
           (text ? H5Tis_variable_str(member.id()) > 0
                 : H5Tget_class(member.id()) == H5T_INTEGER && H5Tget_size(member.id()) == 8);
    end = H5Tget_member_offset(type.id(), i) + H5Tget_size(member.id());
  }
  if (!good || H5Tget_size(type.id()) < end) throw std::runtime_error(what);
}

}  // namespace

std::vector<Channel> read_channel_table(Id file) {
  const char* what = "cannot read the channel table";
  const Handle table = open_dataset(file, "channel_table");
  require_table_type(table);
  const Handle space(H5Dget_space(table.id()), H5Sclose, what);
  const hssize_t count = H5Sget_simple_extent_npoints(space.id());
  constexpr hssize_t kMaxChannels = 1 << 24;  // a damaged count must not take all memory
  if (count < 0 || count > kMaxChannels) throw std::runtime_error("the channel table is damaged");
  std::vector<TableRow> rows(static_cast<std::size_t>(count));
  const Handle type = table_type();
  if (count > 0) {
    check(H5Dread(table.id(), type.id(), H5S_ALL, H5S_ALL, H5P_DEFAULT, rows.data()), what);
  }
  std::vector<Channel> channels;
  std::uint64_t offset = 0;
  try {
    for (const TableRow& row : rows) {
      channels.push_back(channel_from(row, offset));
      offset += row.width;
    }
    check_channels(channels);
  } catch (...) {
    H5Dvlen_reclaim(type.id(), space.id(), H5P_DEFAULT, rows.data());
    throw;
  }
  H5Dvlen_reclaim(type.id(), space.id(), H5P_DEFAULT, rows.data());
  return channels;
}

namespace {

void write_view(Id group, const Channel& channel, std::size_t offset, std::size_t total) {
  const char* what = "cannot make the view of a channel";
  const hsize_t width = static_cast<hsize_t>(channel.width);
  const hsize_t view_size[2] = {0, width}, view_limit[2] = {H5S_UNLIMITED, width};
  const hsize_t data_size[2] = {0, total}, data_limit[2] = {H5S_UNLIMITED, total};
  const hsize_t one[2] = {1, 1}, count[2] = {H5S_UNLIMITED, 1}, block[2] = {1, width};
  const hsize_t view_start[2] = {0, 0}, data_start[2] = {0, offset};
  const Handle view(H5Screate_simple(2, view_size, view_limit), H5Sclose, what);
  const Handle data(H5Screate_simple(2, data_size, data_limit), H5Sclose, what);
  check(H5Sselect_hyperslab(view.id(), H5S_SELECT_SET, view_start, one, count, block), what);
  check(H5Sselect_hyperslab(data.id(), H5S_SELECT_SET, data_start, one, count, block), what);
  const Handle creation(H5Pcreate(H5P_DATASET_CREATE), H5Pclose, what);
  check(H5Pset_virtual(creation.id(), view.id(), ".", "/data", data.id()), what);
  const Handle links(H5Pcreate(H5P_LINK_CREATE), H5Pclose, what);
  check(H5Pset_char_encoding(links.id(), H5T_CSET_UTF8), what);
  const Handle dataset(H5Dcreate2(group, link_name(channel.name).c_str(), H5T_IEEE_F64LE, view.id(),
                                  links.id(), creation.id(), H5P_DEFAULT),
                       H5Dclose, what);
  write_text_attribute(dataset.id(), "unit", channel.unit);
  write_texts_attribute(dataset.id(), "components", channel.components);
  write_text_attribute(dataset.id(), "doc", channel.doc);
}

}  // namespace

void write_channel_views(Id file, std::span<const Channel> channels) {
  const Handle group = make_group(file, "channels");
  if (channels.size() > kMaxChannelViews) {
    write_text_attribute(
        group.id(), "note",
        "too many channels for views: find the columns of /data in /channel_table");
    return;
  }
  const std::size_t total = total_width(channels);
  std::size_t offset = 0;
  for (const Channel& channel : channels) {
    write_view(group.id(), channel, offset, total);
    offset += static_cast<std::size_t>(channel.width);
  }
}

}  // namespace carom::hdf5
