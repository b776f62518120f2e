// The Scene: what the user wrote, as plain values. No behaviour.
//
// Read from YAML (read.h), or built in C++ and Python. Everything refers to
// everything else by name; compile (engine/compile.h) turns names into indices.
// Names of bodies, joints, couplings, forces, signals, states and events share one
// name space, because channels and formulas use them bare ("ball.position.z").
// SI units; angles in radians; quaternions w, x, y, z; world axes unless said.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "carom/base/diagnostic.h"
#include "carom/geometry/shape.h"
#include "carom/math/pose.h"
#include "carom/multibody/signal_spec.h"
#include "carom/scene/contact_spec.h"
#include "carom/scene/surface_spec.h"

namespace carom {

/// The name of the immovable body that is always there.
inline constexpr const char* kWorldName = "world";

/// The surface of a solid after Otter 2005, with the defaults of the paper's table.
struct SurfaceRecord {
  double c = 1e7;       ///< spring constant [N/m]
  double d = 0.0;       ///< damping constant [N.s/m]
  double d_w = 0.0;     ///< lever of the friction torque about the normal [m]
  double mu = 0.0;      ///< friction coefficient [-]
  double v_min = 1e-3;  ///< slip at which friction is full [m/s]
  double w_min = 1e-3;  ///< spin at which the torque is full [rad/s]
};

/// A solid: density for mass properties, elasticity for contact.
struct MaterialSpec {
  std::string name;
  double density = 0.0;          ///< [kg/m³]
  double youngs_modulus = 0.0;   ///< [Pa]
  double poissons_ratio = 0.0;   ///< [-]
  double yield_strength = -1.0;  ///< [Pa]; < 0: not known
  std::optional<SurfaceRecord> surface;
  std::string source;  ///< where the figures come from
  SourcePos where;
};

struct ShapeSpec {
  std::string name;       ///< "" or unique within the body
  Shape shape;            ///< kind and parameters; mesh data already read
  std::string file;       ///< of a mesh, from the scene's folder
  Vec3 scale{1, 1, 1};    ///< of a mesh: the factors that `shape` was read with
  Pose X_BS;              ///< shape frame in the body
  std::string material;   ///< "" = the body's
  double density = -1.0;  ///< [kg/m³]; < 0: the material's
  bool has_mass = true;   ///< counts towards the body's mass
  bool contact = true;    ///< may touch other bodies
  SourcePos where;
};

/// A named body-fixed frame.
struct MarkerSpec {
  std::string name;
  Pose X_BK;
  SourcePos where;
};

struct DriveSpec {
  enum class Kind { force, position, velocity, cascade };
  Kind kind = Kind::force;
  SignalSpec reference;          ///< force [N or N·m], position or velocity to follow
  double stiffness = 0.0;        ///< position: [N/m or N·m/rad]
  double damping = 0.0;          ///< position, velocity: gain on the velocity error
  double integral = 0.0;         ///< gain on the integral of the error
  bool rate_feedforward = true;  ///< position: the velocity error uses the reference's rate
  double limit = -1.0;           ///< largest |force|; < 0: none
  // cascade: motor-side P-PI, u = inner (outer_ratio (ref - q)) - ratio v; f = ratio k (x + u), x'
  // = u/T
  double ratio = 1.0, inner_gain = 0.0, gain = 0.0, time_constant = 1.0;
  SourcePos where;
};

/// What acts along one coordinate of a joint.
struct DofSpec {
  double stiffness = 0.0, rest = 0.0;  ///< spring
  double damping = 0.0;                ///< viscous
  double coulomb = 0.0;                ///< sliding friction force [N or N·m]
  double stiction = -1.0;              ///< break-away force; < 0: equal to coulomb
  std::optional<double> lower, upper;  ///< stops
  double stop_stiffness = 0.0, stop_damping = 0.0;
  double rotor_inertia = 0.0, rotor_ratio = 1.0;  ///< reflected: ratio² inertia
  std::optional<DriveSpec> drive;
  std::optional<SignalSpec> motion;  ///< prescribed coordinate
};

struct JointSpec {
  std::string name;  ///< unique; "" for the implicit free joint of a body
  std::string kind;  ///< a row of the joint catalogue
  std::string parent = kWorldName, child;
  Pose X_PF, X_BM;             ///< joint frames in parent and child; the axis is their z
  std::vector<double> params;  ///< of the catalogue row (screw: pitch)
  std::vector<double> q, v;    ///< initial; empty: zero, or from the body's pose
  std::vector<DofSpec> dofs;   ///< one per velocity; empty: nothing acts
  bool loop = false;           ///< a constraint that closes a loop, not a tree joint
  double active_from = -kInf, active_until = kInf;  ///< loops only [s]
  bool collide = false;                             ///< parent and child may touch each other
  SourcePos where;
};

struct BodySpec {
  std::string name;
  bool fixed = false;
  std::string material;
  std::optional<double> mass;   ///< [kg]; with com and inertia overrides the shapes
  std::optional<Vec3> com;      ///< in the body frame
  std::optional<Sym3> inertia;  ///< about the centre of mass, body axes
  std::vector<ShapeSpec> shapes;
  std::vector<MarkerSpec> markers;
  std::optional<Vec3> position;  ///< of the body origin in the world
  std::optional<Quat> orientation;
  std::optional<Vec3> velocity;          ///< of the body origin
  std::optional<Vec3> angular_velocity;  ///< world axes
  SourcePos where;
};

/// q_first = ratio * q_second + offset (gear, rack and pinion, any ratio).
struct CouplingSpec {
  std::string name, kind;  ///< gear, rack or ratio
  std::string first, second;
  int first_dof = 0, second_dof = 0;
  double ratio = 1.0;
  std::optional<double> offset;  ///< empty: from the initial positions
  SourcePos where;
};

/// A point or frame on a body by which a force element grips it.
struct AttachmentSpec {
  std::string body = kWorldName;
  Pose X_BK;
};

struct ForceSpec {
  std::string name;
  std::string kind;                 ///< a row of the force catalogue
  AttachmentSpec from, to;          ///< load elements use `to` only
  std::vector<double> params;       ///< of the catalogue row
  std::vector<SignalSpec> signals;  ///< load components, or nonlinear laws where the row takes them
                                    ///< (formulas in x and v; a default SignalSpec: no law)
  bool in_body_axes = false;        ///< loads: components turn with the body
  SourcePos where;
};

struct GravitySpec {
  enum class Kind { uniform, point };
  Kind kind = Kind::uniform;
  Vec3 uniform{0, 0, -9.81};  ///< [m/s²]
  Vec3 center;                ///< of the point field
  double mu = 0.0;            ///< gravitational parameter G M [m³/s²]
};

struct NamedSignal {
  std::string name;
  SignalSpec signal;
};

/// A state of the user's own: x' = rate(t, channels).
struct StateSpec {
  std::string name;
  SignalSpec rate;
  double initial = 0.0;
  SourcePos where;
};

struct EventSpec {
  enum class Direction { both, rising, falling };
  enum class Action { record, stop, set };
  std::string name;
  SignalSpec when;  ///< the event is its zero crossing
  Direction direction = Direction::both;
  Action action = Action::record;
  /// set: paths such as "joints.pivot.damping" and their new values
  std::vector<std::pair<std::string, double>> assignments;
  SourcePos where;
};

/// How the live page of a run sets a constant signal.
struct ControlSpec {
  std::string signal;
  std::string key_less, key_more;  ///< while held: `least`, `most`; empty: none
  int axis = -1;                   ///< of a gamepad; -1: none
  double least = -1.0, most = 1.0;
  SourcePos where;
};

struct InitialSpec {
  enum class Kind { as_given, equilibrium };
  Kind kind = Kind::as_given;
  std::vector<std::string> keep;  ///< joints whose coordinates assembly must not change
  SourcePos where;
};

struct OutputSpec {
  double step = 0.0;                  ///< [s]; 0: until/500
  std::vector<std::string> channels;  ///< groups or names; empty: bodies, joints, energy …
  bool peaks = true;                  ///< record the largest forces between rows
  bool maps = false;                  ///< record where contacts press at every row
  SourcePos step_where, channels_where;
};

struct RunSpec {
  double start = 0.0;       ///< [s]
  double until = 1.0;       ///< [s]
  double tolerance = 1e-8;  ///< relative
  std::string integrator = "auto";
  double step = 0.0;        ///< [s]; fixed step, 0: chosen
  double freeze = 0.0;      ///< [m/s]; slower islands of implicit steps rest, 0: none do
  double max_step = kInf;   ///< [s]
  long max_steps = 0;       ///< 0: no limit
  double max_cpu = kInf;    ///< [s]; CPU time after which it ends
  double checkpoint = 0.0;  ///< [s]; time between checkpoints, 0: none
  OutputSpec output;
  SourcePos where, until_where, integrator_where, step_where, freeze_where;
};

struct Scene {
  std::string name, description;
  std::string source;              ///< the text it was read from
  std::vector<std::string> files;  ///< that were read for it: its own, included ones, meshes
  GravitySpec gravity;
  std::vector<std::pair<std::string, double>> values;
  std::vector<MaterialSpec> materials;  ///< the scene's own; they shadow the palette
  std::vector<BodySpec> bodies;
  std::vector<JointSpec> joints;  ///< tree joints and loop closures, also those written in bodies
  std::vector<CouplingSpec> couplings;
  std::vector<ForceSpec> forces;
  std::vector<NamedSignal> signals;
  std::vector<StateSpec> states;
  std::vector<EventSpec> events;
  std::vector<ControlSpec> controls;
  ContactSpec contact;
  std::vector<SurfaceSpec> surfaces;
  std::vector<SurfaceContactSpec> surface_contacts;
  InitialSpec initial;
  RunSpec run;
};

}  // namespace carom
