// Every number of a Scene with its path and the rule of the grammar's tables for it.
//
// The reader checks numbers where it reads them; a Scene that a program made is checked by this
// walk (validate_values.cpp). Both ask the same table, so that no range is said twice.
#pragma once

#include <cmath>
#include <string>

#include "carom/contact/friction_law.h"
#include "carom/contact/normal_law.h"
#include "carom/contact/resistance_law.h"
#include "carom/multibody/force_kind.h"
#include "carom/multibody/joint_kind.h"
#include "carom/proximity/smooth/surface.h"
#include "carom/scene/fields.h"
#include "carom/scene/scene.h"

namespace carom {

/// A number that stands for "not given", beside the values that its field allows.
enum class Unset { never, negative, nan, zero };

struct ValueSite {
  std::string path;  ///< "bodies.ball.mass"
  const Field& field;
  const SourcePos& owner;  ///< where the part that holds it is written
  Unset unset = Unset::never;
};

/// Calls visit(const ValueSite&, number) for all numbers of a Scene or const Scene.
template <class Visit>
class SceneValues {
 public:
  explicit SceneValues(Visit visit) : visit_(std::move(visit)) {}

  void walk(auto& scene) {
    const SourcePos none{};
    for (auto& [name, value] : scene.values) put("values." + name, any_, none, value);
    gravity(scene.gravity);
    for (auto& m : scene.materials) material(m);
    for (auto& b : scene.bodies) body(b);
    for (auto& j : scene.joints) joint(j);
    for (auto& c : scene.couplings) coupling(c);
    for (auto& f : scene.forces) force(f);
    for (auto& s : scene.signals) signal("signals." + s.name, s.signal);
    for (auto& s : scene.states) {
      in("state", "states." + s.name, s.where);
      one("initial", s.initial);
      signal("states." + s.name + ".rate", s.rate);
    }
    for (auto& e : scene.events) {
      for (auto& [path, value] : e.assignments) {
        put("events." + e.name + ".do.set." + path, any_, e.where, value);
      }
    }
    for (auto& c : scene.controls) {
      in("control", "controls." + c.signal, c.where);
      one("least", c.least);
      one("most", c.most);
    }
    contact(scene.contact);
    for (auto& s : scene.surfaces) surface(s);
    for (std::size_t i = 0; i < scene.surface_contacts.size(); ++i) {
      surface_contact("contacts." + std::to_string(i), scene.surface_contacts[i]);
    }
    run(scene.run);
  }

 private:
  // The part that is visited: its record, path and place.
  void in(const std::string& record, std::string path, const SourcePos& where) {
    record_ = &scene_record(record);
    path_ = std::move(path);
    where_ = &where;
  }
  void put(const std::string& path, const Field& field, const SourcePos& where, auto& value,
           Unset unset = Unset::never) {
    visit_(ValueSite{path, field, where, unset}, value);
  }
  void one(const char* key, auto& value, Unset unset = Unset::never) {
    put(path_ + "." + key, *record_->find(key), *where_, value, unset);
  }
  void maybe(const char* key, auto& value) {
    if (value) one(key, *value);
  }
  void list(const std::string& path, const Field& field, auto& values, const SourcePos& where) {
    for (std::size_t i = 0; i < values.size(); ++i) {
      put(path + "." + std::to_string(i), field, where, values[i]);
    }
  }
  void vec3(const std::string& path, const Field& field, auto& v, const SourcePos& where) {
    for (std::size_t k = 0; k < 3; ++k) put(path + "." + std::to_string(k), field, where, v[k]);
  }
  void vec3(const char* key, auto& v) {
    if (v) vec3(path_ + "." + key, *record_->find(key), *v, *where_);
  }
  void place(const std::string& path, auto& X, const SourcePos& where) {
    vec3(path + ".at", any_, X.p, where);
    for (std::size_t k = 0; k < 9; ++k) {
      put(path + ".rotation." + std::to_string(k), any_, where, X.R.m[k]);
    }
  }
  void params(const std::string& path, std::span<const ParamField> fields, auto& values,
              const SourcePos& where, Unset unset = Unset::never) {
    if (values.size() != width(fields)) return;  // reported as a wrong size
    std::size_t i = 0;
    for (const ParamField& param : fields) {
      const Field field = to_field(param);
      const std::string name = path + "." + param.name;
      for (std::size_t k = 0; k < width(param); ++k, ++i) {
        put(width(param) == 1 ? name : name + "." + std::to_string(k), field, where, values[i],
            unset);
      }
    }
  }

