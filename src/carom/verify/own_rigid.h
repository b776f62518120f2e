// Rigid contacts recomputed from recorded rows: states, forces and impulses.
//
// Shares nothing with the engine's rigid contacts and its solver; what it needs are shapes, masses
// and coefficients of the scene, the rows, the list of events, and the rows at these.
//
//   states    closed: gap 0, no speed along the normal; open: no force; N >= 0               (1)
//   cone      |F_t| <= mu_s N; sticking: no slip; sliding: F_t = -mu_k N u_t/|u_t|           (2)
//   impacts   m (v+ - v-) and I (w+ - w-) against the impulses, of free bodies v- by free motion
//             from the row before; of all, through joints and loops, from the state before the
//             event (own_balance.h); speeds, Coulomb's law and lost energy of the table      (3)
//   steps     m (v2 - v1) = h (m g + F2) of every time step that has a row at both ends      (4)
//   ledger    energy of poses and velocities, and what was booked as lost: constant          (5)
#pragma once

#include <map>

#include "carom/verify/own_contacts.h"
#include "carom/verify/own_touch.h"
#include "carom/verify/own_track.h"

namespace carom::verify {

/// Two bodies of one shape each that may touch rigidly, and what was recorded of them.
struct RigidPairTrack {
  std::size_t a = 0, b = 0;  ///< into Model::bodies
  const PairLaw* law = nullptr;
  std::string name;  ///< of its channels
};

/// A recording by the names of its bodies and pairs. Internal to verify.
class RecordedBodies {
 public:
  RecordedBodies(const Model& model, const Recording& rows);

  bool is_whole() const { return is_whole_; }  ///< every body that moves was recorded
  const Model& model() const { return model_; }
  const Recording& rows() const { return rows_; }
  std::span<const RigidPairTrack> pairs() const { return pairs_; }

  Pose pose(std::size_t body, std::size_t row) const;
  Moment moment(std::size_t body, std::size_t row) const;
  bool moves(std::size_t body) const { return model_.bodies[body].link != 0; }
  /// Velocity of a point of the body.
  Vec3 velocity(std::size_t body, const Vec3& p, std::size_t row) const;
  Vec3 vector(const std::string& channel, std::size_t row) const;
  double number(const std::string& channel, std::size_t row) const;
  std::optional<OwnTouch> touch(const RigidPairTrack& pair, std::size_t row) const;
  /// Where shapes of the pair touch at this row; empty: nowhere, or some have no closed form.
  std::vector<OwnTouch> touches(const RigidPairTrack& pair, std::size_t row) const;
  const Shape& shape(std::size_t body) const { return model_.scene.bodies[body].shapes[0].shape; }
  Pose X_BS(std::size_t body) const { return model_.scene.bodies[body].shapes[0].X_BS; }
  /// Nothing but contacts and weight acts on the body.
  bool is_free(std::size_t body) const;

 private:
  std::size_t column(const std::string& name) const;

  const Model& model_;
  const Recording& rows_;
  std::map<std::string, std::size_t> columns_;
  std::vector<Track> tracks_;
  std::vector<RigidPairTrack> pairs_;
  bool is_whole_ = true;
};

/// Size up to which gaps are rounding, over the smaller extent of two bodies [m].
double size_of(const RecordedBodies& record, const RigidPairTrack& pair);

/// Rows around events: those before them, wherever modes were about to switch, and those after
/// each of the last events, in their order.
struct EventRows {
  Recording before, after;
  static void append(double t, std::span<const double> row, Recording& to) {
    to.time.push_back(t);
    to.values.insert(to.values.end(), row.begin(), row.end());
  }
};

/// All of it.
void compare_rigid(const Model& model, const Recording& rows, std::span<const EngineEvent> events,
                   const EventRows& at_events, std::vector<Recomputed>& out);

/// (3) alone.
void compare_impacts(const RecordedBodies& samples, const RecordedBodies& before,
                     const RecordedBodies& after, std::span<const EngineEvent> events,
                     std::vector<Recomputed>& out);

}  // namespace carom::verify
