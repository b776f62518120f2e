#include "carom/scene/read/yaml_loader.h"

#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/parser.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <sstream>

#include "carom/base/text.h"

namespace carom {
namespace {

/// Ends the parse from inside an event; the message is for the user.
struct Stop {
  Mark where;
  std::string message, remedy;
};

/// Builds the tree while yaml-cpp walks the text.
class TreeBuilder : public YAML::EventHandler {
 public:
  TreeBuilder(int file, Mark first, const Document& document, Diagnostics& out,
              const LoadLimits& limits)
      : file_(file), first_(first), document_(document), out_(out), limits_(limits) {}

  bool has_root() const { return has_root_; }
  Node take_root() { return std::move(root_); }
  Mark to_mark(const YAML::Mark& mark) const {
    if (mark.line < 0) return {file_, first_.line, first_.column};
    const int column = mark.column + (mark.line == 0 ? first_.column : 1);
    return {file_, mark.line + first_.line, column};
  }

  void OnDocumentStart(const YAML::Mark& mark) override {
    if (has_root_) {
      throw Stop{to_mark(mark), "the file holds more than one YAML document",
                 "remove the line '---' and what follows, or put it into a file of its own"};
    }
  }
  void OnDocumentEnd() override {}

  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    Node node;
    // yaml-cpp gives an empty value the place of the token after it.
    node.where = awaiting_value() ? stack_.back().key_where : to_mark(mark);
    place(std::move(node), anchor);
  }

  void OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    const auto found = anchors_.find(anchor);
    if (found == anchors_.end()) {
      throw Stop{to_mark(mark), "an alias stands inside the value that it names",
                 "write the value out"};
    }
    const TreeSize size = measure(found->second);
    count({size.nodes - 1, size.bytes}, to_mark(mark));
    Node node = found->second;
    node.where = to_mark(mark);
    place(std::move(node), 0);
  }

  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                const std::string& value) override {
    Node node;
    node.where = to_mark(mark);
    node.quoted = tag == "!";
    refuse_tag(tag, node.where);
    // The file is UTF-8, but an escape such as "\ud800" stands for half a character.
    if (!is_utf8(value)) {
      throw Stop{node.where, "the text holds an escape that is no character of Unicode",
                 "write the character itself, or its code as \\UXXXXXXXX"};
    }
    const bool null = !node.quoted && (value == "~" || value == "null");
    if (!null || awaiting_key()) {
      node.kind = Node::Kind::scalar;
      node.text = value;
    }
    place(std::move(node), anchor);
  }

  void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value style) override {
    open(Node::Kind::list, mark, tag, anchor, style);
  }
  void OnSequenceEnd() override { close(); }
  void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value style) override {
    open(Node::Kind::map, mark, tag, anchor, style);
  }
  void OnMapEnd() override { close(); }

 private:
  /// A list or map whose end has not come yet.
  struct Open {
    Node node;
    YAML::anchor_t anchor = 0;
    bool has_key = false;
    bool duplicate = false;  ///< the value under the key is dropped
    std::string key;
    Mark key_where;
    std::set<std::string> keys;
  };

  bool awaiting_key() const {
    return !stack_.empty() && stack_.back().node.is_map() && !stack_.back().has_key;
  }
  bool awaiting_value() const {
    return !stack_.empty() && stack_.back().node.is_map() && stack_.back().has_key;
  }

  void refuse_tag(const std::string& tag, Mark where) {
    if (tag.empty() || tag == "!" || tag == "?") return;
    throw Stop{where, "the YAML tag '" + tag + "' has no meaning in a scene", "remove the tag"};
  }

  void count(const TreeSize& more, Mark where) {
    size_.nodes += more.nodes, size_.bytes += more.bytes;
    if (size_.nodes > limits_.nodes) {
      throw Stop{where, "the scene has more than " + std::to_string(limits_.nodes) + " values", {}};
    }
    if (size_.bytes > limits_.bytes) {
      throw Stop{where,
                 "with its aliases the scene has more than " + std::to_string(limits_.bytes) +
                     " bytes of text",
                 {}};
    }
  }

  void open(Node::Kind kind, const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
            YAML::EmitterStyle::value style) {
    const Mark own = to_mark(mark);
    refuse_tag(tag, own);
    if (awaiting_key()) throw Stop{own, "a key must be a word, not a list or map", {}};
    if (static_cast<int>(stack_.size()) >= limits_.depth) {
      throw Stop{own, "lists and maps are nested deeper than " + std::to_string(limits_.depth), {}};
    }
    Open opened;
    opened.node.kind = kind;
    // A block has no bracket of its own; its key says better where it is.
    const bool flow = style == YAML::EmitterStyle::Flow;
    opened.node.where = !flow && awaiting_value() ? stack_.back().key_where : own;
    opened.anchor = anchor;
    stack_.push_back(std::move(opened));
  }

  void close() {
    Open closed = std::move(stack_.back());
    stack_.pop_back();
    place(std::move(closed.node), closed.anchor);
  }

  void take_key(Node node) {
    Open& top = stack_.back();
    if (!node.is_scalar()) throw Stop{node.where, "a key is missing before ':'", {}};
    top.key = std::move(node.text);
    top.key_where = node.where;
    top.has_key = true;
    top.duplicate = !top.keys.insert(top.key).second;
    if (top.duplicate) {
      out_.error(document_.position(top.key_where),
                 "the key '" + top.key + "' stands twice in the same map",
                 "remove one of the two, or give it another name");
    }
  }

  void place(Node node, YAML::anchor_t anchor) {
    count({1, node.text.size()}, node.where);
    if (anchor != 0) {
      count(measure(node), node.where);  // the copy kept for aliases
      anchors_[anchor] = node;
    }
    if (stack_.empty()) {
      root_ = std::move(node);
      has_root_ = true;
    } else if (awaiting_key()) {
      take_key(std::move(node));
    } else if (stack_.back().node.is_map()) {
      Open& top = stack_.back();
      if (!top.duplicate) top.node.entries.push_back({top.key, top.key_where, std::move(node)});
      top.has_key = false;
    } else {
      stack_.back().node.items.push_back(std::move(node));
    }
  }

  int file_;
  Mark first_;
  const Document& document_;
  Diagnostics& out_;
  const LoadLimits& limits_;
  std::vector<Open> stack_;
  std::map<YAML::anchor_t, Node> anchors_;
  TreeSize size_;
  Node root_;
  bool has_root_ = false;
};

