#include "scene/scene_difference.h"

#include <cmath>
#include <functional>

namespace carom {
namespace {

/// Remembers the first comparison that failed.
class Comparison {
 public:
  std::string difference;

  template <class T>
  void field(const std::string& path, const T& a, const T& b) {
    if (difference.empty() && !(a == b)) difference = path;
  }
  template <class T, class Compare>
  void list(const std::string& path, const std::vector<T>& a, const std::vector<T>& b,
            Compare compare) {
    field(path + ".size", a.size(), b.size());
    for (std::size_t i = 0; i < a.size() && i < b.size(); ++i) {
      compare(path + "." + std::to_string(i), a[i], b[i]);
    }
  }

  void signal(const std::string& path, const SignalSpec& a, const SignalSpec& b) {
    field(path + ".kind", a.kind, b.kind);
    field(path + ".value", a.value, b.value);
    field(path + ".before", a.before, b.before);
    field(path + ".after", a.after, b.after);
    field(path + ".start", a.start, b.start);
    field(path + ".duration", a.duration, b.duration);
    field(path + ".offset", a.offset, b.offset);
    field(path + ".amplitude", a.amplitude, b.amplitude);
    field(path + ".frequency", a.frequency, b.frequency);
    field(path + ".phase", a.phase, b.phase);
    field(path + ".times", a.times, b.times);
    field(path + ".values", a.values, b.values);
    field(path + ".interpolation", a.interpolation, b.interpolation);
    field(path + ".periodic", a.periodic, b.periodic);
    field(path + ".formula", a.formula, b.formula);
    field(path + ".rate", a.rate, b.rate);
    field(path + ".acceleration", a.acceleration, b.acceleration);
  }

  void shape(const std::string& path, const ShapeSpec& a, const ShapeSpec& b) {
    field(path + ".name", a.name, b.name);
    field(path + ".kind", a.shape.kind, b.shape.kind);
    field(path + ".params", a.shape.params, b.shape.params);
    field(path + ".edge_radius", a.shape.edge_radius, b.shape.edge_radius);
    field(path + ".has_mesh", !a.shape.mesh, !b.shape.mesh);
    if (a.shape.mesh && b.shape.mesh) {
      field(path + ".vertices", a.shape.mesh->mesh.vertices, b.shape.mesh->mesh.vertices);
      field(path + ".triangles", a.shape.mesh->mesh.triangles, b.shape.mesh->mesh.triangles);
    }
    field(path + ".file", a.file, b.file);
    field(path + ".scale", a.scale, b.scale);
    field(path + ".X_BS", a.X_BS, b.X_BS);
    field(path + ".material", a.material, b.material);
    field(path + ".density", a.density, b.density);
    field(path + ".has_mass", a.has_mass, b.has_mass);
    field(path + ".contact", a.contact, b.contact);
  }

  void body(const std::string& path, const BodySpec& a, const BodySpec& b) {
    field(path + ".name", a.name, b.name);
    field(path + ".fixed", a.fixed, b.fixed);
    field(path + ".material", a.material, b.material);
    field(path + ".mass", a.mass, b.mass);
    field(path + ".com", a.com, b.com);
    field(path + ".inertia", a.inertia, b.inertia);
    list(path + ".shapes", a.shapes, b.shapes, [&](auto p, auto& x, auto& y) { shape(p, x, y); });
    list(path + ".markers", a.markers, b.markers, [&](auto p, auto& x, auto& y) {
      field(p + ".name", x.name, y.name);
      field(p + ".X_BK", x.X_BK, y.X_BK);
    });
    field(path + ".position", a.position, b.position);
    field(path + ".orientation", a.orientation, b.orientation);
    field(path + ".velocity", a.velocity, b.velocity);
    field(path + ".angular_velocity", a.angular_velocity, b.angular_velocity);
  }

  void drive(const std::string& path, const DriveSpec& a, const DriveSpec& b) {
    field(path + ".kind", a.kind, b.kind);
    signal(path + ".reference", a.reference, b.reference);
    field(path + ".stiffness", a.stiffness, b.stiffness);
    field(path + ".damping", a.damping, b.damping);
    field(path + ".integral", a.integral, b.integral);
    field(path + ".rate_feedforward", a.rate_feedforward, b.rate_feedforward);
    field(path + ".limit", a.limit, b.limit);
    field(path + ".ratio", a.ratio, b.ratio);
    field(path + ".inner_gain", a.inner_gain, b.inner_gain);
    field(path + ".gain", a.gain, b.gain);
    field(path + ".time_constant", a.time_constant, b.time_constant);
  }

