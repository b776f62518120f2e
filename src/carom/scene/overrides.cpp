#include "carom/scene/overrides.h"

#include <charconv>
#include <optional>

#include "carom/base/text.h"
#include "carom/scene/fields.h"

namespace carom {
namespace {

/// What the tables say about a place in the document.
struct Place {
  enum class Kind { record, names, list, leaf };
  Kind kind = Kind::leaf;
  std::string record;  ///< of the map itself, or of the elements
};

Place place_of(const Field& field) {
  switch (field.kind) {
    case FieldKind::record_map:
    case FieldKind::marker_map:
    case FieldKind::signal_map:
    case FieldKind::names_map:
    case FieldKind::number_map: return {Place::Kind::names, field.record};
    case FieldKind::record_list: return {Place::Kind::list, field.record};
    default: break;
  }
  if (field.record.empty()) return {};
  return {Place::Kind::record, field.record};
}

Place element_of(const Place& place) {
  if (place.record.empty() || place.kind == Place::Kind::leaf) return {};
  return {Place::Kind::record, place.record};
}

struct Segment {
  std::string text;
  int column;  ///< in the override
};

std::vector<Segment> split(const std::string& path) {
  std::vector<Segment> segments;
  std::size_t begin = 0;
  while (begin <= path.size()) {
    const std::size_t end = std::min(path.find('.', begin), path.size());
    segments.push_back({path.substr(begin, end - begin), static_cast<int>(begin) + 1});
    begin = end + 1;
  }
  return segments;
}

/// Joints that are written inside bodies, by their names.
std::vector<std::pair<std::string, Node*>> joints_in_bodies(Document& document) {
  std::vector<std::pair<std::string, Node*>> joints;
  Node* bodies = document.root.find("bodies");
  if (!bodies) return joints;
  for (NodeEntry& body : bodies->entries) {
    Node* joint = body.value.find("joint");
    if (!joint) continue;
    const Node* name = joint->find("name");
    joints.emplace_back(name ? name->text : body.key + "_joint", joint);
  }
  return joints;
}

Node* find_joint_in_bodies(Document& document, const std::string& name) {
  for (const auto& [own, joint] : joints_in_bodies(document)) {
    if (own == name) return joint;
  }
  return nullptr;
}

std::vector<std::string> keys_of(const Node& node) {
  std::vector<std::string> keys;
  for (const NodeEntry& entry : node.entries) keys.push_back(entry.key);
  return keys;
}

class Override {
 public:
  Override(Document& document, Diagnostics& out, int file, int line)
      : document_(document), out_(out), file_(file), line_(line) {}

  /// The node at the path, made if need be; null (reported) if there can be none.
  Node* find(const std::vector<Segment>& segments, bool value_is_map) {
    Node* node = &document_.root;
    Place place{Place::Kind::record, "scene"};
    for (std::size_t i = 0; i < segments.size(); ++i) {
      const Segment& segment = segments[i];
      if (i == 1 && segments[0].text == "joints" && !(node->is_map() && node->find(segment.text))) {
        if (Node* joint = find_joint_in_bodies(document_, segment.text)) {
          node = joint;
          place = {Place::Kind::record, "joint"};
          path_ += "." + segment.text;
          continue;
        }
      }
      const bool may_add_name = i + 1 == segments.size() && value_is_map;
      node = step(*node, place, segment, may_add_name);
      if (!node) return nullptr;
      path_ += (path_.empty() ? "" : ".") + segment.text;
    }
    return node;
  }

  void error(int column, const std::string& message, const std::string& remedy = {}) {
    out_.error(document_.position({file_, line_, column}), message, remedy);
  }

 private:
  Node* step(Node& node, Place& place, const Segment& segment, bool may_add_name) {
    if (node.is_list()) return step_into_list(node, place, segment);
    const Place::Kind kind = place.kind;
    if (node.is_null() && (kind == Place::Kind::record || kind == Place::Kind::names)) {
      node.kind = Node::Kind::map;
    }
    if (!node.is_map()) {
      error(segment.column, path_ + " is " + describe(node) + ", it has no '" + segment.text + "'",
            "set " + path_ + " as a whole");
      return nullptr;
    }
    const Field* field =
        kind == Place::Kind::record ? scene_record(place.record).find(segment.text) : nullptr;
    const Place next =
        kind == Place::Kind::record ? (field ? place_of(*field) : Place{}) : element_of(place);
    if (Node* found = node.find(segment.text)) {
      place = next;
      return found;
    }
    const bool known =
        kind == Place::Kind::names ? may_add_name && !segment.text.empty() : field != nullptr;
    if (!known) {
      report_unknown(node, place, segment);
      return nullptr;
    }
    place = next;
    const Mark here{file_, line_, segment.column};
    Node empty;
    empty.where = here;
    node.entries.push_back({segment.text, here, std::move(empty)});
    return &node.entries.back().value;
  }

  Node* step_into_list(Node& node, Place& place, const Segment& segment) {
    std::size_t index = 0;
    const char* end = segment.text.data() + segment.text.size();
    const auto parsed = std::from_chars(segment.text.data(), end, index);
    if (parsed.ptr != end || parsed.ec != std::errc() || index >= node.items.size()) {
      error(segment.column, path_ + " is " + describe(node) + ", it has no '" + segment.text + "'",
            "elements count from 0");
      return nullptr;
    }
    place = element_of(place);
    return &node.items[index];
  }

  void report_unknown(const Node& node, const Place& place, const Segment& segment) {
    std::vector<std::string> known = keys_of(node);
    if (place.kind == Place::Kind::record) known = scene_record(place.record).keys();
    if (path_ == "joints") {
      for (auto& [name, joint] : joints_in_bodies(document_)) known.push_back(name);
    }
    error(segment.column,
          "'" + segment.text + "' is not known in " + (path_.empty() ? "the scene" : path_),
          suggest(segment.text, known));
  }

  Document& document_;
  Diagnostics& out_;
  int file_, line_;
  std::string path_;
};

int override_file(Document& document, const std::string& source) {
  for (std::size_t i = 0; i < document.files.size(); ++i) {
    if (document.files[i].name == source) return static_cast<int>(i);
  }
  document.files.push_back({source, document.root_folder});
  return static_cast<int>(document.files.size()) - 1;
}

}  // namespace

void apply_override(Document& document, const std::string& text, int line, Diagnostics& out,
                    const LoadLimits& limits) {
  const int file = override_file(document, "--set");
  Override change(document, out, file, line);
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0) {
    change.error(1, "'" + text + "' is not of the form path=value",
                 "write --set bodies.ball.velocity='[1, 0, 0]'");
    return;
  }
  const int column = static_cast<int>(equals) + 2;
  std::optional<Node> value = load_yaml(std::string_view(text).substr(equals + 1), file, document,
                                        out, limits, {file, line, column});
  if (!value) return;
  std::string path = text.substr(0, equals);
  while (!path.empty() && path.back() == ' ') path.pop_back();
  Node* node = change.find(split(path), value->is_map());
  if (node) *node = *std::move(value);
}

void apply_override(Document& document, const std::string& path, const std::string& value,
                    const std::string& source, Diagnostics& out, const LoadLimits& limits) {
  const int file = override_file(document, source);
  std::optional<Node> node = load_yaml(value, file, document, out, limits, {file, 0, 1});
  if (!node) return;
  Override change(document, out, file, 0);
  if (Node* place = change.find(split(path), node->is_map())) *place = *std::move(node);
}

}  // namespace carom
