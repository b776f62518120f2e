// The file as a tree: text, lists and maps with their places in the source.
//
// A Document knows nothing about scenes. It is what the YAML loader
// (yaml_loader.h) makes, `include` and `--set` edit (include.h, overrides.h), and the
// scene reader (read.h) reads.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "carom/base/diagnostic.h"

namespace carom {

/// A place, by the index of its file in Document::files. Line and column count from 1.
struct Mark {
  int file = 0;
  int line = 0;
  int column = 0;
};

struct NodeEntry;

struct Node {
  enum class Kind { null, scalar, list, map };

  Kind kind = Kind::null;
  bool quoted = false;             ///< scalars: written in quotes or as a block of text
  Mark where;                      ///< of a scalar or bracket itself; else of its key
  std::string text;                ///< scalars
  std::vector<Node> items;         ///< lists
  std::vector<NodeEntry> entries;  ///< maps, in the order of the file; keys are unique

  bool is_null() const { return kind == Kind::null; }
  bool is_scalar() const { return kind == Kind::scalar; }
  bool is_list() const { return kind == Kind::list; }
  bool is_map() const { return kind == Kind::map; }

  /// Value under `key` of a map; null if there is none.
  const Node* find(std::string_view key) const;
  Node* find(std::string_view key);
  const NodeEntry* find_entry(std::string_view key) const;
};

struct NodeEntry {
  std::string key;
  Mark where;  ///< of the key
  Node value;
};

/// "a list", "the text 'abc'": what a message calls a node.
std::string describe(const Node& node);

/// How large a tree is: its nodes, and the bytes of its keys and texts.
struct TreeSize {
  std::size_t nodes = 0, bytes = 0;
};
TreeSize measure(const Node& node);

struct SourceFile {
  std::string name;    ///< as shown in messages
  std::string folder;  ///< that relative paths in it start from; "" if it has none
};

/// A file that comes with the scene instead of lying on the disk, by the name that the scene
/// calls it. The bytes are the caller's.
struct CarriedFile {
  std::string name;
  std::string_view bytes;
};

struct Document {
  Node root;
  std::vector<SourceFile> files;
  std::string text;                  ///< of the main file
  std::string root_folder;           ///< files below it may be read; "" if there is none
  bool allow_outside = false;        ///< files elsewhere may be read too
  std::vector<CarriedFile> carried;  ///< looked up before the disk

  SourcePos position(const Mark& mark) const;
};

}  // namespace carom
