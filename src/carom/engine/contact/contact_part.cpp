#include "carom/engine/contact/contact_part.h"

#include "carom/base/index.h"
#include "carom/proximity/finder.h"

namespace carom {

// What a part need not care about.

void ContactPart::watch(const ContactModel&, int, std::vector<ContactPair>&) const {}

void ContactPart::begin(Workspace&, ContactPair&, const Contact&, bool) const {}

bool ContactPart::takes(const ShapePiece& a, const ShapePiece& b) const {
  return a.finder != &finder_triangles && b.finder != &finder_triangles && !a.has_area &&
         !b.has_area;
}

double ContactPart::bearable_depth(Workspace& w, const ContactPair& pair, const Contact&) const {
  return 2.0 * resolution(w, pair);
}

const char* ContactPart::pass_limit(Workspace&, double, const ContactPair&, EventOutcome&) const {
  return nullptr;
}

std::vector<Finding> ContactPart::findings(const Workspace&, const ContactPair&,
                                           const Contact&) const {
  return {};
}

void ContactPart::scale_states(const Workspace&, const ContactPair&, double,
                               std::span<double>) const {}

bool ContactPart::find_step_rows(Workspace&, ContactPair&, const Contact&, const StepReach&,
                                 PairRows&) const {
  return false;
}

const ContactPart* find_contact_part(std::string_view method) {
  for (const ContactPart* part : {&elastic_part, &triangle_part, &rigid_part, &area_part}) {
    if (part->name == method) return part;
  }
  return nullptr;
}

bool are_of_triangles(const ContactModel& model, ColliderId a, ColliderId b) {
  const int law = model.law_of(a, b);
  return law >= 0 && model.parts[at(model.part_of_law[at(law)])] == &triangle_part;
}

bool are_of_areas(const ContactModel& model, ColliderId a, ColliderId b) {
  const int law = model.law_of(a, b);
  return law >= 0 && model.parts[at(model.part_of_law[at(law)])] == &area_part;
}

const ContactPart& part_for(const Workspace& w, const ContactPair& pair) {
  return *w.model->contact.parts[at(pair.part)];
}

}  // namespace carom
