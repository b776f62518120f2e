#include "viewer/drawn_scene.h"

#include <array>
#include <cmath>
#include <map>
#include <numbers>

#include "carom/base/text.h"
#include "carom/engine/study/distances.h"
#include "carom/geometry/rounded_mesh.h"

namespace carom::viewer {
namespace {

/// Equal shapes have equal keys. Meshes and custom shapes are told apart by their data.
std::string shape_key(const Shape& s) {
  std::string key = s.kind->name;
  for (const double p : s.params) key += " " + number_text(p);
  key += " q" + number_text(s.edge_radius);
  if (s.mesh) {
    for (const Vec3& v : s.mesh->mesh.vertices) {
      for (const double x : {v.x, v.y, v.z})
        key.append(reinterpret_cast<const char*>(&x), sizeof x);
    }
    key.append(reinterpret_cast<const char*>(s.mesh->mesh.triangles.data()),
               s.mesh->mesh.triangles.size() * sizeof(Triangle));
  }
  for (const auto& [name, text] : s.formulas.texts) key += "; " + name + " = " + text;
  for (const auto& [name, lower, upper] : s.formulas.ranges) {
    key += "; " + name + " " + number_text(lower) + " " + number_text(upper);
  }
  for (const auto& [name, value] : s.formulas.with) key += "; " + name + " " + number_text(value);
  if (s.custom) key += " at " + std::to_string(reinterpret_cast<std::uintptr_t>(s.custom.get()));
  return key;
}

/// Open surfaces are seen from both sides: each triangle once more, turned over.
SmoothMesh mesh_to_draw(const Shape& shape, int segments) {
  SmoothMesh out = rounded_mesh(shape, segments);
  const bool is_open = (shape.surface && !shape.surface->is_closed()) ||
                       (shape.kind->source == ShapeSource::mesh && !shape.mesh->report.closed());
  if (!is_open || !out.normals.empty()) return out;
  TriangleMesh& mesh = out.mesh;
  const std::size_t vertices = mesh.vertices.size(), triangles = mesh.triangles.size();
  mesh.vertices.reserve(2 * vertices), mesh.triangles.reserve(2 * triangles);
  for (std::size_t i = 0; i < vertices; ++i) mesh.vertices.push_back(mesh.vertices[i]);
  const auto shift = static_cast<std::uint32_t>(vertices);
  for (std::size_t i = 0; i < triangles; ++i) {
    const Triangle t = mesh.triangles[i];
    mesh.triangles.push_back({t[0] + shift, t[2] + shift, t[1] + shift});
  }
  return out;
}

/// Segments per turn for so many shapes: of meshes, and of those for moving pictures without a
/// graphics card (0: none), where a renderer draws about a million triangles a second.
struct Fineness {
  std::size_t shapes;
  int segments, coarse_segments;
};
constexpr Fineness kFineness[] = {{300, 16, 6}, {60, 24, 10}, {12, 64, 24}, {0, 64, 0}};

const Fineness& fineness(std::size_t shapes) {
  for (const Fineness& f : kFineness) {
    if (shapes > f.shapes) return f;
  }
  return kFineness[std::size(kFineness) - 1];
}

/// Sharp edges and few segments; empty where that saves less than half.
DrawnMesh coarse_mesh(const Shape& shape, int segments, const DrawnMesh& fine) {
  if (segments == 0) return {};
  const bool layer = shape.kind->rounding == Rounding::layer;
  const bool is_formula = shape.surface != nullptr;
  const SmoothMesh mesh = layer || is_formula ? mesh_to_draw(shape, segments)
                                              : SmoothMesh{tessellate(shape, segments), {}};
  const double crease = 1.05 * 2.0 * std::numbers::pi / segments;  // a circle's sides are smooth
  DrawnMesh out = shade(mesh, std::max(crease, 0.6));
  return 2 * out.corners.size() <= fine.corners.size() ? out : DrawnMesh{};
}

int find_body(const Model& model, const std::string& name) {
  for (std::size_t i = 0; i < model.bodies.size(); ++i) {
    if (model.bodies[i].name == name) return static_cast<int>(i);
  }
  return -1;
}

DrawnPoint attachment_point(const Model& model, const AttachmentSpec& a) {
  return {"", find_body(model, a.body), a.X_BK.p};
}

Vec3 up_direction(const GravitySpec& g) {
  const double size = norm(g.uniform);
  if (g.kind != GravitySpec::Kind::uniform || !(size > 0.0)) return {0, 0, 1};
  return (-1.0 / size) * g.uniform;
}

std::string json_vec(const Vec3& v) { return json_numbers(std::span<const double>(&v.x, 3)); }

/// [x, y, z, w, x, y, z]
std::string json_pose(const Pose& X) {
  const Quat q = to_quat(X.R);
  return json_numbers(std::array{X.p.x, X.p.y, X.p.z, q.w, q.x, q.y, q.z});
}

std::string json_point(const DrawnPoint& p) {
  return compact_object()
      .text("name", p.name)
      .count("body", p.body)
      .put("at", json_vec(p.p_BK))
      .str();
}

std::string json_shape(const DrawnShape& s) {
  JsonObject out = compact_object();
  out.count("mesh", s.mesh).text("kind", s.kind).text("name", s.name).flag("contact", s.contact);
  return out.put("pose", json_pose(s.X_BS)).str();
}

std::string json_body(const DrawnBody& b) {
  JsonObject out = compact_object();
  out.text("name", b.name).text("material", b.material).flag("fixed", b.fixed);
  out.put("pose", json_pose(b.X_WB)).number("mass", b.mass).put("com", json_vec(b.com));
  return out.number("size", b.size).put("shapes", json_list(b.shapes, json_shape, ",")).str();
}

DrawnBody draw_body(const Model& model, std::size_t i, const Pose& X_WB) {
  const BodyInfo& info = model.bodies[i];
  DrawnBody body;
  body.name = info.name, body.fixed = info.link == 0, body.X_WB = X_WB;
  body.material = model.scene.bodies[i].material;
  body.mass = info.mass.mass, body.com = info.mass.com, body.size = info.size;
  return body;
}

/// The solid that a surface is drawn as: flat ones are thin plates.
std::optional<Shape> solid_of(const IdealSurface& s) {
  constexpr double kThin = 0.01;
  ShapeInput input;
  if (s.form == SurfaceForm::sphere) {
    input.kind = find_shape_kind("sphere");
    input.params = {s.radius};
  } else if (s.form == SurfaceForm::cylinder || s.form == SurfaceForm::circle) {
    const bool flat = s.form == SurfaceForm::circle;
    input.kind = find_shape_kind("cylinder");
    input.params = {s.radius, flat ? kThin * s.radius : 2.0 * s.half_length};
  } else if (s.form == SurfaceForm::rectangle) {
    input.kind = find_shape_kind("box");
    input.params = {2.0 * s.half_length, 2.0 * s.half_width,
                    kThin * std::min(s.half_length, s.half_width)};
  } else {
    return {};  // a shape of its body, which is drawn
  }
  Diagnostics unused;
  return make_shape(std::move(input), unused, {});
}

/// Surfaces are drawn where their body is; those of the world on a body of that name.
void draw_surfaces(const Model& model, DrawnScene& out) {
  int world = -1;
  for (std::size_t i = 0; i < model.contact.connected.surfaces.size(); ++i) {
    const std::optional<Shape> solid = solid_of(model.contact.connected.surfaces[i]);
    if (!solid) continue;
    const SurfaceSpec& spec = model.scene.surfaces[i];
    int body = find_body(model, spec.body);
    if (body < 0 && world < 0) {
      world = static_cast<int>(out.bodies.size());
      out.bodies.push_back({});
      out.bodies.back().name = kWorldName;
      out.bodies.back().fixed = true;
    }
    if (body < 0) body = world;
    Pose X = spec.X_BS;
    if (model.contact.connected.surfaces[i].form == SurfaceForm::circle) {
      X.R = X.R * Mat3::from_columns({0, 0, 1}, {1, 0, 0}, {0, 1, 0});  // its axis is x
    }
    out.meshes.push_back(shade(rounded_mesh(*solid, 48), 0.6));
    out.coarse.push_back({});
    out.bodies[static_cast<std::size_t>(body)].shapes.push_back(
        {static_cast<int>(out.meshes.size()) - 1, X, solid->kind->name, spec.name, true});
  }
}

}  // namespace

DrawnScene draw(const std::shared_ptr<const Model>& model) {
  DrawnScene out;
  out.up = up_direction(model->scene.gravity);
  out.falls = model->scene.gravity.kind == GravitySpec::Kind::uniform &&
              norm(model->scene.gravity.uniform) > 0.0;
  const std::vector<Pose> poses = body_poses(model, model->scene.run.start, model->initial);
  std::size_t shapes = 0;
  for (const BodySpec& b : model->scene.bodies) shapes += b.shapes.size();
  std::map<std::string, int> known;
  for (std::size_t i = 0; i < model->bodies.size(); ++i) {
    DrawnBody body = draw_body(*model, i, poses[i]);
    for (const ShapeSpec& s : model->scene.bodies[i].shapes) {
      int mesh = -1;
      if (s.shape.core.kind != &core_half_space) {
        const auto [place, fresh] =
            known.try_emplace(shape_key(s.shape), static_cast<int>(out.meshes.size()));
        if (fresh) {
          const auto& [above, segments, coarse_segments] = fineness(shapes);
          out.meshes.push_back(shade(mesh_to_draw(s.shape, segments)));
          out.coarse.push_back(coarse_mesh(s.shape, coarse_segments, out.meshes.back()));
        }
        mesh = place->second;
      }
      body.shapes.push_back({mesh, s.X_BS, s.shape.kind->name, s.name, s.contact});
    }
    for (const MarkerSpec& m : model->scene.bodies[i].markers) {
      out.markers.push_back({body.name + "." + m.name, static_cast<int>(i), m.X_BK.p});
    }
    out.bodies.push_back(std::move(body));
  }
  draw_surfaces(*model, out);
  for (const ForceSpec& f : model->scene.forces) {
    if (f.kind != "spring") continue;
    out.springs.push_back(
        {f.name, attachment_point(*model, f.from), attachment_point(*model, f.to)});
  }
  for (const JointSpec& j : model->scene.joints) {
    if (j.name.empty()) continue;
    const Mat3& R = j.X_BM.R;
    out.joints.push_back({j.name, j.kind, find_body(*model, j.parent), find_body(*model, j.child),
                          j.X_PF.p, j.X_BM.p, R * Vec3{0, 0, 1}});
  }
  return out;
}

JsonObject scene_json(const DrawnScene& scene, Bytes& blob) {
  const auto mesh_json = [&](const DrawnMesh& m) {
    const std::size_t offset = blob.size();
    append_mesh(blob, m);
    JsonObject out = compact_object();
    out.count("vertices", m.vertex_count()).count("triangles", m.corners.size() / 3);
    return out.count("offset", offset).str();
  };
  const auto coarse_json = [&](const DrawnMesh& m) {
    return m.corners.empty() ? std::string("null") : mesh_json(m);
  };
  const auto spring_json = [](const DrawnSpring& s) {
    JsonObject out = compact_object();
    out.text("name", s.name).put("from", json_point(s.from));
    return out.put("to", json_point(s.to)).str();
  };
  const auto joint_json = [](const DrawnJoint& j) {
    JsonObject out = compact_object();
    out.text("name", j.name).text("kind", j.kind).count("parent", j.parent).count("child", j.child);
    out.put("parentAt", json_vec(j.p_PF)).put("at", json_vec(j.p_BM));
    return out.put("axis", json_vec(j.axis_B)).str();
  };
  JsonObject out = compact_object();
  out.put("up", json_vec(scene.up)).flag("falls", scene.falls);
  out.put("meshes", json_list(scene.meshes, mesh_json, ","));
  out.put("coarse", json_list(scene.coarse, coarse_json, ","));
  out.put("bodies", json_list(scene.bodies, json_body, ","));
  out.put("markers", json_list(scene.markers, json_point, ","));
  out.put("springs", json_list(scene.springs, spring_json, ","));
  out.put("joints", json_list(scene.joints, joint_json, ","));
  return out;
}

}  // namespace carom::viewer
