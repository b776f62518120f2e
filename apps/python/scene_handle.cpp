#include "scene_handle.h"

#include <algorithm>
#include <charconv>

#include "carom/scene/expand/expand.h"
#include "carom/scene/overrides.h"
#include "carom/scene/read/read.h"

namespace carom::python {
namespace {

constexpr const char* kAssigned = "--set";  ///< the file name that apply_override gives

std::string joined(const std::string& path, const std::string& key) {
  return path.empty() ? key : path + "." + key;
}

bool lies_at(const Mark& mark, const SourcePos& where) {
  return mark.file == 0 && mark.line == where.line && mark.column == where.column;
}

/// Path of the outermost node at a place of the main text; empty if there is none.
std::string path_at(const Node& node, const SourcePos& where, const std::string& path) {
  if (!path.empty() && lies_at(node.where, where)) return path;
  for (const NodeEntry& entry : node.entries) {
    const std::string inner = joined(path, entry.key);
    if (lies_at(entry.where, where)) return inner;
    if (std::string found = path_at(entry.value, where, inner); !found.empty()) return found;
  }
  for (std::size_t i = 0; i < node.items.size(); ++i) {
    const std::string inner = joined(path, std::to_string(i));
    if (std::string found = path_at(node.items[i], where, inner); !found.empty()) return found;
  }
  return {};
}

std::vector<std::string> split(const std::string& path) {
  std::vector<std::string> keys;
  for (std::size_t begin = 0; begin <= path.size();) {
    const std::size_t end = std::min(path.find('.', begin), path.size());
    keys.push_back(path.substr(begin, end - begin));
    begin = end + 1;
  }
  return keys;
}

const Node* child(const Node& node, const std::string& key) {
  if (!node.is_list()) return node.find(key);
  std::size_t index = 0;
  const char* end = key.data() + key.size();
  const auto parsed = std::from_chars(key.data(), end, index);
  const bool valid = parsed.ptr == end && parsed.ec == std::errc() && index < node.items.size();
  return valid ? &node.items[index] : nullptr;
}

const Node* joint_in_bodies(const Node& root, const std::string& name) {
  const Node* bodies = root.find("bodies");
  if (!bodies) return nullptr;
  for (const NodeEntry& body : bodies->entries) {
    const Node* joint = body.value.find("joint");
    const Node* own = joint ? joint->find("name") : nullptr;
    if (joint && (own ? own->text : body.key + "_joint") == name) return joint;
  }
  return nullptr;
}

}  // namespace

SceneHandle SceneHandle::from_file(const std::string& path, const ReadOptions& options) {
  SceneHandle handle;
  Diagnostics findings;
  std::optional<Document> document = load_document_file(path, options, findings);
  handle.adopt(std::move(document), options, std::move(findings));
  return handle;
}

SceneHandle SceneHandle::from_text(const std::string& text, const std::string& name,
                                   const ReadOptions& options) {
  SceneHandle handle;
  Diagnostics findings;
  std::optional<Document> document = load_document_text(text, name, options, findings);
  handle.adopt(std::move(document), options, std::move(findings));
  return handle;
}

SceneHandle SceneHandle::from_program(const std::string& text, const ReadOptions& options) {
  SceneHandle handle;
  handle.written_by_program_ = true;
  Diagnostics findings;
  std::optional<Document> document = load_document_text(text, "scene", options, findings);
  handle.adopt(std::move(document), options, std::move(findings));
  return handle;
}

void SceneHandle::adopt(std::optional<Document> document, const ReadOptions& options,
                        Diagnostics findings) {
  for (const std::string& text : options.overrides) {
    assigned_.push_back(text.substr(0, text.find('=')));
  }
  if (!document) refuse(findings);
  document_ = *std::move(document);
  read(std::move(findings));
}

void SceneHandle::read(Diagnostics findings) {
  std::optional<Scene> scene = read_scene(document_, findings);
  if (!scene || findings.has_errors()) refuse(findings);
  // What is recorded with results must be what ran, not the text it came from.
  if (!assigned_.empty()) scene->source = expand(*scene);
  remarks_.clear();
  note_remarks(findings);
  scene_ = std::move(scene);
}

void SceneHandle::set(const Assignment& assignment) {
  SceneHandle changed = *this;
  changed.scene_.reset();
  changed.model_.reset();
  changed.assigned_.push_back(assignment.path);
  Diagnostics findings;
  apply_override(changed.document_, assignment.path + "=" + assignment.value,
                 static_cast<int>(changed.assigned_.size()), findings);
  if (findings.has_errors()) changed.refuse(findings);
  *this = std::move(changed);
}

const Node* SceneHandle::find(const std::string& path) const {
  const std::vector<std::string> keys = split(path);
  const Node* node = child(document_.root, keys[0]);
  std::size_t next = 1;
  if (keys[0] == "joints" && keys.size() > 1) {
    node = node ? child(*node, keys[1]) : nullptr;
    if (!node) node = joint_in_bodies(document_.root, keys[1]);
    next = 2;
  }
  for (; node && next < keys.size(); ++next) node = child(*node, keys[next]);
  return node;
}

const Scene& SceneHandle::scene() {
  if (!scene_) read({});
  return *scene_;
}

std::shared_ptr<const Model> SceneHandle::model() {
  if (model_) return model_;
  const Scene& current = scene();
  Diagnostics findings;
  std::shared_ptr<const Model> model = compile(current, findings);
  if (!model) refuse(findings);
  note_remarks(findings);
  return model_ = std::move(model);
}

SceneHandle SceneHandle::with(const std::vector<Assignment>& changes) {
  if (changes.empty()) model();  // kept here for the next time
  SceneHandle changed = *this;
  for (const Assignment& change : changes) changed.set(change);
  return changed;
}

void SceneHandle::note_remarks(const Diagnostics& findings) {
  for (const Diagnostic& d : findings.all()) {
    if (d.severity != Severity::error) remarks_.push_back(placed(d));
  }
}

void SceneHandle::refuse(const Diagnostics& findings) const {
  Diagnostics renamed;
  for (const Diagnostic& d : findings.all()) renamed.add(placed(d));
  throw InputError(std::move(renamed));
}

Diagnostic SceneHandle::placed(Diagnostic finding) const {
  SourcePos& where = finding.where;
  if (where.file == kAssigned && where.line > 0) {
    const auto index = static_cast<std::size_t>(where.line) - 1;
    if (index < assigned_.size()) where = {assigned_[index], 0, 0};
  } else if (written_by_program_ && where.file == "scene") {
    const std::string path = path_at(document_.root, where, "");
    where = {path.empty() ? "scene" : path, 0, 0};
  }
  return finding;
}

}  // namespace carom::python
