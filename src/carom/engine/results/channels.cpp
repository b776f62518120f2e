#include "carom/engine/results/channels.h"

#include <algorithm>

#include "carom/base/index.h"
#include "carom/base/text.h"
#include "carom/engine/contact/connected/surface_channels.h"
#include "carom/engine/contact/contact_output.h"
#include "carom/engine/contact/contact_part.h"
#include "carom/engine/contact/rigid/rigid_output.h"

namespace carom {
namespace {

using What = OutputChannel::What;

/// Group of what follows from other channels: recorded where it is asked for.
constexpr const char* kBodyAxes = "body_axes";

const std::vector<std::string> kXyz{"x", "y", "z"};
const std::vector<std::string> kWxyz{"w", "x", "y", "z"};

std::vector<std::string> numbered(int n) {
  std::vector<std::string> names;
  for (int i = 0; i < n && n > 1; ++i) names.push_back(std::to_string(i));
  return names;
}

class ChannelList {
 public:
  void add(What what, int index, const std::string& name, const char* group, std::string unit,
           const char* doc, int width, std::vector<std::string> components, int component = 0) {
    append(
        {what, index, component, width, name, group, std::move(unit), doc, std::move(components)});
  }
  void append(OutputChannel channel) {
    channel.object = object;
    channel.quantity = channel.name == object ? "value" : channel.name.substr(object.size() + 1);
    list.push_back(std::move(channel));
  }
  void vector(What what, int index, const std::string& name, const char* group, const char* unit,
              const char* doc) {
    add(what, index, name, group, unit, doc, 3, kXyz);
  }
  std::string object;  ///< whose channels are added
  std::vector<OutputChannel> list;
};

void add_bodies(const Model& model, ChannelList& out) {
  for (std::size_t i = 0; i < model.bodies.size(); ++i) {
    if (model.bodies[i].link == 0) continue;
    const std::string& name = out.object = model.bodies[i].name;
    const int k = static_cast<int>(i);
    out.vector(What::body_position, k, name + ".position", "bodies", "m", "of the body frame");
    out.add(What::body_orientation, k, name + ".orientation", "bodies", "-",
            "quaternion of the body frame", 4, kWxyz);
    out.vector(What::body_velocity, k, name + ".velocity", "bodies", "m/s", "of the body origin");
    out.vector(What::body_angular_velocity, k, name + ".angular_velocity", "bodies", "rad/s",
               "in world axes");
    out.vector(What::body_own_angular_velocity, k, name + ".angular_velocity_body", kBodyAxes,
               "rad/s", "in axes of the body");
  }
}

/// "rad" or "m" if all coordinates agree, "mixed" otherwise.
std::string unit_of(const JointKind& kind, const char* angular, const char* linear) {
  bool any_angular = false, any_linear = false;
  for (const JointCoordinate& c : kind.coordinates) (c.angular ? any_angular : any_linear) = true;
  return any_angular && any_linear ? "mixed" : any_angular ? angular : linear;
}

void add_joints(const Model& model, ChannelList& out) {
  for (std::size_t i = 0; i < model.joints.size(); ++i) {
    const JointInfo& joint = model.joints[i];
    if (joint.name.empty()) continue;
    out.object = joint.name;
    const int k = static_cast<int>(i);
    const int nq = joint.kind->nq, nv = joint.kind->nv;
    if (nv > 0) {
      const std::string position =
          joint.kind->vector_space ? unit_of(*joint.kind, "rad", "m") : "-";
      out.add(What::joint_q, k, joint.name + ".q", "joints", position, "coordinates", nq,
              numbered(nq));
      out.add(What::joint_v, k, joint.name + ".v", "joints", unit_of(*joint.kind, "rad/s", "m/s"),
              "velocities", nv, numbered(nv));
      out.add(
          What::joint_force, k, joint.name + ".force", "joints", unit_of(*joint.kind, "N.m", "N"),
          "along the coordinates: springs, dampers, friction, drives, motions", nv, numbered(nv));
    }
    out.vector(What::reaction_force, k, joint.name + ".reaction_force", "reactions", "N",
               "on the child, world axes");
    out.vector(What::reaction_torque, k, joint.name + ".reaction_torque", "reactions", "N.m",
               "on the child about the joint, world axes");
  }
  for (std::size_t i = 0; i < model.parameters.drives.size(); ++i) {
    const DofElement& e = model.parameters.dofs[at(model.parameters.drives[i].element)];
    const JointInfo& joint = model.joints[at(e.joint)];
    out.object = joint.name;
    const std::string tail = joint.kind->nv > 1 ? "." + std::to_string(e.dof) : "";
    out.add(What::drive_force, static_cast<int>(i), joint.name + ".drive_force" + tail, "drives",
            joint.kind->coordinates[at(e.dof)].angular ? "N.m" : "N", "of the drive", 1, {});
  }
  for (std::size_t i = 0; i < model.loops.size(); ++i) {
    const int k = static_cast<int>(i);
    out.object = model.loops[i].name;
    out.vector(What::loop_force, k, model.loops[i].name + ".reaction_force", "reactions", "N",
               "on the child of the loop joint, world axes");
    out.vector(What::loop_torque, k, model.loops[i].name + ".reaction_torque", "reactions", "N.m",
               "on the child about the joint, world axes");
  }
  for (std::size_t i = 0; i < model.couplings.size(); ++i) {
    out.object = model.couplings[i];
    out.add(What::coupling_force, static_cast<int>(i), model.couplings[i] + ".multiplier",
            "reactions", "-", "generalised force on the first coordinate", 1, {});
  }
}

void add_rest(const Model& model, ChannelList& out) {
  for (std::size_t i = 0; i < model.markers.size(); ++i) {
    const std::string& name = out.object = model.markers[i].name;
    const int k = static_cast<int>(i);
    out.vector(What::marker_position, k, name + ".position", "markers", "m", "of the marker");
    out.vector(What::marker_velocity, k, name + ".velocity", "markers", "m/s", "of the marker");
    out.vector(What::marker_acceleration, k, name + ".acceleration", "markers", "m/s2",
               "of the marker");
  }
  for (std::size_t i = 0; i < model.forces.size(); ++i) {
    const ForceElement& e = model.forces[i];
    out.object = e.name;
    for (std::size_t r = 0; r < e.kind->readings.size(); ++r) {
      out.add(What::force_reading, static_cast<int>(i), e.name + "." + e.kind->readings[r].name,
              "forces", e.kind->readings[r].unit, "of the force element", 1, {},
              static_cast<int>(r));
    }
  }
  for (std::size_t i = 0; i < model.signals.size(); ++i) {
    if (model.signals[i].name.empty()) continue;
    out.object = model.signals[i].name;
    out.add(What::signal, static_cast<int>(i), model.signals[i].name, "signals", "-", "signal", 1,
            {});
  }
  for (std::size_t i = 0; i < model.states.size(); ++i) {
    out.object = model.states[i].name;
    out.add(What::state, static_cast<int>(i), model.states[i].name, "states", "-", "state", 1, {});
  }
  out.object = "energy";
  int row = 0;
  for (const LedgerRow& r : ledger_rows()) {
    if (r.is_channel) {
      out.add(What::energy, 0, std::string("energy.") + r.name, "energy", "J", "ledger", 1, {},
              row);
    }
    ++row;
  }
}

void add_contacts(const Model& model, ChannelList& out) {
  const char* group = "contacts";
  for (std::size_t i = 0; i < model.contact.watched.size(); ++i) {
    const WatchedPair& p = model.contact.watched[i];
    const int k = static_cast<int>(i);
    const std::string name = out.object = watched_name(model, p);
    out.vector(What::contact_force, k, name + ".force", group, "N", "on the second body");
    out.add(What::contact_normal_force, k, name + ".force.normal", group, "N",
            "sum of the normal forces", 1, {});
    out.vector(What::contact_torque, k, name + ".torque", group, "N.m",
               "on the second body about the centre of pressure");
    out.vector(What::contact_point, k, name + ".point", group, "m",
               "centre of pressure; not a number where nothing presses");
    out.vector(What::contact_normal, k, name + ".normal", group, "-", "from first to second");
    out.add(What::contact_distance, k, name + ".phi", group, "m",
            "signed distance, negative in overlap", 1, {});
    out.vector(What::contact_closest_a, k, name + ".closest_a", group, "m", "on the first body");
    out.vector(What::contact_closest_b, k, name + ".closest_b", group, "m", "on the second body");
    out.add(What::contact_slip, k, name + ".slip_speed", group, "m/s", "at the centre of pressure",
            1, {});
    out.add(What::contact_power, k, name + ".dissipation", group, "W",
            "power dissipated by normal and friction laws", 2, {"normal", "friction"});
    if (is_watched_rigidly(model, p)) {
      out.add(What::contact_state, k, name + ".state", group, "-",
              "of rigid bodies: 0 open, 1 sliding, 2 sticking", 1, {});
      out.vector(What::contact_impulse, k, name + ".impulse", group, "N.s",
                 "of all impacts so far, on the second body");
      out.add(What::contact_impacts, k, name + ".impacts", group, "-", "how many there were", 1,
              {});
    }
    const bool has_triangles = has_patches(model.contact, p, are_of_triangles);
    const bool has_areas = has_patches(model.contact, p, are_of_areas);
    if (has_triangles || has_areas) {
      out.add(What::contact_area, k, name + ".contact_area", group, "m^2", "of all patches", 1, {});
    }
    if (has_triangles) {
      out.add(What::contact_circumference, k, name + ".circumference", group, "m", "of all patches",
              1, {});
    }
    if (has_triangles || has_areas) {
      out.add(What::contact_pressure, k, name + ".mean_pressure", group, "Pa",
              "normal force over contact area", 1, {});
      out.add(What::contact_drilling, k, name + ".drilling_torque", group, "N.m",
              "about the normal, on the second body", 1, {});
    }
    if (has_areas) {
      out.add(What::contact_peak_pressure, k, name + ".peak_pressure", group, "Pa",
              "greatest of all areas", 1, {});
      out.vector(What::contact_rolling, k, name + ".rolling_torque", group, "N.m",
                 "of the pressure about where the bodies are deepest, on the second body");
    }
    for (OutputChannel& c : surface_channels(model, p, name)) out.append(std::move(c));
  }
  for (std::size_t i = 0; i < model.bodies.size() && !model.contact.empty(); ++i) {
    if (model.bodies[i].link == 0) continue;
    const int k = static_cast<int>(i);
    out.object = model.bodies[i].name;
    out.vector(What::body_contact_force, k, model.bodies[i].name + ".contact_force", group, "N",
               "sum of all contacts of the body");
    out.vector(What::body_contact_torque, k, model.bodies[i].name + ".contact_torque", group, "N.m",
               "of all contacts about the body origin");
  }
}

bool selected(const OutputChannel& c, const std::string& word) {
  if (c.group == kBodyAxes) return c.group == word || c.name == word;
  if (word == "all" || c.group == word || c.name == word) return true;
  return c.name.size() > word.size() && c.name.rfind(word, 0) == 0 && c.name[word.size()] == '.';
}

bool needs_reactions(const OutputChannel& c) {
  return c.what == What::reaction_force || c.what == What::reaction_torque ||
         c.what == What::joint_force || c.what == What::marker_acceleration;
}

void put(std::span<double> out, const Vec3& v) { out[0] = v.x, out[1] = v.y, out[2] = v.z; }

void put_body(const Workspace& w, const OutputChannel& c, std::span<double> out) {
  const BodyInfo& body = w.model->bodies[at(c.index)];
  const LinkState& L = w.tree.links[at(body.link)];
  const Vec3 r = L.R_WL * body.X_LB.p;
  switch (c.what) {
    case What::body_position: return put(out, L.p_WL + r);
    case What::body_velocity: return put(out, L.V.v + cross(L.V.w, r));
    case What::body_angular_velocity: return put(out, L.V.w);
    case What::body_own_angular_velocity:
      return put(out, transpose_times(L.R_WL * body.X_LB.R, L.V.w));
    default: {
      const Quat o = to_quat(L.R_WL * body.X_LB.R);
      out[0] = o.w, out[1] = o.x, out[2] = o.y, out[3] = o.z;
    }
  }
}

void put_marker(const Workspace& w, const OutputChannel& c, std::span<double> out) {
  const MarkerInfo& marker = w.model->markers[at(c.index)];
  const LinkState& L = w.tree.links[at(marker.link)];
  const Vec3 r = L.R_WL * marker.X_LK.p;
  switch (c.what) {
    case What::marker_position: return put(out, L.p_WL + r);
    case What::marker_velocity: return put(out, L.V.v + cross(L.V.w, r));
    default: return put(out, L.A.v + cross(L.A.w, r) + cross(L.V.w, cross(L.V.w, r)));
  }
}

void put_joint(const Workspace& w, const OutputChannel& c, std::span<double> out) {
  const JointInfo& joint = w.model->joints[at(c.index)];
  const LinkState& L = w.tree.links[at(joint.link)];
  switch (c.what) {
    case What::joint_q: std::copy_n(w.q.begin() + joint.q0, joint.kind->nq, out.begin()); break;
    case What::joint_v: std::copy_n(w.v.begin() + joint.v0, joint.kind->nv, out.begin()); break;
    case What::joint_force:
      std::copy_n(w.forces.rnea_tau.begin() + joint.v0, joint.kind->nv, out.begin());
      break;
    case What::reaction_force: put(out, L.pA.f); break;
    default: put(out, L.pA.t);
  }
}

void put_contact(std::span<const BodyPairContact> pairs, const OutputChannel& c,
                 std::span<double> out) {
  const BodyPairContact& pair = pairs[at(c.index)];
  switch (c.what) {
    case What::contact_force: return put(out, pair.sum.force);
    case What::contact_torque: return put(out, pair.sum.torque);
    case What::contact_point: return put(out, pair.sum.point);
    case What::contact_normal: return put(out, pair.sum.normal);
    case What::contact_closest_a: return put(out, pair.closest_a);
    case What::contact_closest_b: return put(out, pair.closest_b);
    case What::contact_normal_force: out[0] = pair.sum.normal_force; return;
    case What::contact_distance: out[0] = pair.sum.phi; return;
    case What::contact_slip: out[0] = pair.sum.slip_speed; return;
    case What::contact_state: out[0] = pair.rigid.state; return;
    case What::contact_impulse: return put(out, pair.rigid.impulse);
    case What::contact_impacts: out[0] = pair.rigid.impacts; return;
    case What::contact_area: out[0] = pair.sum.contact_area; return;
    case What::contact_circumference: out[0] = pair.sum.circumference; return;
    case What::contact_pressure: out[0] = pair.sum.mean_pressure(); return;
    case What::contact_drilling: out[0] = dot(pair.sum.torque, pair.sum.normal); return;
    case What::contact_peak_pressure: out[0] = pair.sum.peak_pressure; return;
    case What::contact_rolling: return put(out, pair.sum.rolling_torque);
    default: out[0] = pair.sum.normal_power, out[1] = pair.sum.friction_power;
  }
}

/// What several channels share.
struct SharedValues {
  Ledger ledger;
  std::vector<BodyPairContact> pairs;
  std::vector<Wrench> bodies;  ///< of all contacts
};

/// Whether `index` is that of a pair of bodies that is watched.
bool is_of_pair(What what) {
  switch (what) {
    case What::surface_points:
    case What::surface_area:
    case What::surface_length:
    case What::surface_point:
    case What::surface_point_force:
    case What::surface_point_gap:
    case What::body_contact_force:
    case What::body_contact_torque: return false;
    default: return true;
  }
}

void put_channel(const Workspace& w, std::span<const double> z, const SharedValues& values,
                 const OutputChannel& c, std::span<double> out) {
  switch (c.what) {
    case What::body_position:
    case What::body_orientation:
    case What::body_velocity:
    case What::body_angular_velocity:
    case What::body_own_angular_velocity: return put_body(w, c, out);
    case What::joint_q:
    case What::joint_v:
    case What::joint_force:
    case What::reaction_force:
    case What::reaction_torque: return put_joint(w, c, out);
    case What::marker_position:
    case What::marker_velocity:
    case What::marker_acceleration: return put_marker(w, c, out);
    case What::drive_force: out[0] = w.forces.of_drives[at(c.index)]; return;
    case What::loop_force: return put(out, w.constraints.loop_reaction[at(c.index)].f);
    case What::loop_torque: return put(out, w.constraints.loop_reaction[at(c.index)].t);
    case What::coupling_force: out[0] = w.constraints.coupling_force[at(c.index)]; return;
    case What::force_reading: out[0] = w.forces.outputs[at(c.index)].reading[c.component]; return;
    case What::signal: out[0] = w.signals.values[at(c.index)]; return;
    case What::state: out[0] = z[at(c.index)]; return;
    case What::energy: out[0] = values.ledger.*ledger_rows()[at(c.component)].value; return;
    case What::surface_points:
    case What::surface_area:
    case What::surface_length:
    case What::surface_point:
    case What::surface_point_force:
    case What::surface_point_gap: return put_surface_channel(w, c, out);
    case What::body_contact_force: put(out, values.bodies[at(c.index)].f); return;
    case What::body_contact_torque: put(out, values.bodies[at(c.index)].t); return;
    default: put_contact(values.pairs, c, out);
  }
}

}  // namespace

std::vector<OutputChannel> all_channels(const Model& model) {
  ChannelList out;
  add_bodies(model, out);
  add_joints(model, out);
  add_rest(model, out);
  add_contacts(model, out);
  return std::move(out.list);
}

std::vector<std::string> channel_groups() {
  return {"all",    "bodies",  "joints", "reactions", "drives",   "markers",
          "forces", "signals", "states", "energy",    "contacts", kBodyAxes};
}

std::vector<OutputChannel> select_channels(const Model& model,
                                           std::span<const std::string> selection,
                                           const SourcePos& where, Diagnostics& diagnostics) {
  std::vector<OutputChannel> all = all_channels(model);
  if (selection.empty()) {
    std::erase_if(all, [](const OutputChannel& c) { return c.group == kBodyAxes; });
    return all;
  }
  std::vector<bool> keep(all.size(), false);
  for (const std::string& word : selection) {
    bool found = false;
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (!selected(all[i], word)) continue;
      keep[i] = true;
      found = true;
    }
    const std::vector<std::string> groups = channel_groups();
    const bool empty_group = std::find(groups.begin(), groups.end(), word) != groups.end();
    if (found || empty_group) continue;
    std::vector<std::string> known = groups;
    for (const OutputChannel& c : all) known.push_back(c.name);
    diagnostics.error(where, "'" + word + "' is not a channel, an object or a group of channels",
                      suggest(word, known));
  }
  std::vector<OutputChannel> chosen;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (keep[i]) chosen.push_back(std::move(all[i]));
  }
  return chosen;
}