  void gravity(auto& g) {
    const SourcePos none{};
    vec3("gravity", any_, g.uniform, none);
    vec3("gravity.point.center", any_, g.center, none);
    in("gravity.point", "gravity.point", none);
    one("mu", g.mu);
  }
  void material(auto& m) {
    in("material", "materials." + m.name, m.where);
    one("density", m.density);
    one("youngs_modulus", m.youngs_modulus);
    one("poissons_ratio", m.poissons_ratio);
    one("yield_strength", m.yield_strength, Unset::negative);
    if (!m.surface) return;
    in("material_surface", "materials." + m.name + ".surface", m.where);
    one("c", m.surface->c), one("d", m.surface->d), one("d_w", m.surface->d_w);
    one("mu", m.surface->mu), one("v_min", m.surface->v_min), one("w_min", m.surface->w_min);
  }
  void body(auto& b) {
    in("body", "bodies." + b.name, b.where);
    maybe("mass", b.mass);
    vec3("com", b.com);
    if (b.inertia) {
      auto& I = *b.inertia;
      std::size_t k = 0;
      for (auto* element : {&I.xx, &I.yy, &I.zz, &I.xy, &I.xz, &I.yz}) {
        put(path_ + ".inertia." + std::to_string(k++), any_, b.where, *element);
      }
    }
    vec3("position", b.position);
    vec3("velocity", b.velocity);
    vec3("angular_velocity", b.angular_velocity);
    if (b.orientation) {
      auto& q = *b.orientation;
      std::size_t k = 0;
      for (auto* c : {&q.w, &q.x, &q.y, &q.z}) {
        put(path_ + ".orientation." + std::to_string(k++), any_, b.where, *c);
      }
    }
    for (auto& m : b.markers) place(path_ + ".markers." + m.name, m.X_BK, m.where);
    const std::string path = path_;
    for (std::size_t i = 0; i < b.shapes.size(); ++i) {
      auto& s = b.shapes[i];
      in("shape", path + ".shapes." + std::to_string(i), s.where);
      one("density", s.density, Unset::negative);
      one("edge_radius", s.shape.edge_radius);
      vec3(path_ + ".scale", *record_->find("scale"), s.scale, s.where);
      place(path_, s.X_BS, s.where);
      if (!s.shape.kind) continue;
      params(path_ + "." + s.shape.kind->name, s.shape.kind->fields, s.shape.params, s.where);
    }
  }
  void joint(auto& j) {
    const std::string path = "joints." + j.name;
    in("joint", path, j.where);
    list(path + ".q", any_, j.q, j.where);
    list(path + ".v", any_, j.v, j.where);
    place(path, j.X_PF, j.where);
    place(path + ".child", j.X_BM, j.where);
    if (const JointKind* kind = find_joint_kind(j.kind)) {
      params(path + "." + kind->name, kind->fields, j.params, j.where);
    }
    in("joint.active", path + ".active", j.where);
    one("from", j.active_from);
    one("until", j.active_until);
    for (std::size_t i = 0; i < j.dofs.size(); ++i) {
      dof(path, j.dofs.size() == 1 ? "" : "." + std::to_string(i), j.dofs[i], j.where);
    }
  }
  void dof(const std::string& path, const std::string& tail, auto& d, const SourcePos& where) {
    const auto value = [&](const char* record, const char* key, auto& number,
                           Unset unset = Unset::never) {
      const std::string head = std::string(record).substr(std::string("joint").size());
      put(path + head + "." + key + tail, *scene_record(record).find(key), where, number, unset);
    };
    value("joint.spring", "stiffness", d.stiffness);
    value("joint.spring", "rest", d.rest);
    value("joint", "damping", d.damping);
    value("joint.friction", "coulomb", d.coulomb);
    value("joint.friction", "static", d.stiction, Unset::negative);
    if (d.lower) value("joint.limits", "lower", *d.lower);
    if (d.upper) value("joint.limits", "upper", *d.upper);
    const Unset idle = d.lower || d.upper ? Unset::never : Unset::zero;
    value("joint.limits", "stiffness", d.stop_stiffness, idle);
    value("joint.limits", "damping", d.stop_damping);
    value("joint.rotor", "inertia", d.rotor_inertia);
    value("joint.rotor", "ratio", d.rotor_ratio);
    if (d.motion) signal(path + ".motion" + tail, *d.motion);
    if (!d.drive) return;
    auto& drive = *d.drive;
    in("drive", path + ".drive" + tail, where);
    one("stiffness", drive.stiffness);
    one("damping", drive.damping);
    one("integral", drive.integral);
    one("limit", drive.limit, Unset::negative);
    one("ratio", drive.ratio);
    one("inner_gain", drive.inner_gain);
    one("gain", drive.gain);
    one("time_constant", drive.time_constant);
    signal(path + ".drive" + tail, drive.reference);
  }
  void coupling(auto& c) {
    const std::string path = "couplings." + c.name;
    put(path + (c.kind == "rack" ? ".radius" : ".ratio"), any_, c.where, c.ratio);
    if (c.offset) put(path + ".offset", any_, c.where, *c.offset);
  }
  void force(auto& f) {
    const std::string path = "forces." + f.name;
    place(path + ".from", f.from.X_BK, f.where);
    place(path + ".to", f.to.X_BK, f.where);
    if (const ForceKind* kind = find_force_kind(f.kind)) {
      params(path + "." + kind->name, kind->fields, f.params, f.where);
    }
    for (std::size_t i = 0; i < f.signals.size(); ++i) {
      signal(path + ".signals." + std::to_string(i), f.signals[i]);
    }
  }
  void signal(const std::string& path, auto& s) {
    put(path + ".constant", any_, s.where, s.value);
    put(path + ".before", any_, s.where, s.before);
    put(path + ".after", any_, s.where, s.after);
    put(path + ".start", any_, s.where, s.start);
    put(path + ".offset", any_, s.where, s.offset);
    put(path + ".amplitude", any_, s.where, s.amplitude);
    put(path + ".frequency", any_, s.where, s.frequency);
    put(path + ".phase", any_, s.where, s.phase);
    put(path + ".duration", *scene_record("signal.ramp").find("duration"), s.where, s.duration);
    list(path + ".times", any_, s.times, s.where);
    list(path + ".values", any_, s.values, s.where);
  }
  void contact(auto& c) {
    choice("contact", "contact", c.all, c.where);
    in("contact", "contact", c.where);
    one("deepest_start", c.deepest_start);
    put("contact.rigid.slip_regularisation", *scene_record("rigid").find("slip_regularisation"),
        c.where, c.rigid.slip_regularisation);
    put("contact.rigid.landing.height", *scene_record("rigid_landing").find("height"), c.where,
        c.rigid.landing_height, Unset::negative);
    for (std::size_t i = 0; i < c.material_pairs.size(); ++i) {
      auto& pair = c.material_pairs[i];
      choice("material_pair", "contact.material_pairs." + std::to_string(i), pair.choice,
             pair.where);
    }
    for (std::size_t i = 0; i < c.pairs.size(); ++i) {
      auto& pair = c.pairs[i];
      choice("contact_pair", "contact.pairs." + std::to_string(i), pair.choice, pair.where);
    }
  }
  void law(const std::string& key, auto& spec, const auto* row, const SourcePos& where) {
    if (!spec || !row) return;
    params(path_ + "." + key + "." + spec->kind, row->fields, spec->params, where, Unset::nan);
  }
  void choice(const std::string& record, const std::string& path, auto& c, const SourcePos& where) {
    in(record, path, where);
    if (c.normal) {
      law("law", c.normal, c.normal->normal ? c.normal->normal : find_normal_law(c.normal->kind),
          where);
    }
    if (c.friction) {
      law("friction", c.friction,
          c.friction->friction ? c.friction->friction : find_friction_law(c.friction->kind), where);
    }
    if (c.resistance) {
      law("resistance", c.resistance, find_resistance_law(c.resistance->kind), where);
    }
    maybe("youngs_modulus", c.youngs_modulus);
    maybe("poissons_ratio", c.poissons_ratio);
    maybe("mu_k", c.mu_k);
    maybe("mu_s", c.mu_s);
    maybe("mu_r", c.mu_r);
    maybe("v_small", c.v_small);
    maybe("w_small", c.w_small);
    maybe("spin_radius", c.spin_radius);
    maybe("k_red", c.k_red);
    maybe("restitution_min", c.restitution_min);
    maybe("damping_max", c.damping_max);
    if (c.restitution) restitution(path + ".restitution", *c.restitution, where);
    if (!c.area) return;
    in("area", path + ".area", where);
    put(path + ".area.layer", *scene_record("area").find("layer"), where, c.area->layer,
        Unset::negative);
    one("accuracy", c.area->accuracy);
  }
  void restitution(const std::string& path, auto& r, const SourcePos& where) {
    in("restitution.power", path, where);
    one("value", r.value);
    one("reference", r.reference);
    one("exponent", r.exponent);
    const Field& speed = *scene_record("restitution").find("table");
    const Field& value = *scene_record("restitution.power").find("value");
    for (std::size_t i = 0; i < r.table.size(); ++i) {
      put(path + ".table." + std::to_string(i) + ".0", speed, where, r.table[i].first);
      put(path + ".table." + std::to_string(i) + ".1", value, where, r.table[i].second);
    }
  }
  void surface(auto& s) {
    const std::string path = "surfaces." + s.name;
    place(path, s.X_BS, s.where);
    if (const SurfaceKind* kind = find_surface_kind(s.kind)) {
      params(path + "." + s.kind, kind->fields, s.params, s.where);
    }
  }
  void surface_contact(const std::string& path, auto& c) {
    choice("surface_contact", path, c.choice, c.where);
    in("surface_contact", path, c.where);
    one("speed", c.speed);
    one("frequency", c.low_pass, Unset::zero);
    put(path + ".law.t", *scene_record("surface_contact_law").find("t"), c.where, c.layer,
        Unset::nan);
  }
  void run(auto& r) {
    in("run", "run", r.where);
    one("start", r.start);
    put("run.until", *record_->find("until"), r.until_where, r.until);
    one("tolerance", r.tolerance);
    put("run.step", *record_->find("step"), r.step_where, r.step);
    put("run.freeze", *record_->find("freeze"), r.freeze_where, r.freeze);
    one("max_step", r.max_step);
    one("max_cpu", r.max_cpu);
    one("checkpoint", r.checkpoint);
    put("run.output.step", *scene_record("output").find("step"), r.output.step_where,
        r.output.step);
  }

  const Field any_{};
  Visit visit_;
  const Record* record_ = nullptr;
  std::string path_;
  const SourcePos* where_ = nullptr;
};

}  // namespace carom
