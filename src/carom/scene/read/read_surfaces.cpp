// Idealised surfaces, and the list of those that touch.
#include <algorithm>
#include <cmath>
#include <map>

#include "carom/base/text.h"
#include "carom/proximity/smooth/surface.h"
#include "carom/scene/derived_faces.h"
#include "carom/scene/read/read_parts.h"

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

/// Names that stand for all faces of a shape, and those faces.
using FaceGroups = std::map<std::string, std::vector<std::string>>;

void read_faces(MapReader& map, const SurfaceSpec& like, FaceGroups& groups, Scene& scene) {
  Reader& reader = map.reader;
  const Mark& where = map.kind_value().where;
  const std::string wanted = reader.text(map.kind_value(), map.path("faces")).value_or("");
  for (const char* key : {"at", "normal", "axis", "rotation"}) {
    if (!map.has(key)) continue;
    reader.error(map.find(key)->where,
                 map.path(key) + " is that of the shape where faces are derived",
                 std::string("leave ") + key + " out");
  }
  const auto body = std::ranges::find(scene.bodies, like.body, &BodySpec::name);
  std::vector<std::string> known;
  for (const ShapeSpec& shape :
       body == scene.bodies.end() ? std::vector<ShapeSpec>() : body->shapes) {
    if (!shape.name.empty()) known.push_back(shape.name);
    if (shape.name.empty() || shape.name != wanted) continue;
    std::vector<SurfaceSpec> faces = derive_faces(like, shape);
    if (faces.empty() && shape.shape.kind) {
      reader.error(
          where, map.path("faces") + ": no faces are known of a " + shape.shape.kind->name,
          "faces are derived of boxes, cylinders and spheres; write other surfaces one by one");
    }
    for (SurfaceSpec& face : faces) {
      groups[like.name].push_back(face.name);
      scene.surfaces.push_back(std::move(face));
    }
    return;
  }
  reader.error(where,
               map.path("faces") + ": body '" + like.body + "' has no shape '" + wanted + "'",
               known.empty() ? "give the shape a name" : suggest(wanted, known));
}

void read_surface(Reader& reader, const NodeEntry& entry, FaceGroups& groups, Scene& scene) {
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
  if (kind == "faces") return read_faces(map, surface, groups, scene);
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

/// The surfaces that one side of `between` names.
std::vector<std::string> read_side(Reader& reader, const Node& node, const std::string& path,
                                   const FaceGroups& groups) {
  std::vector<std::string> names;
  for (const std::string& name : reader.texts(node, path)) {
    const auto group = groups.find(name);
    if (group == groups.end()) {
      names.push_back(name);
    } else {
      names.insert(names.end(), group->second.begin(), group->second.end());
    }
  }
  return names;
}

std::string body_of(const Scene& scene, const std::string& surface) {
  const auto found = std::ranges::find(scene.surfaces, surface, &SurfaceSpec::name);
  return found == scene.surfaces.end() ? std::string() : found->body;
}

/// One contact for each surface of the first side with each of the second; of lists, surfaces of
/// one body pass each other by.
void connect(Reader& reader, const Node& between, const std::string& path, const FaceGroups& groups,
             SurfaceContactSpec c, Scene& scene) {
  if (!between.is_list() || between.items.size() != 2) {
    reader.wrong(between, path, "two names or lists of names", "write [one, other]");
    return;
  }
  const auto first = read_side(reader, between.items[0], path + ".0", groups);
  const auto second = read_side(reader, between.items[1], path + ".1", groups);
  for (const std::size_t i : {0u, 1u}) {
    if (!(i == 0 ? first : second).empty()) continue;
    reader.wrong(between.items[i], path + "." + std::to_string(i),
                 "the name of a surface, or several", "write between: [one, [two, three]]");
  }
  const bool are_lists = first.size() > 1 || second.size() > 1;
  for (const std::string& a : first) {
    for (const std::string& b : second) {
      const std::string body = body_of(scene, a);
      if (are_lists && !body.empty() && body == body_of(scene, b)) continue;
      const auto is_reverse = [&](const SurfaceContactSpec& o) {
        return o.first == b && o.second == a;
      };
      if (are_lists && std::ranges::any_of(scene.surface_contacts, is_reverse)) continue;
      c.first = a, c.second = b;
      scene.surface_contacts.push_back(c);
    }
  }
}

void read_surface_contact(Reader& reader, const Node& node, const std::string& path,
                          const FaceGroups& groups, Scene& scene) {
  MapReader map(reader, node, "surface_contact", path);
  const Node* between = map.find("between");
  if (!map.is_map() || !between) return;
  SurfaceContactSpec c;
  c.where = reader.at(between->where);
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
  connect(reader, *between, map.path("between"), groups, std::move(c), scene);
}

}  // namespace

void read_surfaces(Reader& reader, Scene& scene) {
  FaceGroups groups;
  for_each_named(reader, reader.document.root.find("surfaces"), "surfaces",
                 [&](const NodeEntry& entry) { read_surface(reader, entry, groups, scene); });
  const Node* list = reader.document.root.find("contacts");
  if (!list || list->is_null()) return;
  if (!list->is_list()) {
    reader.wrong(*list, "contacts", "a list of pairs of surfaces",
                 "write contacts: [{between: [one, other]}]");
    return;
  }
  for (std::size_t i = 0; i < list->items.size(); ++i) {
    read_surface_contact(reader, list->items[i], "contacts." + std::to_string(i), groups, scene);
  }
}

}  // namespace carom
