// All scratch memory of one evaluation, and the modes that only accepted steps change.
#pragma once

#include <array>
#include <cstdint>
#include <memory>

#include "carom/contact/contact_springs.h"
#include "carom/engine/contact_memory.h"
#include "carom/engine/contact_reading.h"
#include "carom/engine/contact_search.h"
#include "carom/engine/model.h"
#include "carom/multibody/signal.h"
#include "carom/proximity/manifold.h"

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
  bool banks = false;  ///< implicit steps: the elastic energy of contacts is what flowed in
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

/// Distances of the touching pairs where the links are now. A fixed step asks for them twice: at
/// its end, for what begins and ends, and at the beginning of the next.
struct KnownContacts {
  std::vector<Contact> of_pair;
  bool are_current = false;
};

/// Scratch of one contact.
struct ContactScratch {
  ContactSprings springs;
  Manifold manifold;
  std::array<NormalInput, kMaxManifoldPoints> normal_in;
  std::array<NormalOutput, kMaxManifoldPoints> normal_out;
  std::array<Vec3, kMaxManifoldPoints> velocity;  ///< of B relative to A at the points
  std::array<double, kMaxManifoldPoints> press;   ///< normal forces of the points, >= 0
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

  double t = 0.0;
  bool has_kinematics = false;  ///< q, v and the links belong together
  TreeData tree;
  ConstraintData constraints;
  std::vector<double> q, v;      ///< coordinates with prescribed ones in place
  std::vector<double> measured;  ///< one per Model::measures
  std::vector<double> values;    ///< constants of the scene that formulas read
  std::vector<Signal> signals;
  std::vector<double> signal_values;
  std::vector<std::uint8_t> signal_timed;  ///< depends on time alone
  std::vector<std::vector<LawSlot>> laws;  ///< per force element
  std::vector<ForceOutput> force_outputs;
  std::vector<double> drive_forces;  ///< per drive
  std::vector<double> holding;       ///< per friction element: force while stuck
  std::vector<double> joint_forces;  ///< per velocity: what a prescribed motion takes
  std::vector<double> rnea_tau;
  std::vector<double> zdot;
  std::vector<double> event_resolution;  ///< of the event functions as last evaluated
  std::vector<double> ahead;             ///< a state that find_forced looks at
  Powers powers;
  double stop_energy = 0.0, joint_spring_energy = 0.0;
  ContactSearch search;               ///< of the pairs in modes.contacts
  std::vector<std::size_t> touching;  ///< pairs that are not apart
  KnownContacts known_contacts;
  std::vector<ContactReading> readings;       ///< of these, one each
  std::vector<SurfacePoints> surface_points;  ///< of connected surfaces
  std::int64_t surface_tests = 0;             ///< of these that are apart
  std::int64_t surface_skips = 0;             ///< of these: too far apart to look closer
  std::vector<double> slot_rates;             ///< of contact states
  bool locates_contacts = true;               ///< false: they switch at the ends of steps only
  double explicit_step = 0.0;  ///< length of fixed explicit steps, 0 for other methods [s]
  double kick_step = 0.0;      ///< the same of methods of order 1 (kick_powers.h) [s]
  ContactScratch scratch;
  std::vector<double> kinks;  ///< functions whose zeros are kinks, as last evaluated
  double contact_energy = 0.0;
  double modelled_energy = 0.0;   ///< of it: of contacts whose force is not its gradient [J]
  double bristle_energy = 0.0;    ///< of the bristles of friction [J]
  double published_energy = 0.0;  ///< the part of contact_energy after publications [J]

 private:
  void compile_signals();
};

}  // namespace carom
