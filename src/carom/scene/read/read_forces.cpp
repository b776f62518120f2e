// Force elements, loads, and the attachments by which they grip bodies.
#include "carom/base/text.h"
#include "carom/multibody/force_kind.h"
#include "carom/scene/read/read_parts.h"

namespace carom {
namespace {

/// A law in place of an element's constants: always a formula, so that the engine can
/// tell it from "no law", which is a default SignalSpec.
SignalSpec read_law(Reader& reader, const Node& node, const std::string& path) {
  if (node.is_null()) return {};
  SignalSpec law = read_signal(reader, node, path, FormulaScope::deflection);
  if (law.kind == SignalSpec::Kind::constant) {
    law.kind = SignalSpec::Kind::formula;
    law.formula = number_text(law.value);
    law.value = 0.0;
  } else if (law.kind != SignalSpec::Kind::formula) {
    reader.wrong(node, path, "a formula in the deflection x and its rate v",
                 "name it under signals and use the name in a formula");
  }
  return law;
}

void read_force_signals(MapReader& fields, const ForceKind& kind, ForceSpec& force) {
  if (kind.signal_count == 0) return;
  const char* key = kind.signal_field;
  const Node* node = fields.find(key);
  if (!node) return;
  Reader& reader = fields.reader;
  const auto read = [&](const Node& item, const std::string& path) {
    force.signals.push_back(kind.is_load ? read_signal(reader, item, path)
                                         : read_law(reader, item, path));
  };
  const auto count = static_cast<std::size_t>(kind.signal_count);
  if (count == 1) {
    read(*node, fields.path(key));
    return;
  }
  if (!node->is_list() || node->items.size() != count) {
    reader.wrong(*node, fields.path(key), "a list of " + std::to_string(count));
    return;
  }
  for (std::size_t i = 0; i < count; ++i) {
    read(node->items[i], fields.path(key) + "." + std::to_string(i));
  }
}

void read_force(Reader& reader, const NodeEntry& entry, Scene& scene) {
  MapReader map(reader, entry.value, "force", "forces." + entry.key);
  if (!map.kind()) return;
  const ForceKind& kind = *find_force_kind(map.kind()->name);
  MapReader fields(reader, map.kind_value(), map.kind()->record, map.path(kind.name));
  if (!fields.is_map()) return;
  ForceSpec force;
  force.name = entry.key;
  force.kind = kind.name;
  force.where = reader.at(entry.where);
  force.params = fields.params(kind.fields);
  read_force_signals(fields, kind, force);
  const auto attach = [&](const char* key, AttachmentSpec& attachment) {
    const Node* node = fields.find(key);
    if (node) attachment = read_attachment(reader, scene, *node, fields.path(key));
  };
  if (kind.is_load) {
    attach("body", force.to);
    if (fields.has("at")) force.to.X_BK = force.to.X_BK * Pose::translation(fields.vector3("at"));
    force.in_body_axes = fields.word("frame") == "body";
  } else {
    attach("from", force.from);
    attach("to", force.to);
  }
  scene.forces.push_back(std::move(force));
}

}  // namespace

AttachmentSpec read_body_reference(Reader& reader, const Scene& scene, const Node& node,
                                   const std::string& path) {
  AttachmentSpec attachment;
  const auto text = reader.text(node, path);
  if (!text) return attachment;
  const std::size_t dot = text->find('.');
  const std::string name = text->substr(0, dot);
  const BodySpec* body = reader.find_body(scene, name);
  if (!body && name != kWorldName) {
    std::vector<std::string> known = reader.names.bodies;
    known.push_back(kWorldName);
    reader.error(node.where, path + ": there is no body '" + name + "'", suggest(name, known));
    return attachment;
  }
  attachment.body = name;
  if (dot == std::string::npos) return attachment;
  const std::string wanted = text->substr(dot + 1);
  std::vector<std::string> markers;
  for (const MarkerSpec& marker : body ? body->markers : std::vector<MarkerSpec>()) {
    if (marker.name == wanted) {
      attachment.X_BK = marker.X_BK;
      return attachment;
    }
    markers.push_back(marker.name);
  }
  reader.error(node.where, path + ": body '" + name + "' has no marker '" + wanted + "'",
               markers.empty() ? "add it under markers" : suggest(wanted, markers));
  return attachment;
}

AttachmentSpec read_attachment(Reader& reader, const Scene& scene, const Node& node,
                               const std::string& path) {
  if (node.is_scalar()) return read_body_reference(reader, scene, node, path);
  AttachmentSpec attachment;
  if (!node.is_map()) {
    reader.wrong(node, path, kind_text(FieldKind::attachment));
    return attachment;
  }
  MapReader map(reader, node, "attachment", path);
  if (const Node* body = map.find("body")) {
    attachment = read_body_reference(reader, scene, *body, map.path("body"));
  }
  if (map.has("at") || map.has("rotation")) {
    attachment.X_BK = attachment.X_BK * Pose{map.rotation("rotation"), map.vector3("at")};
  }
  return attachment;
}

void read_forces(Reader& reader, Scene& scene) {
  for_each_named(reader, reader.document.root.find("forces"), "forces",
                 [&](const NodeEntry& entry) { read_force(reader, entry, scene); });
}

}  // namespace carom
