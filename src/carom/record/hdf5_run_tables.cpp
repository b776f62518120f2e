#include "carom/record/hdf5_run_tables.h"

#include <hdf5.h>

#include <array>
#include <cmath>
#include <stdexcept>

#include "carom/record/event_text.h"

namespace carom::hdf5 {
namespace {

constexpr std::size_t kKindRoom = 32, kOtherRoom = 128, kUnitRoom = 16;

struct EventAt {
  enum { time, kind, subject, partner, other, first_value };
};

std::vector<TableColumn> event_texts(std::size_t names) {
  return {{"time", TableColumn::number, 8, "s"},
          {"kind", TableColumn::text, kKindRoom},
          {"subject", TableColumn::text, names},
          {"partner", TableColumn::text, names},
          {"other", TableColumn::text, kOtherRoom}};
}

struct PeakAt {
  enum { time, object, quantity, unit, value, row, first_column, columns, values_at };
};
struct MapAt {
  enum { row, object, quantity, unit, nx, ny, nz, points, points_at };
};
struct ContactAt {
  enum { first, second, count, numbers };
};

/// Numbers of a contact, in the order of their columns.
template <class C>
auto contact_numbers(C& c) {
  return std::array{&c.duration,   &c.impulse, &c.peak_force, &c.peak_time,
                    &c.peak_depth, &c.slip,    &c.energy_lost};
}

}  // namespace

TableLayout event_layout(std::span<const EventColumn> columns, std::size_t names) {
  std::vector<TableColumn> all = event_texts(names);
  for (const EventColumn& c : columns) all.push_back({c.name, TableColumn::number, 8, c.unit});
  return TableLayout(std::move(all));
}

TableLayout peak_layout(std::size_t names) {
  return TableLayout({{"time", TableColumn::number, 8, "s"},
                      {"object", TableColumn::text, 2 * names + 10},  // contact(a,b)
                      {"quantity", TableColumn::text, kKindRoom},
                      {"unit", TableColumn::text, kUnitRoom},
                      {"value", TableColumn::number},
                      {"row", TableColumn::count},
                      {"first_column", TableColumn::count},
                      {"columns", TableColumn::count},
                      {"values_at", TableColumn::count}});
}

TableLayout map_layout(std::size_t names) {
  return TableLayout({{"row", TableColumn::count},
                      {"object", TableColumn::text, 2 * names + 10},  // contact(a,b)
                      {"quantity", TableColumn::text, kKindRoom},
                      {"unit", TableColumn::text, kUnitRoom},
                      {"normal_x", TableColumn::number},
                      {"normal_y", TableColumn::number},
                      {"normal_z", TableColumn::number},
                      {"points", TableColumn::count},
                      {"points_at", TableColumn::count}});
}

TableLayout contact_layout(std::size_t names) {
  return TableLayout({{"first", TableColumn::text, names},
                      {"second", TableColumn::text, names},
                      {"count", TableColumn::count},
                      {"duration", TableColumn::number, 8, "s"},
                      {"impulse", TableColumn::number, 8, "N.s"},
                      {"peak_force", TableColumn::number, 8, "N"},
                      {"peak_time", TableColumn::number, 8, "s"},
                      {"peak_depth", TableColumn::number, 8, "m"},
                      {"slip", TableColumn::number, 8, "m"},
                      {"energy_lost", TableColumn::number, 8, "J"}});
}

void add_event(TableRows& rows, const EventRecord& event, std::span<const EventColumn> columns) {
  const std::string other = other_values_text(event, columns);
  if (other.size() > kOtherRoom) {
    throw std::runtime_error("an event has more values without a column than there is room for");
  }
  rows.add();
  rows.number(EventAt::time, event.time), rows.text(EventAt::kind, event.kind);
  rows.text(EventAt::subject, event.subject), rows.text(EventAt::partner, event.partner);
  rows.text(EventAt::other, other);
  const std::vector<double> values = event_columns_of(event, columns);
  for (std::size_t i = 0; i < values.size(); ++i) rows.number(EventAt::first_value + i, values[i]);
}

void add_peak(TableRows& rows, const PeakRecord& peak, std::uint64_t values_at) {
  rows.add();
  rows.number(PeakAt::time, peak.time), rows.text(PeakAt::object, peak.object);
  rows.text(PeakAt::quantity, peak.quantity), rows.text(PeakAt::unit, peak.unit);
  rows.number(PeakAt::value, peak.value), rows.count(PeakAt::row, peak.row);
  rows.count(PeakAt::first_column, peak.first_column),
      rows.count(PeakAt::columns, peak.columns.size());
  rows.count(PeakAt::values_at, values_at);
}

void add_map(TableRows& rows, const MapRecord& map, std::uint64_t points_at) {
  rows.add();
  rows.count(MapAt::row, map.row), rows.text(MapAt::object, map.object);
  rows.text(MapAt::quantity, map.quantity), rows.text(MapAt::unit, map.unit);
  for (std::size_t i = 0; i < 3; ++i) rows.number(MapAt::nx + i, map.normal[i]);
  rows.count(MapAt::points, map.points.size() / kMapNumbers);
  rows.count(MapAt::points_at, points_at / kMapNumbers);
}

void add_contact(TableRows& rows, const ContactSummary& contact) {
  rows.add();
  rows.text(ContactAt::first, contact.first), rows.text(ContactAt::second, contact.second);
  rows.count(ContactAt::count, contact.count);
  std::size_t column = ContactAt::numbers;
  for (const double* number : contact_numbers(contact)) rows.number(column++, *number);
}

std::vector<EventColumn> read_event_columns(Id file) {
  const Handle table = open_stored(file, "events");
  const TableLayout layout = read_table_layout(table, event_texts(1), true);
  const std::vector<std::string> units = read_texts_attribute(table.id(), "units");
  if (units.size() != layout.columns().size()) throw std::runtime_error("the events are damaged");
  std::vector<EventColumn> columns;
  for (std::size_t i = EventAt::first_value; i < units.size(); ++i) {
    columns.push_back({layout.columns()[i].name, units[i]});
  }
  return columns;
}

std::vector<EventRecord> read_events(const StoredFile& file, std::span<const EventColumn> columns,
                                     std::size_t count) {
  const Handle table = open_stored(file.file.id(), "events");
  const TableLayout layout = read_table_layout(table, event_texts(1), true);
  const TableRows rows = read_table(file, table, layout, count);
  std::vector<EventRecord> events(rows.size());
  for (std::size_t i = 0; i < events.size(); ++i) {
    EventRecord& event = events[i];
    event.time = rows.number_at(i, EventAt::time), event.kind = rows.text_at(i, EventAt::kind);
    event.subject = rows.text_at(i, EventAt::subject),
    event.partner = rows.text_at(i, EventAt::partner);
    for (std::size_t k = 0; k < columns.size(); ++k) {
      const double value = rows.number_at(i, EventAt::first_value + k);
      if (!std::isnan(value)) event.values.push_back({columns[k].name, value});
    }
    for (NamedValue& value : parse_other_values(rows.text_at(i, EventAt::other))) {
      event.values.push_back(std::move(value));
    }
  }
  return events;
}

std::vector<PeakRecord> read_peaks(const StoredFile& file, std::size_t count, std::size_t width,
                                   bool is_open) {
  const Handle table = open_stored(file.file.id(), "peaks");
  const TableLayout layout = read_table_layout(table, peak_layout(1).columns());
  const TableRows rows = read_table(file, table, layout, count);
  const Handle numbers = open_stored(file.file.id(), "peak_values");
  const std::size_t stored = read_count_attribute(file.file.id(), "peak_value_count");
  const std::vector<double> values = read_numbers(file, numbers, stored);
  std::vector<PeakRecord> peaks(rows.size());
  for (std::size_t i = 0; i < peaks.size(); ++i) {
    const std::uint64_t first = rows.count_at(i, PeakAt::first_column),
                        columns = rows.count_at(i, PeakAt::columns);
    const std::uint64_t at = rows.count_at(i, PeakAt::values_at);
    const bool has_values = columns <= values.size() && at <= values.size() - columns;
    if (!has_values && is_open) {
      peaks.resize(i);
      break;
    }
    if (!has_values || columns > width || first > width - columns) {
      throw std::runtime_error("the peaks are damaged");
    }
    const auto begin = values.begin() + static_cast<std::ptrdiff_t>(at);
    peaks[i] = {rows.number_at(i, PeakAt::time),
                rows.text_at(i, PeakAt::object),
                rows.text_at(i, PeakAt::quantity),
                rows.text_at(i, PeakAt::unit),
                rows.number_at(i, PeakAt::value),
                rows.count_at(i, PeakAt::row),
                first,
                {begin, begin + static_cast<std::ptrdiff_t>(columns)}};
  }
  return peaks;
}

std::vector<MapRecord> read_maps(const StoredFile& file, bool is_open) {
  const Id root = file.file.id();
  if (H5Aexists(root, "map_count") <= 0) return {};
  const Handle table = open_stored(root, "maps");
  const TableLayout layout = read_table_layout(table, map_layout(1).columns());
  const TableRows rows = read_table(file, table, layout, read_count_attribute(root, "map_count"));
  const std::vector<double> numbers = read_numbers(file, open_stored(root, "map_points"),
                                                   read_count_attribute(root, "map_point_numbers"));
  const std::uint64_t stored = numbers.size() / kMapNumbers;
  std::vector<MapRecord> maps(rows.size());
  for (std::size_t i = 0; i < maps.size(); ++i) {
    const std::uint64_t count = rows.count_at(i, MapAt::points),
                        at = rows.count_at(i, MapAt::points_at);
    if (count > stored || at > stored - count) {
      if (!is_open) throw std::runtime_error("the maps are damaged");
      maps.resize(i);
      break;
    }
    const auto begin = numbers.begin() + static_cast<std::ptrdiff_t>(at * kMapNumbers);
    maps[i] = {
        rows.count_at(i, MapAt::row),
        rows.text_at(i, MapAt::object),
        rows.text_at(i, MapAt::quantity),
        rows.text_at(i, MapAt::unit),
        {rows.number_at(i, MapAt::nx), rows.number_at(i, MapAt::ny), rows.number_at(i, MapAt::nz)},
        {begin, begin + static_cast<std::ptrdiff_t>(count * kMapNumbers)}};
  }
  return maps;
}

std::vector<ContactSummary> read_contacts(const StoredFile& file, std::size_t count) {
  const Handle table = open_stored(file.file.id(), "contacts");
  const TableLayout layout = read_table_layout(table, contact_layout(1).columns());
  const TableRows rows = read_table(file, table, layout, count);
  std::vector<ContactSummary> contacts(rows.size());
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    ContactSummary& contact = contacts[i];
    contact.first = rows.text_at(i, ContactAt::first),
    contact.second = rows.text_at(i, ContactAt::second);
    contact.count = rows.count_at(i, ContactAt::count);
    std::size_t column = ContactAt::numbers;
    for (double* number : contact_numbers(contact)) *number = rows.number_at(i, column++);
  }
  return contacts;
}

}  // namespace carom::hdf5