  void dof(const std::string& path, const DofSpec& a, const DofSpec& b) {
    field(path + ".stiffness", a.stiffness, b.stiffness);
    field(path + ".rest", a.rest, b.rest);
    field(path + ".damping", a.damping, b.damping);
    field(path + ".coulomb", a.coulomb, b.coulomb);
    field(path + ".stiction", a.stiction, b.stiction);
    field(path + ".lower", a.lower, b.lower);
    field(path + ".upper", a.upper, b.upper);
    field(path + ".stop_stiffness", a.stop_stiffness, b.stop_stiffness);
    field(path + ".stop_damping", a.stop_damping, b.stop_damping);
    field(path + ".rotor_inertia", a.rotor_inertia, b.rotor_inertia);
    field(path + ".rotor_ratio", a.rotor_ratio, b.rotor_ratio);
    field(path + ".drive", a.drive.has_value(), b.drive.has_value());
    if (a.drive && b.drive) drive(path + ".drive", *a.drive, *b.drive);
    field(path + ".motion", a.motion.has_value(), b.motion.has_value());
    if (a.motion && b.motion) signal(path + ".motion", *a.motion, *b.motion);
  }

  void joint(const std::string& path, const JointSpec& a, const JointSpec& b) {
    field(path + ".name", a.name, b.name);
    field(path + ".kind", a.kind, b.kind);
    field(path + ".parent", a.parent, b.parent);
    field(path + ".child", a.child, b.child);
    field(path + ".X_PF", a.X_PF, b.X_PF);
    field(path + ".X_BM", a.X_BM, b.X_BM);
    field(path + ".params", a.params, b.params);
    field(path + ".q", a.q, b.q);
    field(path + ".v", a.v, b.v);
    list(path + ".dofs", a.dofs, b.dofs, [&](auto p, auto& x, auto& y) { dof(p, x, y); });
    field(path + ".loop", a.loop, b.loop);
    field(path + ".active_from", a.active_from, b.active_from);
    field(path + ".active_until", a.active_until, b.active_until);
    field(path + ".collide", a.collide, b.collide);
  }

  void force(const std::string& path, const ForceSpec& a, const ForceSpec& b) {
    field(path + ".name", a.name, b.name);
    field(path + ".kind", a.kind, b.kind);
    field(path + ".from.body", a.from.body, b.from.body);
    field(path + ".from", a.from.X_BK, b.from.X_BK);
    field(path + ".to.body", a.to.body, b.to.body);
    field(path + ".to", a.to.X_BK, b.to.X_BK);
    field(path + ".params", a.params, b.params);
    field(path + ".in_body_axes", a.in_body_axes, b.in_body_axes);
    list(path + ".signals", a.signals, b.signals,
         [&](auto p, auto& x, auto& y) { signal(p, x, y); });
  }

  void law(const std::string& path, const std::optional<LawSpec>& a,
           const std::optional<LawSpec>& b) {
    field(path, a.has_value(), b.has_value());
    if (!a || !b) return;
    field(path + ".kind", a->kind, b->kind);
    field(path + ".formula", a->formula, b->formula);
    // A default that was written out is given: what the row makes of both is the same.
    field(path + ".params.size", a->params.size(), b->params.size());
    for (std::size_t i = 0; i < a->params.size() && i < b->params.size(); ++i) {
      if (std::isnan(a->params[i])) continue;
      field(path + ".params." + std::to_string(i), a->params[i], b->params[i]);
    }
  }

