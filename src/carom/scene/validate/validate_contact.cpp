// Names in the contact section: bodies, shapes of bodies, groups, materials.
#include <algorithm>
#include <limits>
#include <set>
#include <tuple>

#include "carom/base/text.h"
#include "carom/contact/contact_method.h"
#include "carom/contact/friction_law.h"
#include "carom/contact/materials.h"
#include "carom/contact/normal_law.h"
#include "carom/contact/resistance_law.h"
#include "carom/scene/validate/validate.h"

namespace carom {
namespace {

class ContactCheck {
 public:
  ContactCheck(const Scene& scene, Diagnostics& out) : out_(out) {
    for (const BodySpec& body : scene.bodies) {
      bodies_.insert(body.name);
      for (const ShapeSpec& shape : body.shapes) {
        if (!shape.name.empty()) shapes_.insert(body.name + "." + shape.name);
      }
    }
    for (const ContactGroup& group : scene.contact.groups) groups_.insert(group.name);
    for (const MaterialSpec& material : scene.materials) materials_.insert(material.name);
    for (const Material& material : material_palette()) materials_.insert(material.name);
  }

  void group(const ContactGroup& group) {
    const std::string what = "contact.groups." + group.name;
    const std::string problem = name_problem(group.name);
    if (!problem.empty()) {
      out_.error(group.where, "'" + group.name + "' cannot be the name of a group: " + problem);
    }
    if (bodies_.contains(group.name)) {
      out_.error(group.where, "the name '" + group.name + "' of a group is already that of a body",
                 "give the group another name");
    }
    for (const std::string& name : group.bodies) body(name, group.where, what);
  }
  void body(const std::string& name, const SourcePos& where, const std::string& what) {
    if (!bodies_.contains(name)) report(name, "body", bodies_, where, what);
  }
  void surface(const std::string& name, const SourcePos& where, const std::string& what) {
    if (bodies_.contains(name) || groups_.contains(name) || shapes_.contains(name)) return;
    std::set<std::string> known = bodies_;
    known.insert(groups_.begin(), groups_.end());
    known.insert(shapes_.begin(), shapes_.end());
    report(name, "body, shape or group", known, where, what);
  }
  void material(const std::string& name, const SourcePos& where, const std::string& what) {
    if (!materials_.contains(name)) report(name, "material", materials_, where, what);
  }

 private:
  void report(const std::string& name, const std::string& kind, const std::set<std::string>& known,
              const SourcePos& where, const std::string& what) {
    out_.error(where, what + ": there is no " + kind + " '" + name + "'",
               suggest(name, std::vector<std::string>(known.begin(), known.end())));
  }

  Diagnostics& out_;
  std::set<std::string> bodies_, shapes_, groups_, materials_;
};

/// Rows that a program named must exist; a reader knows them already.
void check_laws(const ContactChoice& choice, const SourcePos& where, Diagnostics& out) {
  const auto missing = [&](const char* what, const LawSpec& law) {
    out.error(where, std::string("there is no ") + what + " '" + law.kind + "'");
  };
  const auto& [normal, friction, resistance] =
      std::tie(choice.normal, choice.friction, choice.resistance);
  if (normal && !normal->normal && !find_normal_law(normal->kind)) missing("normal law", *normal);
  if (friction && !friction->friction && !find_friction_law(friction->kind)) {
    missing("friction law", *friction);
  }
  if (resistance && !find_resistance_law(resistance->kind)) missing("resistance", *resistance);
  if (choice.method && !find_contact_method(*choice.method)) {
    std::vector<std::string> known;
    for (const ContactMethod* row : contact_method_catalogue()) known.push_back(row->name);
    out.error(where, "there is no contact method '" + *choice.method + "'",
              suggest(*choice.method, known));
  }
}

/// Modulus of a material, of the scene's own or of the palette; infinite if there is none.
double modulus_of(const Scene& scene, const std::string& name) {
  for (const MaterialSpec& m : scene.materials) {
    if (m.name == name) return m.youngs_modulus;
  }
  for (const Material& m : material_palette()) {
    if (m.name == name) return m.youngs_modulus;
  }
  return std::numeric_limits<double>::infinity();
}

/// Whether a pair says its own factor for a body or material: then whoever wrote it has thought.
bool has_own_reduction(const ContactSpec& contact, const std::string& body,
                       const std::string& material) {
  const auto is_meant = [&](const ContactPairSpec& p) {
    if (!p.choice.k_red) return false;
    return p.first == body || p.second == body || p.first == material || p.second == material;
  };
  return std::ranges::any_of(contact.material_pairs, is_meant) ||
         std::ranges::any_of(contact.pairs, is_meant);
}

/// A reduction factor is for steel and stone, which are too stiff to be integrated fast. On what is
/// soft already bodies sink into each other.
void check_reduction(const Scene& scene, const ContactChoice& choice, const SourcePos& where,
                     const std::vector<std::string>& names, Diagnostics& out) {
  constexpr double kSoft = 1e8;  // [Pa]; rubber has 2e6, polyethylene 1e9
  if (!(choice.k_red.value_or(1.0) < 1.0)) return;
  for (const BodySpec& body : scene.bodies) {
    for (const ShapeSpec& shape : body.shapes) {
      const std::string& material = shape.material.empty() ? body.material : shape.material;
      const bool is_meant = names.empty() || std::ranges::find(names, body.name) != names.end() ||
                            std::ranges::find(names, material) != names.end();
      const double modulus = modulus_of(scene, material);
      if (!shape.contact || !is_meant || !(modulus < kSoft)) continue;
      if (names.empty() && has_own_reduction(scene.contact, body.name, material)) continue;
      out.warning(where,
                  "k_red: " + number_text(*choice.k_red) + " also makes '" + material +
                      "' of body '" + body.name + "' softer, which is soft already (" +
                      number_text(modulus) + " Pa)",
                  "set k_red in contact.pairs or contact.material_pairs, for stiff materials only");
      return;
    }
  }
}

}  // namespace

void check_contact(const Scene& scene, Diagnostics& out) {
  const ContactSpec& contact = scene.contact;
  ContactCheck check(scene, out);
  check_laws(contact.all, contact.where, out);
  if (contact.segments < 3 || contact.segments > 4096) {
    out.error(contact.where,
              "contact.segments: " + std::to_string(contact.segments) + " is not from 3 to 4096");
  }
  check_reduction(scene, contact.all, contact.where, {}, out);
  for (const ContactGroup& group : contact.groups) check.group(group);
  for (const ContactPairSpec& pair : contact.material_pairs) {
    check_laws(pair.choice, pair.where, out);
    check.material(pair.first, pair.where, "contact.material_pairs");
    check.material(pair.second, pair.where, "contact.material_pairs");
    check_reduction(scene, pair.choice, pair.where, {pair.first, pair.second}, out);
  }
  for (const ContactPairSpec& pair : contact.pairs) {
    const std::string what = pair.enabled ? "contact.pairs" : "contact.exclude";
    check_laws(pair.choice, pair.where, out);
    check.surface(pair.first, pair.where, what);
    check.surface(pair.second, pair.where, what);
    check_reduction(scene, pair.choice, pair.where, {pair.first, pair.second}, out);
  }
  for (const auto& [first, second] : contact.watch) {
    check.body(first, contact.where, "contact.watch");
    check.body(second, contact.where, "contact.watch");
  }
}

}  // namespace carom
