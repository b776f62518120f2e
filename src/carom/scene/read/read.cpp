#include "carom/scene/read/read.h"

#include "carom/scene/read/read_parts.h"
#include "carom/scene/validate/validate.h"

namespace carom {
namespace {

/// The format version comes first: with a wrong one, nothing else can be trusted.
bool check_version(Reader& reader, MapReader& root) {
  if (!root.has("carom")) return true;  // reported as missing
  return reader.integer(*root.find("carom"), root.field("carom"), "carom").has_value();
}

/// Values that formulas of a run may use. Wrong names are reported here, where their
/// places are known.
void read_values(Reader& reader, Scene& scene) {
  const auto& all = reader.values.all();
  for (std::size_t i = 0; i < all.size(); ++i) {
    const auto& [name, value] = all[i];
    const std::string problem = name_problem(name);
    if (problem.empty()) {
      scene.values.emplace_back(name, value);
    } else {
      const NodeEntry& entry = reader.document.root.find("values")->entries[i];
      reader.error(entry.where, "'" + name + "' cannot be the name of a value: " + problem,
                   "names are letters, digits and '_', and begin with a letter");
    }
  }
}

}  // namespace

std::optional<Scene> read_scene(const Document& document, Diagnostics& out) {
  const int errors_before = out.error_count();
  Reader reader(document, out);
  MapReader root(reader, document.root, "scene", "");
  if (!root.is_map() || !check_version(reader, root)) return {};
  Scene scene;
  scene.source = document.text;
  read_values(reader, scene);
  if (const Node* name = root.find("name")) scene.name = reader.text(*name, "name").value_or("");
  if (const Node* text = root.find("description")) {
    scene.description = reader.text(*text, "description").value_or("");
  }
  read_gravity(reader, scene);
  read_materials(reader, scene);
  read_bodies(reader, scene);
  read_joints(reader, scene);
  read_couplings(reader, scene);
  read_forces(reader, scene);
  read_contact(reader, scene);
  read_surfaces(reader, scene);
  read_signals(reader, scene);
  read_states(reader, scene);
  read_events(reader, scene);
  read_controls(reader, scene);
  read_initial(reader, scene);
  read_run(reader, scene);
  for (const SourceFile& file : document.files) scene.files.push_back(file.name);
  scene.files.insert(scene.files.end(), reader.files.begin(), reader.files.end());
  if (out.error_count() < kMaxFindings) validate_parts(scene, out);
  if (out.error_count() > errors_before) return {};
  return scene;
}

std::optional<Scene> read_scene_file(const std::string& path, const ReadOptions& options,
                                     Diagnostics& out) {
  const int errors_before = out.error_count();
  const std::optional<Document> document = load_document_file(path, options, out);
  if (!document) return {};
  std::optional<Scene> scene = read_scene(*document, out);
  if (out.error_count() > errors_before) return {};
  return scene;
}

std::optional<Scene> read_scene_text(std::string_view text, const std::string& name,
                                     const ReadOptions& options, Diagnostics& out) {
  const int errors_before = out.error_count();
  const std::optional<Document> document = load_document_text(text, name, options, out);
  if (!document) return {};
  std::optional<Scene> scene = read_scene(*document, out);
  if (out.error_count() > errors_before) return {};
  return scene;
}

Scene read_scene_file(const std::string& path, const ReadOptions& options) {
  Diagnostics findings;
  std::optional<Scene> scene = read_scene_file(path, options, findings);
  if (!scene) throw InputError(std::move(findings));
  return *std::move(scene);
}

Scene read_scene_text(std::string_view text, const std::string& name, const ReadOptions& options) {
  Diagnostics findings;
  std::optional<Scene> scene = read_scene_text(text, name, options, findings);
  if (!scene) throw InputError(std::move(findings));
  return *std::move(scene);
}

}  // namespace carom
