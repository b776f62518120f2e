#include "carom/scene/read/map_reader.h"

#include <cmath>

#include "carom/base/text.h"

namespace carom {
namespace {

/// "radius: … [m], the radius": what to add for a missing field.
std::string how_to_add(const Field& field) {
  std::string text = "add '" + field.name + ": …'";
  if (field.unit != "-" && !field.unit.empty()) text += " [" + field.unit + "]";
  return field.doc.empty() ? text : text + ": " + field.doc;
}

std::string list_of(const std::vector<Field>& fields) {
  std::string list;
  for (const Field& field : fields) list += (list.empty() ? "" : ", ") + field.name;
  return list;
}

}  // namespace

MapReader::MapReader(Reader& reader_in, const Node& node, std::string_view record, std::string path)
    : reader(reader_in), node_(node), record_(scene_record(record)), path_(std::move(path)) {
  // An empty value is an empty map: everything may be left out but what is required.
  if (!node_.is_map() && !node_.is_null()) {
    reader.wrong(node_, path_, "a map",
                 "known keys: " + list_of(record_.choices) + (record_.choices.empty() ? "" : ", ") +
                     list_of(record_.fields));
    return;
  }
  check_keys();
  if (!record_.choices.empty()) find_kind();
}

const Field& MapReader::field(std::string_view key) const {
  const Field* found = record_.find(key);
  return found ? *found : scene_record("scene").fields.front();
}

const Node* MapReader::find(std::string_view key) const { return node_.find(key); }

void MapReader::check_keys() {
  for (const NodeEntry& entry : node_.entries) {
    if (record_.find(entry.key)) continue;
    const std::string where = path_.empty() ? "the scene" : path_;
    reader.error(entry.where, "'" + entry.key + "' is not known in " + where,
                 suggest(entry.key, record_.keys()));
  }
  for (const Field& field : record_.fields) {
    if (!field.required || node_.find(field.name)) continue;
    const std::string where = path_.empty() ? "the scene" : path_;
    reader.error(node_.where, where + " lacks '" + field.name + "'", how_to_add(field));
  }
}

void MapReader::find_kind() {
  int count = 0;
  for (const NodeEntry& entry : node_.entries) {
    const Field* choice = record_.find_choice(entry.key);
    if (!choice) continue;
    if (++count == 1) {
      kind_ = choice;
      kind_value_ = &entry.value;
      continue;
    }
    reader.error(entry.where, path_ + " is both '" + kind_->name + "' and '" + entry.key + "'",
                 "keep one of them");
  }
  if (count == 0 && record_.choice_required) {
    reader.error(node_.where, path_ + " does not say what it is",
                 "give one of " + list_of(record_.choices));
  }
}

double MapReader::number(std::string_view key) {
  const Field& f = field(key);
  const Node* value = find(key);
  const double otherwise = std::isnan(f.default_value) ? 0.0 : f.default_value;
  return value ? reader.number(*value, f, path(key)).value_or(otherwise) : otherwise;
}

std::optional<double> MapReader::optional_number(std::string_view key) {
  const Node* value = find(key);
  if (!value) return {};
  return reader.number(*value, field(key), path(key));
}

long MapReader::integer(std::string_view key) {
  const Field& f = field(key);
  const Node* value = find(key);
  const long otherwise = std::isnan(f.default_value) ? 0 : static_cast<long>(f.default_value);
  return value ? reader.integer(*value, f, path(key)).value_or(otherwise) : otherwise;
}

bool MapReader::boolean(std::string_view key) {
  const Node* value = find(key);
  const bool otherwise = field(key).default_value == 1.0;
  return value ? reader.boolean(*value, path(key)).value_or(otherwise) : otherwise;
}

std::string MapReader::text(std::string_view key) {
  const Node* value = find(key);
  const std::string& otherwise = field(key).default_text;
  return value ? reader.text(*value, path(key)).value_or(otherwise) : otherwise;
}

std::string MapReader::word(std::string_view key) {
  const Field& f = field(key);
  const Node* value = find(key);
  return value ? reader.word(*value, f, path(key)).value_or(f.default_text) : f.default_text;
}

Vec3 MapReader::vector3(std::string_view key, const Vec3& otherwise) {
  return optional_vector3(key).value_or(otherwise);
}

std::optional<Vec3> MapReader::optional_vector3(std::string_view key) {
  const Node* value = find(key);
  if (!value) return {};
  return reader.vector3(*value, field(key), path(key));
}

Mat3 MapReader::rotation(std::string_view key) {
  const Node* value = find(key);
  return value ? reader.rotation(*value, field(key), path(key)).value_or(Mat3{}) : Mat3{};
}

std::vector<std::string> MapReader::texts(std::string_view key) {
  const Node* value = find(key);
  return value ? reader.texts(*value, path(key)) : std::vector<std::string>{};
}

std::vector<double> MapReader::params(std::span<const ParamField> fields) {
  std::vector<double> flat;
  for (const ParamField& param : fields) {
    const double d = std::isnan(param.default_value) ? 1.0 : param.default_value;
    switch (param.type) {
      case ParamType::vector3: {
        const Vec3 v = vector3(param.name, {d, d, d});
        flat.insert(flat.end(), {v.x, v.y, v.z});
        break;
      }
      case ParamType::boolean: flat.push_back(boolean(param.name) ? 1.0 : 0.0); break;
      case ParamType::integer: {
        const Node* value = find(param.name);
        const Field f = to_field(param);
        const auto whole = value ? reader.integer(*value, f, path(param.name)) : std::nullopt;
        flat.push_back(whole ? static_cast<double>(*whole) : d);
        break;
      }
      case ParamType::number: flat.push_back(optional_number(param.name).value_or(d)); break;
    }
  }
  return flat;
}

}  // namespace carom
