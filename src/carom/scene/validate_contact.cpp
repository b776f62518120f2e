// Names in the contact section: bodies, shapes of bodies, groups, materials.
#include <algorithm>
#include <set>
#include <tuple>

#include "carom/base/text.h"
#include "carom/contact/contact_method.h"
#include "carom/contact/friction_law.h"
#include "carom/contact/materials.h"
#include "carom/contact/normal_law.h"
#include "carom/contact/resistance_law.h"
#include "carom/scene/validate.h"

namespace carom {
namespace {

class ContactCheck {
 public:
  ContactCheck(const Scene& scene, Diagnostics& out) : scene_(scene), out_(out) {
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

  const Scene& scene_;
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

}  // namespace

void check_contact(const Scene& scene, Diagnostics& out) {
  const ContactSpec& contact = scene.contact;
  ContactCheck check(scene, out);
  check_laws(contact.all, contact.where, out);
  for (const ContactGroup& group : contact.groups) check.group(group);
  for (const ContactPairSpec& pair : contact.material_pairs) {
    check_laws(pair.choice, pair.where, out);
    check.material(pair.first, pair.where, "contact.material_pairs");
    check.material(pair.second, pair.where, "contact.material_pairs");
  }
  for (const ContactPairSpec& pair : contact.pairs) {
    const std::string what = pair.enabled ? "contact.pairs" : "contact.exclude";
    check_laws(pair.choice, pair.where, out);
    check.surface(pair.first, pair.where, what);
    check.surface(pair.second, pair.where, what);
  }
  for (const auto& [first, second] : contact.watch) {
    check.body(first, contact.where, "contact.watch");
    check.body(second, contact.where, "contact.watch");
  }
}

}  // namespace carom
