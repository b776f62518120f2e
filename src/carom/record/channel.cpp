#include "carom/record/channel.h"

#include <algorithm>
#include <stdexcept>
#include <unordered_set>

#include "carom/base/text.h"

namespace carom {

Channel scalar_channel(std::string name, std::string unit, std::string doc) {
  return {std::move(name), std::move(unit), std::move(doc), 1, {}};
}

Channel vector_channel(std::string name, std::string unit, std::string doc) {
  return {std::move(name), std::move(unit), std::move(doc), 3, {"x", "y", "z"}};
}

Channel quaternion_channel(std::string name, std::string doc) {
  return {std::move(name), "-", std::move(doc), 4, {"w", "x", "y", "z"}};
}

std::size_t total_width(std::span<const Channel> channels) {
  std::size_t total = 0;
  for (const Channel& c : channels) total += static_cast<std::size_t>(c.width);
  return total;
}

std::string column_name(const Channel& channel, int component) {
  if (channel.components.empty()) return channel.name;
  return channel.name + '.' + channel.components[static_cast<std::size_t>(component)];
}

std::string column_header(std::string_view name, std::string_view unit) {
  std::string header(name);
  if (!unit.empty()) header.append(" [").append(unit).append("]");
  return header;
}

std::vector<std::string> column_names(std::span<const Channel> channels) {
  std::vector<std::string> names;
  names.reserve(total_width(channels));
  for (const Channel& c : channels) {
    for (int i = 0; i < c.width; ++i) names.push_back(column_name(c, i));
  }
  return names;
}

namespace {

void check_channel(const Channel& c) {
  const auto refuse = [&](const std::string& why) {
    throw std::runtime_error("channel '" + c.name + "' " + why);
  };
  if (c.name.empty()) refuse("needs a name");
  if (c.width < 1) refuse("has width " + std::to_string(c.width) + ", it must be at least 1");
  const bool scalar = c.width == 1 && c.components.empty();
  if (!scalar && c.components.size() != static_cast<std::size_t>(c.width)) {
    refuse("has width " + std::to_string(c.width) + " and " + std::to_string(c.components.size()) +
           " component names, they must agree");
  }
  for (const std::string& part : c.components) {
    // The components are stored as one comma-separated text.
    if (part.empty() || part.find(',') != std::string::npos) {
      refuse("has a component called '" + part + "'; a name without commas is needed");
    }
  }
}

}  // namespace

void check_channels(std::span<const Channel> channels) {
  std::unordered_set<std::string> channel_names;
  std::unordered_set<std::string> seen;
  for (const Channel& c : channels) {
    check_channel(c);
    if (!channel_names.insert(c.name).second) {
      throw std::runtime_error("two channels are called '" + c.name + "'");
    }
    for (int i = 0; i < c.width; ++i) {
      if (!seen.insert(column_name(c, i)).second) {
        throw std::runtime_error("two recorded columns are called '" + column_name(c, i) + "'");
      }
    }
  }
}

ColumnIndex::ColumnIndex(std::span<const Channel> channels) {
  std::size_t column = 0;
  for (const Channel& c : channels) {
    channels_.emplace(c.name, Range{column, static_cast<std::size_t>(c.width)});
    for (int i = 0; i < c.width; ++i) columns_.emplace(column_name(c, i), column++);
  }
}

namespace {

template <class Map>
[[noreturn]] void fail_unknown(const char* kind, std::string_view name, const Map& map) {
  std::vector<std::string> known;
  for (const auto& entry : map) known.push_back(entry.first);
  std::sort(known.begin(), known.end());  // the map's order differs between libraries
  throw std::runtime_error("no " + std::string(kind) + " '" + std::string(name) +
                           "' was recorded; " + suggest(name, known));
}

}  // namespace

std::size_t ColumnIndex::column(std::string_view name) const {
  const auto found = columns_.find(std::string(name));
  if (found == columns_.end()) fail_unknown("column", name, columns_);
  return found->second;
}

ColumnIndex::Range ColumnIndex::channel(std::string_view name) const {
  const auto found = channels_.find(std::string(name));
  if (found != channels_.end()) return found->second;
  const auto column = columns_.find(std::string(name));
  if (column == columns_.end()) fail_unknown("channel", name, channels_);
  return {column->second, 1};
}

}  // namespace carom
