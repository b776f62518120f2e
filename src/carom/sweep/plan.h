// A study made ready: the scene as it was when the study began, its points, columns and keys.
//
// Everything that a run reads is in memory from here on (the scene with its includes, the bytes of
// its meshes), so that a file edited half-way cannot give a row that its key does not stand for.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "carom/scene/read/document.h"
#include "carom/sweep/design.h"
#include "carom/sweep/record_plan.h"
#include "carom/sweep/row.h"

namespace carom::sweep {

struct SharedModel;

/// A file that the runs depend on, and the digest of what it held at the start.
struct SourceDigest {
  std::string path, digest;
};

class Plan {
 public:
  /// Null (with findings) if the study cannot be carried out.
  static std::shared_ptr<const Plan> make(const Study& study, Diagnostics& diagnostics);
  /// The same for a scene in memory instead of a file.
  static std::shared_ptr<const Plan> make(const Study& study, Document document,
                                          Diagnostics& diagnostics);

  const Study& study() const { return study_; }
  const Document& document() const { return document_; }
  const Design& design() const { return *design_; }
  const RecordPlan& records() const { return records_; }
  /// Null where every point needs a Model of its own.
  const SharedModel* shared_model() const { return shared_model_.get(); }

  /// YAML of the factors at a point.
  std::vector<std::string> overrides(std::span<const double> point) const;
  Key key(std::uint64_t index) const;
  /// Digest of all that the keys of this study share.
  const std::string& digest() const { return digest_; }

  /// Sources that are not what they were when the study began.
  std::vector<std::string> changed_sources() const;

 private:
  Plan(const Study& study, Document document) : study_(study), document_(std::move(document)) {}
  bool prepare(Diagnostics& diagnostics);
  bool apply_settings(Diagnostics& diagnostics);
  void watch_contacts();
  void freeze_meshes(const Node& node, Diagnostics& diagnostics);
  void freeze_file(const std::string& name, const Mark& where, Diagnostics& diagnostics);
  bool check_factors(Diagnostics& diagnostics) const;
  std::shared_ptr<const Model> first_model(Diagnostics& diagnostics) const;
  void calc_digest();

  Study study_;
  Document document_;
  std::unique_ptr<Design> design_;
  RecordPlan records_;
  std::shared_ptr<const SharedModel> shared_model_;
  std::vector<std::unique_ptr<std::string>> mesh_bytes_;
  std::vector<SourceDigest> sources_;
  std::vector<std::pair<std::string, std::string>> frozen_;  ///< name in the scene, digest
  std::string digest_;
};

/// Sets the factors of a document; findings are placed where the study names them.
bool apply_point(Document& document, const Study& study, std::span<const std::string> values,
                 Diagnostics& diagnostics);

/// Version of Carom and of the mathematics library: a run is a pure function of these too.
std::string build_name();

}  // namespace carom::sweep
