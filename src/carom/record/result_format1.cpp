#include "carom/record/result_format1.h"

#include <hdf5.h>

#include <cmath>
#include <stdexcept>

#include "carom/record/event_text.h"
#include "carom/record/hdf5_layout.h"

namespace carom::format1 {

using hdf5::Handle;
using hdf5::Id;

namespace {

Handle text_type() {
  Handle type = hdf5::copied_type(H5T_C_S1);
  hdf5::check(H5Tset_size(type.id(), H5T_VARIABLE), "cannot make a text type");
  hdf5::check(H5Tset_cset(type.id(), H5T_CSET_UTF8), "cannot make a text type");
  return type;
}

// A numeric or fixed-length type read as char* would be a wild pointer.
void require_text(const Handle& type, const std::string& where) {
  if (H5Tis_variable_str(type.id()) <= 0) throw std::runtime_error(where + " is not a text");
}

std::string take_text(char* raw) {
  std::string text = raw == nullptr ? "" : raw;
  H5free_memory(raw);
  return text;
}

std::vector<std::string> texts_attribute(Id object, const char* name) {
  const std::string where = std::string("attribute '") + name + "'";
  const Handle attribute(H5Aopen(object, name, H5P_DEFAULT), H5Aclose, where + " is missing");
  require_text({H5Aget_type(attribute.id()), H5Tclose, where}, where);
  const Handle space(H5Aget_space(attribute.id()), H5Sclose, where);
  const hssize_t count = H5Sget_simple_extent_npoints(space.id());
  constexpr hssize_t kMaxTexts = 4096;  // an attribute is at most 64 kB, a reference 16 bytes
  if (count < 0 || count > kMaxTexts) throw std::runtime_error(where + " is damaged");
  std::vector<char*> raw(static_cast<std::size_t>(count), nullptr);
  if (count > 0) {
    hdf5::check(H5Aread(attribute.id(), text_type().id(), raw.data()), "cannot read " + where);
  }
  std::vector<std::string> texts;
  for (char* text : raw) texts.push_back(take_text(text));
  return texts;
}

std::string text_attribute(Id object, const char* name) {
  const std::vector<std::string> texts = texts_attribute(object, name);
  if (texts.size() != 1) throw std::runtime_error("an attribute is damaged");
  return texts.front();
}

std::string text_dataset(Id parent, const char* name) {
  const std::string where = std::string("dataset '") + name + "'";
  const Handle dataset = hdf5::open_stored(parent, name);
  require_text({H5Dget_type(dataset.id()), H5Tclose, where}, where);
  const Handle space(H5Dget_space(dataset.id()), H5Sclose, where);
  if (H5Sget_simple_extent_npoints(space.id()) != 1) throw std::runtime_error(where + " is a list");
  char* raw = nullptr;
  hdf5::check(H5Dread(dataset.id(), text_type().id(), H5S_ALL, H5S_ALL, H5P_DEFAULT, &raw),
              "cannot read " + where);
  return take_text(raw);
}

std::vector<std::string> read_texts(const hdf5::StoredFile& file, const Handle& dataset,
                                    std::size_t count) {
  const char* what = "the events are damaged";
  constexpr std::size_t kTextReferenceBytes = 16;
  hdf5::require_rows(file, dataset, count, 0, kTextReferenceBytes);
  require_text({H5Dget_type(dataset.id()), H5Tclose, what}, what);
  if (count == 0) return {};
  std::vector<char*> raw(count, nullptr);
  const hsize_t start = 0, size = count;
  const Handle source(H5Dget_space(dataset.id()), H5Sclose, what);
  hdf5::check(H5Sselect_hyperslab(source.id(), H5S_SELECT_SET, &start, nullptr, &size, nullptr),
              what);
  const Handle target(H5Screate_simple(1, &size, nullptr), H5Sclose, what);
  const Handle type = text_type();
  hdf5::check(H5Dread(dataset.id(), type.id(), target.id(), source.id(), H5P_DEFAULT, raw.data()),
              what);
  std::vector<std::string> texts;
  for (const char* text : raw) texts.emplace_back(text == nullptr ? "" : text);
  H5Dvlen_reclaim(type.id(), target.id(), H5P_DEFAULT, raw.data());
  return texts;
}

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
    hdf5::check(H5Tinsert(type.id(), name, at, member), what);
  };
  add("name", offsetof(TableRow, name), text.id());
  add("unit", offsetof(TableRow, unit), text.id());
  add("doc", offsetof(TableRow, doc), text.id());
  add("components", offsetof(TableRow, components), text.id());
  add("offset", offsetof(TableRow, offset), H5T_NATIVE_UINT64);
  add("width", offsetof(TableRow, width), H5T_NATIVE_UINT64);
  return type;
}

