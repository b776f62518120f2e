// Elastic contact of shapes: laws of material or of given stiffness, from depth and its rate.
#include "carom/base/index.h"
#include "carom/engine/contact/contact_forces.h"
#include "carom/engine/contact/contact_part.h"
#include "carom/engine/contact/contact_validity.h"
#include "carom/engine/contact/elastic/spring_contact.h"
#include "carom/engine/contact/normal_forces.h"
#include "carom/engine/events/contact_events.h"
#include "carom/engine/implicit/pair_rows.h"

namespace carom {
namespace {

class ElasticPart final : public ContactPart {
 public:
  constexpr ElasticPart() : ContactPart("elastic") {}

  Contact find(const Workspace& w, const ContactPair& pair) const override {
    return find_contact(pair_state(w, pair));
  }

  double resolution(const Workspace& w, const ContactPair& pair) const override {
    return finder_resolution(w, pair);
  }

  void begin(Workspace& w, ContactPair& pair, const Contact& contact, bool is_put) const override {
    start_law(w, pair, contact, is_put);
    pair.base = choose_base(pair_state(w, pair), contact, nullptr);
    note_expectations(w, pair_state(w, pair), contact, pair);
    prepare_guard(w, pair_state(w, pair), contact, pair);
  }

  void expect(Workspace& w, ContactPair& pair, const Contact& contact) const override {
    start_law(w, pair, contact, false);
    pair.base = choose_base(pair_state(w, pair), contact, nullptr);
  }

  void begin_at_rest(Workspace& w, ContactPair& pair, const Contact& contact) const override {
    start_law_at_rest(w, pair);
    pair.base = choose_base(pair_state(w, pair), contact, nullptr);
    pair.expected_depth = expected_depth(w, pair_state(w, pair), contact);
  }

  double bearable_depth(Workspace& w, const ContactPair& known,
                        const Contact& contact) const override {
    /// A contact may begin at this share of the depth to expect: its energy is then 3e-8 of the
    /// impact.
    constexpr double kShareOfDepth = 1e-3;
    ContactPair pair = known;
    start_law(w, pair, contact, false);
    pair.base = choose_base(pair_state(w, pair), contact, nullptr);
    return std::max(2.0 * resolution(w, pair),
                    kShareOfDepth * expected_depth(w, pair_state(w, pair), contact));
  }

  std::vector<Finding> findings(const Workspace& w, const ContactPair& pair,
                                const Contact& contact) const override {
    return validity_findings(w, pair, contact);
  }

  double longest_step(const Workspace& w) const override { return longest_sweep(w); }

  bool remember(Workspace& w, std::span<ContactPair> pairs) const override {
    return remember_contacts(w, pairs);
  }

  void functions(Workspace& w, std::span<const double> x, std::size_t first, std::size_t last,
                 double* g, double* resolution_of) const override {
    for (std::size_t i = first; i < last; ++i, g += kContactFunctions) {
      const PairState s = pair_state(w, w.modes.contacts.pairs[i]);
      const Contact contact = find_and_note(w, i, s);
      calc_pair_functions(w, s, x, contact, resolution(w, s.pair), g, resolution_of);
      resolution_of += kContactFunctions;
    }
  }

  void apply(Workspace& w, std::span<const double> x, std::size_t first,
             std::size_t last) const override {
    const KnownContacts& known = w.contacts.known;
    for (std::size_t k = first; k < last; ++k) {
      const std::size_t i = w.contacts.touching[k];
      const PairState s = pair_state(w, w.modes.contacts.pairs[i]);
      Contact contact;
      if (s.pair.base.kind == SpringBase::points) {
        contact = known.are_current ? known.of_pair[i] : find_contact(s);
        find_points(s, contact, w.contacts.scratch.manifold);
      }
      apply_pair(w, s, x, contact, nullptr, w.contacts.readings[k]);
    }
  }

  bool has_step_rows() const override { return true; }

  /// Those of its springs, or of the manifold. A face that looks aside, or does not tell of the
  /// overlap, gives way to another, as the bodies have turned, and at last to the points where they
  /// are deepest: edges may cross beyond every face that looks along their normal.
  bool find_step_rows(Workspace& w, ContactPair& pair, const Contact& contact,
                      const StepReach& look, PairRows& out) const override {
    constexpr double kShallow = 2e-3;  // of the bodies' size
    const PairState s = pair_state(w, pair);
    const double wrong = kShallow * smaller_reach(w.model->contact, pair);
    const auto find = [&] { return find_rows(s, contact, look, w.contacts.scratch, out); };
    const auto tells = [&] { return !(out.deepest() < -contact.phi - wrong); };
    if (look.along_distance) {
      pair.base = {};
      return find();
    }
    const auto is_flat = [](const SpringBody* body) { return body && body->is_faceted(); };
    const bool are_points =
        pair.base.kind == SpringBase::points && is_flat(s.springs_a) && is_flat(s.springs_b);
    if (are_points || looks_aside(s, contact, pair.base)) {
      pair.base = choose_base(s, contact, nullptr);
      if (looks_aside(s, contact, pair.base)) pair.base = {};
    }
    bool found = find();
    if (!tells() && !are_points) {
      pair.base = choose_base(s, contact, nullptr);
      found = find();
    }
    if (!tells()) {
      pair.base = {};
      found = find();
    }
    return found;
  }
};

constexpr ElasticPart kElastic;

}  // namespace

const ContactPart& elastic_part = kElastic;

}  // namespace carom
