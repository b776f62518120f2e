// Reads the texts of result files of format 1, which Carom 0.1 wrote.
//
// They are variable-length strings, and HDF5 crashes or hangs on damaged ones: a file from a
// stranger is read in a process of its own.
//
//   /                 attributes: format, carom_version, scene_name, created, status, reason
//   /scene, /summary  text
//   /channel_table    name, unit, doc, components, offset, width
//   /events/          time, kind, subject, one dataset per column, other
#pragma once

#include <vector>

#include "carom/record/hdf5_stored.h"
#include "carom/record/recording.h"

namespace carom::format1 {

/// All but time, values and events; throws unless it is a result of Carom.
Recording read_head(const hdf5::StoredFile& file);

std::vector<EventRecord> read_events(const hdf5::StoredFile& file,
                                     const std::vector<EventColumn>& columns, std::size_t count);

}  // namespace carom::format1
