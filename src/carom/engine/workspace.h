// All scratch memory of one evaluation, and the modes that only accepted steps change.
#pragma once

#include <array>
#include <cstdint>
#include <memory>

#include "carom/engine/contact/contact_data.h"
#include "carom/engine/contact/contact_memory.h"
#include "carom/engine/model.h"
#include "carom/engine/rest_record.h"
#include "carom/multibody/signal.h"

namespace carom {

/// Powers that feed the ledger [W].
struct Powers {
  double damping = 0, friction = 0, drive = 0, model = 0;
  static constexpr std::size_t kCount = 4;
  std::array<double, kCount> values() const { return {damping, friction, drive, model}; }
  static Powers of(std::span<const double> v) { return {v[0], v[1], v[2], v[3]}; }
};

/// Discrete state: frozen within a step, switched by located events only (N1).
struct Modes {
  std::vector<std::int8_t> friction;  ///< 0: stuck; +1, -1: sliding in this direction
  std::vector<std::int8_t> stop;      ///< StopMode of joint_stop.h, signed by the side
  std::vector<std::uint8_t> loop_active;
  ContactMemory contacts;
  double work = 0.0;  ///< stored energy that switches have brought in, a part of model_work [J]
  Powers rows;        ///< integrals of the powers from the start on [J]
  double shortest_contact = kInf;  ///< that began so far, about [s]
  double fixed_step = 0.0;         ///< of a run that went over to fixed steps [s]; 0: it has not
  bool banks = false;       ///< implicit steps: the elastic energy of contacts is what flowed in
  double step_loss = 0.0;   ///< that implicit steps have taken beyond the laws [J]
  double step_lift = 0.0;   ///< that contacts gave in them beyond what they held [J]
  double acted_span = 0.0;  ///< over which the forces that acted are means [s]
  std::vector<RestRecord> rests;  ///< per link, of runs that freeze what rests
};

/// An overriding law of a force element with the slots its formula reads.
struct LawSlot {
  Signal signal;
  std::unique_ptr<double[]> xv = std::make_unique<double[]>(2);
  bool given = false, driven = false;
};

struct Energies {
  double kinetic = 0, potential = 0, elastic = 0;
};

/// Signals and what they read.
struct SignalData {
  std::vector<double> measured;   ///< one per Model::measures
  std::vector<double> constants;  ///< of the scene that formulas read
  std::vector<Signal> all;
  std::vector<double> values;          ///< one per signal
  std::vector<std::uint8_t> is_timed;  ///< depends on time alone
};

/// Of force elements and along joints.
struct ForceData {
  std::vector<std::vector<LawSlot>> laws;  ///< per force element
  std::vector<ForceOutput> outputs;        ///< the same
  std::vector<double> of_drives;           ///< per drive
  std::vector<double> holding;             ///< per friction element: while stuck
  std::vector<double> of_motions;          ///< per velocity: what a prescribed motion takes
  std::vector<double> rnea_tau;
};

struct EventData {
  std::vector<double> resolution;  ///< of the event functions as last evaluated
  std::vector<double> kinks;       ///< functions whose zeros are kinks, as last evaluated
  std::vector<double> ahead;       ///< a state that find_forced looks at
};

/// What the ledger is made of at the state last evaluated: powers [W] and energies [J].
struct LedgerData {
  Powers powers;
  double stops = 0.0, joint_springs = 0.0;
  double contacts = 0.0;   ///< elastic
  double modelled = 0.0;   ///< of it: of contacts whose force is not its gradient
  double published = 0.0;  ///< of that: after publications
  double bristles = 0.0;   ///< of friction
  double lasting = 0.0;    ///< of that: of bristles that the load does not change
};

/// How steps are taken, as far as an evaluation depends on it.
struct StepTraits {
  bool locates_events = true;  ///< false: contacts switch at the ends of steps only
  double explicit_step = 0.0;  ///< length of fixed explicit steps, 0 for other methods [s]
  double kick_step = 0.0;      ///< the same of methods of order 1 (kick_powers.h) [s]
  double look_ahead = 0.0;     ///< contacts begin that long before bodies meet [s]
  double grid_step = 0.0;      ///< of implicit steps: what a halved one is a part of [s]
  /// Laws that say so find patches of triangles where a step begins and keep them within it.
  bool keeps_patches = false;
  /// Elements of joints and between bodies are rows of a velocity problem, and not forces.
  bool rows_apart = false;
};

class Workspace {
 public:
  /// Begins with the numbers of the model, or with those of `start`.
  explicit Workspace(std::shared_ptr<const Model> model, const ModelStart* start = nullptr);
  Workspace(const Workspace&) = delete;
  Workspace& operator=(const Workspace&) = delete;

  /// Forgets what one evaluation leaves for the next: then it is as good as a new one, but for
  /// parameters and modes.
  void forget();

  const std::shared_ptr<const Model> model;
  Parameters parameters;
  Modes modes;

  StepTraits step;

  double t = 0.0;
  bool has_kinematics = false;  ///< q, v and the links belong together
  std::vector<double> q, v;     ///< coordinates with prescribed ones in place
  std::vector<double> zdot;     ///< of the model's own further states
  TreeData tree;
  ConstraintData constraints;
  SignalData signals;
  ForceData forces;
  ContactData contacts;
  EventData events;
  LedgerData ledger;

 private:
  void compile_signals();
};

}  // namespace carom
