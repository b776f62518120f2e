// Idealised surfaces, and the list of those that touch.
#include <cmath>
#include <tuple>

#include "carom/base/text.h"
#include "carom/proximity/surface.h"
#include "carom/scene/read_parts.h"

namespace carom {
namespace {

/// Axes of a surface from what it faces and how it lies; either may be left out.
Mat3 read_axes(MapReader& map) {
  const Node *normal = map.find("normal"), *axis = map.find("axis");
  if (!normal && !axis) return map.rotation("rotation");
  if (map.has("rotation")) {
    map.reader.error((normal ? normal : axis)->where,
                     map.path() + " has a rotation beside its normal or axis",
                     "keep the one or the other");
  }
  const auto read = [&](const Node* node, const char* key) {
    return node ? map.reader.axis(*node, map.field(key), map.path(key)) : std::nullopt;
  };
  const std::optional<Vec3> z = read(normal, "normal"), x = read(axis, "axis");
  if ((normal && !z) || (axis && !x)) return {};
  if (!x) return frame_with_z(*z);
  if (!z) {
    const Mat3 frame = frame_with_z(*x);  // in cyclic order its first column is the direction
    return Mat3::from_columns(frame.col(2), frame.col(0), frame.col(1));
  }
  const Vec3 along = *x - dot(*x, *z) * *z;
  if (!(norm(along) > 1e-6)) {
    map.reader.error(axis->where, map.path("axis") + " points along the normal",
                     "a surface's axis lies in it");
    return frame_with_z(*z);
  }
  const Vec3 e = normalized(along);
  return Mat3::from_columns(e, cross(*z, e), *z);
}

void read_surface(Reader& reader, const NodeEntry& entry, Scene& scene) {
  MapReader map(reader, entry.value, "surface", "surfaces." + entry.key);
  if (!map.is_map()) return;
  SurfaceSpec surface;
  surface.name = entry.key;
  surface.where = reader.at(entry.where);
  surface.body = kWorldName;
  if (const Node* body = map.find("body")) {
    const AttachmentSpec place = read_body_reference(reader, scene, *body, map.path("body"));
    surface.body = place.body;
    surface.X_BS = place.X_BK;
  }
  surface.X_BS = surface.X_BS * Pose{read_axes(map), map.vector3("at")};
  surface.material = read_material_name(map);
  if (!map.kind()) return;
  const std::string kind = map.kind()->name;
  if (kind == "shape") {
    surface.shape = reader.text(map.kind_value(), map.path("shape")).value_or("");
  } else {
    surface.kind = kind;
    MapReader fields(reader, map.kind_value(), map.kind()->record, map.path(kind));
    const int errors = reader.out.error_count();
    surface.params = fields.params(find_surface_kind(kind)->fields);
    if (!fields.is_map() || reader.out.error_count() > errors) return;
  }
  scene.surfaces.push_back(std::move(surface));
}

void read_surface_contact(Reader& reader, const Node& node, const std::string& path, Scene& scene) {
  MapReader map(reader, node, "surface_contact", path);
  const Node* between = map.find("between");
  if (!map.is_map() || !between) return;
  SurfaceContactSpec c;
  c.where = reader.at(between->where);
  const auto names = read_name_pair(reader, *between, map.path("between"));
  c.choice = read_choice(map);
  if (c.choice.normal && c.choice.normal->kind == kAutoLaw) {
    c.auto_law = true;
    c.choice.normal.reset();
  }
  if (const Node* law = map.find("law"); law && law->is_map()) {
    MapReader fields(reader, *law, "surface_contact_law", map.path("law"));
    c.layer = fields.optional_number("t").value_or(std::nan(""));
  }
  c.lets_go = map.word("beyond") == "release";
  c.speed = map.number("speed");
  if (map.boolean("filter")) c.low_pass = map.number("frequency");
  if (!names) return;
  std::tie(c.first, c.second) = *names;
  scene.surface_contacts.push_back(std::move(c));
}

}  // namespace

void read_surfaces(Reader& reader, Scene& scene) {
  for_each_named(reader, reader.document.root.find("surfaces"), "surfaces",
                 [&](const NodeEntry& entry) { read_surface(reader, entry, scene); });
  const Node* list = reader.document.root.find("contacts");
  if (!list || list->is_null()) return;
  if (!list->is_list()) {
    reader.wrong(*list, "contacts", "a list of pairs of surfaces",
                 "write contacts: [{between: [one, other]}]");
    return;
  }
  for (std::size_t i = 0; i < list->items.size(); ++i) {
    read_surface_contact(reader, list->items[i], "contacts." + std::to_string(i), scene);
  }
}

}  // namespace carom
