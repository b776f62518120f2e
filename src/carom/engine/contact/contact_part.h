// One formulation of contact: how pairs of it answer.
//
// Which shapes are near each other is found once for all (contact_search.h); every pair belongs to
// one part, which says how far its bodies are apart, when a contact begins and ends, and what it
// does while it lasts. A part is constant and lives in the Model; what it remembers in a run is in
// the pairs (ContactPair), which are plain data and saved with the run.
//
// Evaluations ask a part for a run of pairs at once: one virtual call per part, none per contact.
// What concerns one pair is asked where contacts begin and end and where they are read.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "carom/engine/contact/contact_reading.h"
#include "carom/engine/events/events.h"
#include "carom/proximity/shape_piece.h"

namespace carom {

struct PairRows;
struct PressureMap;

/// How an implicit step (engine/implicit) looks at a pair.
struct StepReach {
  double reach = 0.0;           ///< gap up to which the bodies may meet within the step [m]
  double way = 0.0;             ///< by how much their own speed brings them together in it [m]
  bool along_distance = false;  ///< rows where they are deepest, whatever face they are on
};

class ContactPart {
 public:
  const char* const name;
  /// What overlaps may lie behind each other and not touch: overlap alone begins nothing, and is
  /// no failure of the search.
  const bool may_lie_behind = false;
  /// Its forces are those of a publication, be they the gradient of an energy or not.
  const bool is_published = false;
  /// Two pieces may touch in several places at once, each a site with a branch of its own. One of
  /// their sites is always apart and watches for the next.
  const bool has_branches = false;
  /// Its forces are not the gradient of an energy of the pose: a contact holds what has flowed in,
  /// and gives back no more.
  const bool is_banked = false;

  // Its pairs, besides those of the search.

  /// Appends the pairs that are watched always, ascending; `part` is its own place in the model.
  virtual void watch(const ContactModel&, int part, std::vector<ContactPair>& pairs) const;
  /// ContactPair::own is below this; -1 for pairs of the search.
  virtual int own_count(const ContactModel&) const { return 0; }
  /// Makes room for what its pairs need, when they have changed.
  virtual void prepare(Workspace&) const {}

  /// Whether two pieces that the search has found are a pair of it.
  virtual bool takes(const ShapePiece& a, const ShapePiece& b) const;

  // One pair, at the kinematics last evaluated.

  /// Distance and the points that are nearest.
  virtual Contact find(const Workspace& w, const ContactPair& pair) const = 0;
  /// What the distance resolves: its rounding [m].
  virtual double resolution(const Workspace& w, const ContactPair& pair) const = 0;
  /// Whether bodies at this distance touch where nothing is known of their past.
  virtual bool overlaps(const Workspace&, const ContactPair&, double phi) const {
    return phi <= 0.0;
  }
  /// What begins or ends here is not new: it was a part of another site, or has become one. Its
  /// depth and rate say nothing about that.
  virtual bool is_divided(const Workspace&, const ContactPair&) const { return false; }
  /// A contact begins: what the pair has to know of it. `is_put`: it was not thrown there.
  virtual void begin(Workspace&, ContactPair&, const Contact&, bool is_put) const;
  /// A contact ends: what of its states goes on in another site.
  virtual void hand_over(Workspace&, std::span<double>, ContactPair&) const {}
  /// The same for the search of an equilibrium, where nothing moves.
  virtual void begin_at_rest(Workspace&, ContactPair&, const Contact&) const {}
  /// Depth at which a contact may begin unseen, because that is what its force means little at [m].
  virtual double bearable_depth(Workspace&, const ContactPair&, const Contact&) const;
  /// The last of its event functions has passed zero. Returns the kind of event by which the
  /// contact ends, or null where it goes on.
  virtual const char* pass_limit(Workspace&, double t, const ContactPair&, EventOutcome&) const;
  /// Where the contact has left what the formulation holds for.
  virtual std::vector<Finding> findings(const Workspace&, const ContactPair&, const Contact&) const;

