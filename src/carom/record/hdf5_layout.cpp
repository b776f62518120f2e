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

struct ChannelAt {
  enum { name, group, object, quantity, unit, doc, components, offset, width };
};

/// The columns in the order of the enumeration; texts have room for the longest.
std::vector<TableColumn> channel_columns(std::span<const Channel> channels) {
  std::vector<TableColumn> columns{
      {"name", TableColumn::text, 1},       {"group", TableColumn::text, 1},
      {"object", TableColumn::text, 1},     {"quantity", TableColumn::text, 1},
      {"unit", TableColumn::text, 1},       {"doc", TableColumn::text, 1},
      {"components", TableColumn::text, 1}, {"offset", TableColumn::count},
      {"width", TableColumn::count}};
  for (const Channel& c : channels) {
    const std::size_t sizes[] = {
        c.name.size(), c.group.size(), c.object.size(),          c.quantity.size(),
        c.unit.size(), c.doc.size(),   join(c.components).size()};
    for (std::size_t i = 0; i < std::size(sizes); ++i) {
      columns[i].bytes = std::max(columns[i].bytes, sizes[i]);
    }
  }
  return columns;
}

}  // namespace

void write_channel_table(Id file, std::span<const Channel> channels) {
  const TableLayout layout(channel_columns(channels));
  TableRows rows(layout);
  std::uint64_t offset = 0;
  for (const Channel& c : channels) {
    rows.add();
    rows.text(ChannelAt::name, c.name), rows.text(ChannelAt::group, c.group),
        rows.text(ChannelAt::object, c.object);
    rows.text(ChannelAt::quantity, c.quantity), rows.text(ChannelAt::unit, c.unit),
        rows.text(ChannelAt::doc, c.doc);
    rows.text(ChannelAt::components, join(c.components));
    rows.count(ChannelAt::offset, offset),
        rows.count(ChannelAt::width, static_cast<std::uint64_t>(c.width));
    offset += static_cast<std::uint64_t>(c.width);
  }
  write_table(file, "channel_table", layout, rows);
}

std::vector<Channel> read_channel_table(const StoredFile& file) {
  const Handle table = open_stored(file.file.id(), "channel_table");
  const TableLayout layout = read_table_layout(table, channel_columns({}));
  const TableRows rows = read_table(file, table, layout, table_size(table));
  std::vector<Channel> channels;
  std::uint64_t offset = 0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    constexpr std::uint64_t kMaxWidth = 1 << 20;
    const std::uint64_t width = rows.count_at(i, ChannelAt::width);
    if (width < 1 || width > kMaxWidth || rows.count_at(i, ChannelAt::offset) != offset) {
      throw std::runtime_error("the channel table is damaged");
    }
    offset += width;
    channels.push_back({rows.text_at(i, ChannelAt::name), rows.text_at(i, ChannelAt::unit),
                        rows.text_at(i, ChannelAt::doc), static_cast<int>(width),
                        split(rows.text_at(i, ChannelAt::components)),
                        rows.text_at(i, ChannelAt::group), rows.text_at(i, ChannelAt::object),
                        rows.text_at(i, ChannelAt::quantity)});
  }
  check_channels(channels);
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
