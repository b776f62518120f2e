// Surfaces and their contacts: what they name, and what cannot touch.
#include <algorithm>
#include <set>

#include "carom/base/text.h"
#include "carom/contact/friction_law.h"
#include "carom/contact/normal_law.h"
#include "carom/geometry/core_kinds.h"
#include "carom/proximity/smooth/surface.h"
#include "carom/scene/pair_laws.h"
#include "carom/scene/validate/validate.h"

namespace carom {
namespace {

const BodySpec* find_body(const Scene& scene, const std::string& name) {
  for (const BodySpec& body : scene.bodies) {
    if (body.name == name) return &body;
  }
  return nullptr;
}

void check_shape(const BodySpec* body, const SurfaceSpec& s, Diagnostics& out) {
  std::vector<std::string> known;
  for (const ShapeSpec& shape : body ? body->shapes : std::vector<ShapeSpec>()) {
    if (!shape.name.empty()) known.push_back(shape.name);
    if (shape.name != s.shape) continue;
    if (shape.shape.pieces) {
      out.error(s.where, "surfaces." + s.name + ": shape '" + s.shape + "' is not convex",
                "name a convex shape");
    }
    return;
  }
  out.error(s.where,
            "surfaces." + s.name + ": body '" + s.body + "' has no shape '" + s.shape + "'",
            known.empty() ? "give the shape a name" : suggest(s.shape, known));
}

void check_surface(const Scene& scene, const SurfaceSpec& s, Diagnostics& out) {
  const BodySpec* body = find_body(scene, s.body);
  if (!body && s.body != kWorldName) {
    std::vector<std::string> known{kWorldName};
    for (const BodySpec& b : scene.bodies) known.push_back(b.name);
    out.error(s.where, "surfaces." + s.name + ": there is no body '" + s.body + "'",
              suggest(s.body, known));
    return;
  }
  if (s.kind.empty()) {
    check_shape(body, s, out);
    return;
  }
  const SurfaceKind* kind = find_surface_kind(s.kind);
  if (!kind || s.params.size() != width(kind->fields)) {
    out.error(s.where, "surfaces." + s.name + ": there is no kind of surface '" + s.kind + "'");
    return;
  }
  for (std::size_t i = 0; i < s.params.size(); ++i) {
    if (s.params[i] > 0.0) continue;
    out.error(s.where, "surfaces." + s.name + "." + kind->fields[i].name +
                           " must be greater than 0: a surface without extent touches nothing");
  }
}

class SurfaceContactCheck {
 public:
  SurfaceContactCheck(const Scene& scene, Diagnostics& out) : scene_(scene), out_(out) {}

  void run(const SurfaceContactSpec& c) {
    const SurfaceSpec *a = find(c.first, c.where), *b = find(c.second, c.where);
    if (!a || !b) return;
    const std::string pair = "contacts: '" + c.first + "' and '" + c.second + "'";
    if (a->body == b->body) {
      out_.error(c.where, pair + " are surfaces of the same body and cannot meet",
                 "connect surfaces of different bodies");
    }
    if (!pairs_.insert(std::minmax(c.first, c.second)).second) {
      out_.error(c.where, pair + " are connected twice", "keep one of the two");
    }
    if (c.auto_law) check_materials(c, *a, *b, pair);
    check_half_space(c, *a, *b, pair);
    if (c.choice.normal && !c.choice.normal->normal && !find_normal_law(c.choice.normal->kind)) {
      out_.error(c.where, pair + ": there is no normal law '" + c.choice.normal->kind + "'");
    }
    if (c.choice.friction && !c.choice.friction->friction &&
        !find_friction_law(c.choice.friction->kind)) {
      out_.error(c.where, pair + ": there is no friction law '" + c.choice.friction->kind + "'");
    }
  }

 private:
  const SurfaceSpec* find(const std::string& name, const SourcePos& where) {
    std::vector<std::string> known;
    for (const SurfaceSpec& s : scene_.surfaces) {
      if (s.name == name) return &s;
      known.push_back(s.name);
    }
    out_.error(where, "contacts: there is no surface '" + name + "'", suggest(name, known));
    return nullptr;
  }

  void check_materials(const SurfaceContactSpec& c, const SurfaceSpec& a, const SurfaceSpec& b,
                       const std::string& pair) {
    for (const SurfaceSpec* s : {&a, &b}) {
      const bool known = c.choice.youngs_modulus || has_elasticity(scene_, *s);
      if (known) continue;
      out_.error(c.where, pair + ": law auto needs the material of '" + s->name + "'",
                 "add 'material: …' to the surface or its body, with a Young's modulus");
    }
  }

  void check_half_space(const SurfaceContactSpec& c, const SurfaceSpec& a, const SurfaceSpec& b,
                        const std::string& pair) {
    const auto is_half_space = [&](const SurfaceSpec& s) {
      const BodySpec* body = find_body(scene_, s.body);
      for (const ShapeSpec& shape : body ? body->shapes : std::vector<ShapeSpec>()) {
        if (!s.shape.empty() && shape.name == s.shape) {
          return shape.shape.core.kind == &core_half_space;
        }
      }
      return false;
    };
    const bool first = is_half_space(a), second = is_half_space(b);
    const auto is_round = [](const SurfaceSpec& s) {
      return s.kind == "sphere" || !s.shape.empty();
    };
    if ((first && (second || !is_round(b))) || (second && !is_round(a))) {
      out_.error(c.where, pair + ": a half space meets spheres and convex shapes only",
                 "use a rectangle in its place");
    }
  }

  const Scene& scene_;
  Diagnostics& out_;
  std::set<std::pair<std::string, std::string>> pairs_;
};

}  // namespace

void check_surfaces(const Scene& scene, Diagnostics& out) {
  for (const SurfaceSpec& s : scene.surfaces) check_surface(scene, s, out);
  SurfaceContactCheck check(scene, out);
  for (const SurfaceContactSpec& c : scene.surface_contacts) check.run(c);
}

}  // namespace carom
