#include "viewer/page_maps.h"

#include <algorithm>

namespace carom::viewer {

std::size_t thin_maps(std::span<const std::size_t> kept_rows, std::size_t most,
                      std::vector<MapRecord>& maps) {
  std::vector<MapRecord> kept;
  std::size_t points = 0;
  for (MapRecord& map : maps) {
    const auto at = std::lower_bound(kept_rows.begin(), kept_rows.end(), map.row);
    if (at == kept_rows.end() || *at != map.row) continue;
    map.row = static_cast<std::size_t>(at - kept_rows.begin());
    points += map.points.size() / kMapNumbers;
    kept.push_back(std::move(map));
  }
  const std::size_t stride =
      std::max<std::size_t>(1, (points + most - 1) / std::max<std::size_t>(1, most));
  std::erase_if(kept, [stride](const MapRecord& map) { return map.row % stride != 0; });
  maps = std::move(kept);
  return stride;
}

JsonObject maps_json(std::span<const MapRecord> maps, std::size_t stride, Bytes& blob) {
  pad_to_four(blob);
  JsonObject out = compact_object();
  out.count("mapsAt", blob.size()).count("mapStride", stride);
  std::size_t first = 0;
  const auto map_json = [&](const MapRecord& map) {
    const std::vector<float> numbers(map.points.begin(), map.points.end());
    append_raw<float>(blob, numbers);
    const std::size_t count = map.points.size() / kMapNumbers;
    JsonObject json = compact_object();
    json.count("row", map.row).text("object", map.object).text("quantity", map.quantity);
    json.text("unit", map.unit).put("normal", json_numbers(map.normal));
    json.count("first", first).count("count", count);
    first += count;
    return json.str();
  };
  return out.put("maps", json_list(maps, map_json, ","));
}

}  // namespace carom::viewer
