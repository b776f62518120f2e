// What rigid contact asks of a scene: shapes whose contact it knows.
#include <algorithm>
#include <set>

#include "carom/base/index.h"
#include "carom/contact/cones/impact.h"
#include "carom/engine/compile/compiler.h"
#include "carom/engine/contact/contact_part.h"
#include "carom/engine/contact/rigid/rigid_forms.h"
#include "carom/engine/contact/rigid/rigid_sites.h"
#include "carom/engine/time_stepping/stepped_contacts.h"
#include "carom/proximity/finder.h"

namespace carom {

/// Every pair of shape kinds that rigid contact does not know, once.
void Compiler::check_rigid_shapes() {
  const ContactModel& contact = model_->contact;
  // Under `auto` a run may go on by time steps where such shapes meet.
  const bool may_step = scene_.run.integrator == "auto" && find_stepping_obstacle(*model_).empty();
  const auto is_one_body = [&](const Collider& c) {
    return c.convex_count == 1 && contact.pieces[c.first].finder == &finder_convex;
  };
  std::set<std::string> told;
  const auto n = static_cast<std::uint32_t>(contact.colliders.size());
  for (std::uint32_t i = 0; i < n; ++i) {
    for (std::uint32_t j = i + 1; j < n; ++j) {
      const Collider &a = contact.colliders[i], &b = contact.colliders[j];
      const int law = contact.law_of(i, j);
      if (law < 0 || contact.parts[at(contact.part_of_law[at(law)])] != &rigid_part) continue;
      if (!contact.may_meet(i, j)) continue;
      const RigidObstacle found = find_rigid_obstacle(scene_, contact, a, b);
      if (found.empty() || !told.insert(found.what).second) continue;
      const BodySpec &first = scene_.bodies[at(a.body)], &second = scene_.bodies[at(b.body)];
      const std::string what = "'" + first.name + "' and '" + second.name + "': " + found.what;
      if (may_step && is_one_body(a) && is_one_body(b)) {
        diagnostics_.note(second.where,
                          what +
                              " under error control: where they meet 'auto' goes over to time "
                              "steps");
      } else {
        diagnostics_.error(second.where, what, found.remedy);
      }
    }
  }
}

/// What is said of contact and does not apply.
void Compiler::note_rigid_choices() {
  const auto note = [&](const ContactChoice& choice, const SourcePos& where) {
    const auto say = [&](bool is_said, const char* key) {
      if (!is_said) return;
      diagnostics_.note(where, std::string("contact.") + key + " does not apply to rigid contacts");
    };
    const auto is_said = [](const std::optional<LawSpec>& law) {
      return law && law->where.line > 0;
    };
    say(is_said(choice.normal), "law");
    say(is_said(choice.friction), "friction");
    say(is_said(choice.resistance), "resistance");
    say(choice.k_red.value_or(1.0) != 1.0, "k_red");
  };
  const ContactSpec& contact = scene_.contact;
  if (!model_->contact.has_elastic()) note(contact.all, contact.where);
  for (const auto& pairs : {contact.pairs, contact.material_pairs}) {
    for (const ContactPairSpec& pair : pairs) {
      if (pair.choice.method.value_or(contact.all.method.value_or("")) == kRigidContactMethod) {
        note(pair.choice, pair.where);
      }
    }
  }
}

/// What is said of impacts and landings that time steps do not locate.
void Compiler::note_located_choices() {
  const RigidSpec &rigid = scene_.contact.rigid, usual;
  const auto say = [&](bool is_said, const char* key) {
    if (!is_said) return;
    diagnostics_.note(scene_.contact.where, std::string("contact.rigid.") + key +
                                                " does not apply to time steps: all impacts of a "
                                                "step are one, by Newton's law");
  };
  say(rigid.law != usual.law && rigid.law != kNoImpacts, "impact.law");
  say(rigid.resolution != usual.resolution, "impact.resolution");
  say(rigid.landing_height >= 0.0 || rigid.landing_rule != usual.landing_rule, "landing");
  say(rigid.paradox != usual.paradox, "paradox");
}

/// What is said of rigid contact where there is none.
void Compiler::note_unused_drilling() {
  const auto note = [&](const ContactChoice& choice, const SourcePos& where) {
    if (!(choice.spin_radius.value_or(0.0) > 0.0)) return;
    diagnostics_.note(where,
                      "contact.spin_radius applies to rigid contacts alone: under this method "
                      "resistance: says what drilling meets, or method: rigid takes it");
  };
  const ContactSpec& contact = scene_.contact;
  if (!model_->contact.has_rigid) note(contact.all, contact.where);
  for (const auto& pairs : {contact.pairs, contact.material_pairs}) {
    for (const ContactPairSpec& pair : pairs) {
      if (pair.choice.method.value_or(contact.all.method.value_or("")) != kRigidContactMethod) {
        note(pair.choice, pair.where);
      }
    }
  }
}

void Compiler::check_rigid() {
  note_unused_drilling();
  if (!model_->contact.has_rigid) return;
  const RunSpec& run = scene_.run;
  const bool steps =
      run.integrator == "time_stepping" || (run.integrator == "auto" && run.step > 0);
  if (!steps) {  // time steps take every shape
    model_->contact.solids = make_solids(scene_, model_->contact);
    model_->contact.rounds = make_rounds(scene_, model_->contact);
    model_->contact.forms = make_forms(model_->contact.solids, model_->contact.rounds);
    check_rigid_shapes();
  }
  if (steps && !model_->contact.has_elastic()) {
    const StepObstacle obstacle = find_stepping_obstacle(*model_);
    if (!obstacle.empty()) {
      diagnostics_.error(scene_.contact.where, obstacle.what, obstacle.remedy);
    }
  }
  if (steps) note_located_choices();
  note_rigid_choices();
  if (scene_.initial.kind == InitialSpec::Kind::equilibrium) {
    diagnostics_.error(scene_.initial.where, "an equilibrium on rigid contacts is not looked for",
                       "give the start, or find it with method: elastic");
  }
}

}  // namespace carom
