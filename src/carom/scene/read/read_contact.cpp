// Contact: laws, their fields, and what differs between some materials or bodies.
#include <algorithm>
#include <cmath>
#include <tuple>

#include "carom/contact/cones/impact.h"
#include "carom/contact/contact_method.h"
#include "carom/contact/friction_law.h"
#include "carom/contact/law_formula.h"
#include "carom/contact/normal_law.h"
#include "carom/contact/resistance_law.h"
#include "carom/scene/read/read_parts.h"
#include "carom/scene/validate/rules.h"

namespace carom {
namespace {

/// The fields of a law's row; what is not given stays NaN, and so open to the pair.
std::vector<double> read_law_params(MapReader& map, std::span<const ParamField> fields) {
  std::vector<double> params;
  for (const ParamField& field : fields) {
    const Node* node = map.find(field.name);
    std::optional<double> value;
    if (node && field.type == ParamType::boolean) {
      const auto flag = map.reader.boolean(*node, map.path(field.name));
      if (flag) value = *flag ? 1.0 : 0.0;
    } else if (node) {
      value = map.optional_number(field.name);
    }
    params.push_back(value.value_or(std::nan("")));
  }
  return params;
}

/// Text of a law's formula; a leading '=' is allowed, as everywhere.
std::string read_law_formula(MapReader& map, const char* key,
                             std::span<const std::string_view> names) {
  const Node* node = map.find(key);
  const auto text = node ? map.reader.text(*node, map.path(key)) : std::nullopt;
  if (!text) return {};
  std::string formula = formula_text(*text);
  FormulaError error;
  std::vector<FormulaKink> kinks;
  compile_law_formula(formula, names, map.reader.values.all(), error, &kinks);
  if (!error.empty()) {
    map.reader.formula_error(*node, map.path(key), error);
    return {};
  }
  for (const FormulaKink& kink : kinks) {
    map.reader.out.note(map.reader.at(node->where),
                        map.path(key) + " has a kink or jump: '" + kink.name +
                            "'; steps of error control get short where it is passed",
                        "round it, as by a square root or tanh, if runs take long");
  }
  return formula;
}

/// The fields of the usual law of two surfaces, without its name.
LawSpec read_short_law(MapReader& map, LawSpec law) {
  const bool normal = map.record().name == "surface_contact_law";
  law.kind = normal ? kSurfaceNormalLaw : kSurfaceFrictionLaw;
  const std::size_t count = normal ? find_normal_law(law.kind)->fields.size()
                                   : find_friction_law(law.kind)->fields.size();
  for (std::size_t i = 0; i < count; ++i) {
    const Field& field = map.record().fields[i];
    const Node* node = map.find(field.name);
    double value = std::nan("");
    if (node && field.kind == FieldKind::boolean) {
      value = map.boolean(field.name) ? 1.0 : 0.0;
    } else if (node) {
      value = map.optional_number(field.name).value_or(value);
    }
    law.params.push_back(value);
  }
  return law;
}

template <class Row>
std::optional<LawSpec> read_law(MapReader& map, const char* key,
                                const Row* (*find)(std::string_view)) {
  const Node* node = map.find(key);
  if (!node) return {};
  LawSpec law;
  law.where = map.reader.at(node->where);
  if (!node->is_map()) {
    const auto word = map.reader.word(*node, map.field(key), map.path(key));
    if (!word) return {};
    law.kind = *word;
    if (const Row* row = find(law.kind)) law.params.assign(width(row->fields), std::nan(""));
    return law;
  }
  MapReader choice(map.reader, *node, map.field(key).record, map.path(key));
  if (!choice.kind() && !choice.record().choice_required) return read_short_law(choice, law);
  if (!choice.kind()) return {};
  law.kind = choice.kind()->name;
  MapReader fields(map.reader, choice.kind_value(), choice.kind()->record, choice.path(law.kind));
  law.params = read_law_params(fields, find(law.kind)->fields);
  if (law.kind == "formula") {
    const bool normal = std::string_view(key) == "law";
    law.formula = normal ? read_law_formula(fields, "force", kNormalFormulaNames)
                         : read_law_formula(fields, "mu", kFrictionFormulaNames);
  }
  return law;
}

void read_restitution_table(MapReader& map, Restitution& r) {
  const Node& node = map.kind_value();
  const std::string path = map.path("table");
  const Field& field = map.field("table");
  if (!node.is_list() || node.items.empty()) {
    map.reader.wrong(node, path, "a list of [speed, restitution]");
    return;
  }
  for (std::size_t i = 0; i < node.items.size(); ++i) {
    const std::string here = path + "." + std::to_string(i);
    const auto row = map.reader.numbers(node.items[i], field, 2, here);
    if (!row) continue;
    r.table.emplace_back((*row)[0], (*row)[1]);
    const std::string problem = row_problem(r);
    if (!problem.empty()) map.reader.error(node.items[i].where, here + problem);
  }
}

std::optional<Restitution> read_restitution(MapReader& map) {
  const Node* node = map.find("restitution");
  if (!node) return {};
  Restitution r;
  if (!node->is_map()) {
    const auto value = map.optional_number("restitution");
    if (!value) return {};
    r.value = *value;
    return r;
  }
  MapReader choice(map.reader, *node, "restitution", map.path("restitution"));
  if (!choice.kind()) return {};
  const std::string kind = choice.kind()->name;
  if (kind == "table") {
    r.kind = Restitution::Kind::table;
    read_restitution_table(choice, r);
    return r;
  }
  MapReader fields(map.reader, choice.kind_value(), choice.kind()->record, choice.path(kind));
  r.value = fields.number("value");
  r.kind = Restitution::Kind::regularised;
  if (kind == "power") {
    r.kind = Restitution::Kind::power;
    r.reference = fields.number("reference");
    r.exponent = fields.number("exponent");
  }
  return r;
}

LawSpec default_law(const char* kind, std::span<const ParamField> fields) {
  LawSpec law;
  law.kind = kind;
  law.params.assign(width(fields), std::nan(""));
  return law;
}

std::optional<AreaSpec> read_area(MapReader& map) {
  const Node* node = map.find("area");
  if (!node || node->is_null()) return {};
  AreaSpec area;
  if (says_off(*node)) {
    area.enabled = false;
    return area;
  }
  MapReader own(map.reader, *node, "area", map.path("area"));
  if (own.has("pressure")) own.word("pressure");
  const Node* layer = own.find("layer");
  const bool is_auto = layer && layer->is_scalar() && layer->text == "auto";
  if (layer && !is_auto) area.layer = own.optional_number("layer").value_or(area.layer);
  area.accuracy = own.number("accuracy");
  return area;
}

std::optional<TrianglesSpec> read_triangles(MapReader& map) {
  const Node* node = map.find("triangles");
  if (!node || node->is_null()) return {};
  TrianglesSpec spec;
  MapReader own(map.reader, *node, "triangles", map.path("triangles"));
  spec.depth = own.word("depth");
  spec.detection = own.word("detection");
  const bool says_normals = own.has("normals");
  spec.normals = own.word("normals");
  if (says_normals && spec.depth != "memory") {
    map.reader.error(own.find("normals")->where,
                     own.path("normals") + " is a setting of 'depth: memory'",
                     "add 'depth: memory', or leave it out: a mean depth presses along the normal "
                     "of the patch");
  }
  return spec;
}

}  // namespace

ContactChoice read_choice(MapReader& map) {
  ContactChoice c;
  if (map.record().find("triangles")) c.triangles = read_triangles(map);
  if (map.record().find("area")) c.area = read_area(map);
  if (map.record().find("method") && map.has("method")) {
    const std::string method = map.word("method");
    if (!method.empty()) c.method = method;  // else it was refused already
  }
  c.normal = read_law(map, "law", find_normal_law);
  c.friction = read_law(map, "friction", find_friction_law);
  c.resistance = read_law(map, "resistance", find_resistance_law);
  // What resists rolling and drilling is the pressure and the friction of the area itself.
  if (c.area && c.area->enabled && !c.resistance) c.resistance = default_law("none", {});
  c.restitution = read_restitution(map);
  c.mu_k = map.optional_number("mu_k");
  c.mu_s = map.optional_number("mu_s");
  c.mu_r = map.optional_number("mu_r");
  c.youngs_modulus = map.optional_number("youngs_modulus");
  c.poissons_ratio = map.optional_number("poissons_ratio");
  // Defaults stand in the table of the widest choice only.
  const auto number = [&](const char* key) {
    const double otherwise = map.field(key).default_value;
    const std::optional<double> value = map.optional_number(key);
    return value || std::isnan(otherwise) ? value : std::optional(otherwise);
  };
  c.v_small = number("v_small");
  c.w_small = number("w_small");
  c.spin_radius = number("spin_radius");
  c.k_red = number("k_red");
  c.restitution_min = number("restitution_min");
  c.damping_max = number("damping_max");
  if (c.mu_k && c.mu_s && *c.mu_s < *c.mu_k) {
    map.reader.error(map.find("mu_s")->where, map.path("mu_s") + " is less than mu_k",
                     "break-away friction is at least sliding friction");
  }
  return c;
}

std::optional<std::pair<std::string, std::string>> read_name_pair(Reader& reader, const Node& node,
                                                                  const std::string& path) {
  if (!node.is_list() || node.items.size() != 2) {
    reader.wrong(node, path, "two names", "write [one, other]");
    return {};
  }
  const auto first = reader.text(node.items[0], path + ".0");
  const auto second = reader.text(node.items[1], path + ".1");
  if (!first || !second) return {};
  return std::pair(*first, *second);
}

namespace {

/// Calls `read(item, path)` for every item of the list under `key`.
template <class Read>
void for_each_item(MapReader& map, const char* key, const char* what, Read read) {
  const Node* list = map.find(key);
  if (!list || list->is_null()) return;
  if (!list->is_list()) {
    map.reader.wrong(*list, map.path(key), what);
    return;
  }
  for (std::size_t i = 0; i < list->items.size(); ++i) {
    read(list->items[i], map.path(key) + "." + std::to_string(i));
  }
}

void read_pairs(MapReader& map, const char* key, const char* record,
                std::vector<ContactPairSpec>& pairs) {
  for_each_item(map, key, "a list of pairs", [&](const Node& node, const std::string& path) {
    MapReader item(map.reader, node, record, path);
    const Node* between = item.find("between");
    if (!item.is_map() || !between) return;
    ContactPairSpec pair;
    pair.where = map.reader.at(between->where);
    const auto names = read_name_pair(map.reader, *between, item.path("between"));
    if (names) std::tie(pair.first, pair.second) = *names;
    pair.choice = read_choice(item);
    if (item.has("enabled")) pair.enabled = item.boolean("enabled");
    if (names) pairs.push_back(std::move(pair));
  });
}

void read_excluded(MapReader& map, ContactSpec& contact) {
  for_each_item(map, "exclude", "a list of pairs of names",
                [&](const Node& node, const std::string& path) {
                  const auto names = read_name_pair(map.reader, node, path);
                  if (!names) return;
                  ContactPairSpec pair;
                  std::tie(pair.first, pair.second) = *names;
                  pair.enabled = false;
                  pair.where = map.reader.at(node.where);
                  contact.pairs.push_back(std::move(pair));
                });
}

void read_groups(MapReader& map, ContactSpec& contact) {
  for_each_named(map.reader, map.find("groups"), map.path("groups"), [&](const NodeEntry& entry) {
    const std::string path = map.path("groups") + "." + entry.key;
    contact.groups.push_back(
        {entry.key, map.reader.texts(entry.value, path), map.reader.at(entry.where)});
  });
}

void read_rigid(MapReader& contact, RigidSpec& rigid) {
  Reader& reader = contact.reader;
  const Node* node = contact.find("rigid");
  if (!node) return;
  MapReader map(reader, *node, "rigid", "contact.rigid");
  rigid.slip_regularisation = map.number("slip_regularisation");
  const Node* impact = map.find("impact");
  if (impact && says_off(*impact)) {
    rigid.law = kNoImpacts;
  } else if (impact) {
    MapReader own(reader, *impact, "rigid_impact", "contact.rigid.impact");
    if (own.has("law")) rigid.law = own.word("law");
    if (own.has("resolution")) rigid.resolution = own.word("resolution");
  }
  if (map.has("paradox")) rigid.paradox = map.word("paradox");
  const Node* landing = map.find("landing");
  if (landing && landing->is_scalar() && landing->text == kPaperLanding) {
    rigid.landing_rule = kPaperLanding;
  } else if (landing) {
    MapReader own(reader, *landing, "rigid_landing", "contact.rigid.landing");
    rigid.landing_height = own.optional_number("height").value_or(rigid.landing_height);
    if (own.has("rule")) rigid.landing_rule = own.word("rule");
  }
}

void take_default_laws(ContactChoice& all) {
  if (!all.normal) all.normal = default_law(kDefaultNormalLaw, {});
  if (!all.friction) {
    all.friction = default_law(kDefaultFrictionLaw, find_friction_law(kDefaultFrictionLaw)->fields);
  }
  if (!all.resistance) {
    all.resistance =
        default_law(kDefaultResistanceLaw, find_resistance_law(kDefaultResistanceLaw)->fields);
  }
}

}  // namespace

void read_contact(Reader& reader, Scene& scene) {
  ContactSpec& contact = scene.contact;
  const Node* found = reader.document.root.find("contact");
  const Node nothing;
  const Node& node = found ? *found : nothing;
  contact.where = reader.at(found ? found->where : reader.document.root.where);
  const bool off = found && says_off(node);
  MapReader map(reader, off ? nothing : node, "contact", "contact");
  contact.all = read_choice(map);
  auto& all = contact.all;
  // Materials that carry the records of their surfaces bring laws of their own.
  if (std::ranges::none_of(scene.materials, [](const auto& m) { return m.surface.has_value(); })) {
    take_default_laws(all);
  }
  contact.enabled = !off && map.boolean("enabled");
  contact.neighbours = map.boolean("neighbours");
  contact.deepest_start = map.number("deepest_start");
  contact.segments = map.integer("segments");
  read_rigid(map, contact.rigid);
  read_pairs(map, "material_pairs", "material_pair", contact.material_pairs);
  read_groups(map, contact);
  read_pairs(map, "pairs", "contact_pair", contact.pairs);
  read_excluded(map, contact);
  for_each_item(map, "watch", "a list of pairs of names",
                [&](const Node& item, const std::string& path) {
                  const auto names = read_name_pair(reader, item, path);
                  if (names) contact.watch.push_back(*names);
                });
}

}  // namespace carom
