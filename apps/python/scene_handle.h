// A scene as Python holds it: the tree of what was written, changed by assignments and
// read and compiled when it is needed.
//
// Findings about what no file holds (values that were assigned, a scene given as a dict)
// are placed by their path, "bodies.ball.mass", in place of file, line and column.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "carom/engine/model.h"
#include "carom/scene/load.h"
#include "carom/scene/read/document.h"

namespace carom::python {

/// A place in the scene and its new value as text, see yaml_value.h.
struct Assignment {
  std::string path, value;
};

class SceneHandle {
 public:
  /// The file, with "path=value" texts applied. Throws InputError with all findings.
  static SceneHandle from_file(const std::string& path, const ReadOptions& options);
  static SceneHandle from_text(const std::string& text, const std::string& name,
                               const ReadOptions& options);
  /// The same for a text that a program wrote: findings are placed by path.
  static SceneHandle from_program(const std::string& text, const ReadOptions& options);

  /// Changes a value. Throws InputError, and changes nothing, if there is no such place;
  /// whether the value makes sense is said when the scene is used.
  void set(const Assignment& assignment);

  /// Null if nothing is written there; "joints.pivot" also finds a joint in a body.
  const Node* find(const std::string& path) const;
  /// What was written, with what was assigned.
  const Document& document() const { return document_; }

  /// Reads again if need be; throws InputError.
  const Scene& scene();
  std::shared_ptr<const Model> model();
  /// The scene with some values changed for one purpose only.
  SceneHandle with(const std::vector<Assignment>& changes);
  /// Warnings and notes of reading and compiling.
  const std::vector<Diagnostic>& remarks() const { return remarks_; }

  /// Throws the findings of this scene's use, each at its place.
  [[noreturn]] void refuse(const Diagnostics& findings) const;

 private:
  SceneHandle() = default;
  void adopt(std::optional<Document> document, const ReadOptions& options, Diagnostics findings);
  void read(Diagnostics findings);
  void note_remarks(const Diagnostics& findings);
  Diagnostic placed(Diagnostic finding) const;

  Document document_;
  std::vector<std::string> assigned_;  ///< paths, in the order of assignment
  bool written_by_program_ = false;
  std::optional<Scene> scene_;
  std::shared_ptr<const Model> model_;
  std::vector<Diagnostic> remarks_;
};

}  // namespace carom::python
