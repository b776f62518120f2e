// Joints and couplings.
//
// The joint frame F on the parent stands at `at` with its z axis along `axis`; M on the
// child stands at `child_at`. At zero coordinates M coincides with F, and the child's
// axes are the parent's turned by `rotation`:
//
//   X_PF = X_PK (at, R_A),   X_BM = X_BL (child_at, R_rotᵀ R_A)                 (1)
//
// with K and L the markers that parent and child name (the body frames otherwise).
#include <algorithm>

#include "carom/base/text.h"
#include "carom/multibody/joint_kind.h"
#include "carom/scene/read/read_parts.h"
#include "carom/scene/validate/rules.h"

namespace carom {
namespace {

/// R_A: the joint's axes in the parent's.
Mat3 read_joint_axes(MapReader& fields, const JointKind& kind) {
  const Node* frame = fields.find("frame");
  const Node* axis = fields.find("axis");
  if (frame && axis) {
    fields.reader.error(frame->where, fields.path() + " has both axis and frame",
                        "keep one of them");
  }
  if (frame) return fields.rotation("frame");
  std::optional<Vec3> z;
  if (axis) z = fields.reader.axis(*axis, fields.field("axis"), fields.path("axis"));
  if (!z) z = default_axis(kind.name) == "x" ? Vec3{1, 0, 0} : Vec3{0, 0, 1};
  // -0 would select the other branch of frame_with_z.
  return frame_with_z(*z + Vec3{0, 0, 0});
}

void read_frames(MapReader& fields, const JointKind& kind, const Scene& scene, JointSpec& joint) {
  AttachmentSpec parent, child{.body = joint.child, .X_BK = {}};
  if (const Node* node = fields.find("parent")) {
    parent = read_body_reference(fields.reader, scene, *node, fields.path("parent"));
  }
  if (const Node* node = fields.find("child")) {
    child = read_body_reference(fields.reader, scene, *node, fields.path("child"));
    if (!joint.child.empty() && child.body != joint.child) {
      fields.reader.error(node->where,
                          fields.path("child") + " is '" + child.body +
                              "', but the joint is written in body '" + joint.child + "'",
                          "remove the child, or write the joint under joints");
    }
  } else if (joint.child.empty()) {
    fields.reader.error(fields.node().where, fields.path() + " lacks 'child'",
                        "add 'child: …', the body that the joint carries");
    child.body = kWorldName;
  }
  joint.parent = parent.body;
  joint.child = child.body;
  const Mat3 R_A = read_joint_axes(fields, kind);
  joint.X_PF = parent.X_BK * Pose{R_A, fields.vector3("at")};
  const Node* child_frame = fields.find("child_frame");
  if (child_frame && fields.has("rotation")) {
    fields.reader.error(child_frame->where, fields.path() + " has both rotation and child_frame",
                        "keep one of them");
  }
  Mat3 R_LM = R_A;
  if (child_frame) {
    R_LM = fields.rotation("child_frame");
  } else if (fields.has("rotation")) {
    R_LM = transpose(fields.rotation("rotation")) * R_A;
  }
  joint.X_BM = child.X_BK * Pose{R_LM, fields.vector3("child_at")};  // (1)
}

/// q or v: a number for a joint with one coordinate, else a list.
std::vector<double> read_coordinates(MapReader& map, const char* key, int count) {
  const Node* node = map.find(key);
  if (!node) return {};
  const auto n = static_cast<std::size_t>(count);
  if (node->is_list()) {
    return map.reader.numbers(*node, map.field(key), n, map.path(key))
        .value_or(std::vector<double>());
  }
  const auto value = map.reader.number(*node, map.field(key), map.path(key));
  if (!value) return {};
  if (n == 1) return {*value};
  map.reader.wrong(*node, map.path(key), "a list of " + std::to_string(n) + " numbers");
  return {};
}

/// Joints with a quaternion have it in front of q.
void normalize_coordinates(MapReader& map, const JointKind& kind, std::vector<double>& q) {
  if (kind.nq != kind.nv + 1 || q.size() < 4) return;
  Quat r{q[0], q[1], q[2], q[3]};
  const double length = norm(r);
  if (!normalize(r)) {
    map.reader.error(map.find("q")->where, map.path("q") + " begins with a zero quaternion",
                     "no rotation is 1, 0, 0, 0");
    return;
  }
  if (std::abs(length - 1.0) > 1e-6) {
    map.reader.warning(map.find("q")->where, map.path("q") +
                                                 " begins with a quaternion of length " +
                                                 number_text(length) + "; it was normalised");
  }
  q[0] = r.w, q[1] = r.x, q[2] = r.y, q[3] = r.z;
}

void read_activity(MapReader& map, JointSpec& joint) {
  joint.loop = map.boolean("loop");
  joint.collide = map.boolean("collide");
  const Node* active = map.find("active");
  if (!active) return;
  MapReader times(map.reader, *active, "joint.active", map.path("active"));
  joint.active_from = times.number("from");
  joint.active_until = times.number("until");
  if (!joint.loop) {
    map.reader.error(active->where, map.path() + " has 'active' but closes no loop",
                     "add loop: true; joints of the tree always hold");
  }
  const std::string problem = active_problem(joint);
  if (!problem.empty()) map.reader.error(active->where, map.path("active") + problem);
}

/// `child` is the body that the joint is written in, or empty.
void read_joint(Reader& reader, const Node& node, const std::string& path, std::string name,
                const std::string& child, Mark where, Scene& scene) {
  MapReader map(reader, node, "joint", path);
  if (!map.is_map() || !map.kind()) return;
  const JointKind& kind = *find_joint_kind(map.kind()->name);
  JointSpec joint;
  joint.name = std::move(name);
  joint.kind = kind.name;
  joint.child = child;
  joint.where = reader.at(where);
  MapReader fields(reader, map.kind_value(), map.kind()->record, map.path(kind.name));
  read_frames(fields, kind, scene, joint);
  joint.params = fields.params(kind.fields);
  joint.q = read_coordinates(map, "q", kind.nq);
  normalize_coordinates(map, kind, joint.q);
  joint.v = read_coordinates(map, "v", kind.nv);
  joint.dofs = read_dofs(map, static_cast<std::size_t>(kind.nv));
  read_activity(map, joint);
  scene.joints.push_back(std::move(joint));
}

}  // namespace

void read_joints(Reader& reader, Scene& scene) {
  const Node* bodies = reader.document.root.find("bodies");
  if (bodies && bodies->is_map()) {
    for (const NodeEntry& body : bodies->entries) {
      const NodeEntry* joint = body.value.find_entry("joint");
      if (!joint) continue;
      const std::string path = "bodies." + body.key + ".joint";
      const NodeEntry* name = joint->value.find_entry("name");
      const std::string text =
          name ? reader.text(name->value, path + ".name").value_or("") : body.key + "_joint";
      read_joint(reader, joint->value, path, text, body.key, name ? name->where : joint->where,
                 scene);
    }
  }
  for_each_named(reader, reader.document.root.find("joints"), "joints",
                 [&](const NodeEntry& entry) {
                   const std::string path = "joints." + entry.key;
                   if (const NodeEntry* name = entry.value.find_entry("name")) {
                     reader.error(name->where, path + " has a name twice",
                                  "remove 'name'; the key is the name");
                   }
                   read_joint(reader, entry.value, path, entry.key, "", entry.where, scene);
                 });
}

namespace {

/// "joint" or "joint.coordinate".
bool read_coordinate(Reader& reader, const Scene& scene, const Node& node, const std::string& path,
                     std::string& joint_name, int& dof) {
  const auto text = reader.text(node, path);
  if (!text) return false;
  const std::size_t dot = text->find('.');
  joint_name = text->substr(0, dot);
  const auto joint = std::find_if(scene.joints.begin(), scene.joints.end(),
                                  [&](const JointSpec& j) { return j.name == joint_name; });
  if (joint == scene.joints.end()) {
    if (!reader.names.has_joint(joint_name)) {
      reader.error(node.where, path + ": there is no joint '" + joint_name + "'",
                   suggest(joint_name, reader.names.joints));
    }
    return false;
  }
  const JointKind& kind = *find_joint_kind(joint->kind);
  std::vector<std::string> coordinates;
  for (const JointCoordinate& c : kind.coordinates) coordinates.push_back(c.name);
  if (dot == std::string::npos) {
    if (kind.nv == 1) return true;
    reader.error(
        node.where,
        path + ": joint '" + joint_name + "' has " + std::to_string(kind.nv) + " coordinates",
        kind.nv == 0 ? "name a joint that moves" : suggest("", coordinates));
    return false;
  }
  const std::string wanted = text->substr(dot + 1);
  const auto found = std::find(coordinates.begin(), coordinates.end(), wanted);
  dof = static_cast<int>(found - coordinates.begin());
  if (found != coordinates.end()) return true;
  reader.error(node.where, path + ": joint '" + joint_name + "' has no coordinate '" + wanted + "'",
               suggest(wanted, coordinates));
  return false;
}

void read_coupling(Reader& reader, const NodeEntry& entry, Scene& scene) {
  MapReader map(reader, entry.value, "coupling", "couplings." + entry.key);
  if (!map.kind()) return;
  MapReader fields(reader, map.kind_value(), map.kind()->record, map.path(map.kind()->name));
  CouplingSpec coupling;
  coupling.name = entry.key;
  coupling.kind = map.kind()->name;
  coupling.where = reader.at(entry.where);
  coupling.ratio = fields.number(coupling.kind == "rack" ? "radius" : "ratio");
  coupling.offset = fields.optional_number("offset");
  const Node* joints = fields.find("joints");
  if (!joints) return;
  if (!joints->is_list() || joints->items.size() != 2) {
    reader.wrong(*joints, fields.path("joints"), "a list of two joints");
    return;
  }
  const bool first = read_coordinate(reader, scene, joints->items[0], fields.path("joints.0"),
                                     coupling.first, coupling.first_dof);
  const bool second = read_coordinate(reader, scene, joints->items[1], fields.path("joints.1"),
                                      coupling.second, coupling.second_dof);
  if (first && second) scene.couplings.push_back(std::move(coupling));
}

}  // namespace

void read_couplings(Reader& reader, Scene& scene) {
  for_each_named(reader, reader.document.root.find("couplings"), "couplings",
                 [&](const NodeEntry& entry) { read_coupling(reader, entry, scene); });
}

}  // namespace carom
