#include "carom/scene/expand/expand.h"

#include "carom/multibody/force_kind.h"
#include "carom/multibody/joint_kind.h"
#include "carom/scene/expand/expand_contact.h"
#include "carom/scene/expand/expand_joint.h"
#include "carom/scene/expand/yaml_writer.h"

namespace carom {
namespace {

using yaml::Map;

/// "key:\n" and one indented block per element, or nothing.
template <class List, class Write>
std::string section(const char* key, const List& list, Write write) {
  if (list.empty()) return {};
  std::string out = std::string(key) + ":\n";
  for (const auto& item : list) out += write(item);
  return out;
}

std::string gravity(const GravitySpec& g) {
  if (g.kind == GravitySpec::Kind::uniform) return yaml::vector3(g.uniform);
  Map point;
  point.add("center", yaml::vector3(g.center)).add("mu", yaml::number(g.mu));
  return Map().add("point", point.flow()).flow();
}

std::string material(const MaterialSpec& m) {
  Map map;
  map.add("density", yaml::number(m.density));
  map.add("youngs_modulus", yaml::number(m.youngs_modulus));
  map.add("poissons_ratio", yaml::number(m.poissons_ratio));
  if (m.yield_strength >= 0.0) map.add("yield_strength", yaml::number(m.yield_strength));
  if (m.surface) {
    const SurfaceRecord& s = *m.surface;
    Map surface;
    surface.add("c", yaml::number(s.c)).add("d", yaml::number(s.d)).add("d_w", yaml::number(s.d_w));
    surface.add("mu", yaml::number(s.mu)).add("v_min", yaml::number(s.v_min));
    map.add("surface", surface.add("w_min", yaml::number(s.w_min)).flow());
  }
  map.add("source", yaml::text(m.source));
  return "  " + m.name + ": " + map.flow() + "\n";
}

void add_formulas(const SurfaceFormulas& formulas, Map& fields) {
  for (const auto& [name, text] : formulas.texts) fields.add(name, yaml::text(text));
  if (formulas.ranges.size() == 3) {
    Vec3 low, high;
    for (std::size_t i = 0; i < 3; ++i) {
      low[i] = formulas.ranges[i].lower, high[i] = formulas.ranges[i].upper;
    }
    fields.add("within",
               yaml::list(std::vector<std::string>{yaml::vector3(low), yaml::vector3(high)}));
  }
  for (const auto& [name, lower, upper] : formulas.ranges) {
    if (formulas.ranges.size() == 3) break;
    fields.add(name, yaml::list(std::vector<double>{lower, upper}));
  }
  Map with;
  for (const auto& [name, value] : formulas.with) with.add(name, yaml::number(value));
  if (!with.empty()) fields.add("with", with.flow());
}

std::string shape(const ShapeSpec& s) {
  const ShapeKind& kind = *s.shape.kind;
  Map fields;
  if (kind.source == ShapeSource::points) {
    std::vector<std::string> points;
    for (const Vec3& p : s.shape.mesh->mesh.vertices) points.push_back(yaml::vector3(p));
    fields.add("points", yaml::list(points));
  }
  if (kind.source == ShapeSource::mesh) {
    fields.add("file", yaml::text(s.file)).add("scale", yaml::vector3(s.scale));
  }
  if (!kind.ranges.empty()) add_formulas(s.shape.formulas, fields);
  yaml::add_params(fields, kind.fields, s.shape.params);
  Map map;
  map.add(kind.name, fields.flow());
  if (!s.name.empty()) map.add("name", s.name);
  map.add("at", yaml::vector3(s.X_BS.p)).add("rotation", yaml::rotation(s.X_BS.R));
  if (kind.rounding != Rounding::none) map.add("edge_radius", yaml::number(s.shape.edge_radius));
  if (!s.material.empty()) map.add("material", s.material);
  if (s.density >= 0.0) map.add("density", yaml::number(s.density));
  map.add("mass", yaml::boolean(s.has_mass)).add("contact", yaml::boolean(s.contact));
  return "      - " + map.flow() + "\n";
}

std::string body(const BodySpec& b) {
  Map map;
  map.add("fixed", yaml::boolean(b.fixed));
  if (!b.material.empty()) map.add("material", b.material);
  if (b.mass) map.add("mass", yaml::number(*b.mass));
  if (b.com) map.add("com", yaml::vector3(*b.com));
  if (b.inertia) {
    const Sym3& I = *b.inertia;
    map.add("inertia", yaml::list(std::vector<double>{I.xx, I.yy, I.zz, I.xy, I.xz, I.yz}));
  }
  if (b.position) map.add("position", yaml::vector3(*b.position));
  if (b.orientation) {
    const Quat& q = *b.orientation;
    map.add("orientation", yaml::list(std::vector<double>{q.w, q.x, q.y, q.z}));
  }
  if (b.velocity) map.add("velocity", yaml::vector3(*b.velocity));
  if (b.angular_velocity) map.add("angular_velocity", yaml::vector3(*b.angular_velocity));
  std::string out = "  " + b.name + ":\n" + map.block(4);
  out += section("    shapes", b.shapes, shape);
  out += section("    markers", b.markers, [](const MarkerSpec& m) {
    Map marker;
    marker.add("at", yaml::vector3(m.X_BK.p)).add("rotation", yaml::rotation(m.X_BK.R));
    return "      " + m.name + ": " + marker.flow() + "\n";
  });
  return out;
}

std::string attachment(const AttachmentSpec& a) {
  Map map;
  map.add("body", a.body).add("at", yaml::vector3(a.X_BK.p));
  return map.add("rotation", yaml::rotation(a.X_BK.R)).flow();
}

std::string force(const ForceSpec& f) {
  const ForceKind& kind = *find_force_kind(f.kind);
  Map fields;
  if (kind.is_load) {
    fields.add("body", attachment(f.to)).add("frame", f.in_body_axes ? "body" : "world");
  } else {
    fields.add("from", attachment(f.from)).add("to", attachment(f.to));
  }
  yaml::add_params(fields, kind.fields, f.params);
  std::vector<std::string> signals;
  for (const SignalSpec& s : f.signals) {
    const bool none = !kind.is_load && s.kind == SignalSpec::Kind::constant;
    signals.push_back(none ? "null" : yaml::signal(s));
  }
  if (!signals.empty()) {
    fields.add(kind.signal_field, kind.signal_count == 1 ? signals[0] : yaml::list(signals));
  }
  return "  " + f.name + ": " + Map().add(kind.name, fields.flow()).flow() + "\n";
}

std::string event(const EventSpec& e) {
  using Direction = EventSpec::Direction;
  Map map;
  map.add("when", yaml::text(e.when.formula));
  map.add("direction", e.direction == Direction::rising    ? "rising"
                       : e.direction == Direction::falling ? "falling"
                                                           : "both");
  if (e.action == EventSpec::Action::set) {
    Map set;
    for (const auto& [path, value] : e.assignments) set.add(path, yaml::number(value));
    map.add("do", Map().add("set", set.flow()).flow());
  } else {
    map.add("do", e.action == EventSpec::Action::stop ? "stop" : "record");
  }
  return "  " + e.name + ": " + map.flow() + "\n";
}

std::string control(const ControlSpec& c) {
  Map map;
  if (!c.key_less.empty()) {
    const std::string keys[] = {yaml::text(c.key_less), yaml::text(c.key_more)};
    map.add("keys", yaml::list(keys));
  }
  map.add("axis", std::to_string(c.axis));
  map.add("least", yaml::number(c.least)).add("most", yaml::number(c.most));
  return "  " + c.signal + ": " + map.flow() + "\n";
}

std::string initial(const InitialSpec& i) {
  const bool equilibrium = i.kind == InitialSpec::Kind::equilibrium;
  if (i.keep.empty()) return equilibrium ? "equilibrium" : "as_given";
  const std::string keep = Map().add("keep", yaml::list(i.keep)).flow();
  return Map().add(equilibrium ? "equilibrium" : "assemble", keep).flow();
}

std::string run(const RunSpec& r) {
  Map output;
  output.add("step", yaml::number(r.output.step));
  if (!r.output.channels.empty()) {
    std::vector<std::string> channels;
    for (const std::string& name : r.output.channels) channels.push_back(yaml::text(name));
    output.add("channels", yaml::list(channels));
  }
  Map map;
  map.add("start", yaml::number(r.start)).add("until", yaml::number(r.until));
  map.add("tolerance", yaml::number(r.tolerance)).add("integrator", yaml::text(r.integrator));
  map.add("step", yaml::number(r.step)).add("max_step", yaml::number(r.max_step));
  if (r.freeze > 0.0) map.add("freeze", yaml::number(r.freeze));
  map.add("max_steps", std::to_string(r.max_steps)).add("max_cpu", yaml::number(r.max_cpu));
  if (!r.output.peaks) output.add("peaks", "off");
  if (r.output.maps) output.add("maps", "on");
  map.add("checkpoint", yaml::number(r.checkpoint)).add("output", output.flow());
  return "run:\n" + map.block(2);
}

}  // namespace

std::string expand(const Scene& scene) {
  Map head;
  head.add("carom", "1").add("name", yaml::text(scene.name));
  head.add("description", yaml::text(scene.description));
  head.add("gravity", gravity(scene.gravity));
  std::string out = head.block(0);
  Map values;
  for (const auto& [name, value] : scene.values) values.add(name, yaml::number(value));
  if (!values.empty()) out += "values:\n" + values.block(2);
  out += section("materials", scene.materials, material);
  out += section("bodies", scene.bodies, body);
  out += section("joints", scene.joints, expand_joint);
  out += section("couplings", scene.couplings,
                 [&](const CouplingSpec& c) { return expand_coupling(scene, c); });
  out += section("forces", scene.forces, force);
  out += expand_contact(scene.contact);
  out += expand_surfaces(scene);
  out += section("signals", scene.signals, [](const NamedSignal& s) {
    return "  " + s.name + ": " + yaml::signal(s.signal) + "\n";
  });
  out += section("states", scene.states, [](const StateSpec& s) {
    Map map;
    map.add("rate", yaml::signal(s.rate)).add("initial", yaml::number(s.initial));
    return "  " + s.name + ": " + map.flow() + "\n";
  });
  out += section("events", scene.events, event);
  out += section("controls", scene.controls, control);
  out += "initial: " + initial(scene.initial) + "\n";
  return out + run(scene.run);
}

}  // namespace carom
