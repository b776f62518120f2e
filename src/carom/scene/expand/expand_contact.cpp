#include "carom/scene/expand/expand_contact.h"

#include <cmath>

#include "carom/contact/cones/impact.h"
#include "carom/contact/friction_law.h"
#include "carom/contact/normal_law.h"
#include "carom/contact/resistance_law.h"
#include "carom/proximity/smooth/surface.h"
#include "carom/scene/expand/yaml_writer.h"

namespace carom {
namespace {

using yaml::Map;

/// Fields that were given, and those with a default.
std::string law(const LawSpec& spec, std::span<const ParamField> fields, const char* formula_key) {
  Map map;
  for (std::size_t i = 0; i < fields.size() && i < spec.params.size(); ++i) {
    const double value = std::isnan(spec.params[i]) ? fields[i].default_value : spec.params[i];
    if (std::isnan(value)) continue;
    const bool flag = fields[i].type == ParamType::boolean;
    map.add(fields[i].name, flag ? yaml::boolean(value != 0.0) : yaml::number(value));
  }
  if (!spec.formula.empty()) map.add(formula_key, yaml::text(spec.formula));
  return Map().add(spec.kind, map.flow()).flow();
}

template <class Row>
std::span<const ParamField> fields_of(const Row* row) {
  return row ? row->fields : std::span<const ParamField>();
}

std::string restitution(const Restitution& r) {
  Map map;
  switch (r.kind) {
    case Restitution::Kind::constant: return yaml::number(r.value);
    case Restitution::Kind::table: {
      std::vector<std::string> rows;
      for (const auto& [v, e] : r.table) rows.push_back(yaml::list(std::vector<double>{v, e}));
      return map.add("table", yaml::list(rows)).flow();
    }
    case Restitution::Kind::power: {
      Map power;
      power.add("value", yaml::number(r.value)).add("reference", yaml::number(r.reference));
      power.add("exponent", yaml::number(r.exponent));
      return map.add("power", power.flow()).flow();
    }
    case Restitution::Kind::regularised:
      return map.add("regularised", Map().add("value", yaml::number(r.value)).flow()).flow();
  }
  return {};
}

std::string area(const AreaSpec& a) {
  if (!a.enabled) return "off";
  Map map;
  map.add("pressure", "foundation");
  map.add("layer", a.layer < 0.0 ? "auto" : yaml::number(a.layer));
  return map.add("accuracy", yaml::number(a.accuracy)).flow();
}

std::string triangles(const TrianglesSpec& t) {
  Map map;
  map.add("depth", t.depth);
  if (t.depth == "memory") map.add("normals", t.normals);
  map.add("detection", t.detection);
  return map.flow();
}

void add_choice(const ContactChoice& c, Map& map) {
  if (c.method) map.add("method", *c.method);
  if (c.triangles) map.add("triangles", triangles(*c.triangles));
  if (c.area) map.add("area", area(*c.area));
  if (c.normal) map.add("law", law(*c.normal, fields_of(find_normal_law(c.normal->kind)), "force"));
  if (c.friction) {
    map.add("friction", law(*c.friction, fields_of(find_friction_law(c.friction->kind)), "mu"));
  }
  if (c.resistance) {
    const auto fields = fields_of(find_resistance_law(c.resistance->kind));
    map.add("resistance", law(*c.resistance, fields, ""));
  }
  if (c.restitution) map.add("restitution", restitution(*c.restitution));
  const std::pair<const char*, const std::optional<double>&> numbers[] = {
      {"mu_k", c.mu_k},
      {"mu_s", c.mu_s},
      {"mu_r", c.mu_r},
      {"youngs_modulus", c.youngs_modulus},
      {"poissons_ratio", c.poissons_ratio},
      {"v_small", c.v_small},
      {"w_small", c.w_small},
      {"spin_radius", c.spin_radius},
      {"k_red", c.k_red},
      {"restitution_min", c.restitution_min},
      {"damping_max", c.damping_max}};
  for (const auto& [name, value] : numbers) {
    if (value) map.add(name, yaml::number(*value));
  }
}

/// A row with its fields, and the layer beside it.
std::string surface_contact_law(const LawSpec& spec, double layer) {
  std::string row = law(spec, fields_of(find_normal_law(spec.kind)), "force");
  if (std::isnan(layer)) return row;
  row.pop_back();
  return row + ", t: " + yaml::number(layer) + "}";
}

std::string name_pair(const std::string& first, const std::string& second) {
  return yaml::list(std::vector<std::string>{yaml::text(first), yaml::text(second)});
}

std::string pair_list(const std::vector<ContactPairSpec>& pairs, bool of_bodies) {
  std::vector<std::string> items;
  for (const ContactPairSpec& pair : pairs) {
    Map map;
    map.add("between", name_pair(pair.first, pair.second));
    if (of_bodies) map.add("enabled", yaml::boolean(pair.enabled));
    add_choice(pair.choice, map);
    items.push_back(map.flow());
  }
  return yaml::list(items);
}

}  // namespace

std::string expand_contact(const ContactSpec& contact) {
  Map map;
  map.add("enabled", yaml::boolean(contact.enabled));
  add_choice(contact.all, map);
  map.add("neighbours", yaml::boolean(contact.neighbours));
  map.add("deepest_start", yaml::number(contact.deepest_start));
  map.add("segments", std::to_string(contact.segments));
  if (!contact.material_pairs.empty()) {
    map.add("material_pairs", pair_list(contact.material_pairs, false));
  }
  if (!contact.groups.empty()) {
    Map groups;
    for (const ContactGroup& group : contact.groups) {
      std::vector<std::string> names;
      for (const std::string& name : group.bodies) names.push_back(yaml::text(name));
      groups.add(group.name, yaml::list(names));
    }
    map.add("groups", groups.flow());
  }
  if (!contact.pairs.empty()) map.add("pairs", pair_list(contact.pairs, true));
  if (!contact.watch.empty()) {
    std::vector<std::string> pairs;
    for (const auto& [first, second] : contact.watch) pairs.push_back(name_pair(first, second));
    map.add("watch", yaml::list(pairs));
  }
  const RigidSpec& rigid = contact.rigid;
  Map landing, impact, rigid_map;
  impact.add("law", rigid.law).add("resolution", rigid.resolution);
  rigid_map.add("impact", rigid.law == kNoImpacts ? kNoImpacts : impact.flow());
  if (rigid.landing_height > 0.0) landing.add("height", yaml::number(rigid.landing_height));
  rigid_map.add("landing", landing.add("rule", rigid.landing_rule).flow());
  rigid_map.add("paradox", rigid.paradox);
  rigid_map.add("slip_regularisation", yaml::number(rigid.slip_regularisation));
  map.add("rigid", rigid_map.flow());
  return "contact:\n" + map.block(2);
}

std::string expand_surfaces(const Scene& scene) {
  std::string out;
  for (const SurfaceSpec& s : scene.surfaces) {
    Map map;
    map.add("body", s.body);
    if (const SurfaceKind* kind = find_surface_kind(s.kind)) {
      Map fields;
      yaml::add_params(fields, kind->fields, s.params);
      map.add(kind->name, fields.flow());
    } else {
      map.add("shape", s.shape);
    }
    map.add("at", yaml::vector3(s.X_BS.p)).add("rotation", yaml::rotation(s.X_BS.R));
    if (!s.material.empty()) map.add("material", s.material);
    out += (out.empty() ? "surfaces:\n  " : "  ") + s.name + ": " + map.flow() + "\n";
  }
  if (!scene.surface_contacts.empty()) out += "contacts:\n";
  for (const SurfaceContactSpec& c : scene.surface_contacts) {
    Map map;
    map.add("between", name_pair(c.first, c.second));
    ContactChoice choice = c.choice;
    choice.normal.reset();
    if (c.auto_law) map.add("law", "auto");
    if (c.choice.normal) map.add("law", surface_contact_law(*c.choice.normal, c.layer));
    add_choice(choice, map);
    map.add("beyond", c.lets_go ? "release" : "push").add("speed", yaml::number(c.speed));
    map.add("filter", yaml::boolean(c.low_pass > 0.0));
    if (c.low_pass > 0.0) map.add("frequency", yaml::number(c.low_pass));
    out += "  - " + map.flow() + "\n";
  }
  return out;
}

}  // namespace carom
