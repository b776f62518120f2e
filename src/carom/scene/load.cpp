#include "carom/scene/load.h"

#include <algorithm>
#include <filesystem>
#include <unordered_map>

#include "carom/scene/overrides.h"

namespace carom {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMaxIncludeDepth = 16;

fs::path full_path(const fs::path& path) {
  std::error_code code;
  const fs::path result = fs::weakly_canonical(path, code);
  return code ? fs::absolute(path, code).lexically_normal() : result;
}

bool lies_below(const fs::path& path, const fs::path& folder) {
  const auto [rest, unused] = std::mismatch(folder.begin(), folder.end(), path.begin(), path.end());
  return rest == folder.end() || (std::next(rest) == folder.end() && rest->empty());
}

/// Fills in `include` keys, file by file.
class Includer {
 public:
  Includer(Document& document, Diagnostics& out, const LoadLimits& limits)
      : document_(document), out_(out), limits_(limits) {}

  void expand(Node& root, std::vector<std::string>& chain) {
    const NodeEntry* entry = root.find_entry("include");
    if (!entry) return;
    const Node names = entry->value;
    const Mark where = entry->where;
    std::erase_if(root.entries, [](const NodeEntry& e) { return e.key == "include"; });
    std::vector<Node> layers;
    const bool one = names.is_scalar();
    if (!one && !names.is_list()) {
      out_.error(document_.position(where), "include is " + describe(names),
                 "give a file name or a list of them");
      return;
    }
    for (std::size_t i = 0; i < (one ? 1 : names.items.size()); ++i) {
      add_file(one ? names : names.items[i], layers, chain);
      if (full_) return;
    }
    layers.push_back(std::move(root));
    root = merge_layers(std::move(layers));
  }

 private:
  void add_file(const Node& name, std::vector<Node>& layers, std::vector<std::string>& chain) {
    const SourcePos where = document_.position(name.where);
    if (!name.is_scalar() || name.text.empty()) {
      out_.error(where, "include names " + describe(name) + ", it must name a file");
      return;
    }
    const std::optional<std::string> path = resolve_path(document_, name.text, name.where, out_);
    if (!path) return;
    if (std::find(chain.begin(), chain.end(), *path) != chain.end()) {
      out_.error(where, "'" + name.text + "' includes itself", "remove one of the includes");
      return;
    }
    if (chain.size() >= kMaxIncludeDepth) {
      out_.error(where, "includes are nested deeper than " + std::to_string(kMaxIncludeDepth));
      return;
    }
    if (std::optional<Node> node = read(*path, where)) {
      chain.push_back(*path);
      expand(*node, chain);
      chain.pop_back();
      layers.push_back(*std::move(node));
    }
  }

  /// Several includes together are bounded like one file; beyond that nothing more is read.
  bool fits(const SourcePos& where, const TreeSize& more) {
    size_.nodes += more.nodes, size_.bytes += more.bytes;
    const auto refuse = [&](std::size_t limit, const char* what) {
      full_ = true;
      out_.error(where, "the included files have more than " + std::to_string(limit) + " " + what +
                            " together");
      return false;
    };
    if (size_.nodes > limits_.nodes) return refuse(limits_.nodes, "values");
    if (size_.bytes > limits_.bytes) return refuse(limits_.bytes, "bytes");
    return true;
  }

  std::optional<Node> read(const std::string& path, const SourcePos& where) {
    if (++files_ > limits_.files) {
      full_ = true;
      out_.error(where, "more than " + std::to_string(limits_.files) + " files are included");
      return {};
    }
    std::string text;
    if (!read_text_file(path, text, out_, where, limits_) || !fits(where, {0, text.size()})) {
      return {};
    }
    const int file = static_cast<int>(document_.files.size());
    document_.files.push_back({path, fs::path(path).parent_path().string()});
    std::optional<Node> node = load_yaml(text, file, document_, out_, limits_);
    if (!node) return {};
    if (!fits(where, {measure(*node).nodes, 0})) return {};
    if (node->is_map()) return node;
    out_.error(document_.position(node->where), "'" + path + "' is " + describe(*node),
               "an included file is a map, like a scene");
    return {};
  }

