// The tables of events, peaks, contacts and maps as rows of a result file.
#pragma once

#include <span>
#include <vector>

#include "carom/record/hdf5_table.h"
#include "carom/record/recording.h"

namespace carom::hdf5 {

/// Room of texts: `names` of bodies and events.
TableLayout event_layout(std::span<const EventColumn> columns, std::size_t names);
TableLayout peak_layout(std::size_t names);
TableLayout contact_layout(std::size_t names);
TableLayout map_layout(std::size_t names);

/// Throws if values that have no column take more room than there is.
void add_event(TableRows& rows, const EventRecord& event, std::span<const EventColumn> columns);
/// `values_at` is where the columns of the peak begin in /peak_values.
void add_peak(TableRows& rows, const PeakRecord& peak, std::uint64_t values_at);
/// `points_at` is where its numbers begin in /map_points.
void add_map(TableRows& rows, const MapRecord& map, std::uint64_t points_at);
void add_contact(TableRows& rows, const ContactSummary& contact);

std::vector<EventColumn> read_event_columns(Id file);
std::vector<EventRecord> read_events(const StoredFile& file, std::span<const EventColumn> columns,
                                     std::size_t count);
/// Peaks whose columns lie within `width`. Of a run that was cut off (`is_open`), those whose
/// values had been counted: a kill may come between the two counts.
std::vector<PeakRecord> read_peaks(const StoredFile& file, std::size_t count, std::size_t width,
                                   bool is_open);
/// The same of maps; none in files that were written without them.
std::vector<MapRecord> read_maps(const StoredFile& file, bool is_open);
std::vector<ContactSummary> read_contacts(const StoredFile& file, std::size_t count);

}  // namespace carom::hdf5
