// Maps of contacts in a page: which of them, and how they lie in its bytes.
#pragma once

#include "carom/base/json.h"
#include "carom/record/recording.h"
#include "viewer/packing.h"

namespace carom::viewer {

/// Maps of the rows that are kept, in the order and by the numbers of these. If they have more than
/// `most` points, those of every n-th row stay; gives back n.
std::size_t thin_maps(std::span<const std::size_t> kept_rows, std::size_t most,
                      std::vector<MapRecord>& maps);

/// Appends the points as numbers of four bytes each; the object says where.
JsonObject maps_json(std::span<const MapRecord> maps, std::size_t stride, Bytes& blob);

}  // namespace carom::viewer