  // Runs of pairs.

  /// Every pair's answer becomes the start of its next questions; after accepted steps. True where
  /// a force has changed by it.
  virtual bool remember(Workspace&, std::span<ContactPair>) const { return false; }
  /// Event functions of the pairs [first, last), kContactFunctions each, and what they resolve.
  virtual void functions(Workspace& w, std::span<const double> x, std::size_t first,
                         std::size_t last, double* g, double* resolution) const = 0;
  /// Forces, rates of states and readings of the contacts w.contacts.touching[first, last).
  virtual void apply(Workspace& w, std::span<const double> x, std::size_t first,
                     std::size_t last) const = 0;

  // Rows of the velocity problem of a step (scene_step.h).

  /// Whether implicit steps can take it.
  virtual bool has_step_rows() const { return false; }
  /// A pair that has not begun and may be brought together by a step: what its rows need of
  /// begin(). Most of these are asked for in vain.
  virtual void expect(Workspace& w, ContactPair& pair, const Contact& contact) const {
    begin(w, pair, contact, false);
  }
  /// Where the pair presses, how stiff and how damped at each point, and where it rubs
  /// (implicit/pair_rows.h), for bodies that may come together by `look.reach`: points that land
  /// within the step belong to it. `pair` is a copy that the step keeps for itself; if it has not
  /// begun yet, expect() was called for it. False: nothing can press.
  virtual bool find_step_rows(Workspace&, ContactPair& pair, const Contact&, const StepReach& look,
                              PairRows& out) const;

  // Error control and results.

  /// The longest step from where the workspace is, so that its search stays cheap [s].
  virtual double longest_step(const Workspace&) const { return kInf; }

  /// The points of a contact where these are results of their own.
  virtual std::span<const SurfacePoints::Point> points(const Workspace&, const ContactPair&) const {
    return {};
  }
  /// Appends where the contact of a reading presses, point by point; nothing: it has but a point.
  virtual void map_pressure(Workspace&, const ContactReading&, std::vector<PressureMap>&) const {}
  /// On which its states count, beyond those that all contacts have: `scale` is the pair's slot,
  /// `size` that of its smaller body [m].
  virtual void scale_states(const Workspace&, const ContactPair&, double size,
                            std::span<double> scale) const;

 protected:
  struct Traits {
    bool may_lie_behind = false, is_published = false, has_branches = false, is_banked = false;
  };
  constexpr explicit ContactPart(const char* part_name) : name(part_name) {}
  constexpr ContactPart(const char* part_name, Traits traits)
      : name(part_name),
        may_lie_behind(traits.may_lie_behind),
        is_published(traits.is_published),
        has_branches(traits.has_branches),
        is_banked(traits.is_banked) {}
  ~ContactPart() = default;  // constants: nobody deletes one through its base
};

/// The part of a pair.
const ContactPart& part_for(const Workspace& w, const ContactPair& pair);

/// Calls `visit(part, first, last)` for every run of neighbours of one part among `count` pairs;
/// `pair_at(i)` is the i-th.
template <class PairAt, class Visit>
void for_runs(const Workspace& w, std::size_t count, PairAt&& pair_at, Visit&& visit) {
  for (std::size_t first = 0, last = 0; first < count; first = last) {
    const int part = pair_at(first).part;
    for (last = first + 1; last < count && pair_at(last).part == part;) ++last;
    visit(part_for(w, pair_at(first)), first, last);
  }
}

/// Whether two colliders touch as triangles.
bool are_of_triangles(const ContactModel& model, ColliderId a, ColliderId b);
/// Whether they touch by their area.
bool are_of_areas(const ContactModel& model, ColliderId a, ColliderId b);

/// That of a row of contact/methods; every row has one.
const ContactPart* find_contact_part(std::string_view method);

extern const ContactPart& elastic_part;
extern const ContactPart& connected_part;
extern const ContactPart& triangle_part;
extern const ContactPart& rigid_part;
extern const ContactPart& area_part;

}  // namespace carom