/// Scenes are UTF-8 text without control characters; anything else is some other file.
bool check_text(std::string_view text, int file, const Document& document, Diagnostics& out) {
  Mark at{file, 1, 1};
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t length = utf8_length(text, i);
    const auto c = static_cast<unsigned char>(text[i]);
    const bool control = (c < 0x20 && c != '\n' && c != '\r' && c != '\t') || c == 0x7F;
    if (length == 0 || control) {
      out.error(document.position(at),
                length == 0 ? "the text is not UTF-8" : "the text holds a control character",
                "is this a scene file? save it as UTF-8 text");
      return false;
    }
    i += length;
    ++at.column;
    if (c == '\n') at = {file, at.line + 1, 1};
  }
  return true;
}

}  // namespace

std::optional<Node> load_yaml(std::string_view text, int file, const Document& document,
                              Diagnostics& out, const LoadLimits& limits, Mark first) {
  if (text.size() > limits.bytes) {
    out.error(document.position({file, 1, 1}), "the text has " + std::to_string(text.size()) +
                                                   " bytes; at most " +
                                                   std::to_string(limits.bytes) + " are read");
    return {};
  }
  // yaml-cpp reads an outermost [] or {} to its end before it tells of its elements, with
  // some 100 bytes for each; so they are counted before.
  const auto marks = std::count_if(text.begin(), text.end(),
                                   [](char c) { return c == ',' || c == '[' || c == '{'; });
  if (static_cast<std::size_t>(marks) > limits.nodes) {
    out.error(document.position({file, 1, 1}),
              "the text has more than " + std::to_string(limits.nodes) + " brackets and commas");
    return {};
  }
  if (!check_text(text, file, document, out)) return {};
  bool usable = true;  // repeated keys are errors, but the rest can still be read
  TreeBuilder builder(file, first, document, out, limits);
  try {
    std::istringstream stream{std::string(text)};
    YAML::Parser parser(stream);
    while (parser.HandleNextDocument(builder)) {
    }
  } catch (const Stop& stop) {
    usable = false;
    out.error(document.position(stop.where), stop.message, stop.remedy);
  } catch (const YAML::Exception& error) {
    usable = false;
    out.error(document.position(builder.to_mark(error.mark)), "not valid YAML: " + error.msg,
              "check brackets, quotes, colons and indentation near this place");
  } catch (const std::exception& error) {
    usable = false;
    out.error(document.position({file, 1, 1}), std::string("cannot read: ") + error.what());
  }
  if (!usable) return {};
  if (!builder.has_root()) {
    Node empty;
    empty.where = {file, first.line, first.column};
    return empty;
  }
  return builder.take_root();
}

bool read_text_file(const std::string& path, std::string& text, Diagnostics& out,
                    const SourcePos& where, const LoadLimits& limits) {
  std::error_code code;
  if (!std::filesystem::is_regular_file(path, code)) {
    const bool folder = std::filesystem::is_directory(path, code);
    out.error(where, "'" + path + "' " + (folder ? "is a folder" : "does not exist or is no file"));
    return false;
  }
  const std::uintmax_t size = std::filesystem::file_size(path, code);
  if (code || size > limits.bytes) {
    out.error(where, "'" + path + "' has " + std::to_string(size) + " bytes; at most " +
                         std::to_string(limits.bytes) + " are read");
    return false;
  }
  std::ifstream stream(path, std::ios::binary);
  std::ostringstream content;
  content << stream.rdbuf();
  if (!stream) {
    out.error(where, "'" + path + "' cannot be read", "check the permissions of the file");
    return false;
  }
  text = content.str();
  return true;
}

}  // namespace carom
