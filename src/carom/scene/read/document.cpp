#include "carom/scene/read/document.h"

#include <algorithm>

namespace carom {

const NodeEntry* Node::find_entry(std::string_view key) const {
  const auto found = std::find_if(entries.begin(), entries.end(),
                                  [&](const NodeEntry& entry) { return entry.key == key; });
  return found == entries.end() ? nullptr : &*found;
}

const Node* Node::find(std::string_view key) const {
  const NodeEntry* entry = find_entry(key);
  return entry ? &entry->value : nullptr;
}

Node* Node::find(std::string_view key) {
  return const_cast<Node*>(static_cast<const Node*>(this)->find(key));
}

std::string describe(const Node& node) {
  switch (node.kind) {
    case Node::Kind::null: return "empty";
    case Node::Kind::list:
      return node.items.empty() ? "an empty list"
                                : "a list of " + std::to_string(node.items.size());
    case Node::Kind::map: return "a map";
    case Node::Kind::scalar: break;
  }
  constexpr std::size_t kShown = 60;  // enough to recognise the place
  std::string shown = node.text.substr(0, kShown);
  std::replace(shown.begin(), shown.end(), '\n', ' ');
  return "'" + shown + (node.text.size() > kShown ? "…'" : "'");
}

TreeSize measure(const Node& node) {
  TreeSize size{1, node.text.size()};
  const auto add = [&](const Node& part) {
    const TreeSize more = measure(part);
    size.nodes += more.nodes, size.bytes += more.bytes;
  };
  for (const Node& item : node.items) add(item);
  for (const NodeEntry& entry : node.entries) {
    add(entry.value);
    size.bytes += entry.key.size();
  }
  return size;
}

SourcePos Document::position(const Mark& mark) const {
  const auto index = static_cast<std::size_t>(mark.file);
  return {index < files.size() ? files[index].name : std::string(), mark.line, mark.column};
}

}  // namespace carom