  void choice(const std::string& path, const ContactChoice& a, const ContactChoice& b) {
    law(path + ".law", a.normal, b.normal);
    law(path + ".friction", a.friction, b.friction);
    law(path + ".resistance", a.resistance, b.resistance);
    field(path + ".restitution", a.restitution.has_value(), b.restitution.has_value());
    if (a.restitution && b.restitution) {
      field(path + ".restitution.kind", a.restitution->kind, b.restitution->kind);
      field(path + ".restitution.value", a.restitution->value, b.restitution->value);
      field(path + ".restitution.exponent", a.restitution->exponent, b.restitution->exponent);
      field(path + ".restitution.reference", a.restitution->reference, b.restitution->reference);
      field(path + ".restitution.table", a.restitution->table, b.restitution->table);
    }
    field(path + ".triangles", a.triangles.has_value(), b.triangles.has_value());
    if (a.triangles && b.triangles) {
      field(path + ".triangles.depth", a.triangles->depth, b.triangles->depth);
      field(path + ".triangles.normals", a.triangles->normals, b.triangles->normals);
      field(path + ".triangles.detection", a.triangles->detection, b.triangles->detection);
    }
    field(path + ".area", a.area.has_value(), b.area.has_value());
    if (a.area && b.area) {
      field(path + ".area.enabled", a.area->enabled, b.area->enabled);
      field(path + ".area.layer", a.area->layer, b.area->layer);
      field(path + ".area.accuracy", a.area->accuracy, b.area->accuracy);
    }
    field(path + ".mu_k", a.mu_k, b.mu_k);
    field(path + ".mu_s", a.mu_s, b.mu_s);
    field(path + ".mu_r", a.mu_r, b.mu_r);
    field(path + ".youngs_modulus", a.youngs_modulus, b.youngs_modulus);
    field(path + ".poissons_ratio", a.poissons_ratio, b.poissons_ratio);
    field(path + ".v_small", a.v_small, b.v_small);
    field(path + ".w_small", a.w_small, b.w_small);
    field(path + ".spin_radius", a.spin_radius, b.spin_radius);
    field(path + ".k_red", a.k_red, b.k_red);
    field(path + ".restitution_min", a.restitution_min, b.restitution_min);
    field(path + ".damping_max", a.damping_max, b.damping_max);
  }

  void contact(const ContactSpec& a, const ContactSpec& b) {
    field("contact.enabled", a.enabled, b.enabled);
    field("contact.neighbours", a.neighbours, b.neighbours);
    field("contact.deepest_start", a.deepest_start, b.deepest_start);
    field("contact.segments", a.segments, b.segments);
    field("contact.watch", a.watch, b.watch);
    choice("contact", a.all, b.all);
    list("contact.groups", a.groups, b.groups, [&](auto p, auto& x, auto& y) {
      field(p + ".name", x.name, y.name);
      field(p + ".bodies", x.bodies, y.bodies);
    });
    const auto pair = [&](auto p, auto& x, auto& y) {
      field(p + ".first", x.first, y.first);
      field(p + ".second", x.second, y.second);
      field(p + ".enabled", x.enabled, y.enabled);
      choice(p, x.choice, y.choice);
    };
    list("contact.material_pairs", a.material_pairs, b.material_pairs, pair);
    list("contact.pairs", a.pairs, b.pairs, pair);
  }