void calc_outputs(Workspace& w, double t, std::span<const double> x,
                  std::span<const OutputChannel> channels, double energy_reference,
                  std::span<double> row) {
  evaluate(w, t, x);
  read_outputs(w, x, channels, energy_reference, row);
}

void read_outputs(Workspace& w, std::span<const double> x, std::span<const OutputChannel> channels,
                  double energy_reference, std::span<double> row) {
  if (std::any_of(channels.begin(), channels.end(), needs_reactions)) calc_reactions(w);
  const std::span<const double> z = x.subspan(w.model->nq() + w.model->nv());
  SharedValues values;
  const auto is_contact = [](const OutputChannel& c) { return c.group == "contacts"; };
  if (std::any_of(channels.begin(), channels.end(), is_contact)) {
    values.pairs.resize(w.model->contact.watched.size());
    std::vector<bool> is_known(values.pairs.size(), false);
    for (const OutputChannel& c : channels) {  // nearest points of bodies apart take long
      if (!is_contact(c) || !is_of_pair(c.what) || is_known[at(c.index)]) continue;
      values.pairs[at(c.index)] = find_pair_contact(w, at(c.index));
      is_known[at(c.index)] = true;
    }
    values.bodies = sum_contact_wrenches(w);
  }
  const auto is_energy = [](const OutputChannel& c) { return c.what == What::energy; };
  if (std::any_of(channels.begin(), channels.end(), is_energy)) {
    values.ledger = read_ledger(w, x, energy_reference);
  }
  std::size_t offset = 0;
  for (const OutputChannel& c : channels) {
    put_channel(w, z, values, c, row.subspan(offset, at(c.width)));
    offset += at(c.width);
  }
}

}  // namespace carom
