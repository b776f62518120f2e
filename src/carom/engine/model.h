// The Model: the compiled scene. Names have become indices; everything that an
// evaluation needs is in flat arrays. Immutable once made, shared by any number of
// Workspaces.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "carom/engine/contact/contact_model.h"
#include "carom/multibody/constraints.h"
#include "carom/multibody/force_kind.h"
#include "carom/multibody/tree.h"
#include "carom/scene/scene.h"

namespace carom {

struct BodyInfo {
  std::string name;
  LinkId link = 0;  ///< 0: fixed to the world
  Pose X_LB;        ///< body frame in the link frame (in the world, where link is 0)
  MassProperties mass;
  double size = 1.0;  ///< [m]; scales error weights
};

struct JointInfo {
  std::string name;  ///< "" for implicit free joints
  BodyId body = 0;
  LinkId link = 0;
  const JointKind* kind = nullptr;
  int q0 = 0, v0 = 0;
  int spec = -1;  ///< index into Scene::joints, -1 for implicit ones
};

struct LoopInfo {
  std::string name;
  double active_from = -kInf, active_until = kInf;
};

struct MarkerInfo {
  std::string name;  ///< "body.marker"
  LinkId link = 0;
  Pose X_LK;
};

/// What acts along one velocity. Values are parameters: events may change them.
struct DofElement {
  JointId joint = 0;
  int dof = 0;
  int q = 0, v = 0;
  bool has_position = false;  ///< the coordinate is a plain number: springs, stops, drives
  double stiffness = 0, rest = 0, damping = 0;
  double coulomb = 0, stiction = 0;
  double lower = -kInf, upper = kInf, stop_stiffness = 0, stop_damping = 0;
  int drive = -1;     ///< index into Model::drives
  int motion = -1;    ///< signal of the prescribed coordinate
  int friction = -1;  ///< index among elements with friction
  int stop = -1;      ///< index among elements with stops
};

struct DriveElement {
  DriveSpec::Kind kind = DriveSpec::Kind::force;
  int element = 0;  ///< into the dof elements
  int signal = 0;
  int state = -1;  ///< its integral, an index into z
  bool rate_feedforward = false;
  double stiffness = 0, damping = 0, integral = 0, limit = kInf;
  double ratio = 1, inner_gain = 0, gain = 0, time_constant = 1;
};

struct Attachment {
  LinkId link = 0;
  Pose X_LK;
};

struct ForceElement {
  std::string name;
  const ForceKind* kind = nullptr;
  Attachment from, to;
  int param0 = 0;                ///< into Parameters::force_params
  std::vector<int> signals;      ///< of loads
  std::vector<SignalSpec> laws;  ///< overriding laws; kind constant: not given
  bool in_body_axes = false;
};

/// A quantity that formulas may read.
struct Measure {
  enum class What { q, v, position, orientation, velocity, angular_velocity, state, signal };
  What what = What::q;
  std::string name;
  int index = 0;  ///< coordinate, velocity, state or signal; link of bodies and markers
  int component = 0;
  Pose X_LK;  ///< of bodies and markers
};

struct SignalInfo {
  std::string name;  ///< "" for inline signals
  SignalSpec spec;
  std::vector<std::string> reads = {};  ///< names in a formula and its derivatives
};

struct EventInfo {
  std::string name;
  int signal = 0;
  EventSpec::Direction direction = EventSpec::Direction::both;
  EventSpec::Action action = EventSpec::Action::record;
  std::vector<std::pair<std::string, double>> assignments;
};

struct UserState {
  std::string name;
  int rate = 0;  ///< signal
  double initial = 0.0;
};

/// Numbers that events and controllers may change while a run goes on.
struct Parameters {
  std::vector<DofElement> dofs;
  std::vector<DriveElement> drives;
  std::vector<double> force_params;
  std::vector<double> constants;     ///< value of each constant signal
  std::vector<double> loop_enabled;  ///< 1 or 0
  GravitySpec gravity;
};

struct Model {
  Scene scene;
  TreeModel tree;
  ConstraintModel constraints;
  IdArray<BodyId, BodyInfo> bodies;
  IdArray<JointId, JointInfo> joints;  ///< of the tree; joint i moves link joints[i].link
  std::vector<LoopInfo> loops;
  std::vector<std::string> couplings;
  std::vector<MarkerInfo> markers;
  std::vector<ForceElement> forces;
  std::vector<SignalInfo> signals;
  std::vector<int> signal_order;  ///< evaluation order: what a formula reads comes first
  std::vector<Measure> measures;  ///< those that some formula reads
  std::vector<UserState> states;
  std::vector<EventInfo> events;
  ContactModel contact;
  Parameters parameters;              ///< initial values
  bool does_work = false;             ///< something feeds the rows of the ledger that are integrals
  IdArray<LinkId, double> link_size;  ///< [m], per link
  std::vector<int> island;            ///< per link: links that influence each other share one
  int friction_count = 0, stop_count = 0;
  bool has_motion = false;

  std::size_t nq() const { return static_cast<std::size_t>(tree.nq); }
  std::size_t nv() const { return static_cast<std::size_t>(tree.nv); }
  std::size_t nz = 0;
  std::vector<double> initial;  ///< x at the start: assembled, consistent
  std::size_t size() const { return nq() + nv() + nz; }
};

/// What a run may begin with in place of a Model's own numbers, so that runs that differ in these
/// alone share the Model (model_starts.h).
struct ModelStart {
  Parameters parameters;
  std::vector<double> values;  ///< of the scene, after Scene::values
  std::vector<double> x;       ///< as Model::initial
};

/// Compiles the scene; findings (with their place in the file) go to `diagnostics`.
/// Null if there are errors.
std::shared_ptr<const Model> compile(const Scene& scene, Diagnostics& diagnostics);

/// The parameter that `path` names ("joints.pivot.damping"), or null.
double* find_parameter(const Model& model, Parameters& parameters, const std::string& path);
/// All paths that find_parameter knows, for suggestions.
std::vector<std::string> parameter_paths(const Model& model);

}  // namespace carom
