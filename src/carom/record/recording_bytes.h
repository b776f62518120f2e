// The parts of a recording as bytes, for the process that reads result files (base/archive.h).
#pragma once

#include "carom/base/archive.h"
#include "carom/record/recording.h"

namespace carom {

template <class Archive>
void visit(Archive& archive, Is<RunMeta> auto& m) {
  auto& [carom_version, scene_name, scene, created, fingerprint, name_room, peaks, maps] = m;
  archive(carom_version, scene_name, scene, created, fingerprint, name_room, peaks, maps);
}

template <class Archive>
void visit(Archive& archive, Is<Channel> auto& c) {
  auto& [name, unit, doc, width, components, group, object, quantity] = c;
  archive(name, unit, doc, width, components, group, object, quantity);
}

template <class Archive>
void visit(Archive& archive, Is<EventColumn> auto& c) {
  auto& [name, unit] = c;
  archive(name, unit);
}

template <class Archive>
void visit(Archive& archive, Is<NamedValue> auto& v) {
  auto& [name, value] = v;
  archive(name, value);
}

template <class Archive>
void visit(Archive& archive, Is<EventRecord> auto& e) {
  auto& [time, kind, subject, values, partner] = e;
  archive(time, kind, subject, values, partner);
}

template <class Archive>
void visit(Archive& archive, Is<PeakRecord> auto& p) {
  auto& [time, object, quantity, unit, value, row, first_column, columns] = p;
  archive(time, object, quantity, unit, value, row, first_column, columns);
}

template <class Archive>
void visit(Archive& archive, Is<ContactSummary> auto& c) {
  auto& [first, second, count, duration, impulse, peak_force, peak_time, peak_depth, slip,
         energy_lost] = c;
  archive(first, second, count, duration, impulse, peak_force, peak_time, peak_depth, slip,
          energy_lost);
}

template <class Archive>
void visit(Archive& archive, Is<MapRecord> auto& m) {
  auto& [row, object, quantity, unit, normal, points] = m;
  archive(row, object, quantity, unit, normal, points);
}

template <class Archive>
void visit(Archive& archive, Is<Recording> auto& r) {
  auto& [meta, status, reason, summary, verdict, channels, event_columns, time, values, events,
         peaks, contacts, maps] = r;
  archive(meta, status, reason, summary, verdict, channels, event_columns, time, values, events,
          peaks, contacts, maps);
}

}  // namespace carom
