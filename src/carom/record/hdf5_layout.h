// The parts of a result file: block shapes, growing datasets, the tables and the views.
// Shared by Hdf5Writer and ResultFile; layout in hdf5_writer.h.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "carom/record/channel.h"
#include "carom/record/hdf5_table.h"
#include "carom/record/recording.h"

namespace carom::hdf5 {

inline constexpr char kFormatName[] = "carom result";
inline constexpr std::uint64_t kFormatVersion = 2;
inline constexpr std::size_t kReasonRoom = 1024;  ///< the summary has longer ones whole

/// Tiles in which /data is stored.
struct BlockShape {
  std::size_t rows = 1;
  std::size_t columns = 1;
};

/// Tiles of about 64 kB. A band of tiles over all columns stays near 1 MB, since
/// that is what a short run wastes at most; within this, tiles are tall and
/// narrow, because plots read single columns.
BlockShape calc_block_shape(std::size_t width);

/// How a growing dataset is laid out; columns == 0 makes it one-dimensional.
struct SeriesShape {
  std::size_t columns = 0;
  BlockShape block;
  int compression = 0;
};

Handle create_series(Id parent, const char* name, Id type, const SeriesShape& shape);

/// Writes `count` rows from `data` behind the first `rows`.
void append_to_series(Id dataset, Id memory_type, const SeriesShape& shape, std::size_t rows,
                      std::size_t count, const void* data);

void write_channel_table(Id file, std::span<const Channel> channels);
std::vector<Channel> read_channel_table(const StoredFile& file);

/// /channels/<name>: virtual datasets that show each channel's part of /data.
void write_channel_views(Id file, std::span<const Channel> channels);

}  // namespace carom::hdf5
