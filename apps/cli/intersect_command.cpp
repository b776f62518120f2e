// carom intersect: the overlaps of two bodies as triangle surfaces.
#include <array>
#include <cmath>
#include <limits>

#include "body_pairs.h"
#include "carom/base/json.h"
#include "carom/proximity/triangles/intersection.h"
#include "exit_code.h"
#include "talk.h"

namespace carom::cli {
namespace {

using triangles::Curve, triangles::Intersection, triangles::TrianglePatch;

struct IntersectOptions : BodyPairOptions {
  int segments = 48;
  bool json = false, points = false;
};

/// A shape of a body, placed in the world.
struct Placed {
  int body, shape;
  const ShapeSpec* spec;
  Pose X_WS;
};

/// What a half space looks like to a body around `p_WC`: a block with its face in the plane.
TriangleMesh block_below(const Pose& X_WS, const Vec3& p_WC, double radius) {
  const Vec3 c = inverse(X_WS) * p_WC;
  const double side = 4.0 * radius, depth = 4.0 * radius + std::abs(c.z);
  TriangleMesh m;
  for (int i = 0; i < 8; ++i) {
    m.vertices.push_back(
        {c.x + (i & 1 ? side : -side), c.y + (i & 2 ? side : -side), i & 4 ? 0.0 : -depth});
  }
  m.triangles = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6}, {0, 1, 4}, {1, 5, 4},
                 {2, 6, 3}, {3, 6, 7}, {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};
  return m;
}

TriangleSurface surface_of(const Placed& own, const Placed& other, int segments) {
  const bool is_half_space = !std::isfinite(bounding_radius(own.spec->shape));
  const TriangleMesh mesh =
      is_half_space && std::isfinite(bounding_radius(other.spec->shape))
          ? block_below(own.X_WS, other.X_WS.p, bounding_radius(other.spec->shape))
          : tessellate(own.spec->shape, segments);
  const std::string problem = surface_problem(mesh);
  if (!problem.empty()) {
    Diagnostics findings;
    findings.error(own.spec->where, "this shape cannot be intersected: " + problem);
    throw InputError(findings);
  }
  return make_triangle_surface(mesh);
}

std::vector<Placed> shapes_of(const Model& model, int body, const Pose& X_WB) {
  std::vector<Placed> out;
  const BodySpec& spec = model.scene.bodies[static_cast<std::size_t>(body)];
  for (std::size_t i = 0; i < spec.shapes.size(); ++i) {
    out.push_back({body, static_cast<int>(i), &spec.shapes[i], X_WB * spec.shapes[i].X_BS});
  }
  return out;
}

std::string curves_json(const Intersection& x, const TrianglePatch& patch, const Pose& X_WA) {
  const std::span<const std::uint32_t> own(x.curves_by_patch.data() + patch.first_curve,
                                           patch.curves);
  return json_list(own, [&](std::uint32_t k) {
    const Curve& c = x.curves.curves[k];
    std::vector<Vec3> points;
    for (std::uint32_t i = 0; i < c.count; ++i) {
      const auto& s = x.curves.segments[x.curves.order[c.first + i]];
      points.push_back(x.curves.piercings[s.from].p);
      if (i + 1 == c.count && !c.is_closed) points.push_back(x.curves.piercings[s.to].p);
    }
    const auto point = [&](const Vec3& p) { return json_vec(X_WA * p); };
    return JsonObject().flag("closed", c.is_closed).put("points", json_list(points, point)).str();
  });
}

std::string patch_json(const Intersection& x, const TrianglePatch& p, const Pose& X_WA,
                       bool with_points) {
  const double none = std::numeric_limits<double>::quiet_NaN();  // null
  JsonObject out;
  out.number("circumference", p.length).number("contact_area", p.area);
  out.put("area_vector", json_vec(X_WA.R * p.area_vector));
  out.put("normal", json_vec(X_WA.R * p.normal));
  out.number("volume", p.is_measured ? p.volume : none);
  out.number("mean_depth", p.is_measured && p.area > 0.0 ? p.volume / p.area : none);
  out.put("area_centre", json_vec(X_WA * p.area_centre));
  out.put("volume_centre", json_vec(X_WA * p.volume_centre));
  out.count("curve_count", p.curves).flag("closed", p.is_closed).flag("measured", p.is_measured);
  if (with_points) out.put("curves", curves_json(x, p, X_WA));
  return out.str();
}

void print_patch(const TrianglePatch& p, std::size_t number, const Pose& X_WA) {
  const Vec3 n = X_WA.R * p.normal, S = X_WA.R * p.area_vector, at = X_WA * p.area_centre;
  if (p.curves == 0) {
    say("  patch {}: a part wholly inside, volume {:.15g} m3\n", number, p.volume);
    return;
  }
  say("  patch {}: circumference {:.15g} m, {} curve{}{}\n", number, p.length, p.curves,
      p.curves == 1 ? "" : "s", p.is_closed ? "" : ", open at the rim of a sheet");
  say("    area vector {:>20.15g} {:>20.15g} {:>20.15g} m2\n", S.x, S.y, S.z);
  say("    normal      {:>20.15f} {:>20.15f} {:>20.15f}\n", n.x, n.y, n.z);
  say("    centre      {:>20.15g} {:>20.15g} {:>20.15g} m\n", at.x, at.y, at.z);
  if (p.is_measured && p.area > 0.0) {
    say("    volume      {:>20.15g} m3, mean depth {:.15g} m\n", p.volume, p.volume / p.area);
  } else if (p.is_measured) {
    say("    volume      {:>20.15g} m3\n", p.volume);
  } else {
    say("    volume      not measured: the surface has no inside here\n");
  }
}

struct Printer {
  const Model& model;
  const IntersectOptions& options;
  std::vector<std::string> rows{};  ///< JSON

