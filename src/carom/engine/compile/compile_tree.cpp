// Bodies and joints become links; loops and couplings become constraints.
#include <algorithm>
#include <cmath>

#include "carom/base/text.h"
#include "carom/engine/compile/compiler.h"
#include "carom/scene/body_mass.h"

namespace carom {
namespace {

/// Mass properties in the body frame as an inertia about the origin of L.
Inertia inertia_in_link(const MassProperties& mass, const Pose& X_LB) {
  const Vec3 com = X_LB * mass.com;
  Inertia a;
  a.m = mass.mass;
  a.h = mass.mass * com;
  a.I = rotated(X_LB.R, mass.inertia) + mass.mass * point_inertia(com);
  return a;
}

/// A length that is typical of a body: its extent, or its radius of gyration.
double size_of(const BodySpec& body, const MassProperties& mass) {
  double size = 0.0;
  for (const ShapeSpec& s : body.shapes) {
    const double radius = bounding_radius(s.shape);
    if (std::isfinite(radius)) size = std::max(size, radius);
  }
  if (size == 0.0 && mass.mass > 0.0) size = std::sqrt(trace(mass.inertia) / mass.mass);
  return size > 0.0 ? size : 1.0;
}

}  // namespace

void Compiler::compile_tree() {
  for (std::size_t i = 0; i < scene_.bodies.size(); ++i) {
    body_index_[scene_.bodies[i].name] = static_cast<int>(i);
  }
  for (const JointSpec& joint : scene_.joints) {
    if (!joint.loop) joint_of_child_[joint.child] = &joint;
  }
  model_->bodies.resize(scene_.bodies.size());
  order_bodies();
  if (diagnostics_.has_errors()) return;
  for (const int body : body_order_) {
    const BodySpec& spec = scene_.bodies[static_cast<std::size_t>(body)];
    BodyInfo& info = model_->bodies[static_cast<std::size_t>(body)];
    info.name = spec.name;
    info.mass = body_mass_properties(scene_, spec);
    info.size = size_of(spec, info.mass);
    const auto joint = joint_of_child_.find(spec.name);
    if (spec.fixed) {
      place_fixed(body);
    } else {
      add_body(body, joint == joint_of_child_.end() ? nullptr : joint->second);
    }
  }
  const std::vector<int> new_index = finish_tree(model_->tree);
  model_->link_size.assign(new_index.size(), 1.0);
  for (BodyInfo& body : model_->bodies) {
    body.link = new_index[static_cast<std::size_t>(body.link)];
    if (body.link > 0) model_->link_size[static_cast<std::size_t>(body.link)] = body.size;
  }
  for (JointInfo& joint : model_->joints) {
    joint.link = new_index[static_cast<std::size_t>(joint.link)];
    const Link& link = model_->tree.links[static_cast<std::size_t>(joint.link)];
    joint.q0 = link.q0;
    joint.v0 = link.v0;
  }
  compile_markers();
  compile_loops();
  compile_couplings();
  finish_constraints(model_->tree, model_->constraints);
}

void Compiler::order_bodies() {
  // Depth-first from each body towards the root; a body met twice on one way is a cycle.
  std::vector<int> mark(scene_.bodies.size(), 0);
  for (std::size_t start = 0; start < scene_.bodies.size(); ++start) {
    std::vector<int> way;
    int at = static_cast<int>(start);
    while (at >= 0 && mark[static_cast<std::size_t>(at)] == 0) {
      mark[static_cast<std::size_t>(at)] = 1;
      way.push_back(at);
      const BodySpec& body = scene_.bodies[static_cast<std::size_t>(at)];
      const auto joint = joint_of_child_.find(body.name);
      if (body.fixed || joint == joint_of_child_.end()) break;
      if (joint->second->parent == kWorldName) break;
      const auto parent = body_index_.find(joint->second->parent);
      if (parent == body_index_.end()) {
        diagnostics_.error(joint->second->where,
                           "joint '" + joint->second->name + "' names the parent '" +
                               joint->second->parent + "', which is not a body",
                           "name a body of the scene, or 'world'");
        break;
      }
      at = parent->second;
      if (mark[static_cast<std::size_t>(at)] == 1) {
        diagnostics_.error(joint->second->where,
                           "the tree joints of '" + body.name + "' form a closed loop",
                           "mark one joint of the loop with 'loop: true'");
        break;
      }
    }
    for (auto it = way.rbegin(); it != way.rend(); ++it) {
      mark[static_cast<std::size_t>(*it)] = 2;
      body_order_.push_back(*it);
    }
  }
}

void Compiler::place_fixed(int body) {
  const BodySpec& spec = scene_.bodies[static_cast<std::size_t>(body)];
  BodyInfo& info = model_->bodies[static_cast<std::size_t>(body)];
  info.link = 0;
  info.X_LB = {to_matrix(spec.orientation.value_or(Quat{})), spec.position.value_or(Vec3{})};
}

void Compiler::add_body(int body, const JointSpec* joint) {
  BodyInfo& info = model_->bodies[static_cast<std::size_t>(body)];
  JointInfo entry;
  entry.body = body;
  Pose X_PF;
  int parent_link = 0;
  std::vector<double> params;
  if (joint) {
    entry.name = joint->name;
    entry.kind = find_joint_kind(joint->kind);
    entry.spec = static_cast<int>(joint - scene_.joints.data());
    if (joint->parent == kWorldName) {
      X_PF = joint->X_PF;
    } else {
      const BodyInfo& parent = model_->bodies[static_cast<std::size_t>(body_index_[joint->parent])];
      parent_link = parent.link;
      X_PF = parent.X_LB * joint->X_PF;
    }
    info.X_LB = inverse(joint->X_BM);
    params = joint->params;
  } else {
    // An implicit free joint moves the centre of mass, so that translation and rotation
    // of a free body do not mix.
    entry.kind = find_joint_kind("free");
    info.X_LB = Pose::translation(-info.mass.com);
  }
  if (!entry.kind) {
    diagnostics_.error(joint->where, "'" + joint->kind + "' is not a kind of joint",
                       "carom list joints shows the kinds");
    entry.kind = find_joint_kind("fixed");
  }
  info.link = add_link(model_->tree, parent_link, *entry.kind, X_PF,
                       inertia_in_link(info.mass, info.X_LB), params);
  model_->tree.links.back().X_LB = info.X_LB;
  entry.link = info.link;
  if (!entry.name.empty()) joint_index_[entry.name] = static_cast<int>(model_->joints.size());
  model_->joints.push_back(entry);
}

Pose Compiler::body_in_link(const std::string& name, LinkId& link) {
  if (name == kWorldName) {
    link = 0;
    return {};
  }
  const BodyInfo& body = model_->bodies[static_cast<std::size_t>(body_index_.at(name))];
  link = body.link;
  return body.X_LB;
}

void Compiler::compile_markers() {
  for (std::size_t i = 0; i < scene_.bodies.size(); ++i) {
    const BodyInfo& body = model_->bodies[i];
    for (const MarkerSpec& marker : scene_.bodies[i].markers) {
      model_->markers.push_back(
          {body.name + "." + marker.name, body.link, body.X_LB * marker.X_BK});
    }
  }
}

void Compiler::compile_loops() {
  for (const JointSpec& joint : scene_.joints) {
    if (!joint.loop) continue;
    for (const std::string& body : {joint.parent, joint.child}) {
      if (body != kWorldName && !body_index_.count(body)) {
        diagnostics_.error(joint.where,
                           "loop '" + joint.name + "' names '" + body + "', which is not a body",
                           "name bodies of the scene, or 'world'");
        return;
      }
    }
    LoopConstraint loop;
    const Pose X_LB_parent = body_in_link(joint.parent, loop.link_a);
    const Pose X_LB_child = body_in_link(joint.child, loop.link_b);
    loop.X_AF = X_LB_parent * joint.X_PF;
    loop.X_BM = X_LB_child * joint.X_BM;
    loop.joint = find_joint_kind(joint.kind);
    loop.params = joint.params;
    if (loop.link_a == loop.link_b) {
      diagnostics_.error(joint.where, "loop '" + joint.name + "' connects a body with itself",
                         "connect two bodies that move relative to each other");
      return;
    }
    model_->constraints.loops.push_back(loop);
    model_->loops.push_back({joint.name, joint.active_from, joint.active_until});
    model_->parameters.loop_enabled.push_back(1.0);
  }
}

bool Compiler::resolve_coordinate(const std::string& joint, int dof, const SourcePos& where, int& q,
                                  int& v) {
  const auto found = joint_index_.find(joint);
  if (found == joint_index_.end()) {
    diagnostics_.error(where, "'" + joint + "' is not a tree joint",
                       "name a joint that is not a loop");
    return false;
  }
  const JointInfo& info = model_->joints[static_cast<std::size_t>(found->second)];
  if (!info.kind->vector_space || dof < 0 || dof >= info.kind->nv) {
    diagnostics_.error(where,
                       "joint '" + joint + "' (" + info.kind->name + ") has no coordinate " +
                           std::to_string(dof) + " that can be coupled",
                       "couple coordinates of revolute, prismatic, cylindrical, universal, planar "
                       "or screw joints");
    return false;
  }
  q = info.q0 + dof;
  v = info.v0 + dof;
  return true;
}

void Compiler::compile_couplings() {
  for (const CouplingSpec& spec : scene_.couplings) {
    CouplingConstraint c;
    c.ratio = spec.ratio;
    const bool ok =
        resolve_coordinate(spec.first, spec.first_dof, spec.where, c.q_first, c.v_first) &&
        resolve_coordinate(spec.second, spec.second_dof, spec.where, c.q_second, c.v_second);
    if (!ok) continue;
    // Without an offset the coupling holds what the initial positions say (NaN until then).
    c.offset = spec.offset.value_or(std::nan(""));
    model_->constraints.couplings.push_back(c);
    model_->couplings.push_back(spec.name);
  }
}

}  // namespace carom
