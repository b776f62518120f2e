// Choices are merged field by field from the widest to the narrowest: what holds for all
// contacts, for the pair of materials, for the pair of bodies. What nobody says comes from
// the palettes.
#include "carom/scene/pair_laws.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "carom/contact/circumference.h"
#include "carom/contact/law_formula.h"
#include "carom/contact/materials.h"
#include "carom/geometry/core_kinds.h"
#include "carom/geometry/superquadric_core.h"
#include "carom/proximity/area/area_cores.h"
#include "carom/scene/palette_pair.h"
#include "carom/scene/surface_records.h"

namespace carom {
namespace {

struct TouchedShape {
  const BodySpec& body;
  const ShapeSpec& shape;
  const std::string& material() const {
    return shape.material.empty() ? body.material : shape.material;
  }
};

TouchedShape surface(const Scene& scene, const ShapeRef& ref) {
  const BodySpec& body = scene.bodies[static_cast<std::size_t>(ref.body)];
  return {body, body.shapes[static_cast<std::size_t>(ref.shape)]};
}

/// Whether a name of a pair means this surface: its body, "body.shape" or a group.
bool means(const ContactSpec& contact, const std::string& name, const TouchedShape& s) {
  if (name == s.body.name) return true;
  if (!s.shape.name.empty() && name == s.body.name + "." + s.shape.name) return true;
  for (const ContactGroup& group : contact.groups) {
    if (group.name != name) continue;
    const auto& bodies = group.bodies;
    return std::find(bodies.begin(), bodies.end(), s.body.name) != bodies.end();
  }
  return false;
}

bool fits(const ContactSpec& contact, const ContactPairSpec& pair, const TouchedShape& a,
          const TouchedShape& b) {
  return (means(contact, pair.first, a) && means(contact, pair.second, b)) ||
         (means(contact, pair.first, b) && means(contact, pair.second, a));
}

bool fits_materials(const ContactPairSpec& pair, const TouchedShape& a, const TouchedShape& b) {
  return (pair.first == a.material() && pair.second == b.material()) ||
         (pair.first == b.material() && pair.second == a.material());
}

template <class T>
void take(std::optional<T>& wide, const std::optional<T>& narrow) {
  if (narrow) wide = narrow;
}

void merge(ContactChoice& c, const ContactChoice& n) {
  take(c.method, n.method), take(c.area, n.area), take(c.triangles, n.triangles);
  take(c.normal, n.normal), take(c.friction, n.friction), take(c.resistance, n.resistance);
  take(c.restitution, n.restitution);
  take(c.youngs_modulus, n.youngs_modulus), take(c.poissons_ratio, n.poissons_ratio);
  // A narrower sliding friction also replaces a wider break-away friction.
  if (n.mu_k) c.mu_s.reset();
  take(c.mu_k, n.mu_k), take(c.mu_s, n.mu_s), take(c.mu_r, n.mu_r);
  take(c.v_small, n.v_small), take(c.w_small, n.w_small), take(c.k_red, n.k_red);
  take(c.spin_radius, n.spin_radius);
  take(c.restitution_min, n.restitution_min), take(c.damping_max, n.damping_max);
}

ContactChoice merged_choice(const Scene& scene, const TouchedShape& a, const TouchedShape& b) {
  const ContactSpec& contact = scene.contact;
  ContactChoice choice = contact.all;
  for (const ContactPairSpec& pair : contact.material_pairs) {
    if (fits_materials(pair, a, b)) merge(choice, pair.choice);
  }
  for (const ContactPairSpec& pair : contact.pairs) {
    if (fits(contact, pair, a, b)) merge(choice, pair.choice);
  }
  take_surface_records(scene, a.material(), b.material(), choice);
  return choice;
}

struct Solid {
  double youngs_modulus = 0.0, poissons_ratio = 0.0, yield_strength = -1.0;
};

Solid solid(const Scene& scene, const std::string& name) {
  for (const MaterialSpec& m : scene.materials) {
    if (m.name == name) return {m.youngs_modulus, m.poissons_ratio, m.yield_strength};
  }
  const Material* m = find_material(name);
  if (!m) return {};
  return {m->youngs_modulus, m->poissons_ratio, m->yield_strength};
}

double weaker(double a, double b) {
  if (a < 0.0) return b;
  return b < 0.0 ? a : std::min(a, b);
}

/// Pressure over depth of a layer that cannot give way sideways, b thick (reference: the elastic
/// foundation of Modia3D): K = (1 - nu) / ((1 + nu)(1 - 2 nu)) E / b. Where nu comes near 1/2 the
/// layer would be rigid, though a real one yields at its rim.
double layer_stiffness(double youngs_modulus, double poissons_ratio, double layer) {
  constexpr double kMostRatio = 0.45;
  const double nu = std::min(poissons_ratio, kMostRatio);
  return (1.0 - nu) / ((1.0 + nu) * (1.0 - 2.0 * nu)) * youngs_modulus / layer;
}

ElementLaw element_law(const ContactChoice& choice) {
  using Normals = ElementLaw::Normals;
  if (!choice.triangles || choice.triangles->depth != "memory") return {};
  const std::string& normals = choice.triangles->normals;
  return {true, normals == "first"    ? Normals::first
                : normals == "second" ? Normals::second
                                      : Normals::both};
}

/// Lines across the area and points on each, for integrals of this accuracy. Measured on balls,
/// ellipsoids and cylinders on planes, with room (tests/proximity/contact_area_test.cpp).
int quadrature_order(double accuracy) { return accuracy >= 1e-2 ? 6 : 8; }

AreaLaw area_law(const ContactChoice& choice, const Solid& a, const Solid& b) {
  AreaLaw area;
  if (!choice.area || !choice.area->enabled) return area;
  area.is_on = true;
  area.order = quadrature_order(choice.area->accuracy);
  if (!(choice.area->layer > 0.0)) return area;
  area.layer = choice.area->layer;
  const auto stiffness = [&](const Solid& s) {
    return layer_stiffness(choice.youngs_modulus.value_or(s.youngs_modulus),
                           choice.poissons_ratio.value_or(s.poissons_ratio), area.layer);
  };
  const double ka = stiffness(a), kb = stiffness(b);
  area.foundation = choice.k_red.value_or(1.0) * ka * kb / (ka + kb);
  return area;
}

PairMaterial pair_material(const Scene& scene, const std::string& a, const std::string& b,
                           const ContactChoice& choice, std::string& note) {
  PairMaterial m;
  const Solid sa = solid(scene, a), sb = solid(scene, b);
  const auto compliance = [&](const Solid& s) {
    const double nu = choice.poissons_ratio.value_or(s.poissons_ratio);
    return (1.0 - nu * nu) / choice.youngs_modulus.value_or(s.youngs_modulus);
  };
  const auto shear_compliance = [&](const Solid& s) {
    const double nu = choice.poissons_ratio.value_or(s.poissons_ratio);
    return 2.0 * (2.0 - nu) * (1.0 + nu) / choice.youngs_modulus.value_or(s.youngs_modulus);
  };
  m.modulus = choice.k_red.value_or(1.0) / (compliance(sa) + compliance(sb));
  const double ratio =
      4.0 * (compliance(sa) + compliance(sb)) / (shear_compliance(sa) + shear_compliance(sb));
  if (std::isfinite(ratio)) m.shear_ratio = ratio;  // else no solid has a modulus
  m.yield_strength = weaker(sa.yield_strength, sb.yield_strength);
  std::string how;
  const MaterialPair data = palette_pair(a, b, how);
  m.restitution.value = data.restitution;
  if (choice.restitution) m.restitution = *choice.restitution;
  m.mu_k = choice.mu_k.value_or(data.mu_k);
  m.mu_s = std::max(m.mu_k, choice.mu_s.value_or(choice.mu_k ? m.mu_k : data.mu_s));
  m.mu_r = choice.mu_r.value_or(data.mu_r);
  m.spin_radius = choice.spin_radius.value_or(m.spin_radius);
  m.v_small = choice.v_small.value_or(m.v_small);
  m.w_small = choice.w_small.value_or(m.w_small);
  m.restitution_min = choice.restitution_min.value_or(m.restitution_min);
  m.damping_max = choice.damping_max.value_or(m.damping_max);
  if (!how.empty()) note = palette_note(a, b, how, m, choice);
  return m;
}

/// Parameters of a row: the defaults, what a choice says, and what the pair completes.
template <class Row>
std::vector<double> complete_params(const Row& row, const std::optional<LawSpec>& choice,
                                    const PairMaterial& material, std::size_t derived) {
  std::vector<double> params;
  for (const ParamField& field : row.fields) {
    params.insert(params.end(), width(field), field.default_value);
  }
  if (choice) {
    for (std::size_t i = 0; i < std::min(params.size(), choice->params.size()); ++i) {
      if (!std::isnan(choice->params[i])) params[i] = choice->params[i];
    }
  }
  params.resize(params.size() + derived, 0.0);
  if (row.bind) row.bind(material, params);
  return params;
}

const NormalLaw& normal_row(const std::optional<LawSpec>& choice) {
  if (choice && choice->normal) return *choice->normal;
  const NormalLaw* row = choice ? find_normal_law(choice->kind) : nullptr;
  return row ? *row : *find_normal_law(kDefaultNormalLaw);
}

const FrictionLaw& friction_row(const std::optional<LawSpec>& choice) {
  if (choice && choice->friction) return *choice->friction;
  const FrictionLaw* row = choice ? find_friction_law(choice->kind) : nullptr;
  return row ? *row : *find_friction_law(kDefaultFrictionLaw);
}

const ResistanceLaw& resistance_row(const std::optional<LawSpec>& choice) {
  const ResistanceLaw* row = choice ? find_resistance_law(choice->kind) : nullptr;
  return row ? *row : *find_resistance_law(kDefaultResistanceLaw);
}

/// A formula was checked where it was read; one that a program made wrong gives no force.
std::vector<double> formula_program(const Scene& scene, const LawSpec& law,
                                    std::span<const std::string_view> names) {
  FormulaError error;
  return compile_law_formula(law.formula, names, scene.values, error);
}

/// A solid without Young's modulus is soft without end: only laws with a stiffness of their
/// own make it touch.
bool has_stiffness(const Scene& scene, const TouchedShape& a, const TouchedShape& b) {
  const auto elastic = [&](const TouchedShape& s) {
    return solid(scene, s.material()).youngs_modulus > 0.0;
  };
  if (elastic(a) && elastic(b)) return true;
  const ContactChoice choice = merged_choice(scene, a, b);
  return choice.youngs_modulus || normal_row(choice.normal).own_stiffness;
}

}  // namespace

bool may_touch(const Scene& scene, const ShapeRef& a, const ShapeRef& b) {
  const TouchedShape sa = surface(scene, a), sb = surface(scene, b);
  const ContactSpec& contact = scene.contact;
  if (!contact.enabled || !sa.shape.contact || !sb.shape.contact) return false;
  const bool is_rigid = merged_choice(scene, sa, sb).method == kRigidContactMethod;
  if (!is_rigid && (sa.material().empty() || sb.material().empty())) return false;
  bool enabled = true;
  for (const ContactPairSpec& pair : contact.pairs) {
    if (fits(contact, pair, sa, sb)) enabled = pair.enabled;
  }
  return enabled && (is_rigid || has_stiffness(scene, sa, sb));
}

namespace {

/// Rows and parameters that a choice means for a pair of materials.
PairLaw complete_law(const Scene& scene, const ContactChoice& choice,
                     const PairMaterial& material) {
  PairLaw law;
  law.material = material;
  law.normal = &normal_row(choice.normal);
  law.friction = &friction_row(choice.friction);
  law.resistance = &resistance_row(choice.resistance);
  law.normal_params = complete_params(*law.normal, choice.normal, law.material, 0);
  law.friction_params =
      complete_params(*law.friction, choice.friction, law.material, law.friction->derived);
  law.resistance_params = complete_params(*law.resistance, choice.resistance, law.material, 0);
  if (law.normal->name == std::string_view("circumference")) {
    law.material.modulus *= circumference_factor(law.normal_params.front());
  }
  if (choice.normal && !choice.normal->formula.empty()) {
    law.normal_params = formula_program(scene, *choice.normal, kNormalFormulaNames);
  }
  if (choice.friction && !choice.friction->formula.empty()) {
    law.friction_params = formula_program(scene, *choice.friction, kFrictionFormulaNames);
  }
  return law;
}

}  // namespace

// A sheet that moves would press with its rim, which the method does not know.
bool is_usually_surface(const BodySpec& body, const ShapeSpec& shape) {
  if (shape.shape.kind != find_shape_kind("triangle_mesh") || !shape.shape.mesh) return false;
  return shape.shape.mesh->report.closed() || body.fixed;
}

bool is_blocky(const Shape& shape) {
  constexpr double kMostOfPoints = 4.0;
  if (shape.core.kind != &core_superquadric) return false;
  return std::max(shape.core.v[1].x, shape.core.v[1].y) > kMostOfPoints;
}

namespace {

/// A ring lies on a plane along a circle, of which no point could be followed.
bool is_ring(const Shape& shape) { return shape.kind == find_shape_kind("torus"); }
bool is_plane(const Shape& shape) { return shape.core.kind == &core_half_space; }
bool lies_on_a_circle(const Shape& a, const Shape& b) {
  return (is_ring(a) && is_plane(b)) || (is_plane(a) && is_ring(b));
}

bool touches_by_area(const Shape& a, const Shape& b) {
  if (lies_on_a_circle(a, b)) return true;
  if (!is_blocky(a) && !is_blocky(b)) return false;
  return !area_cores(a).empty() && !area_cores(b).empty();
}

LawSpec plain_law(const char* kind) {
  LawSpec law;
  law.kind = kind;
  return law;
}

/// What is not said: blocky bodies, and rings on planes, touch by their area, where both have one
/// and the normal law leaves stiffness to the material.
void choose_area(const TouchedShape& a, const TouchedShape& b, ContactChoice& choice) {
  if (choice.area || (choice.method && *choice.method != kDefaultContactMethod)) return;
  if (!touches_by_area(a.shape.shape, b.shape.shape)) return;
  if (!normal_row(choice.normal).of_material) return;
  choice.area = AreaSpec{};
  const bool is_said = choice.resistance && choice.resistance->where.line > 0;
  if (!is_said) choice.resistance = plain_law("none");
}

bool is_sheet(const TouchedShape& s) {
  return s.shape.shape.mesh && !s.shape.shape.mesh->report.closed();
}

/// What is not said: meshes that are more than their hull touch as surfaces, where the normal law
/// leaves stiffness to the material.
const char* usual_method(const TouchedShape& a, const TouchedShape& b, const NormalLaw& normal) {
  const bool are_surfaces = (is_usually_surface(a.body, a.shape) && !is_sheet(b)) ||
                            (is_usually_surface(b.body, b.shape) && !is_sheet(a));
  return are_surfaces && normal.of_material ? "triangles" : kDefaultContactMethod;
}

/// An area is a setting of elastic contact, of a mesh with what is none.
bool asks_for_area(const TouchedShape& a, const TouchedShape& b, const ContactChoice& choice) {
  return choice.area && choice.area->enabled &&
         is_area_mesh(a.shape.shape) != is_area_mesh(b.shape.shape);
}

const SurfaceSpec* find_surface(const Scene& scene, const std::string& name) {
  for (const SurfaceSpec& s : scene.surfaces) {
    if (s.name == name) return &s;
  }
  return nullptr;
}

}  // namespace

PairLaw resolve_pair_law(const Scene& scene, const ShapeRef& a, const ShapeRef& b,
                         std::string& note) {
  note.clear();
  const TouchedShape sa = surface(scene, a), sb = surface(scene, b);
  ContactChoice choice = merged_choice(scene, sa, sb);
  choose_area(sa, sb, choice);
  PairLaw law =
      complete_law(scene, choice, pair_material(scene, sa.material(), sb.material(), choice, note));
  law.method =
      find_contact_method(choice.method                   ? *choice.method
                          : asks_for_area(sa, sb, choice) ? kDefaultContactMethod
                                                          : usual_method(sa, sb, *law.normal));
  if (law.method->name == std::string_view(kDefaultContactMethod)) {
    law.area = area_law(choice, solid(scene, sa.material()), solid(scene, sb.material()));
  }
  if (law.method->name == std::string_view("triangles")) {
    law.elements = element_law(choice);
    law.detects_per_step = choice.triangles && choice.triangles->detection == "step";
  }
  mend_record_note(scene, sa.material(), sb.material(), *law.normal, note);
  // Rigid bodies know no rolling resistance.
  if (choice.method == kRigidContactMethod && choice.restitution && choice.mu_k) note.clear();
  return law;
}

std::string surface_material(const Scene& scene, const SurfaceSpec& s) {
  if (!s.material.empty()) return s.material;
  for (const BodySpec& body : scene.bodies) {
    if (body.name == s.body) return body.material;
  }
  return {};
}

bool has_elasticity(const Scene& scene, const SurfaceSpec& s) {
  return solid(scene, surface_material(scene, s)).youngs_modulus > 0.0;
}

PairLaw resolve_surface_law(const Scene& scene, const SurfaceContactSpec& contact,
                            std::string& note) {
  note.clear();
  ContactChoice choice = scene.contact.all;
  choice.normal = plain_law(kSurfaceNormalLaw);
  choice.friction = plain_law(kSurfaceFrictionLaw);
  choice.resistance = plain_law(kSurfaceResistanceLaw);
  merge(choice, contact.choice);
  const SurfaceSpec *a = find_surface(scene, contact.first),
                    *b = find_surface(scene, contact.second);
  const std::string ma = a ? surface_material(scene, *a) : "",
                    mb = b ? surface_material(scene, *b) : "";
  if (!contact.auto_law) take_surface_records(scene, ma, mb, choice);
  PairMaterial material = pair_material(scene, ma, mb, choice, note);
  const bool is_told =
      !contact.auto_law && contact.choice.friction && normal_row(choice.normal).own_stiffness;
  if (is_told) note.clear();  // nothing is taken from the materials
  if (ma.empty() || mb.empty()) {
    note.clear();
    // Nothing is known of the solids: the friction of the published library.
    if (!choice.mu_k) material.mu_k = 0.03, material.mu_s = choice.mu_s.value_or(0.04);
  }
  return complete_law(scene, choice, material);
}

std::vector<std::vector<int>> law_classes(const Scene& scene) {
  std::map<std::string, int> numbers;
  std::vector<std::vector<int>> classes;
  const auto has_any = [&](auto&& is_one) {
    return std::ranges::any_of(scene.bodies, [&](const BodySpec& body) {
      return std::ranges::any_of(body.shapes, [&](const ShapeSpec& s) { return is_one(s.shape); });
    });
  };
  const bool has_blocky = has_any(is_blocky), has_rings = has_any(is_ring);
  for (const BodySpec& body : scene.bodies) {
    std::vector<int>& list = classes.emplace_back();
    for (const ShapeSpec& shape : body.shapes) {
      const TouchedShape s{body, shape};
      std::string signature = (shape.contact ? "+" : "-") + s.material() + " ";
      if (is_usually_surface(body, shape)) signature += "surface ";
      if (is_sheet(s)) signature += "sheet ";
      if (is_area_mesh(shape.shape)) signature += "triangles ";
      if (has_blocky && is_blocky(shape.shape)) signature += "blocky ";
      if (has_blocky && area_cores(shape.shape).empty()) signature += "without area ";
      if (has_rings && is_ring(shape.shape)) signature += "ring ";
      if (has_rings && is_plane(shape.shape)) signature += "plane ";
      for (const ContactPairSpec& pair : scene.contact.pairs) {
        signature += means(scene.contact, pair.first, s) ? '1' : '0';
        signature += means(scene.contact, pair.second, s) ? '1' : '0';
      }
      list.push_back(numbers.emplace(signature, static_cast<int>(numbers.size())).first->second);
    }
  }
  return classes;
}

}  // namespace carom