  void print(const Placed& a, const Placed& b, Intersection& x) {
    const TriangleSurface A = surface_of(a, b, options.segments),
                          B = surface_of(b, a, options.segments);
    triangles::intersect(A, B, inverse(a.X_WS) * b.X_WS, x);
    const std::string first = shape_name(model, a.body, a.shape),
                      second = shape_name(model, b.body, b.shape);
    if (!options.json) {
      say("{} - {}: {} pairs of triangles, {} patch{}\n", first, second, x.curves.segments.size(),
          x.patches.size(), x.patches.size() == 1 ? "" : "es");
      for (std::size_t i = 0; i < x.patches.size(); ++i) print_patch(x.patches[i], i + 1, a.X_WS);
      return;
    }
    const std::string bodies[] = {model.bodies[static_cast<std::size_t>(a.body)].name,
                                  model.bodies[static_cast<std::size_t>(b.body)].name};
    const std::string shapes[] = {first, second};
    JsonObject out;
    out.put("pair", json_texts(bodies)).put("shapes", json_texts(shapes));
    out.put("triangles", json_list(std::array{A.triangles.size(), B.triangles.size()},
                                   [](std::size_t n) { return std::to_string(n); }));
    out.count("triangle_pairs", x.curves.segments.size());
    const auto patch = [&](const TrianglePatch& p) {
      return patch_json(x, p, a.X_WS, options.points);
    };
    rows.push_back(out.put("patches", json_list(x.patches, patch, ",\n  ")).str());
  }
};

int print_intersections(const IntersectOptions& o) {
  const std::shared_ptr<const Model> model = load_model(o.scene);
  const std::vector<Pose> poses = poses_of(model, o);
  int a = body_named(*model, o.bodies[0]), b = body_named(*model, o.bodies[1]);
  if (a < 0 || b < 0) return kWrongUsage;
  if (a == b) {
    tell("carom: give two different bodies\n");
    return kWrongUsage;
  }
  if (a > b) std::swap(a, b);  // the second in the scene is drawn in, whatever order is asked for
  Printer printer{*model, o};
  Intersection x;
  for (const Placed& own : shapes_of(*model, a, poses[static_cast<std::size_t>(a)])) {
    for (const Placed& other : shapes_of(*model, b, poses[static_cast<std::size_t>(b)])) {
      printer.print(own, other, x);
    }
  }
  if (o.json) {
    const auto row = [](const std::string& text) { return text; };
    say("{}\n", JsonObject().put("pairs", json_list(printer.rows, row, ",\n ")).str());
  }
  return kDone;
}

}  // namespace

void add_intersect(Program& program) {
  auto options = std::make_shared<IntersectOptions>();
  CLI::App* command =
      program.add("intersect", "circumference, area and volume of the overlaps of two bodies",
                  [options] { return print_intersections(*options); });
  command->add_option("scene", options->scene.file, "scene file (.yaml)")->required();
  command->add_option("bodies", options->bodies, "two bodies")->required()->expected(2);
  command->add_option("--segments", options->segments, "triangles of round shapes, per full turn")
      ->check(CLI::Range(3, 2000))
      ->capture_default_str();
  command->add_flag("--points", options->points, "with --json: the points of the curves");
  command->add_flag("--json", options->json, "print one JSON document");
  add_pose_options(*command, *options);
}

}  // namespace carom::cli
