// Bodies, their markers and the scene's own materials.
#include <algorithm>

#include "carom/base/text.h"
#include "carom/contact/materials.h"
#include "carom/scene/read/read_parts.h"
#include "carom/scene/validate/rules.h"

namespace carom {
namespace {

void read_inertia(MapReader& map, BodySpec& body) {
  const Node* node = map.find("inertia");
  if (!node) return;
  const std::string path = map.path("inertia");
  const std::size_t count = node->is_list() ? node->items.size() : 0;
  if (count != 3 && count != 6) {
    map.reader.wrong(*node, path, "[Ixx, Iyy, Izz] or [Ixx, Iyy, Izz, Ixy, Ixz, Iyz]");
    return;
  }
  const auto list = map.reader.numbers(*node, map.field("inertia"), count, path);
  if (!list) return;
  const std::vector<double>& I = *list;
  body.inertia = Sym3::diagonal({I[0], I[1], I[2]});
  if (count == 6) body.inertia = Sym3{I[0], I[1], I[2], I[3], I[4], I[5]};
}

void read_mass(MapReader& map, BodySpec& body) {
  body.mass = map.optional_number("mass");
  body.com = map.optional_vector3("com");
  read_inertia(map, body);
  const char* part = map.has("mass") ? nullptr : massless_part(body);
  if (part) {
    map.reader.error(map.find(part)->where, map.path() + " has " + part + " but no mass",
                     "add 'mass: …' [kg]");
  }
}

void read_markers(MapReader& map, BodySpec& body) {
  for_each_named(map.reader, map.find("markers"), map.path("markers"), [&](const NodeEntry& entry) {
    MarkerSpec marker;
    marker.name = entry.key;
    marker.where = map.reader.at(entry.where);
    const std::string path = map.path("markers") + "." + entry.key;
    if (entry.value.is_list()) {
      const Field place;
      const auto p = map.reader.vector3(entry.value, place, path);
      marker.X_BK.p = p.value_or(Vec3{});
    } else {
      MapReader fields(map.reader, entry.value, "marker", path);
      marker.X_BK = {fields.rotation("rotation"), fields.vector3("at")};
    }
    body.markers.push_back(std::move(marker));
  });
}

void read_pose_and_velocity(MapReader& map, BodySpec& body) {
  body.position = map.optional_vector3("position");
  body.velocity = map.optional_vector3("velocity");
  body.angular_velocity = map.optional_vector3("angular_velocity");
  const Node* q = map.find("orientation");
  const Node* angles = map.find("rotation");
  if (q)
    body.orientation = map.reader.quaternion(*q, map.field("orientation"), map.path("orientation"));
  if (!angles) return;
  if (q) {
    map.reader.error(angles->where, map.path() + " has both orientation and rotation",
                     "keep one of them");
    return;
  }
  const auto R = map.reader.rotation(*angles, map.field("rotation"), map.path("rotation"));
  if (R) body.orientation = to_quat(*R);
}

void check_fixed(MapReader& map, const BodySpec& body) {
  const char* key = fixed_velocity(body);
  if (!key) return;
  map.reader.error(map.find(key)->where, map.path() + " is fixed and has " + key,
                   "remove 'fixed' or '" + std::string(key) + "'");
}

SurfaceRecord read_surface_record(MapReader& material) {
  MapReader map(material.reader, *material.find("surface"), "material_surface",
                material.path("surface"));
  return {map.number("c"),  map.number("d"),     map.number("d_w"),
          map.number("mu"), map.number("v_min"), map.number("w_min")};
}

}  // namespace

std::string read_material_name(MapReader& map) {
  if (!map.has("material")) return {};
  const Node& node = *map.find("material");
  const auto name = map.reader.text(node, map.path("material"));
  if (!name) return "steel";
  const auto& own = map.reader.names.materials;
  if (find_material(*name) || std::find(own.begin(), own.end(), *name) != own.end()) return *name;
  std::vector<std::string> known = own;
  for (const Material& material : material_palette()) known.push_back(material.name);
  map.reader.error(node.where, map.path("material") + ": there is no material '" + *name + "'",
                   suggest(*name, known));
  return "steel";  // a stand-in, so that the mass is not reported as missing too
}

void read_materials(Reader& reader, Scene& scene) {
  for_each_named(reader, reader.document.root.find("materials"), "materials",
                 [&](const NodeEntry& entry) {
                   MapReader map(reader, entry.value, "material", "materials." + entry.key);
                   MaterialSpec material;
                   material.name = entry.key;
                   material.where = reader.at(entry.where);
                   material.density = map.number("density");
                   material.youngs_modulus = map.number("youngs_modulus");
                   material.poissons_ratio = map.number("poissons_ratio");
                   material.yield_strength = map.optional_number("yield_strength").value_or(-1.0);
                   if (map.has("surface")) material.surface = read_surface_record(map);
                   material.source = map.text("source");
                   scene.materials.push_back(std::move(material));
                 });
}

void read_bodies(Reader& reader, Scene& scene) {
  for_each_named(reader, reader.document.root.find("bodies"), "bodies",
                 [&](const NodeEntry& entry) {
                   MapReader map(reader, entry.value, "body", "bodies." + entry.key);
                   BodySpec body;
                   body.name = entry.key;
                   body.where = reader.at(entry.where);
                   body.fixed = map.boolean("fixed");
                   body.material = read_material_name(map);
                   read_mass(map, body);
                   read_shapes(map, body);
                   read_markers(map, body);
                   read_pose_and_velocity(map, body);
                   check_fixed(map, body);
                   reader.body_index.emplace(entry.key, scene.bodies.size());
                   scene.bodies.push_back(std::move(body));
                 });
}

}  // namespace carom