  void rest(const Scene& a, const Scene& b) {
    field("name", a.name, b.name);
    field("description", a.description, b.description);
    field("gravity.kind", a.gravity.kind, b.gravity.kind);
    field("gravity.uniform", a.gravity.uniform, b.gravity.uniform);
    field("gravity.center", a.gravity.center, b.gravity.center);
    field("gravity.mu", a.gravity.mu, b.gravity.mu);
    field("values", a.values, b.values);
    field("initial.kind", a.initial.kind, b.initial.kind);
    field("initial.keep", a.initial.keep, b.initial.keep);
    field("run.start", a.run.start, b.run.start);
    field("run.until", a.run.until, b.run.until);
    field("run.tolerance", a.run.tolerance, b.run.tolerance);
    field("run.integrator", a.run.integrator, b.run.integrator);
    field("run.step", a.run.step, b.run.step);
    field("run.max_step", a.run.max_step, b.run.max_step);
    field("run.max_steps", a.run.max_steps, b.run.max_steps);
    field("run.max_cpu", a.run.max_cpu, b.run.max_cpu);
    field("run.checkpoint", a.run.checkpoint, b.run.checkpoint);
    field("run.output.step", a.run.output.step, b.run.output.step);
    field("run.output.channels", a.run.output.channels, b.run.output.channels);
    field("run.output.maps", a.run.output.maps, b.run.output.maps);
  }
};

}  // namespace

std::string first_difference(const Scene& a, const Scene& b) {
  Comparison c;
  c.rest(a, b);
  c.contact(a.contact, b.contact);
  c.list("surfaces", a.surfaces, b.surfaces, [&](auto p, auto& x, auto& y) {
    c.field(p + ".name", x.name, y.name);
    c.field(p + ".body", x.body, y.body);
    c.field(p + ".kind", x.kind, y.kind);
    c.field(p + ".params", x.params, y.params);
    c.field(p + ".shape", x.shape, y.shape);
    c.field(p + ".material", x.material, y.material);
    c.field(p + ".X_BS", x.X_BS, y.X_BS);
  });
  c.list("contacts", a.surface_contacts, b.surface_contacts, [&](auto p, auto& x, auto& y) {
    c.field(p + ".first", x.first, y.first);
    c.field(p + ".second", x.second, y.second);
    c.field(p + ".auto", x.auto_law, y.auto_law);
    c.field(p + ".speed", x.speed, y.speed);
    c.field(p + ".layer", std::isnan(x.layer) ? 0.0 : x.layer, std::isnan(y.layer) ? 0.0 : y.layer);
    c.field(p + ".beyond", x.lets_go, y.lets_go);
    c.field(p + ".low_pass", x.low_pass, y.low_pass);
    c.choice(p, x.choice, y.choice);
  });
  c.list("materials", a.materials, b.materials, [&](auto p, auto& x, auto& y) {
    c.field(p + ".name", x.name, y.name);
    c.field(p + ".density", x.density, y.density);
    c.field(p + ".youngs_modulus", x.youngs_modulus, y.youngs_modulus);
    c.field(p + ".poissons_ratio", x.poissons_ratio, y.poissons_ratio);
    c.field(p + ".yield_strength", x.yield_strength, y.yield_strength);
    c.field(p + ".has_surface", x.surface.has_value(), y.surface.has_value());
    const SurfaceRecord s = x.surface.value_or(SurfaceRecord{});
    const SurfaceRecord z = y.surface.value_or(SurfaceRecord{});
    c.field(p + ".surface.c", s.c, z.c);
    c.field(p + ".surface.d", s.d, z.d);
    c.field(p + ".surface.d_w", s.d_w, z.d_w);
    c.field(p + ".surface.mu", s.mu, z.mu);
    c.field(p + ".surface.v_min", s.v_min, z.v_min);
    c.field(p + ".surface.w_min", s.w_min, z.w_min);
    c.field(p + ".source", x.source, y.source);
  });
  c.list("bodies", a.bodies, b.bodies, [&](auto p, auto& x, auto& y) { c.body(p, x, y); });
  c.list("joints", a.joints, b.joints, [&](auto p, auto& x, auto& y) { c.joint(p, x, y); });
  c.list("couplings", a.couplings, b.couplings, [&](auto p, auto& x, auto& y) {
    c.field(p + ".name", x.name, y.name);
    c.field(p + ".kind", x.kind, y.kind);
    c.field(p + ".first", x.first, y.first);
    c.field(p + ".second", x.second, y.second);
    c.field(p + ".first_dof", x.first_dof, y.first_dof);
    c.field(p + ".second_dof", x.second_dof, y.second_dof);
    c.field(p + ".ratio", x.ratio, y.ratio);
    c.field(p + ".offset", x.offset, y.offset);
  });
  c.list("forces", a.forces, b.forces, [&](auto p, auto& x, auto& y) { c.force(p, x, y); });
  c.list("signals", a.signals, b.signals, [&](auto p, auto& x, auto& y) {
    c.field(p + ".name", x.name, y.name);
    c.signal(p, x.signal, y.signal);
  });
  c.list("states", a.states, b.states, [&](auto p, auto& x, auto& y) {
    c.field(p + ".name", x.name, y.name);
    c.signal(p + ".rate", x.rate, y.rate);
    c.field(p + ".initial", x.initial, y.initial);
  });
  c.list("events", a.events, b.events, [&](auto p, auto& x, auto& y) {
    c.field(p + ".name", x.name, y.name);
    c.signal(p + ".when", x.when, y.when);
    c.field(p + ".direction", x.direction, y.direction);
    c.field(p + ".action", x.action, y.action);
    c.field(p + ".assignments", x.assignments, y.assignments);
  });
  c.list("controls", a.controls, b.controls, [&](auto p, auto& x, auto& y) {
    c.field(p + ".signal", x.signal, y.signal);
    c.field(p + ".keys", x.key_less + "," + x.key_more, y.key_less + "," + y.key_more);
    c.field(p + ".axis", x.axis, y.axis);
    c.field(p + ".least", x.least, y.least);
    c.field(p + ".most", x.most, y.most);
  });
  return c.difference;
}

}  // namespace carom
