// One map of a scene, read after its Record: unknown, missing and surplus keys are
// reported when it is opened, values when they are asked for.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "carom/scene/read/reader.h"

namespace carom {

class MapReader {
 public:
  MapReader(Reader& reader, const Node& node, std::string_view record, std::string path);

  bool is_map() const { return node_.is_map(); }
  const Node& node() const { return node_; }
  const Record& record() const { return record_; }
  const std::string& path() const { return path_; }
  std::string path(std::string_view key) const { return path_ + "." + std::string(key); }
  const Field& field(std::string_view key) const;

  bool has(std::string_view key) const { return find(key) != nullptr; }
  const Node* find(std::string_view key) const;

  /// The key that names the kind, and its value; null if that went wrong.
  const Field* kind() const { return kind_; }
  const Node& kind_value() const { return *kind_value_; }

  // The value under `key`, else the default of the table.
  double number(std::string_view key);
  long integer(std::string_view key);
  bool boolean(std::string_view key);
  std::string text(std::string_view key);
  std::string word(std::string_view key);
  Vec3 vector3(std::string_view key, const Vec3& otherwise = {});
  Mat3 rotation(std::string_view key);
  std::vector<std::string> texts(std::string_view key);

  std::optional<double> optional_number(std::string_view key);
  std::optional<Vec3> optional_vector3(std::string_view key);

  /// All fields of a catalogue's row as a flat vector.
  std::vector<double> params(std::span<const ParamField> fields);

  Reader& reader;

 private:
  void check_keys();
  void find_kind();

  const Node& node_;
  const Record& record_;
  std::string path_;
  const Field* kind_ = nullptr;
  const Node* kind_value_ = nullptr;
};

/// Calls `read(entry)` for every entry of a map of named things; reports if `node` is
/// something else. A null node or empty value has none.
template <class Read>
void for_each_named(Reader& reader, const Node* node, const std::string& path, Read read) {
  if (!node || node->is_null()) return;
  if (!node->is_map()) {
    reader.wrong(*node, path, "a map by name", "write '" + path + ": {a_name: …}'");
    return;
  }
  for (const NodeEntry& entry : node->entries) read(entry);
}

}  // namespace carom
