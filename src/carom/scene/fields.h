// The grammar of a scene, as tables.
//
// Every map in a scene file is described by a Record: its fields, with type, unit,
// default, range and meaning, and the keys of which exactly one names its kind (as in
// `{sphere: {radius: 1}, at: [0, 0, 0]}`). Records of shapes, joints and forces are
// made from their catalogues. The reader, `--set`, the JSON Schema and the reference
// pages all read these tables.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "carom/base/param.h"

namespace carom {

enum class FieldKind {
  number,       ///< a number, $name or "=formula"
  integer,      ///< a whole number
  boolean,      ///< true, false, on, off
  text,         ///< any text
  texts,        ///< a text or a list of them
  word,         ///< one of Field::words
  reference,    ///< the name of something
  references,   ///< a list of names
  vector3,      ///< three numbers
  points,       ///< a list of three numbers each
  inertia,      ///< three or six numbers
  rotation,     ///< Cardan angles (3), quaternion (4) or matrix by rows (9)
  quaternion,   ///< w, x, y, z
  axis,         ///< x, y, z, -x, -y, -z or three numbers
  per_dof,      ///< a number for all coordinates of a joint, or a list
  signal,       ///< number, "=formula", name of a signal, or a signal record
  dof_signals,  ///< a signal for all coordinates of a joint, or a list
  signals,      ///< a list of signals
  pairs,        ///< a list of [time, value]
  range,        ///< two numbers: from and to
  formula,      ///< text in t and channel names
  attachment,   ///< body, body.marker, or a record
  record,       ///< a map after Field::record
  dof_records,  ///< one such map, or a list of them
  record_list,
  record_map,   ///< maps by name
  number_map,   ///< numbers by name
  signal_map,   ///< signals by name
  marker_map,   ///< three numbers or a record, by name
  gravity,      ///< three numbers, off, or a record
  start,        ///< a word or a record: how a run begins
  action,       ///< a word or a record: what an event does
  law,          ///< the name of a law, or a record with its fields
  restitution,  ///< a number or a record
  contact,      ///< off or a record
  name_pair,    ///< two names
  name_lists,   ///< two names, or lists of names
  name_pairs,   ///< a list of two names each
  names_map,    ///< lists of names, by name
};

struct Field {
  std::string name;
  FieldKind kind = FieldKind::number;
  std::string unit = "-";
  std::string doc = {};
  bool required = false;
  double default_value = kRequired;  ///< numbers and booleans; NaN: none
  std::string default_text = {};     ///< how a default of another kind reads
  double min = -kInf, max = kInf;
  bool open = false;  ///< the bounds themselves are excluded
  bool may_be_infinite = false;
  std::string record = {};  ///< name of the record of maps
  std::vector<std::string> words = {};
};

struct Record {
  std::string name;
  std::string doc;
  std::vector<Field> fields;
  std::vector<Field> choices = {};  ///< exactly one of these keys is given
  bool choice_required = true;

  const Field* find_field(std::string_view key) const;
  const Field* find_choice(std::string_view key) const;
  const Field* find(std::string_view key) const;
  /// All keys, for "did you mean".
  std::vector<std::string> keys() const;
};

/// All records in the order of the documentation; the first is the scene itself.
std::span<const Record> scene_records();
/// The record of this name, which must exist.
const Record& scene_record(std::string_view name);

/// A catalogue's field as a field of the scene.
Field to_field(const ParamField& param);

/// "greater than 0", "at least 1 and at most 2"; empty if there is no bound.
std::string bounds_text(const Field& field);
bool within_bounds(const Field& field, double value);
/// What a number of this field must be, "greater than 0 [kg]", if `value` is not that.
std::string value_problem(const Field& field, double value);

/// "a number", "three numbers": what a message asks for.
std::string kind_text(FieldKind kind);

/// Axis along or about which a joint of this kind moves if the scene does not say.
std::string default_axis(std::string_view joint_kind);

}  // namespace carom