  Document& document_;
  Diagnostics& out_;
  const LoadLimits& limits_;
  TreeSize size_;
  std::size_t files_ = 0;
  bool full_ = false;  ///< a bound was met: what was read so far is not used
};

std::optional<Document> load(Document document, const ReadOptions& options, Diagnostics& out,
                             std::vector<std::string> chain) {
  std::optional<Node> root = load_yaml(document.text, 0, document, out, options.limits);
  if (!root) return {};
  if (!root->is_map()) {
    out.error(document.position(root->where),
              root->is_null() ? "the scene is empty" : "the scene is " + describe(*root),
              "a scene is a map that begins with 'carom: 1'");
    return {};
  }
  document.root = *std::move(root);
  Includer(document, out, options.limits).expand(document.root, chain);
  int line = 1;
  for (const std::string& text : options.overrides) {
    apply_override(document, text, line++, out, options.limits);
  }
  for (const NamedOverride& o : options.named_overrides) {
    apply_override(document, o.path, o.value, o.option, out, options.limits);
  }
  return document;
}

}  // namespace

// All layers at once: one by one, thousands of small files over a large one would be walked
// through it thousands of times.
Node merge_layers(std::vector<Node> layers) {
  // What lies below the last layer that is no map is replaced by it.
  const auto no_map = std::find_if(layers.rbegin(), layers.rend(),
                                   [](const Node& layer) { return !layer.is_map(); });
  if (no_map == layers.rbegin()) return std::move(layers.back());
  Node merged;
  merged.kind = Node::Kind::map;
  merged.where = layers.back().where;
  std::unordered_map<std::string, std::size_t> index;
  std::vector<std::vector<Node>> values;  // of each key, lowest first
  for (auto layer = no_map.base(); layer != layers.end(); ++layer) {
    for (NodeEntry& entry : layer->entries) {
      const auto [found, fresh] = index.emplace(entry.key, merged.entries.size());
      if (fresh) {
        merged.entries.push_back({entry.key, entry.where, {}});
        values.emplace_back();
      }
      merged.entries[found->second].where = entry.where;
      values[found->second].push_back(std::move(entry.value));
    }
  }
  for (std::size_t i = 0; i < values.size(); ++i) {
    merged.entries[i].value = merge_layers(std::move(values[i]));
  }
  return merged;
}

std::optional<std::string> resolve_path(const Document& document, const std::string& text,
                                        const Mark& where, Diagnostics& out) {
  const auto file = static_cast<std::size_t>(where.file);
  std::string folder = file < document.files.size() ? document.files[file].folder : "";
  if (folder.empty()) folder = document.root_folder;
  if (folder.empty() && !document.allow_outside) {
    out.error(document.position(where), "'" + text + "' cannot be read: the scene has no folder",
              "save the scene as a file, or state its folder");
    return {};
  }
  const fs::path path = full_path(folder / fs::path(text));
  if (!document.allow_outside && !lies_below(path, document.root_folder)) {
    out.error(document.position(where), "'" + text + "' lies outside the scene's folder",
              "move the file below the folder of the scene, or allow it with --allow-outside");
    return {};
  }
  return path.string();
}

std::optional<Document> load_document_file(const std::string& path, const ReadOptions& options,
                                           Diagnostics& out) {
  Document document;
  const fs::path full = full_path(path);
  const std::string own_folder = full.parent_path().string();
  document.files.push_back({path, own_folder});
  document.root_folder = options.folder.empty() ? own_folder : full_path(options.folder).string();
  document.allow_outside = options.allow_outside;
  document.carried = options.carried;
  if (!read_text_file(path, document.text, out, {path, 0, 0}, options.limits)) return {};
  return load(std::move(document), options, out, {full.string()});
}

std::optional<Document> load_document_text(std::string_view text, const std::string& name,
                                           const ReadOptions& options, Diagnostics& out) {
  Document document;
  if (!options.folder.empty()) document.root_folder = full_path(options.folder).string();
  document.files.push_back({name, document.root_folder});
  document.allow_outside = options.allow_outside;
  document.carried = options.carried;
  document.text = text;
  return load(std::move(document), options, out, {});
}

}  // namespace carom
