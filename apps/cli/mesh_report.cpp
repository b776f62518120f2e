#include "mesh_report.h"

#include "body_pairs.h"
#include "carom/base/text.h"
#include "carom/scene/mesh_units.h"
#include "talk.h"

namespace carom::cli {
namespace {

struct MeshLine {
  std::string name, file, lacks, unit;
  const MeshReport* report;
  std::size_t triangles;
  double size;
};

std::vector<MeshLine> mesh_lines(const Model& model) {
  std::vector<MeshLine> out;
  for (std::size_t i = 0; i < model.scene.bodies.size(); ++i) {
    const std::vector<ShapeSpec>& shapes = model.scene.bodies[i].shapes;
    for (std::size_t k = 0; k < shapes.size(); ++k) {
      const Shape& s = shapes[k].shape;
      if (s.kind->source != ShapeSource::mesh) continue;
      const MeshReport& report = s.mesh->report;
      const BoundingBox box = bounding_box(s);
      out.push_back({shape_name(model, static_cast<int>(i), static_cast<int>(k)), shapes[k].file,
                     describe(report),
                     mesh_unit_finding(model.scene, model.scene.bodies[i], shapes[k]), &report,
                     s.mesh->mesh.triangles.size(), norm(box.upper - box.lower)});
      if (report.degenerate_triangles > 0) {
        std::string& lacks = out.back().lacks;
        lacks += (lacks.empty() ? "" : ", ") + std::to_string(report.degenerate_triangles) +
                 " triangles without area";
      }
    }
  }
  return out;
}

}  // namespace

void print_meshes(const Model& model) {
  const std::vector<MeshLine> lines = mesh_lines(model);
  if (lines.empty()) return;
  say("\n{:<16} {:>10} {:>7} {}\n", "mesh", "triangles", "parts", "surface");
  for (const MeshLine& m : lines) {
    say("{:<16} {:>10} {:>7} {}{}{}\n", m.name, m.triangles, m.report->components,
        m.lacks.empty() ? "closed, all faces outward" : m.lacks, m.unit.empty() ? "" : "; ",
        m.unit);
  }
}

JsonObject meshes_json(const Model& model) {
  const std::vector<MeshLine> lines = mesh_lines(model);
  if (lines.empty()) return JsonObject();
  const auto line = [](const MeshLine& m) {
    const MeshReport& r = *m.report;
    JsonObject out;
    out.text("shape", m.name).text("file", m.file).count("triangles", m.triangles);
    out.count("parts", r.components).count("open_edges", r.open_edges);
    out.count("non_manifold_edges", r.non_manifold_edges);
    out.count("misoriented_edges", r.misoriented_edges);
    out.count("degenerate_triangles", r.degenerate_triangles).number("volume", r.volume);
    return out.number("size", m.size).text("lacks", m.lacks).text("unit", m.unit).str();
  };
  return JsonObject().put("meshes", json_list(lines, line));
}

}  // namespace carom::cli
