#include "carom/scene/fields.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <stdexcept>
#include <unordered_map>

#include "carom/base/text.h"
#include "carom/scene/tables/tables.h"

namespace carom {
namespace {

const Field* find_in(const std::vector<Field>& fields, std::string_view key) {
  const auto found = std::find_if(fields.begin(), fields.end(),
                                  [&](const Field& field) { return field.name == key; });
  return found == fields.end() ? nullptr : &*found;
}

struct Tables {
  std::vector<Record> records;
  std::unordered_map<std::string_view, const Record*> index;

  Tables() {
    for (auto part : {root_tables, body_tables, joint_tables, force_tables, contact_tables,
                      surface_tables, signal_tables, run_tables}) {
      std::vector<Record> more = part();
      std::move(more.begin(), more.end(), std::back_inserter(records));
    }
    for (const Record& record : records) index.emplace(record.name, &record);
  }
};

const Tables& tables() {
  static const Tables built;
  return built;
}

}  // namespace

const Field* Record::find_field(std::string_view key) const { return find_in(fields, key); }
const Field* Record::find_choice(std::string_view key) const { return find_in(choices, key); }

const Field* Record::find(std::string_view key) const {
  const Field* field = find_field(key);
  return field ? field : find_choice(key);
}

std::vector<std::string> Record::keys() const {
  std::vector<std::string> names;
  for (const Field& choice : choices) names.push_back(choice.name);
  for (const Field& field : fields) names.push_back(field.name);
  return names;
}

std::span<const Record> scene_records() { return tables().records; }

const Record& scene_record(std::string_view name) {
  const auto found = tables().index.find(name);
  if (found == tables().index.end()) {
    throw std::logic_error("there is no record '" + std::string(name) + "'");
  }
  return *found->second;
}

Field to_field(const ParamField& param) {
  Field field{.name = param.name,
              .unit = param.unit,
              .doc = param.doc,
              .required = std::isnan(param.default_value),
              .default_value = param.default_value,
              .min = param.min,
              .max = param.max,
              .open = param.open};
  switch (param.type) {
    case ParamType::number: field.kind = FieldKind::number; break;
    case ParamType::vector3: field.kind = FieldKind::vector3; break;
    case ParamType::boolean: field.kind = FieldKind::boolean; break;
    case ParamType::integer: field.kind = FieldKind::integer; break;
  }
  return field;
}

std::string bounds_text(const Field& field) {
  std::string text;
  if (field.min > -kInf) {
    text = (field.open ? "greater than " : "at least ") + number_text(field.min);
  }
  if (field.max < kInf) {
    if (!text.empty()) text += " and ";
    text += (field.open ? "less than " : "at most ") + number_text(field.max);
  }
  return text;
}

bool within_bounds(const Field& field, double value) {
  return field.open ? value > field.min && value < field.max
                    : value >= field.min && value <= field.max;
}

std::string value_problem(const Field& field, double value) {
  if (std::isnan(value) || (std::isinf(value) && !field.may_be_infinite)) return "a finite number";
  const bool is_largest = std::isinf(value) && value == field.max;
  if (!within_bounds(field, value) && !is_largest) {
    return bounds_text(field) + (field.unit == "-" ? "" : " [" + field.unit + "]");
  }
  if (field.kind == FieldKind::integer && value != std::floor(value)) {
    return kind_text(FieldKind::integer);
  }
  return {};
}

std::string kind_text(FieldKind kind) {
  using enum FieldKind;
  switch (kind) {
    case number: return "a number";
    case integer: return "a whole number";
    case boolean: return "true or false";
    case text: return "a text";
    case texts: return "a text or a list of texts";
    case word: return "a word";
    case reference: return "a name";
    case references: return "a list of names";
    case vector3: return "three numbers";
    case points: return "a list of points";
    case inertia: return "three or six numbers";
    case rotation: return "three angles, a quaternion or a matrix";
    case quaternion: return "four numbers w, x, y, z";
    case axis: return "x, y, z or three numbers";
    case per_dof: return "a number or a list of numbers";
    case signal: return "a signal";
    case dof_signals: return "a signal or a list of signals";
    case signals: return "a list of signals";
    case pairs: return "a list of [time, value]";
    case range: return "two numbers, from and to";
    case formula: return "a formula";
    case attachment: return "a body, body.marker or a map";
    case record: return "a map";
    case dof_records: return "a map or a list of maps";
    case record_list: return "a list of maps";
    case record_map: return "maps by name";
    case number_map: return "numbers by name";
    case signal_map: return "signals by name";
    case marker_map: return "three numbers or a map, by name";
    case gravity: return "three numbers, off or a map";
    case start: return "a word or a map";
    case action: return "a word or a map";
    case law: return "the name of a law, or a map with its fields";
    case restitution: return "a number or a map";
    case contact: return "a map or off";
    case name_pair: return "two names";
    case name_lists: return "two names or lists of names";
    case name_pairs: return "a list of pairs of names";
    case names_map: return "lists of names, by name";
  }
  return "a value";
}

std::string default_axis(std::string_view joint_kind) {
  // A slide along x, a hinge about z: what most drawings show.
  return joint_kind == "prismatic" ? "x" : "z";
}

}  // namespace carom
