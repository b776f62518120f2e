// Contact: the laws of the catalogues, and what may be said for all contacts, for a pair of
// materials and for a pair of bodies.
#include <cmath>

#include "carom/contact/cones/impact.h"
#include "carom/contact/contact_method.h"
#include "carom/contact/friction_law.h"
#include "carom/contact/normal_law.h"
#include "carom/contact/resistance_law.h"
#include "carom/scene/surface_spec.h"
#include "carom/scene/tables/tables.h"

namespace carom {
namespace {

using enum FieldKind;

/// A row's field. One without a default takes its value from the pair, which its text says.
Field law_field(const ParamField& param) {
  Field field = to_field(param);
  field.required = false;
  return field;
}

/// The record of the choice among the rows of a catalogue, and one for each row.
template <class Row>
void add_laws(std::span<const Row* const> rows, const std::string& name, const std::string& doc,
              std::vector<Record>& tables) {
  Record choice{.name = name, .doc = doc, .fields = {}};
  std::vector<Record> kinds;
  for (const Row* row : rows) {
    const std::string kind = name + "." + row->name;
    choice.choices.push_back({.name = row->name, .kind = record, .doc = row->doc, .record = kind});
    Record fields{.name = kind, .doc = row->doc, .fields = {}};
    for (const ParamField& param : row->fields) fields.fields.push_back(law_field(param));
    if (std::string_view(row->name) == "formula") {
      const bool normal = name == "law";
      fields.fields.push_back(
          {.name = normal ? "force" : "mu",
           .kind = text,
           .unit = normal ? "N" : "-",
           .doc = normal ? "the force over d, v, v0, e, k, kh" : "the coefficient over s, fn",
           .required = true});
    }
    kinds.push_back(std::move(fields));
  }
  tables.push_back(std::move(choice));
  for (Record& kind : kinds) tables.push_back(std::move(kind));
}

template <class Row>
Field law_choice(std::span<const Row* const> rows, const char* name, const char* doc,
                 const char* otherwise) {
  Field field{.name = name, .kind = law, .doc = doc, .default_text = otherwise, .record = name};
  for (const Row* row : rows) {
    if (std::string_view(row->name) != "formula") field.words.push_back(row->name);
  }
  return field;
}

/// What may be said at every level. `narrow`: what is not said comes from the wider one.
std::vector<Field> choice_fields(bool narrow) {
  const auto otherwise = [&](double value) { return narrow ? kRequired : value; };
  Field method{.name = "method",
               .kind = word,
               .doc =
                   "formulation by which two shapes touch; not said: triangles where one is a "
                   "triangle_mesh that is closed or fixed, elastic otherwise"};
  for (const ContactMethod* row : contact_method_catalogue()) method.words.push_back(row->name);
  std::vector<Field> fields{
      method,
      {.name = "area",
       .kind = FieldKind::contact,
       .doc = "force and torque from the whole area of contact, of the method elastic",
       .default_text = narrow ? "" : "off",
       .record = "area"},
      {.name = "triangles",
       .kind = record,
       .doc = "how overlaps press, of the method triangles",
       .record = "triangles"},
      law_choice(normal_law_catalogue(), "law", "normal force", narrow ? "" : kDefaultNormalLaw),
      law_choice(friction_law_catalogue(), "friction", "friction force",
                 narrow ? "" : kDefaultFrictionLaw),
      law_choice(resistance_law_catalogue(), "resistance", "torque against rolling and spinning",
                 narrow ? "" : kDefaultResistanceLaw),
      {.name = "restitution",
       .kind = restitution,
       .doc = "coefficient of restitution, also over speed; without it that of the materials",
       .min = 0.0,
       .max = 1.0,
       .record = "restitution"},
      {.name = "mu_k", .doc = "sliding friction; without it that of the materials", .min = 0.0},
      {.name = "mu_s", .doc = "break-away friction, at least mu_k; without it mu_k", .min = 0.0},
      {.name = "mu_r",
       .doc = "rolling resistance over the contact radius; without it that of the materials",
       .min = 0.0},
      {.name = "youngs_modulus",
       .unit = "Pa",
       .doc = "of both surfaces, in place of the solids'",
       .min = 0.0,
       .open = true},
      {.name = "poissons_ratio",
       .doc = "of both surfaces, in place of the solids'",
       .min = -1.0,
       .max = 0.5,
       .open = true}};
  const auto number_field = [&](const char* name, const char* unit, const char* doc, double value,
                                double max = kInf, bool open = true) {
    fields.push_back({.name = name,
                      .unit = unit,
                      .doc = doc,
                      .default_value = otherwise(value),
                      .min = 0.0,
                      .max = max,
                      .open = open});
  };
  const PairMaterial usual;
  number_field("v_small", "m/s", "slip and approach below it count as rest", usual.v_small);
  number_field("w_small", "rad/s", "the same for relative rotation", usual.w_small);
  number_field("spin_radius", "m",
               "of the method rigid: friction resists drilling by up to mu times this times the "
               "normal force",
               usual.spin_radius, kInf, false);
  number_field("k_red", "-", "factor of the elastic stiffness: softer is faster", 1.0);
  number_field("restitution_min", "-", "least restitution that damping is computed from",
               usual.restitution_min, 1.0);
  number_field("damping_max", "s/m", "largest factor of the depth rate in a normal force",
               usual.damping_max, kInf, false);
  return fields;
}

Record pair_record(const char* name, const char* doc, const char* between) {
  Record pair{.name = name, .doc = doc, .fields = choice_fields(true)};
  pair.fields.insert(pair.fields.begin(),
                     {.name = "between", .kind = name_pair, .doc = between, .required = true});
  return pair;
}

/// A pair of surfaces: laws may be given in the paper's letters, or left to Carom.
Record surface_contact_record() {
  Record pair = pair_record("surface_contact", "two surfaces that touch",
                            "two surfaces; of lists, and of the faces of shapes, each of the first "
                            "with each of the second");
  std::erase_if(pair.fields, [](const Field& field) {
    return field.name == "method" || field.name == "area" || field.name == "triangles";
  });
  for (Field& field : pair.fields) {
    if (field.name == "between") {
      field.kind = name_lists;
    } else if (field.name == "law") {
      field.record = "surface_contact_law";
      field.words.push_back("auto");
      field.default_text = kSurfaceNormalLaw;
    } else if (field.name == "friction") {
      field.record = "surface_contact_friction";
      field.default_text = kSurfaceFrictionLaw;
    } else if (field.name == "resistance") {
      field.default_text = kSurfaceResistanceLaw;
    }
  }
  for (Field& field : surface_contact_fields()) pair.fields.push_back(std::move(field));
  return pair;
}

Record contact_record() {
  Record contact{.name = "contact",
                 .doc = "how bodies touch: for all contacts, and what differs for some",
                 .fields = choice_fields(false)};
  const Field more[] = {
      {.name = "enabled", .kind = boolean, .doc = "bodies touch at all", .default_value = 1.0},
      {.name = "neighbours",
       .kind = boolean,
       .doc = "bodies that a joint connects may touch each other",
       .default_value = 0.0},
      {.name = "deepest_start",
       .doc = "overlap at the start that is refused, over the smaller body's size",
       .default_value = ContactSpec{}.deepest_start,
       .min = 0.0},
      {.name = "segments",
       .kind = integer,
       .doc = "of round shapes per full turn, where they touch as triangles",
       .default_value = static_cast<double>(ContactSpec{}.segments),
       .min = 3.0,
       .max = 4096.0},
      {.name = "material_pairs",
       .kind = record_list,
       .doc = "what differs between two materials",
       .record = "material_pair"},
      {.name = "groups", .kind = names_map, .doc = "named sets of bodies"},
      {.name = "pairs",
       .kind = record_list,
       .doc = "what differs between two bodies or groups; the last that fits wins",
       .record = "contact_pair"},
      {.name = "exclude",
       .kind = name_pairs,
       .doc = "pairs of bodies, shapes (body.shape) or groups that do not touch"},
      {.name = "rigid",
       .kind = record,
       .doc = "how rigid contacts strike and land",
       .record = "rigid"},
      {.name = "watch",
       .kind = name_pairs,
       .doc = "pairs of bodies with channels of their own, whether they touch or not"},
  };
  contact.fields.insert(contact.fields.end(), std::begin(more), std::end(more));
  return contact;
}

Record area_record() {
  const AreaSpec usual;
  return {.name = "area",
          .doc = "an elastic layer on both bodies whose pressure is integrated over the contact",
          .fields = {{.name = "pressure",
                      .kind = word,
                      .doc = "foundation: pressure in proportion to the depth at every place",
                      .default_text = "foundation",
                      .words = {"foundation"}},
                     {.name = "layer",
                      .unit = "m",
                      .doc = "thickness of the elastic layer of each body; auto: so that the force "
                             "is Hertz's at the depth to expect",
                      .default_text = "auto",
                      .min = 0.0,
                      .open = true,
                      .words = {"auto"}},
                     {.name = "accuracy",
                      .doc = "of the integrals over the area",
                      .default_value = usual.accuracy,
                      .min = 1e-8,
                      .max = 0.1}}};
}

Record triangles_record() {
  const TrianglesSpec usual;
  return {.name = "triangles",
          .doc = "how overlaps of triangle surfaces press",
          .fields = {{.name = "depth",
                      .kind = word,
                      .doc = "mean: volume over area of the overlap; memory: integrated for every "
                             "pair of triangles that meet (Moisio 2013)",
                      .default_text = usual.depth,
                      .words = {"mean", "memory"}},
                     {.name = "normals",
                      .kind = word,
                      .doc = "of memory: whose triangles press along their normals; first and "
                             "second in the order of the bodies",
                      .default_text = usual.normals,
                      .words = {"both", "first", "second"}},
                     {.name = "detection",
                      .kind = word,
                      .doc = "when overlaps are found: for every evaluation of forces, or once per "
                             "step of an explicit method with fixed steps, and moved along with "
                             "the bodies within it",
                      .default_text = usual.detection,
                      .words = {"evaluation", "step"}}}};
}

std::vector<Record> restitution_records() {
  const Field value{.name = "value",
                    .doc = "coefficient of restitution",
                    .required = true,
                    .min = 0.0,
                    .max = 1.0};
  const Restitution usual;
  return {{.name = "restitution",
           .doc = "the coefficient of restitution over the approach speed",
           .fields = {},
           .choices = {{.name = "table",
                        .kind = pairs,
                        .doc = "[speed, e] rows, linear between, constant outside",
                        .min = 0.0},
                       {.name = "power",
                        .kind = record,
                        .doc = "e = value (v/reference)^-exponent, at most 1",
                        .record = "restitution.power"},
                       {.name = "regularised",
                        .kind = record,
                        .doc = "Modia3D's: falls to the least one below v_small",
                        .record = "restitution.regularised"}}},
          {.name = "restitution.power",
           .doc = "e = value (v/reference)^-exponent, at most 1",
           .fields = {value,
                      {.name = "reference",
                       .unit = "m/s",
                       .doc = "speed at which e is the value",
                       .default_value = usual.reference,
                       .min = 0.0,
                       .open = true},
                      {.name = "exponent",
                       .doc = "1/4 where metals yield",
                       .default_value = usual.exponent,
                       .min = 0.0,
                       .max = 10.0}}},
          {.name = "restitution.regularised",
           .doc = "Modia3D's: falls to the least one below v_small",
           .fields = {value}}};
}

std::vector<Record> rigid_records() {
  const RigidSpec usual;
  Field law{.name = "law",
            .kind = word,
            .doc =
                "newton: share of the speed of approach; poisson: share of the impulse of "
                "compression; paper: newton, with friction against the slip before (Kossenko); "
                "energetic: share of the energy of compression (Stronge), of one point",
            .default_text = usual.law};
  for (const char* name : kImpactLaws) law.words.push_back(name);
  return {{.name = "rigid",
           .doc = "how rigid contacts strike and land",
           .fields = {{.name = "impact",
                       .kind = FieldKind::contact,
                       .doc = "what an impact gives back; off: a new approach ends the run",
                       .record = "rigid_impact"},
                      {.name = "landing",
                       .kind = FieldKind::contact,
                       .doc = "when bouncing is taken to its end; paper: its rule alone",
                       .record = "rigid_landing"},
                      {.name = "paradox",
                       .kind = word,
                       .doc = "where friction leaves no forces (Painlevé): stop ends the run, "
                              "impact lets the bodies strike without collision",
                       .default_text = usual.paradox,
                       .words = {"stop", "impact"}},
                      {.name = "slip_regularisation",
                       .unit = "m/s",
                       .doc = "slip below which friction grows with it, so that nothing sticks; 0: "
                              "exact",
                       .default_value = usual.slip_regularisation,
                       .min = 0.0}}},
          {.name = "rigid_impact",
           .doc = "what an impact gives back",
           .fields = {law,
                      {.name = "resolution",
                       .kind = word,
                       .doc = "all that touch at once, or pair after pair, the fastest first",
                       .default_text = usual.resolution,
                       .words = {"simultaneous", "sequential"}}}},
          {.name = "rigid_landing",
           .doc = "when bouncing is taken to its end",
           .fields = {{.name = "height",
                       .doc = "of bounces that are not followed any more, over the size of the "
                              "smaller body; without it 1e-12, and 1e-5 where two bounces agree on "
                              "the end",
                       .min = 0.0,
                       .open = true},
                      {.name = "rule",
                       .kind = word,
                       .doc = "limit: the end of all bounces, with their impulses; paper: bodies "
                              "stop at the first bounce that is so low, 1e-10 (Kossenko)",
                       .default_text = usual.landing_rule,
                       .words = {"limit", "paper"}}}}};
}

}  // namespace

std::vector<Record> contact_tables() {
  std::vector<Record> tables{contact_record()};
  for (Record& record : rigid_records()) tables.push_back(std::move(record));
  Record pair = pair_record("contact_pair", "what differs between two bodies or groups",
                            "two bodies, shapes (body.shape) or groups");
  pair.fields.push_back(
      {.name = "enabled", .kind = boolean, .doc = "they touch at all", .default_value = 1.0});
  tables.push_back(std::move(pair));
  tables.push_back(
      pair_record("material_pair", "what differs between two materials", "two materials"));
  tables.push_back(surface_contact_record());
  tables.push_back(area_record());
  tables.push_back(triangles_record());
  for (Record& record : restitution_records()) tables.push_back(std::move(record));
  add_laws(normal_law_catalogue(), "law", "the normal force of a contact", tables);
  add_laws(friction_law_catalogue(), "friction", "the friction of a contact", tables);
  add_laws(resistance_law_catalogue(), "resistance", "torques against rolling and spinning",
           tables);
  return tables;
}

}  // namespace carom