std::vector<std::string> split_commas(const std::string& text) {
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
          split_commas(text(row.components))};
}

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

std::vector<Channel> read_channels(const hdf5::StoredFile& file) {
  const char* what = "cannot read the channel table";
  const Handle table = hdf5::open_stored(file.file.id(), "channel_table");
  require_table_type(table);
  const Handle space(H5Dget_space(table.id()), H5Sclose, what);
  const hssize_t count = H5Sget_simple_extent_npoints(space.id());
  if (count < 0) throw std::runtime_error("the channel table is damaged");
  hdf5::require_rows(file, table, static_cast<std::size_t>(count), 0, sizeof(std::uint64_t));
  std::vector<TableRow> rows(static_cast<std::size_t>(count));
  const Handle type = table_type();
  if (count > 0) {
    hdf5::check(H5Dread(table.id(), type.id(), H5S_ALL, H5S_ALL, H5P_DEFAULT, rows.data()), what);
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

}  // namespace

Recording read_head(const hdf5::StoredFile& file) {
  const Id root = file.file.id();
  if (H5Aexists(root, "format") <= 0 || text_attribute(root, "format") != hdf5::kFormatName) {
    throw std::runtime_error("it is an HDF5 file, but not a result of Carom");
  }
  const std::uint64_t version = hdf5::read_count_attribute(root, "format_version");
  if (version != 1) {
    throw std::runtime_error("its format version is " + std::to_string(version) +
                             ", but it does not begin as such a file does");
  }
  Recording head;
  head.meta.carom_version = text_attribute(root, "carom_version");
  head.meta.scene_name = text_attribute(root, "scene_name");
  head.meta.created = text_attribute(root, "created");
  head.meta.scene = text_dataset(root, "scene");
  head.status = run_status_from(text_attribute(root, "status"));
  head.reason = text_attribute(root, "reason");
  head.summary = text_dataset(root, "summary");
  head.channels = read_channels(file);
  hdf5::require_plain_link(root, "events");
  const Handle events(H5Gopen2(root, "events", H5P_DEFAULT), H5Gclose, "the events are missing");
  const std::vector<std::string> names = texts_attribute(events.id(), "columns");
  const std::vector<std::string> units = texts_attribute(events.id(), "units");
  if (names.size() != units.size()) throw std::runtime_error("the events are damaged");
  for (std::size_t i = 0; i < names.size(); ++i) head.event_columns.push_back({names[i], units[i]});
  return head;
}

std::vector<EventRecord> read_events(const hdf5::StoredFile& file,
                                     const std::vector<EventColumn>& columns, std::size_t count) {
  hdf5::require_plain_link(file.file.id(), "events");
  const Handle group(H5Gopen2(file.file.id(), "events", H5P_DEFAULT), H5Gclose,
                     "the events are missing");
  const auto series = [&](const std::string& name) {
    return hdf5::open_stored(group.id(), hdf5::link_name(name).c_str());
  };
  const std::vector<double> times = hdf5::read_numbers(file, series("time"), count);
  const std::vector<std::string> kinds = read_texts(file, series("kind"), count);
  const std::vector<std::string> subjects = read_texts(file, series("subject"), count);
  const std::vector<std::string> others = read_texts(file, series("other"), count);
  std::vector<EventRecord> events(count);
  for (std::size_t i = 0; i < count; ++i) {
    events[i] = {times[i], kinds[i], subjects[i], {}};
    // Contacts were written as "ball, table".
    const std::size_t comma = subjects[i].find(", ");
    if (!kinds[i].starts_with("contact_") || comma == std::string::npos) continue;
    events[i].partner = subjects[i].substr(comma + 2);
    events[i].subject.resize(comma);
  }
  for (const EventColumn& column : columns) {
    const std::vector<double> values = hdf5::read_numbers(file, series(column.name), count);
    for (std::size_t i = 0; i < count; ++i) {
      if (!std::isnan(values[i])) events[i].values.push_back({column.name, values[i]});
    }
  }
  for (std::size_t i = 0; i < count; ++i) {
    for (NamedValue& value : parse_other_values(others[i])) {
      events[i].values.push_back(std::move(value));
    }
  }
  return events;
}

}  // namespace carom::format1
