// Single values of a Scene, and rules within one of its parts: what readers check as they read,
// for scenes that were made by a program.
#include <cmath>

#include "carom/base/text.h"
#include "carom/scene/scene_values.h"
#include "carom/scene/validate/rules.h"
#include "carom/scene/validate/validate.h"

namespace carom {
namespace {

/// A part that stands in a file is its place; elsewhere the path says more.
SourcePos place_of(const SourcePos& owner, const std::string& path) {
  return owner.line > 0 ? owner : SourcePos{path, 0, 0};
}

class RuleCheck {
 public:
  explicit RuleCheck(Diagnostics& out) : out_(out) {}

  void rule(const std::string& path, const SourcePos& where, const std::string& problem,
            const std::string& remedy = {}) {
    if (!problem.empty()) out_.error(place_of(where, path), path + problem, remedy);
  }
  void body(const BodySpec& b) {
    const std::string path = "bodies." + b.name;
    if (const char* part = massless_part(b)) {
      rule(path + "." + part, b.where, " is given without a mass", "give the mass, too");
    }
    if (const char* velocity = fixed_velocity(b)) {
      rule(path + "." + velocity, b.where, " is given, and the body is fixed");
    }
    if (b.orientation && !(std::abs(norm(*b.orientation) - 1.0) <= 1e-6)) {
      rule(path + ".orientation", b.where,
           " is a quaternion of length " + number_text(norm(*b.orientation)),
           "[1, 0, 0, 0] is no rotation");
    }
    for (std::size_t i = 0; i < b.shapes.size(); ++i) shape(path, i, b.shapes[i]);
    for (const MarkerSpec& m : b.markers) {
      rule(path + ".markers." + m.name, m.where, rotation_problem(m.X_BK.R));
    }
  }
  void joint(const JointSpec& j) {
    const std::string path = "joints." + j.name;
    rule(path, j.where, rotation_problem(j.X_PF.R));
    rule(path + ".child_frame", j.where, rotation_problem(j.X_BM.R));
    rule(path + ".active", j.where, active_problem(j));
    for (const DofSpec& dof : j.dofs) {
      rule(path + ".limits", j.where, limits_problem(dof));
      rule(path + ".friction", j.where, friction_problem(dof));
      if (dof.motion) rule(path + ".motion", j.where, table_problem(*dof.motion));
      if (dof.drive) rule(path + ".drive", j.where, table_problem(dof.drive->reference));
    }
  }
  void force(const ForceSpec& f) {
    const std::string path = "forces." + f.name;
    rule(path + ".from", f.where, rotation_problem(f.from.X_BK.R));
    rule(path + ".to", f.where, rotation_problem(f.to.X_BK.R));
    for (const SignalSpec& s : f.signals) rule(path, f.where, table_problem(s));
  }
  void choice(const std::string& path, const ContactChoice& c, const SourcePos& where) {
    if (!c.restitution) return;
    Restitution rows;
    for (const auto& row : c.restitution->table) {
      rows.table.push_back(row);
      rule(path + ".restitution.table." + std::to_string(rows.table.size() - 1), where,
           row_problem(rows));
    }
    if (c.restitution->kind == Restitution::Kind::table && rows.table.empty()) {
      rule(path + ".restitution.table", where, " has no rows");
    }
  }

 private:
  void shape(const std::string& body, std::size_t index, const ShapeSpec& s) {
    const std::string path = body + ".shapes." + std::to_string(index);
    rule(path, s.where, rotation_problem(s.X_BS.R));
    const ShapeKind* kind = s.shape.kind;
    if (!kind) {
      rule(path, s.where, " has no kind", "make its shape with make_shape()");
      return;
    }
    if (s.shape.params.size() != width(kind->fields)) {
      rule(path + "." + kind->name, s.where,
           " has " + std::to_string(s.shape.params.size()) + " parameters, it takes " +
               std::to_string(width(kind->fields)));
    } else if (kind->validate) {
      const std::string problem = kind->validate(s.shape.params);
      rule(path + "." + kind->name, s.where, problem.empty() ? "" : ": " + problem);
    }
  }

  Diagnostics& out_;
};

void check_rules(const Scene& scene, Diagnostics& out) {
  RuleCheck check(out);
  for (const BodySpec& b : scene.bodies) check.body(b);
  for (const JointSpec& j : scene.joints) check.joint(j);
  for (const ForceSpec& f : scene.forces) check.force(f);
  for (const NamedSignal& s : scene.signals) {
    check.rule("signals." + s.name, s.signal.where, table_problem(s.signal));
  }
  for (const StateSpec& s : scene.states) {
    check.rule("states." + s.name + ".rate", s.where, table_problem(s.rate));
  }
  for (const SurfaceSpec& s : scene.surfaces) {
    check.rule("surfaces." + s.name, s.where, rotation_problem(s.X_BS.R));
  }
  const ContactSpec& contact = scene.contact;
  check.choice("contact", contact.all, contact.where);
  for (std::size_t i = 0; i < contact.pairs.size(); ++i) {
    check.choice("contact.pairs." + std::to_string(i), contact.pairs[i].choice,
                 contact.pairs[i].where);
  }
  for (std::size_t i = 0; i < contact.material_pairs.size(); ++i) {
    check.choice("contact.material_pairs." + std::to_string(i), contact.material_pairs[i].choice,
                 contact.material_pairs[i].where);
  }
  for (std::size_t i = 0; i < scene.surface_contacts.size(); ++i) {
    check.choice("contacts." + std::to_string(i), scene.surface_contacts[i].choice,
                 scene.surface_contacts[i].where);
  }
  if (scene.run.max_steps < 0) {
    check.rule("run.max_steps", scene.run.where,
               " is " + std::to_string(scene.run.max_steps) + ", it must be at least 0");
  }
}

}  // namespace

void check_values(const Scene& scene, Diagnostics& out) {
  const int errors_before = out.error_count();
  const auto check = [&](const ValueSite& site, double value) {
    const bool is_unset = (site.unset == Unset::negative && value < 0.0) ||
                          (site.unset == Unset::nan && std::isnan(value)) ||
                          (site.unset == Unset::zero && value == 0.0);
    const std::string wanted = is_unset ? "" : value_problem(site.field, value);
    if (wanted.empty()) return;
    out.error(place_of(site.owner, site.path),
              site.path + " is " + number_text(value) + ", it must be " + wanted,
              site.field.doc.empty() ? "" : site.field.name + ": " + site.field.doc);
  };
  SceneValues(check).walk(scene);
  // What is no number breaks every rule that it is part of: once is enough.
  if (out.error_count() == errors_before) check_rules(scene, out);
}

}  // namespace carom
